#!/usr/bin/env bash
# The same questions asked of shiyi, grep, ripgrep and SQLite's full-text search over the same rules, from runs in
# turn; times as ratios to an empty program. SQLite has the very entries that shiyi has (see sqlite.sh). What is not
# installed is left out. Needs the real texts in ../shared.
#
#   [SHIYI=PROGRAM] benches/peers.sh [RUNS]
#
# What each can answer differs: grep and ripgrep find substrings, line by line, unranked; SQLite's trigram index finds
# no Chinese word of two characters.
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:-31}
data=../shared/data/mtg
edition=2026-04-17
if [ ! -d "$data" ]; then
    echo "skipped: $data not found" >&2
    exit 0
fi
target=${CARGO_TARGET_DIR:-target}
source benches/sqlite.sh
cargo build --locked --release --quiet --bin shiyi --example interleave
cargo build --release --quiet --manifest-path benches/floor/Cargo.toml --target-dir "$target"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset SHIYI_LIBRARY SHIYI_GAME

mkdir -p "$work/rules/mtg"
for lang in en zh; do
    cp "$data/cr-$lang/$edition.txt" "$work/rules/mtg/$lang.txt"
done
en=$work/rules/mtg/en.txt
zh=$work/rules/mtg/zh.txt
# Copies, as an installation makes them; SHIYI is another build, the release artefact for one.
install -D "${SHIYI:-$target/release/shiyi}" "$work/bin/shiyi"
install "$target/release/floor" "$work/bin/floor"
shiyi=$work/bin/shiyi
"$shiyi" --library "$work" ingest >/dev/null 2>&1

number=("shiyi=$shiyi --library $work show 702.19b --only")
english=("shiyi=$shiyi --library $work search combat damage step")
chinese=("shiyi=$shiyi --library $work search 战斗伤害步骤")
two=("shiyi=$shiyi --library $work search 横置")
for program in grep rg; do
    command -v "$program" >/dev/null || continue
    number+=("$program=$program ^702\.19b $en $zh")
    english+=("$program, substring=$program -i combat%20damage%20step $en $zh")
    chinese+=("$program, substring=$program 战斗伤害步骤 $en $zh")
    two+=("$program, substring=$program 横置 $en $zh")
done
if command -v sqlite3 >/dev/null; then
    sqlite_rows "$shiyi" "$work" "$work"
    sqlite_load "$work/rules.db" "$work"
    sqlite3 "$work/rules.db" <<SQL
create table numbers(number text primary key, en text, zh text);
insert or ignore into numbers select en.number, en.text, zh.text from en left join zh using (id) where en.number <> '';
insert into en(en) values ('optimize');
insert into zh(zh) values ('optimize');
SQL
    sql() { echo "sqlite3 $work/rules.db ${1// /%20}"; }
    number+=("sqlite3=$(sql "select * from numbers where number = '702.19b'")")
    english+=("sqlite3 FTS5 porter=$(sql "select * from en where en match 'combat damage step' order by rank limit 10")")
    chinese+=("sqlite3 FTS5 trigram=$(sql "select * from zh where zh match '战斗伤害步骤' order by rank limit 10")")
    two+=("sqlite3 FTS5 trigram, finds none=$(sql "select * from zh where zh match '横置' order by rank limit 10")")
fi

ask() {
    local question=$1
    shift
    echo "$question"
    "$target/release/examples/interleave" "$runs" "empty program=$work/bin/floor" "$@"
    echo
}
ask "a rule by number: 702.19b" "${number[@]}"
ask "English: combat damage step" "${english[@]}"
ask "Chinese: 战斗伤害步骤" "${chinese[@]}"
ask "Chinese, two characters: 横置" "${two[@]}"
