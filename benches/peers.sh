#!/usr/bin/env bash
# The same questions asked of shiyi, grep, ripgrep and the full-text searches of SQLite, Xapian and Groonga, from runs in
# turn; times as ratios to an empty program. First over Magic's rules in both languages, then with sixteen altered copies
# of them, about 66,000 entries. The engines have the very entries that shiyi has (see sqlite.sh, others.sh), grep and
# ripgrep the files. What is not installed is left out. Needs the real texts in ../shared.
#
#   [SHIYI=PROGRAM] benches/peers.sh [RUNS]
#
# What each can answer differs: grep and ripgrep find substrings, line by line, unranked; SQLite's trigram index finds
# no Chinese word of two characters; Groonga's answers are not in order of relevance.
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:-31}
data=../shared/data/mtg
if [ ! -d "$data" ]; then
    echo "skipped: $data not found" >&2
    exit 0
fi
target=${CARGO_TARGET_DIR:-target}
source benches/libraries.sh
source benches/sqlite.sh
source benches/others.sh
cargo build --locked --release --quiet --bin shiyi --example interleave
cargo build --release --quiet --manifest-path benches/floor/Cargo.toml --target-dir "$target"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset SHIYI_LIBRARY SHIYI_GAME

# Copies, as an installation makes them; SHIYI is another build, the release artefact for one.
install -D "${SHIYI:-$target/release/shiyi}" "$work/bin/shiyi"
install "$target/release/floor" "$work/bin/floor"
shiyi=$work/bin/shiyi

has() {
    command -v "$1" >/dev/null
}

# Times a step of loading.
timed() {
    local started
    started=$(date +%s%N)
    "$@"
    echo "$(basename "$1") loads in $((($(date +%s%N) - started) / 1000000)) ms" >&2
}

ask() {
    local question=$1
    shift
    echo "$question"
    "$target/release/examples/interleave" "$runs" "empty program=$work/bin/floor" "$@"
    echo
}

# Asks all of them about the library $1.
compare() {
    local library=$1 texts program sql
    texts=$(echo "$library"/rules/*/*.txt)
    rows=$work/rows
    rm -rf "$rows"
    mkdir "$rows"
    timed "$shiyi" --quiet --library "$library" ingest
    local number=("shiyi=$shiyi --library $library show mtg:702.19b --only")
    local english=("shiyi=$shiyi --library $library search combat damage step")
    local chinese=("shiyi=$shiyi --library $library search 战斗伤害步骤")
    local two=("shiyi=$shiyi --library $library search 横置")
    for program in grep rg; do
        has $program || continue
        number+=("$program=$program ^702\.19b $texts")
        english+=("$program, substring=$program -i combat%20damage%20step $texts")
        chinese+=("$program, substring=$program 战斗伤害步骤 $texts")
        two+=("$program, substring=$program 横置 $texts")
    done
    if has sqlite3; then
        sqlite_rows "$shiyi" "$library" "$rows"
        sqlite_load "$rows/rules.db" "$rows" timed
        sqlite3 "$rows/rules.db" <<SQL
create temp table chinese(id text primary key, text text);
insert or ignore into chinese select id, text from zh;
create table numbers(id text primary key, number text, en text, zh text);
insert or ignore into numbers
    select en.id, en.number, en.text, chinese.text from en left join chinese using (id) where en.number <> '';
insert into en(en) values ('optimize');
insert into zh(zh) values ('optimize');
SQL
        sql() { echo "sqlite3 $rows/rules.db ${1// /%20}"; }
        number+=("sqlite3=$(sql "select * from numbers where id = 'mtg:rule:702.19b'")")
        english+=("sqlite3 FTS5 porter=$(sql "select * from en where en match 'combat damage step' order by rank limit 10")")
        chinese+=("sqlite3 FTS5 trigram=$(sql "select * from zh where zh match '战斗伤害步骤' order by rank limit 10")")
        two+=("sqlite3 FTS5 trigram, finds none=$(sql "select * from zh where zh match '横置' order by rank limit 10")")
    fi
    if has sqlite3 && has quest && has scriptindex; then
        xapian_load "$rows" timed
        number+=("xapian quest=quest --db=$rows/xapian-en --boolean-prefix=number:XN number:702.19b")
        english+=("xapian quest=quest --db=$rows/xapian-en combat%20damage%20step")
        chinese+=("xapian quest=quest --db=$rows/xapian-zh --stemmer=none 战斗伤害步骤")
        two+=("xapian quest=quest --db=$rows/xapian-zh --stemmer=none 横置")
    fi
    if has sqlite3 && has groonga; then
        groonga_load "$rows" timed
        # A question is quoted once for its command line and once for its query.
        find() { echo "groonga $rows/groonga/db select $1 --match_columns text --query '\"$2\"' --limit 10"; }
        number+=("groonga=groonga $rows/groonga/db select en --filter '_key==\"mtg:rule:702.19b\"'")
        english+=("groonga=$(find en combat%20damage%20step)")
        chinese+=("groonga=$(find zh 战斗伤害步骤)")
        two+=("groonga=$(find zh 横置)")
    fi
    ask "a rule by number: 702.19b" "${number[@]}"
    ask "English: combat damage step" "${english[@]}"
    ask "Chinese: 战斗伤害步骤" "${chinese[@]}"
    ask "Chinese, two characters: 横置" "${two[@]}"
}

echo "== the rules in both languages"
rules_library "$work/small"
compare "$work/small"
echo "== with sixteen altered copies"
copied_library "$work/large" 16
compare "$work/large"
