# A small made-up library, and eight commands that ask it what users ask. `.ci/instructions` counts what they cost,
# `.ci/dist` lays what they run side by side. To be sourced by bash.

# Makes the library's texts in the folder $1.
make_library() {
    mkdir -p "$1/rules/demo"
    cat >"$1/rules/demo/game.toml" <<'TOML'
id = "demo"
names = { en = "Demo", zh = "示范" }
[[document]]
id = "cr"
signatures = ["Demo Rules", "示范规则"]
numbering = { levels = ["n", ".n", "a"], digits = [3, 3], chapter-size = 100 }
TOML
    rules() { # TITLE CHAPTER SECTION SENTENCE
        awk -v title="$1" -v chapter="$2" -v section="$3" -v sentence="$4" 'BEGIN {
            print title "\n"
            for (c = 1; c <= 5; c++) {
                print "\n" c ". " chapter c
                for (s = 0; s < 6; s++) {
                    print "\n" c * 100 + s ". " section s "\n"
                    for (r = 1; r <= 12; r++) printf "%d.%d. " sentence "\n\n", c * 100 + s, r, c, r, c * 100 + (s + 1) % 6, r
                }
            }
        }'
    }
    rules "Demo Rules" "Chapter " "Section " \
        'While part %d of the turn lasts, a player who guards a tower may turn %d cards face up; see rule %d.%d.' \
        >"$1/rules/demo/en.txt"
    rules "示范规则" "第一章" "小节" '在回合的第%d部分，守护高塔的玩家可以将%d张牌翻至正面；参见规则%d.%d。' >"$1/rules/demo/zh.txt"
}

# Calls $1 with a name and the arguments, for each of the commands.
each_command() {
    "$1" "rule by number" demo 304.7
    "$1" "rule by number, JSON" show 304.7 --json
    "$1" "range with who cites it" show 301.2-5 --refs
    "$1" "English search" search guards tower face
    "$1" "Chinese search" search 守护高塔
    "$1" "exact search" search --exact 翻至正面
    "$1" "eval" eval --game fow 具有2个力量指示物
    "$1" "calc" calc --game fow damage base=400 'modifiers=["double","plus 100"]'
}
