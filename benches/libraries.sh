# Libraries to measure on: Magic's comprehensive rules in both languages, alone and with altered copies. To be sourced by
# bash, from the repository's root.

rules=../shared/data/mtg
edition=2026-04-17

# The rules as they are, in the folder $1.
rules_library() {
    local lang
    mkdir -p "$1/rules/mtg"
    for lang in en zh; do
        cp "$rules/cr-$lang/$edition.txt" "$1/rules/mtg/$lang.txt"
    done
}

# The altered copy $1 of them, English in the file $2 and Chinese in $3.
altered_rules() {
    sed -e "1s/.*/Copy $1 Rules/" -e "s/ card/ card$1/g" -e "s/ player/ player$(($1 % 5))/g" "$rules/cr-en/$edition.txt" >"$2"
    sed -e "1s/.*/Copy $1 Rules/" -e "s/牌手/玩家$1/g" "$rules/cr-zh/$edition.txt" >"$3"
}

# The rules with $2 altered copies, which are documents of one more game, in the folder $1.
copied_library() {
    local i copies=$1/rules/copy
    rules_library "$1"
    mkdir -p "$copies"
    {
        echo 'id = "copy"'
        echo 'names = { en = "Copied", zh = "副本" }'
        echo 'languages = ["en", "zh"]'
        for i in $(seq 1 "$2"); do
            echo '[[document]]'
            echo "id = \"$([ "$i" = 1 ] && echo cr || echo "cr$i")\""
            echo "signatures = [\"Copy $i Rules\"]"
            sed -n '/^\[\[document\]\]/,/^back-matter/p' rules/mtg/game.toml |
                sed -n '0,/^back-matter/p' | grep -E '^(numbering|glossary|back-matter) = '
        done
    } >"$copies/game.toml"
    for i in $(seq 1 "$2"); do
        altered_rules "$i" "$copies/en$i.txt" "$copies/zh$i.txt"
    done
}
