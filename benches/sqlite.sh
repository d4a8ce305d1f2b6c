# What SQLite's full-text search is given to load: the very entries that shiyi has of a library, as `shiyi export` tells
# them; for each an id, a number and all its text, the English in a table with the porter stemmer and the Chinese in one
# with trigrams. To be sourced by bash.
#
# Reading the publishers' texts is no part of what SQLite is timed for: it gets rows, shiyi the texts.

# Writes the rows of a library: $1 is the program, $2 the library, $3 the folder for `en.rows` and `zh.rows`.
sqlite_rows() {
    local lang work=$3
    "$1" --library "$2" export --format ndjson >"$work/entries.ndjson" 2>/dev/null
    rm -f "$work/entries.db"
    {
        echo 'create table entries(line text);'
        echo '.mode ascii'
        echo '.separator "\037" "\n"'
        echo ".import $work/entries.ndjson entries"
        echo '.separator "\037" "\036"'
        for lang in en zh; do
            echo ".once $work/$lang.rows"
            cat <<SQL
select id, number, text from (
    select line ->> 'id' as id, coalesce(line ->> 'citation', '') as number,
        coalesce(nullif(line ->> '$.title.$lang', line ->> '$.text.$lang') || char(10), '') ||
        coalesce(line ->> '$.text.$lang' || char(10), '') ||
        coalesce((select group_concat(value ->> '$lang', char(10)) from json_each(line, '$.examples')) || char(10), '') ||
        coalesce((select group_concat(value ->> '$lang', char(10)) from json_each(line, '$.items')) || char(10), '') ||
        coalesce((select group_concat(value ->> 'text', char(10)) from json_each(line, '$.notes')
                  where value ->> 'lang' = '$lang'), '') as text
    from entries
) where text <> '';
SQL
        done
    } | sqlite3 "$work/entries.db"
    rm -f "$work/entries.db" "$work/entries.ndjson"
}

# Loads them into the empty database $1: $2 is the folder with the rows, what follows is what runs it (`time`, say).
sqlite_load() {
    local database=$1 rows=$2
    shift 2
    "$@" sqlite3 "$database" \
        "create virtual table en using fts5(id unindexed, number unindexed, text, tokenize = porter)" \
        "create virtual table zh using fts5(id unindexed, number unindexed, text, tokenize = trigram)" \
        ".mode ascii" ".import $rows/en.rows en" ".import $rows/zh.rows zh"
}
