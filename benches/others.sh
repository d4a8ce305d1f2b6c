# What the search engines Xapian and Groonga are given, and how they are asked: the rows of `benches/sqlite.sh`, each
# with its id, number and text, English and Chinese apart. To be sourced by bash.

# Xapian cuts Chinese into pairs of characters where this is set.
export XAPIAN_CJK_NGRAM=1

# Indexes the rows in the folder $1 with Xapian, in `xapian-en` and `xapian-zh` there. What follows runs it (`time`, say).
xapian_load() {
    local rows=$1 lang stemmer
    shift
    printf 'id : field=id\nnumber : boolean=XN field=number\ntext : field=text index\n' >"$rows/xapian.script"
    for lang in en zh; do
        [ $lang = en ] && stemmer=english || stemmer=none
        awk 'BEGIN { RS = "\036"; FS = "\037" }
             NF == 3 { gsub(/\n/, "\n=", $3); printf "id=%s\nnumber=%s\ntext=%s\n\n", $1, $2, $3 }' \
            "$rows/$lang.rows" >"$rows/$lang.dump"
        "$@" scriptindex --overwrite --stemmer=$stemmer "$rows/xapian-$lang" "$rows/xapian.script" "$rows/$lang.dump" \
            >/dev/null
    done
}

# Indexes them with Groonga, in `groonga/db` there.
groonga_load() {
    local rows=$1 lang
    shift
    mkdir -p "$rows/groonga"
    {
        for lang in en zh; do
            echo "table_create $lang TABLE_HASH_KEY ShortText"
            echo "column_create $lang number COLUMN_SCALAR ShortText"
            echo "column_create $lang text COLUMN_SCALAR Text"
            echo "table_create words_$lang TABLE_PAT_KEY ShortText --default_tokenizer TokenBigram --normalizer NormalizerAuto"
            echo "column_create words_$lang text COLUMN_INDEX|WITH_POSITION $lang text"
        done
        echo "table_create numbers TABLE_PAT_KEY ShortText"
        echo "column_create numbers number COLUMN_INDEX en number"
        for lang in en zh; do
            echo "load --table $lang"
            awk 'BEGIN { RS = "\036"; FS = "\037"; print "[" }
                 NF == 3 {
                     gsub(/\\/, "\\\\", $3); gsub(/"/, "\\\"", $3); gsub(/\n/, "\\n", $3); gsub(/\t/, "\\t", $3)
                     printf "%s{\"_key\":\"%s\",\"number\":\"%s\",\"text\":\"%s\"}", comma, $1, $2, $3
                     comma = ",\n"
                 }
                 END { print "\n]" }' "$rows/$lang.rows"
        done
    } >"$rows/groonga.commands"
    "$@" groonga -n --file "$rows/groonga.commands" "$rows/groonga/db" >/dev/null
}
