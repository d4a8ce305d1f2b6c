//! Reads citations as people type them: `CR 702.19.b`, `rule 100.1a-c`, `第702.19b条`, `MTR 2.5`, a pasted
//! sentence or address.
//!
//! One reader serves every game: the numbering of the game's documents says which numbers there are, and with
//! it what a dash means (`702.3a-1` is one rule where the numbering has that level, `702.3a-c` is a range).
//! The input is folded first, so width, case and the shape of dashes do not matter.
//!
//! ```text
//! citations := ( words? number ( range | list )? )*
//! number    := part ( joint part )*            第七百零二条 is 第702条
//! joint     := what the numbering has | '.' | ' ' | '-' | '_' | '(' | "subrule" | 条 | 款 | 项 | 之 …
//! range     := ( '-' | '~' | '…' | "to" | "through" | 至 | 到 ) ( number | last part )
//! list      := ( ',' | ';' | '、' | '&' | '/' | "and" | 和 | 与 ) ( number | letters )
//! ```

use crate::citation::{Part, RuleNumber};
use crate::entry::DEFAULT_DOCUMENT;
use crate::fold::{fold_char, fold_key, is_han, is_nothing};
use crate::game::{Game, Numbering};
use crate::query::numerals;
use std::ops::Range;

/// The longest input that is read, in characters: a pasted page is long enough.
const MAX_INPUT: usize = 4096;

/// The most figures that a part below a section has.
const LONGEST_PART: usize = 4;

/// The most figures of a part that are kept: a rule's number holds no more, and no rule has as many.
const MOST_FIGURES: usize = 9;

/// The longest name of a document that may be written with full stops, in letters.
const LONGEST_ABBREVIATION: usize = 5;

/// One rule, or a range of rules, that an input names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Citation {
    /// The document: `cr`, `mtr`.
    pub document: String,
    /// The rule, or the first of the range.
    pub first: RuleNumber,
    /// The last of the range, for a range.
    pub last: Option<RuleNumber>,
}

/// Where a citation stands in an input, in characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The number that was written first, or the letter of a list (`c` of `702.19b, c`).
    pub first: Range<usize>,
    /// The end of a range, in full or in part (`h` of `601.2f–h`).
    pub last: Option<Range<usize>>,
    /// True where what stands before it says that it is a rule's number: a document's name, `rule`, `§`, `第`, or such a
    /// number that it is listed with.
    pub named: bool,
    /// True where figures follow that are joined to it and are no part of it: `192.168.1.1` where a number has two parts.
    pub goes_on: bool,
}

impl Written {
    /// The number as it was typed, where it has more figures than a [`RuleNumber`] keeps.
    pub(super) fn cut(&self, input: &str) -> Option<String> {
        let typed = input.chars().skip(self.first.start).take(self.first.len());
        let typed: String = typed.filter(|c| !is_nothing(*c)).map(fold_char).collect();
        let figures = typed.split(|c: char| !c.is_ascii_digit());
        let longest = figures.map(str::len).max()?;
        (longest > MOST_FIGURES && self.last.is_none()).then_some(typed)
    }
}

/// What was read from an input.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// The citations, in the order of the input.
    pub citations: Vec<Citation>,
    /// Where each of them stands.
    pub written: Vec<Written>,
    /// True when the input says nothing else: everything around the citations is what people say around them
    /// (`rule`, `CR`, `what does … say`, `§`, `第…条`).
    pub nothing_else: bool,
    /// True when the first citation opens the input and is more than a bare section number: a pasted rule.
    pub opens_with_number: bool,
    /// True when a part was joined to a number that this numbering has no level for (`702.3a-1` where there is no
    /// `-1`), or with another joint than its own (`7.1.4` where numbers are `7-1-4`).
    pub strained: bool,
    /// The words around the citations that are not what people say around them, folded.
    pub words: Vec<String>,
}

/// Words that people put around a rule number. Folded; none of them makes an input a search.
const FILLERS: &[&str] = &[
    "rule",
    "rules",
    "r",
    "cr",
    "cr.",
    "comp",
    "comprehensive",
    "section",
    "sections",
    "chapter",
    "chapters",
    "sec",
    "see",
    "per",
    "by",
    "what",
    "what's",
    "whats",
    "does",
    "do",
    "is",
    "are",
    "say",
    "says",
    "said",
    "mean",
    "means",
    "the",
    "of",
    "in",
    "to",
    "and",
    "or",
    "please",
    "show",
    "me",
    "about",
    "according",
    "subrule",
    "subrules",
    "no",
    "no.",
    "number",
    "ex",
    "example",
    "examples",
    "eg",
    "how",
    "work",
    "works",
    "explain",
    "define",
];

/// Those of them that say of a number behind them that it is a rule's.
const NAMING: &[&str] = &[
    "rule", "rules", "r", "cr", "cr.", "section", "sections", "sec", "subrule", "subrules", "chapter",
    "chapters",
];

/// The same in Chinese.
const HAN_NAMING: &[&str] = &["规则", "条", "款", "章", "节", "第", "参见", "参照", "参阅"];

/// Those that stand between what names a number and the number, or between two numbers.
const JOINING: &[&str] = &["and", "or", "to", "no", "no.", "number", "和", "与", "至", "到"];

/// Whether a filler says that a number behind it is a rule's; `named` says whether something before it does.
fn names_a_rule(filler: &str, named: bool) -> bool {
    let is_naming = NAMING.contains(&filler) || HAN_NAMING.iter().any(|naming| filler.contains(naming));
    is_naming || named && JOINING.contains(&filler)
}

/// The same in Chinese, where no blank separates words. Longer ones first.
const HAN_FILLERS: &[&str] = &[
    "完整规则",
    "规则书",
    "是什么意思",
    "什么意思",
    "是什么",
    "怎么说",
    "说什么",
    "规则",
    "参见",
    "参照",
    "参阅",
    "根据",
    "依据",
    "请问",
    "条款",
    "内容",
    "章节",
    "查询",
    "条",
    "款",
    "章",
    "节",
    "查",
    "见",
    "说",
    "和",
    "与",
    "至",
    "到",
    "的",
    "范例",
    "例子",
    "例",
    "项",
    "目",
    "第",
    "请",
    "看",
    "吗",
    "呢",
];

/// Reads every citation in `input` by the numberings of `game`.
///
/// # Example
///
/// ```
/// use shiyi::game::Game;
/// use shiyi::lookup::citation::read_citations;
///
/// let game = Game::from_toml(
///     r#"
///     id = "demo"
///     names = { en = "Demo" }
///     [[document]]
///     id = "cr"
///     numbering = { levels = ["n", ".n", "a"], digits = [3, 3], chapter-size = 100 }
///     "#,
/// )?;
/// let reading = read_citations("see rules 601.2f–h", &game);
/// assert_eq!(reading.citations[0].first.as_str(), "601.2f");
/// assert_eq!(reading.citations[0].last.as_ref().map(|n| n.as_str()), Some("601.2h"));
/// assert!(reading.nothing_else);
/// # Ok::<(), shiyi::game::GameError>(())
/// ```
pub fn read_citations(input: &str, game: &Game) -> Reading {
    read_citations_of(input, game, None)
}

/// Reads every citation in `input` by the numberings of `game`; numbers without a document's name are that document's,
/// where one is given.
pub fn read_citations_of(input: &str, game: &Game, document: Option<&str>) -> Reading {
    Typed::new(input).citations(game, document)
}

/// An input on its way to being read, by the numberings of one game or another.
pub(super) struct Typed {
    /// Folded, with figures for numbers in words.
    chars: Vec<char>,
    /// Which character of the input each is from.
    origins: Vec<usize>,
}

impl Typed {
    pub(super) fn new(input: &str) -> Typed {
        let typed = input.chars().take(MAX_INPUT).enumerate();
        let (places, folded): (Vec<usize>, Vec<char>) = typed
            .filter(|(_, c)| !is_nothing(*c))
            .map(|(at, c)| (at, plain_joint(fold_char(c))))
            .unzip();
        let (chars, mut origins) = figures(&folded);
        for origin in &mut origins {
            *origin = places[*origin];
        }
        Typed { chars, origins }
    }

    /// As [`read_citations_of`].
    pub(super) fn citations(&self, game: &Game, document: Option<&str>) -> Reading {
        let Typed { chars, origins } = self;
        read_folded(chars, origins, game, document)
    }
}

fn read_folded(chars: &[char], origins: &[usize], game: &Game, document: Option<&str>) -> Reading {
    let origin = |at: usize| origins.get(at).copied().unwrap_or(chars.len());
    let mut documents: Vec<(Vec<char>, &str, &Numbering)> = Vec::new();
    for document in &game.documents {
        if let Some(numbering) = &document.numbering {
            for name in document.names.iter().chain([&*document.id]) {
                // Most names are of no document that was meant; their first letter says so without folding all.
                let mut letters = name.chars().filter(|c| c.is_alphanumeric());
                if !letters
                    .next()
                    .is_some_and(|first| chars.contains(&fold_char(first)))
                {
                    continue;
                }
                documents.push((fold_key(name).chars().collect(), &document.id, numbering));
            }
        }
    }
    documents.sort_by_key(|(name, _, _)| std::cmp::Reverse(name.len()));
    let wanted = document
        .filter(|id| *id != DEFAULT_DOCUMENT)
        .and_then(|id| game.document(id));
    let numbered = wanted.and_then(|document| Some((document.id.as_str(), document.numbering.as_ref()?)));
    let first = || Some((DEFAULT_DOCUMENT, game.numbering(None)?));
    let Some((document, numbering)) = numbered.or_else(first) else {
        return Reading::default();
    };
    let mut reader = Reader {
        chars,
        at: 0,
        numbering,
        document,
        strained: false,
    };
    let mut reading = Reading {
        nothing_else: true,
        ..Reading::default()
    };
    // A section's bare number counts only where something says that it is one, or where it stands alone.
    let mut announced = true;
    let mut named = false;
    // Behind a document's name, its numbers; behind one of those, or something else, any that are not like them, too.
    let mut may_leave = false;
    let mut first_content = None;
    while reader.at < chars.len() {
        let start = reader.at;
        if let Some((document, numbering, length)) = reader.document_name(&documents) {
            (reader.document, reader.numbering) = (document, numbering);
            reader.at += length;
            (announced, named, may_leave) = (true, true, false);
            continue;
        }
        let mut number = reader.number();
        if number.is_none() && may_leave && reader.document != document {
            let left = (reader.document, reader.numbering);
            (reader.document, reader.numbering) = (document, numbering);
            number = reader.number();
            if number.is_none() {
                (reader.document, reader.numbering) = left;
            }
        }
        if let Some(number) = number {
            let bare = number.depth() == 1;
            if announced || !bare {
                first_content.get_or_insert((start, bare));
                let end = reader.at;
                let last = reader.range_end(&number);
                let from = number.clone();
                // A number begins where its first figure or letter does, and ends where its last one does.
                let trimmed = |from: usize, to: usize| {
                    let is_written = |c: &char| c.is_alphanumeric();
                    let first = chars[from..to].iter().position(is_written).unwrap_or_default();
                    let last = chars[from..to].iter().rposition(is_written).unwrap_or_default();
                    origin(from + first)..origin(from + last) + 1
                };
                reading.written.push(Written {
                    first: trimmed(start, end),
                    last: last.as_ref().map(|_| {
                        let joint = chars[end..reader.at]
                            .iter()
                            .rposition(|c| !c.is_alphanumeric() && *c != '.');
                        trimmed(end + joint.map_or(0, |joint| joint + 1), reader.at)
                    }),
                    named,
                    goes_on: reader.goes_on(),
                });
                reading.strained |= reader.strained || reader.goes_on();
                let (first, last) = match last {
                    // A range the wrong way round is meant the right way.
                    Some(last) if last < number => (last, Some(number)),
                    last => (number, last),
                };
                let last = last.filter(|last| *last != first);
                reading.citations.push(Citation {
                    document: reader.document.to_owned(),
                    first,
                    last,
                });
                while let Some(letter) = reader.listed_letters(&from) {
                    reading.written.push(Written {
                        first: origin(reader.at - 1)..origin(reader.at - 1) + 1,
                        last: None,
                        named,
                        goes_on: false,
                    });
                    reading.citations.push(Citation {
                        document: reader.document.to_owned(),
                        first: letter,
                        last: None,
                    });
                }
                (announced, may_leave) = (true, true);
                continue;
            }
            reading.nothing_else = false;
            first_content.get_or_insert((start, true));
            continue;
        }
        let mut word = reader.word();
        if let Some(length) = before_a_document(&word, &chars[reader.at..], &documents) {
            reader.at = start + length;
            word = chars[start..reader.at].iter().collect();
        }
        if word.is_empty() {
            named = match chars[start] {
                '§' => true,
                // A sentence ends.
                '.' | '!' | '?' => named && chars.get(start + 1).is_some_and(|c| !c.is_whitespace()),
                _ => named,
            };
            reader.at += 1;
        } else if is_filler(&word) {
            announced = true;
            named = names_a_rule(&word, named);
        } else {
            (announced, named, may_leave) = (false, false, true);
            reading.nothing_else = false;
            first_content.get_or_insert((start, true));
            reading.words.push(word);
        }
    }
    reading.nothing_else &= !reading.citations.is_empty();
    reading.opens_with_number = !reading.citations.is_empty() && matches!(first_content, Some((_, false)));
    reading
}

/// How many characters of a run of Han characters stand before a document's name, where a number follows the name
/// (`请问比赛规则5.1`).
fn before_a_document(
    word: &str,
    after: &[char],
    documents: &[(Vec<char>, &str, &Numbering)],
) -> Option<usize> {
    let is_followed = after.first().is_some_and(char::is_ascii_digit);
    let run: Vec<char> = word.chars().collect();
    if !is_followed || !run.first().copied().is_some_and(is_han) {
        return None;
    }
    let places = documents.iter().flat_map(|(name, ..)| {
        let last = run
            .windows(name.len().max(1))
            .rposition(|here| here == name.as_slice());
        last.map(|at| (at, at + name.len()))
    });
    // What is between the name and the number says nothing else.
    let named = places.filter(|(at, end)| *at > 0 && is_filler(&run[*end..].iter().collect::<String>()));
    named.map(|(at, _)| at).min()
}

/// Chinese numerals between 第 and a unit as figures: `第七百零二条` is `第702条`, and so is `第七〇二条`.
/// With each character, where it stood.
fn figures(chars: &[char]) -> (Vec<char>, Vec<usize>) {
    let mut plain = Vec::with_capacity(chars.len());
    let mut origins = Vec::with_capacity(chars.len());
    let mut at = 0;
    while at < chars.len() {
        plain.push(chars[at]);
        origins.push(at);
        at += 1;
        if chars[at - 1] != '第' {
            continue;
        }
        let end = chars[at..]
            .iter()
            .position(|c| !numerals::is_numeral(*c))
            .map_or(chars.len(), |n| at + n);
        let numeral = &chars[at..end];
        if !chars.get(end).is_some_and(|c| HAN_JOINTS.contains(c)) {
            continue;
        }
        let one_by_one = || -> Option<String> {
            let digits = numeral
                .iter()
                .map(|c| numerals::value(&[*c]).filter(|digit| *digit < 10));
            digits.map(|digit| Some(digit?.to_string())).collect()
        };
        let figure = numerals::value(numeral).map(|value| value.to_string());
        if let Some(figure) = figure.or_else(one_by_one).filter(|figure| !figure.is_empty()) {
            plain.extend(figure.chars());
            // The figures stand for the numeral as a whole.
            let first = figure.chars().count().saturating_sub(1);
            origins.extend((0..=first).map(|n| if n == first { end - 1 } else { at }));
            at = end;
        }
    }
    (plain, origins)
}

/// Digits of the shortest number with leading zeros that is read.
const SHORTEST_PADDED: usize = 3;

/// What stands between the parts of a number in Chinese: `第601条第2款a项`, `702之19b`.
const HAN_JOINTS: [char; 9] = ['章', '节', '条', '款', '项', '目', '之', '点', '第'];

/// What is counted in texts and games, and is no chapter: `第2句`.
const HAN_COUNTED: [char; 16] = [
    '句', '段', '行', '页', '次', '个', '张', '名', '位', '回', '轮', '局', '天', '届', '版', '套',
];

fn plain_joint(c: char) -> char {
    match c {
        '～' | '∼' | '〜' => '~',
        '。' | '．' | '·' => '.',
        '…' => '~',
        '（' => '(',
        '）' => ')',
        _ => c,
    }
}

/// What a question is about: the text without the words and marks that people put before and behind what they ask for
/// (`what is …?`, `…是什么意思`).
pub(super) fn without_fillers(text: &str) -> String {
    let is_mark = |c: char| !c.is_alphanumeric() && !matches!(c, ')' | '）' | '!' | '！');
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let filler = |word: &&str| FILLERS.contains(&fold_key(word.trim_matches(is_mark)).as_str());
    while words.last().is_some_and(filler) {
        words.pop();
    }
    let content = words.iter().position(|word| !filler(word)).unwrap_or(words.len());
    let joined = words[content..].join(" ");
    let mut rest = joined.trim_matches(is_mark);
    // A single character may belong to a name: 目 to 目标.
    let whole = |filler: &&&str| filler.chars().count() > 1 || matches!(**filler, "吗" | "呢");
    while let Some(shorter) = HAN_FILLERS.iter().filter(whole).find_map(|filler| {
        let shorter = rest.strip_suffix(filler).or_else(|| rest.strip_prefix(filler))?;
        Some(shorter.trim_matches(is_mark)).filter(|shorter| !shorter.is_empty())
    }) {
        rest = shorter;
    }
    rest.to_owned()
}

fn is_filler(word: &str) -> bool {
    if FILLERS.contains(&word) {
        return true;
    }
    let mut rest = word;
    while !rest.is_empty() {
        match HAN_FILLERS.iter().find_map(|filler| rest.strip_prefix(filler)) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    true
}

struct Reader<'a> {
    /// The folded input.
    chars: &'a [char],
    at: usize,
    numbering: &'a Numbering,
    document: &'a str,
    /// True when the last number was joined otherwise than the numbering does.
    strained: bool,
}

impl<'a> Reader<'a> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn digits_at(&self, at: usize) -> usize {
        self.chars[at.min(self.chars.len())..]
            .iter()
            .take_while(|c| c.is_ascii_digit())
            .count()
    }

    fn letters_at(&self, at: usize) -> usize {
        self.chars[at.min(self.chars.len())..]
            .iter()
            .take_while(|c| c.is_ascii_alphabetic())
            .count()
    }

    /// The document whose name stands here, as a word of its own or right before a digit.
    fn document_name(
        &self,
        documents: &[(Vec<char>, &'a str, &'a Numbering)],
    ) -> Option<(&'a str, &'a Numbering, usize)> {
        if self.at > 0 && self.chars[self.at - 1].is_ascii_alphanumeric() {
            return None;
        }
        documents.iter().find_map(|(name, document, numbering)| {
            let length = self.spelt_here(name)?;
            let after = self.chars.get(self.at + length);
            let ends = after.is_none_or(|c| !c.is_ascii_alphabetic());
            ends.then_some((*document, *numbering, length))
        })
    }

    /// The length of a name that stands here, perhaps as an abbreviation with full stops (`C.R.`).
    fn spelt_here(&self, name: &[char]) -> Option<usize> {
        let here = self.chars.get(self.at..)?;
        if name.is_empty() || here.starts_with(name) {
            return Some(name.len()).filter(|length| *length > 0);
        }
        let dotted = here.get(..name.len() * 2)?.chunks(2);
        (name.len() <= LONGEST_ABBREVIATION && dotted.zip(name).all(|(here, c)| here == [*c, '.']))
            .then_some(name.len() * 2)
    }

    /// The word here: a run of letters (Han or other, not mixed), or nothing.
    fn word(&mut self) -> String {
        let start = self.at;
        let Some(first) = self.peek(0) else {
            return String::new();
        };
        // A quotation mark may stand before a number.
        let opens_word = first == '\'' && self.peek(1).is_some_and(char::is_alphabetic);
        let wanted: fn(char) -> bool = if is_han(first) {
            is_han
        } else if first.is_alphabetic() || opens_word {
            |c| (c.is_alphanumeric() && !is_han(c)) || c == '\''
        } else if first.is_ascii_digit() {
            |c| c.is_ascii_alphanumeric()
        } else {
            return String::new();
        };
        while let Some(c) = self.peek(0) {
            // `cr601` is a word and a number.
            if !wanted(c) || (first.is_alphabetic() && c.is_ascii_digit()) {
                break;
            }
            self.at += 1;
        }
        self.chars[start..self.at].iter().collect()
    }

    /// The number here, in any of the ways people join its parts; leaves the reader behind it.
    fn number(&mut self) -> Option<RuleNumber> {
        let before = self.at.checked_sub(1).map(|at| self.chars[at]);
        self.strained = false;
        let on_a_digit = self.at >= 2 && self.chars[self.at - 2].is_ascii_digit();
        let on_a_letter = self.at >= 2 && self.chars[self.at - 2].is_alphabetic();
        let in_a_figure = match before {
            Some('$') => true,
            // `+1/+1`, but `702.19b+510.1c` and an address.
            Some('+') => !on_a_letter,
            Some('/') => {
                let digits = self.digits_at(self.at);
                let long = digits >= self.numbering.digits[0].max(3);
                // `5.1/5.2`, but 1/1.
                let has_parts = self.peek(digits) == Some('.') && self.digits_at(self.at + digits + 1) > 0;
                !(on_a_letter || on_a_digit && (long || has_parts))
            }
            Some('.') => on_a_digit,
            Some(c) => c.is_ascii_digit(),
            None => false,
        };
        if in_a_figure || !self.peek(0)?.is_ascii_digit() {
            return None;
        }
        if let Some((number, length)) = self.anchor(before) {
            self.at += length;
            return Some(number);
        }
        let levels = &self.numbering.levels;
        let mut text = String::new();
        let mut at = self.at;
        for (depth, level) in levels.iter().enumerate() {
            let Some((start, length)) = self.part(at, depth, level.letters, level.joint) else {
                break;
            };
            if let Some(joint) = level.joint {
                text.push(joint);
            }
            text.extend(&self.chars[start..start + length.min(MOST_FIGURES)]);
            at = start + length;
            // `702.19(b)`
            if (level.letters || level.bracketed)
                && start > 0
                && self.chars[start - 1] == '('
                && self.chars.get(at) == Some(&')')
            {
                at += 1;
            }
        }
        if text.is_empty() {
            return self.chapter();
        }
        let digits_only = text.bytes().all(|b| b.is_ascii_digit());
        // `608.2bx`, `302.65x`: some other word, not a number with something behind it.
        if self.chars.get(at).is_some_and(char::is_ascii_alphanumeric)
            && (digits_only || self.chars[at].is_ascii_digit())
        {
            return None;
        }
        // `2#mtr2-6` is a page of an address.
        if digits_only && self.chars.get(at) == Some(&'#') {
            return None;
        }
        let number = text.parse().ok()?;
        self.at = at;
        Some(number)
    }

    /// Where the part of that depth starts, and its length; none where it is not there.
    fn part(
        &mut self,
        at: usize,
        depth: usize,
        letters: bool,
        joint: Option<char>,
    ) -> Option<(usize, usize)> {
        if depth == 0 {
            let length = self.digits_at(at);
            let [least, most] = self.numbering.digits;
            // `053.1`, as texts print it that pad their numbers; shorter ones are of cards and dates.
            let padded = length > 1 && self.chars[at] == '0';
            let is_known = !padded || least < length && length == most && length >= SHORTEST_PADDED;
            return (is_known && (least..=most).contains(&length)).then_some((at, length));
        }
        let here = *self.chars.get(at)?;
        let next_is_blank = here == ' ';
        if let Some(part) = self.part_in_words(at, letters, joint) {
            return Some(part);
        }
        let mut start = at;
        // A part may stand apart: `702 19 b`, `702.19.b`, `702 . 19`, `702-19-b`, `702.19(b)`.
        while start < at + 3
            && self
                .chars
                .get(start)
                .is_some_and(|c| matches!(c, ' ' | '.' | '-' | '(' | '_'))
        {
            start += 1;
        }
        let separators = &self.chars[at..start];
        if separators.len() == 3 && separators != [' ', '.', ' '] {
            return None;
        }
        if letters {
            let length = self.letters_at(start);
            // Two different letters are no subrule of anything, but typed on a number they are not words either:
            // the miss says so.
            let as_printed =
                separators.is_empty() || matches!((separators, joint), ([one], Some(joint)) if *one == joint);
            let doubled = length == 2 && (self.chars[start] == self.chars[start + 1] || as_printed);
            if !(length == 1 || doubled) || self.digits_at(start + length) > 0 {
                return None;
            }
            if separators.contains(&'-') && joint != Some('-') && !self.dashed_throughout(at) {
                return None;
            }
            // `104.2 a player`: an article, not a subrule.
            let after = &self.chars[start + length..];
            let word_follows = after.first() == Some(&' ') && after.get(1).is_some_and(|c| c.is_alphabetic());
            if next_is_blank && matches!(self.chars[start], 'a' | 'i') && word_follows {
                return None;
            }
            if !separators.is_empty() && after.first().is_some_and(|c| matches!(c, '\'')) {
                return None;
            }
            return Some((start, length));
        }
        if separators.is_empty() {
            return None;
        }
        let length = self.digits_at(start);
        // More figures than any rule's are a number that is not there, where they are joined as the numbering does.
        if length > LONGEST_PART && joint.is_some_and(|joint| separators == [joint]) {
            return Some((start, length));
        }
        if length == 0 || length > LONGEST_PART {
            return None;
        }
        let dash = separators.contains(&'-');
        if joint == Some('-') {
            self.strained |= separators == ['.'];
            return matches!(separators, ['-' | '.']).then_some((start, length));
        }
        // `601-603` is a range of sections, `601-2a` and `#cr601-2` one rule as addresses write it.
        if dash && (depth > 1 || length >= self.numbering.digits[0]) && !self.is_in_anchor() {
            return None;
        }
        let spaced = separators.iter().all(|c| *c == ' ');
        if spaced && !(depth == 1 && self.stands_alone(start + length)) && !self.only_parts(start) {
            return None;
        }
        Some((start, length))
    }

    /// True for a number that is glued to a word behind a `#`.
    fn is_in_anchor(&self) -> bool {
        let mut before = self.chars[..self.at].iter().rev();
        let is_glued = self.at > 0 && self.chars[self.at - 1].is_ascii_alphabetic();
        is_glued && before.find(|c| !c.is_ascii_alphabetic()) == Some(&'#')
    }

    /// A part joined by words (`601条第2款a项`, `702.19 subrule b`), or by a comma or colon that was typed for a full stop
    /// (`702,19b`).
    fn part_in_words(&self, at: usize, letters: bool, joint: Option<char>) -> Option<(usize, usize)> {
        let rest = &self.chars[at..];
        let han = rest.iter().take_while(|c| HAN_JOINTS.contains(c)).count();
        let in_words = [" subrule ", " subpoint ", " point ", " part ", ", point "]
            .into_iter()
            .find(|words| words.chars().eq(rest.iter().copied().take(words.len())));
        let start = if han > 0 {
            at + han
        } else if let (true, Some(words)) = (letters, in_words) {
            // In bytes as in characters: they are ASCII.
            at + words.len() + usize::from(rest.get(words.len()) == Some(&'('))
        } else if !letters && joint == Some('.') && matches!(rest.first(), Some(',' | ':')) {
            at + 1
        } else {
            return None;
        };
        let ends_word = |end: usize| !self.chars.get(end).is_some_and(char::is_ascii_alphanumeric);
        if letters {
            return (self.letters_at(start) == 1 && ends_word(start + 1)).then_some((start, 1));
        }
        let length = self.digits_at(start);
        let end = start + length;
        // `第601条第602条` are two; `702,19` may be.
        let section = self.numbering.digits[0];
        let lettered = self.letters_at(end) == 1 && ends_word(end + 1);
        let is_part = if han > 0 {
            length < section || section == 1
        } else {
            lettered
        };
        ((1..=2).contains(&length) && is_part).then_some((start, length))
    }

    /// True where nothing but figures and single letters follows to the end.
    fn only_parts(&self, at: usize) -> bool {
        let rest: String = self.chars[at..].iter().collect();
        let is_part = |word: &str| word.len() == 1 || word.bytes().all(|b| b.is_ascii_digit());
        rest.is_ascii() && rest.split(' ').all(is_part)
    }

    /// True when the number that ends at `at` is one in an address whose parts are all joined by dashes.
    fn dashed_throughout(&self, at: usize) -> bool {
        let before = &self.chars[..at];
        let tail: Vec<char> = before
            .iter()
            .rev()
            .copied()
            .take_while(|c| c.is_ascii_digit() || *c == '-')
            .collect();
        tail.contains(&'-')
    }

    /// True where a blank-joined number may end: at the end, before a letter part or punctuation.
    fn stands_alone(&self, at: usize) -> bool {
        match self.chars.get(at) {
            None => true,
            Some(' ') => {
                let length = self.letters_at(at + 1);
                at + 1 == self.chars.len() || (length == 1 && at + 2 == self.chars.len())
            }
            Some(c) => !c.is_alphanumeric() || self.letters_at(at) == 1,
        }
    }

    /// `#R6082b`, `6082b`: an anchor that leaves the joints out, where the numbering lets them be put back. Figures alone
    /// are too much like any other number.
    fn anchor(&self, before: Option<char>) -> Option<(RuleNumber, usize)> {
        let is_word_start = |at: Option<usize>| at.is_none_or(|at| !self.chars[at].is_alphanumeric());
        let is_marked = before == Some('r') && is_word_start(self.at.checked_sub(2));
        if !is_marked && before.is_some_and(char::is_alphanumeric) {
            return None;
        }
        let [section, rule, rest @ ..] = self.numbering.levels.as_slice() else {
            return None;
        };
        let width = self.numbering.digits[0];
        let digits = self.digits_at(self.at);
        if self.numbering.digits[1] != width || digits <= width || section.letters || rule.letters {
            return None;
        }
        if digits > width + LONGEST_PART || self.chars[self.at] == '0' {
            return None;
        }
        let mut text: String = self.chars[self.at..self.at + width].iter().collect();
        text.extend(rule.joint);
        text.extend(&self.chars[self.at + width..self.at + digits]);
        let letters = self.letters_at(self.at + digits);
        let takes_letters = rest.first().is_some_and(|level| level.letters) && (1..=2).contains(&letters);
        if !is_marked && !takes_letters {
            return None;
        }
        let length = if takes_letters { digits + letters } else { digits };
        text.extend(&self.chars[self.at + digits..self.at + length]);
        Some((text.parse().ok()?, length))
    }

    /// A chapter's number, where chapters have numbers of their own.
    fn chapter(&mut self) -> Option<RuleNumber> {
        let length = self.digits_at(self.at);
        let end = self.at + length;
        let text: String = self.chars[self.at..end].iter().collect();
        let number: RuleNumber = text.parse().ok()?;
        let goes_on = match self.chars.get(end) {
            // `3/3` is no chapter.
            Some('.' | ',' | '/') => self.digits_at(end + 1) > 0,
            // `8#cr800-4` is a page of an address.
            Some(c) => (c.is_alphanumeric() && !is_han(*c)) || *c == '#',
            None => false,
        };
        // `702.3a-1`, `702.3a(1)`: a part that the numbering has no level for. `第2句`: a part of a text.
        let is_rest = match self.at.checked_sub(1).map(|at| self.chars[at]) {
            Some('-') => self.at >= 2 && self.chars[self.at - 2] != ' ',
            Some('(') if self.at >= 2 && self.chars[self.at - 2] == ')' => true,
            Some('.' | '(') => self.is_behind_a_number(self.at - 1),
            Some('第') => {
                let unit = self.chars.get(end);
                unit.is_some_and(|unit| HAN_COUNTED.contains(unit))
            }
            _ => false,
        };
        if !self.numbering.is_chapter(&number) || goes_on || is_rest {
            return None;
        }
        self.at = end;
        Some(number)
    }

    /// True where a number ends right before `at`: figures, perhaps with letters.
    fn is_behind_a_number(&self, at: usize) -> bool {
        let mut before = self.chars[..at].iter().rev();
        before
            .find(|c| !c.is_ascii_alphabetic())
            .is_some_and(char::is_ascii_digit)
    }

    /// True where another part is joined right here.
    fn goes_on(&self) -> bool {
        matches!(self.peek(0), Some('-' | '.')) && self.peek(1).is_some_and(|c| c.is_ascii_digit())
    }

    /// The end of the range that starts with `first`, if one follows; leaves the reader behind it.
    fn range_end(&mut self, first: &RuleNumber) -> Option<RuleNumber> {
        let start = self.at;
        let end = self.range_end_here(first);
        if end.is_none() {
            self.at = start;
        }
        end
    }

    fn range_end_here(&mut self, first: &RuleNumber) -> Option<RuleNumber> {
        self.skip_blanks();
        // `第1章到第3章`
        self.skip_han_unit();
        if !self.take(&["-", "~", "...", "..", "to ", "through ", "thru ", "至", "到"]) {
            return None;
        }
        while self.peek(0).is_some_and(|c| matches!(c, ' ' | '-' | '~' | '第')) {
            self.at += 1;
        }
        self.skip_bracket();
        let (digits, letters) = (self.digits_at(self.at), self.letters_at(self.at));
        if letters == 1 || letters == 2 {
            return self.last_part(first, letters);
        }
        if digits == 0 {
            return None;
        }
        let here = self.at;
        if let Some(number) = self.number()
            && (number.depth() == first.depth() || number.depth() > 1)
            && self.numbering.is_chapter(&number) == self.numbering.is_chapter(first)
        {
            return Some(number);
        }
        self.at = here;
        self.last_part(first, digits)
    }

    /// `first` with its last part replaced by the `length` characters here.
    fn last_part(&mut self, first: &RuleNumber, length: usize) -> Option<RuleNumber> {
        let end = self.at + length;
        if self.chars.get(end).is_some_and(char::is_ascii_alphanumeric) {
            return None;
        }
        let text: String = self.chars[self.at..end].iter().collect();
        let same_kind = match first.parts().last()? {
            Part::Letters(_) => text.bytes().all(|b| b.is_ascii_alphabetic()),
            Part::Number(_) => text.bytes().all(|b| b.is_ascii_digit()),
        };
        let number = same_kind.then(|| first.with_last(&text)).flatten()?;
        // The sections after 702 have three figures too.
        let widths = self.numbering.digits[0]..=self.numbering.digits[1];
        let chapters = self.numbering.is_chapter(first) && self.numbering.is_chapter(&number);
        let section = widths.contains(&length) && !text.starts_with('0');
        if first.depth() == 1 && !chapters && !section {
            return None;
        }
        self.at = end;
        Some(number)
    }

    /// The next item of a list of letters: `702.19b, c and d`.
    fn listed_letters(&mut self, first: &RuleNumber) -> Option<RuleNumber> {
        let start = self.at;
        // Behind `(f)` of such a list.
        if self.peek(0) == Some(')') && start >= 2 && self.chars[start - 2] == '(' {
            self.at += 1;
        }
        self.skip_blanks();
        let number = if matches!(first.parts().last(), Some(Part::Letters(_)))
            && self.take(&[
                ", and ", ",", ";", "and ", "or ", "&", "/", "、", "以及", "及", "和", "与", "或",
            ]) {
            self.skip_blanks();
            self.skip_bracket();
            let letters = self.letters_at(self.at);
            // `702.19b, a creature`: an article again.
            let word_follows =
                self.peek(letters) == Some(' ') && self.peek(letters + 1).is_some_and(char::is_alphabetic);
            let is_item = letters == 1 && !(matches!(self.peek(0), Some('a' | 'i')) && word_follows);
            if is_item {
                self.last_part(first, letters)
            } else {
                None
            }
        } else {
            None
        };
        if number.is_none() {
            self.at = start;
        }
        number
    }

    /// Goes into a bracket around a letter: `704.5 (f)–(h)`.
    fn skip_bracket(&mut self) {
        let letters = self.letters_at(self.at + 1);
        if self.peek(0) == Some('(') && letters > 0 && self.peek(1 + letters) == Some(')') {
            self.at += 1;
        }
    }

    fn skip_han_unit(&mut self) {
        if self.peek(0).is_some_and(|c| c != '第' && HAN_JOINTS.contains(&c)) {
            self.at += 1;
        }
    }

    fn skip_blanks(&mut self) {
        while self.peek(0) == Some(' ') {
            self.at += 1;
        }
    }

    fn take(&mut self, words: &[&str]) -> bool {
        for word in words {
            let length = word.chars().count();
            let here = self.chars.get(self.at..self.at + length);
            if here.is_some_and(|here| here.iter().copied().eq(word.chars())) {
                self.at += length;
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(levels: &str, extra: &str) -> Game {
        Game::from_toml(&format!(
            "id = \"demo\"\nnames = {{ en = \"Demo\" }}\n\
             [[document]]\nid = \"cr\"\nnames = [\"CR\", \"Comprehensive Rules\"]\nnumbering = {{ levels = {levels}, {extra} }}\n\
             [[document]]\nid = \"mtr\"\nnames = [\"MTR\", \"比赛规则\"]\nnumbering = {{ levels = [\"n\", \".n\"], digits = [1, 2] }}\n"
        ))
        .unwrap()
    }

    fn letters() -> Game {
        game(r#"["n", ".n", "a"]"#, "digits = [3, 3], chapter-size = 100")
    }

    fn subsub() -> Game {
        game(r#"["n", ".n", "a", "-n"]"#, "digits = [3, 4], chapter-size = 100")
    }

    fn dashes() -> Game {
        game(r#"["n", "-n", "-n", "-n"]"#, "digits = [1, 2]")
    }

    #[track_caller]
    fn check(game: &Game, input: &str, expected: &str) {
        let read: Vec<String> = read_citations(input, game)
            .citations
            .into_iter()
            .map(|citation| {
                let document = if citation.document == "cr" {
                    String::new()
                } else {
                    citation.document + " "
                };
                let last = citation.last.map(|last| format!("..{last}")).unwrap_or_default();
                format!("{document}{}{last}", citation.first)
            })
            .collect();
        assert_eq!(read.join(" "), expected, "{input}");
    }

    #[test]
    fn parts_in_brackets() {
        let brackets = game(r#"["n", ".n", "(a)", "(n)"]"#, "digits = [1, 2]");
        for input in [
            "4.2(a)(12)",
            "§ 4.2（a）（12）",
            "4.2a.12",
            "4.2a(12)",
            "第4.2a.12条",
        ] {
            check(&brackets, input, "4.2a.12");
        }
        check(&brackets, "4.2(b) and 4.3(a)", "4.2b 4.3a");
        check(
            &game(r#"["n", "-n", "(n)"]"#, "digits = [1, 2]"),
            "1-2(3)",
            "1-2.3",
        );
    }

    #[test]
    fn one_rule_in_every_spelling() {
        for input in [
            "702.19b",
            "CR 702.19.b",
            "702.19 B",
            "702 19 b",
            "§702.19b",
            "第702.19b条",
            "规则702.19b",
            "７０２．１９ｂ",
            "702.19(b)",
            "!cr 702.19b",
            "CR. 702.19b",
            "what is the rule 702.19 B?",
            "what-is-rule-702-19-b",
            "#R70219b",
            "R70219b",
            "70219b",
            "`702.19b`",
            "'702.19b'",
            "<BOOKMARK:cr702-19b>",
            "[CR 702.19b]",
            "（参见规则702.19b）",
            "cr702.19b",
            "702.19b.",
            "C.R. 702.19b",
            "702 . 19 . b",
            "702,19b",
            "702:19b",
            "702.19 subrule (b)",
            "702.19b ex",
            "702.19b例",
            "第702条第19款b项",
            "規則第702條19b",
            "第七百零二条第十九款b项",
            "第七〇二条19b",
        ] {
            check(&letters(), input, "702.19b");
            assert!(
                read_citations(input, &letters()).nothing_else || input.contains(['#', '<']),
                "{input}"
            );
        }
    }

    #[test]
    fn a_document_s_name_behind_other_words() {
        for input in [
            "请问比赛规则5.1",
            "我想查比赛规则第5.1条",
            "请问一下比赛规则的5.1",
            "请問比賽規則５．１",
        ] {
            check(&letters(), input, "mtr 5.1");
        }
        assert!(read_citations("请问比赛规则5.1", &letters()).nothing_else);
        // Only where the number follows it.
        check(&letters(), "我们的规则说702.19b", "702.19b");
        assert_eq!(read_citations("这个比赛规则怎么看5.1", &letters()).citations, []);
    }

    #[test]
    fn ranges_and_lists() {
        for (input, expected) in [
            ("rule 100.1a-c", "100.1a..100.1c"),
            ("601.2f–h", "601.2f..601.2h"),
            ("See rules 614.1c–d.", "614.1c..614.1d"),
            ("601.2a - 601.2i", "601.2a..601.2i"),
            ("704.5; 704.6", "704.5 704.6"),
            ("rules 614 and 615", "614 615"),
            ("702.19b, c and d", "702.19b 702.19c 702.19d"),
            ("701-704", "701..704"),
            ("510.1c-a", "510.1a..510.1c"),
            ("702.20-702.19", "702.19..702.20"),
            ("702.19bc", "702.19bc"),
            ("100.1-3", "100.1..100.3"),
            ("规则603.7d至f", "603.7d..603.7f"),
            ("603.7d...f", "603.7d..603.7f"),
            ("100.1a, c and f", "100.1a 100.1c 100.1f"),
            ("702.19b+510.1c", "702.19b 510.1c"),
            ("702.19b/510.1c", "702.19b 510.1c"),
            ("https://example.org/wiki/702.19b", "702.19b"),
            ("MTR第2.5节", "mtr 2.5"),
            ("第601条第602条", "601 602"),
            ("第七章", "7"),
            ("chapters 7-8", "7..8"),
            ("第一章至第三章", "1..3"),
            ("第1至3章", "1..3"),
            ("第702条到第704条", "702..704"),
            ("702.19b; c; d", "702.19b 702.19c 702.19d"),
            ("702.19b以及d", "702.19b 702.19d"),
            ("704.5 point c", "704.5c"),
            ("MTR 5.1/5.2", "mtr 5.1 mtr 5.2"),
            ("702-19", "702.19"),
            ("023.4", ""),
            ("#r3355095509.10", ""),
            ("MTR6.3~6.7", "mtr 6.3..6.7"),
            ("MTR 2.5 and CR 702.3a", "mtr 2.5 702.3a"),
            ("比赛规则2.5", "mtr 2.5"),
            ("section 6", "6"),
            ("CR702", "702"),
            ("704.5 (f)–(h)", "704.5f..704.5h"),
            ("704.5(f), (g) and (h)", "704.5f 704.5g 704.5h"),
            ("608.2b(1)", "608.2b"),
            ("608.2b.1", "608.2b"),
            ("608.2b 第2句", "608.2b"),
            ("70219", ""),
            ("509.1(b)(2)", "509.1b"),
            ("3/3 704.5f", "704.5f"),
            ("704.5f或g", "704.5f 704.5g"),
            ("chapter 7 (8)", "7 8"),
            ("https://example.org/cr:7#cr702-19b", "702.19b"),
            ("[[mtr:2#mtr2-6]]", "mtr 2.6"),
        ] {
            check(&letters(), input, expected);
        }
    }

    #[test]
    fn a_dash_is_what_the_numbering_makes_of_it() {
        check(&subsub(), "702.3a-1", "702.3a-1");
        check(&subsub(), "702.3a-c", "702.3a..702.3c");
        check(&subsub(), "702.3a - 702.3c", "702.3a..702.3c");
        check(&subsub(), "1014.4", "1014.4");
        check(&letters(), "702.3a-1", "702.3a");
        check(&dashes(), "7-1-4-1", "7-1-4-1");
        check(&dashes(), "rule 7-1-4", "7-1-4");
        // The joint of another game is understood, and said to be one.
        check(&dashes(), "7.1.4", "7-1-4");
        assert!(read_citations("7.1.4", &dashes()).strained);
        assert!(!read_citations("7-1-4", &dashes()).strained);
    }

    #[test]
    fn figures_are_no_citations() {
        for input in [
            "+1/+1",
            "3 power counters",
            "deal 2.5 damage",
            "draw 100 cards in a row",
            "1.000.000",
            "1234567.5",
        ] {
            let reading = read_citations(input, &letters());
            assert!(
                reading.citations.is_empty() || !reading.nothing_else,
                "{input}: {reading:?}"
            );
            assert!(!reading.opens_with_number, "{input}: {reading:?}");
        }
        check(&letters(), "104.2 a player loses", "104.2");
        assert!(read_citations("702.84a cascade", &letters()).opens_with_number);
        assert!(!read_citations("cascade 702.84a", &letters()).opens_with_number);
        assert_eq!(
            read_citations("rule 702.84a cascade 倾曳", &letters()).words,
            ["cascade", "倾曳"]
        );
    }

    /// Where citations are written is in the input, begins with a figure or letter and ends with one.
    fn is_written_well(input: &str, game: &Game) {
        let reading = read_citations(input, game);
        let chars: Vec<char> = input.chars().collect();
        assert_eq!(reading.written.len(), reading.citations.len());
        for written in &reading.written {
            for at in [Some(&written.first), written.last.as_ref()]
                .into_iter()
                .flatten()
            {
                let inside = chars
                    .get(at.clone())
                    .unwrap_or_else(|| panic!("{at:?} of {input:?}"));
                let ends = [inside.first(), inside.last()];
                assert!(
                    ends.iter()
                        .all(|c| c.is_some_and(|c| fold_char(*c).is_alphanumeric())),
                    "{at:?} of {input:?}"
                );
            }
        }
    }

    #[test]
    fn where_citations_are_written() {
        let written = |input: &str| -> Vec<String> {
            let chars: Vec<char> = input.chars().collect();
            let text = |at: &Range<usize>| chars[at.clone()].iter().collect::<String>();
            let all = read_citations(input, &letters()).written;
            let each = all.iter().map(|at| {
                let last = at.last.as_ref().map(|last| format!("~{}", text(last)));
                text(&at.first) + &last.unwrap_or_default()
            });
            each.collect()
        };
        assert_eq!(
            written("see rules 601.2f–h, or [CR 702.19.b]"),
            ["601.2f~h", "702.19.b"]
        );
        assert_eq!(
            written("702.19b, c and d; 704.5–704.6"),
            ["702.19b", "c", "d", "704.5~704.6"]
        );
        assert_eq!(written("见第七百零二条。"), ["七百零二"]);
        assert_eq!(written("（７０２．１９ｂ）"), ["７０２．１９ｂ"]);
        assert_eq!(written("702.1..3"), ["702.1~3"]);
    }

    #[test]
    fn numbers_without_a_name_are_of_the_document_that_is_asked_for() {
        let game = Game::from_toml(
            r#"
            id = "demo"
            names = { en = "Demo" }
            [[document]]
            id = "cr"
            names = ["CR"]
            numbering = { levels = ["n", ".n", "a"], digits = [3, 3] }
            [[document]]
            id = "tr"
            names = ["TR"]
            numbering = { levels = ["n", ".n"], digits = [1, 2] }
            "#,
        )
        .unwrap();
        let read = |input| -> Vec<String> {
            let reading = read_citations_of(input, &game, Some("tr"));
            let written = reading.citations.into_iter();
            written
                .map(|citation| format!("{} {}", citation.document, citation.first))
                .collect()
        };
        assert_eq!(read("5.1"), ["tr 5.1"]);
        assert_eq!(read("CR 702.9 and TR 2.1"), ["cr 702.9", "tr 2.1"]);
        assert_eq!(
            read_citations_of("702.9", &game, Some("faq")).citations[0].document,
            "cr"
        );
    }

    #[test]
    fn numbers_are_read_as_texts_pad_them() {
        let game = |digits: &str| {
            let toml = format!(
                "id = \"demo\"\nnames = {{ en = \"Demo\" }}\n[[document]]\nid = \"cr\"\n\
                 numbering = {{ levels = [\"n\", \".n\"], digits = {digits} }}\n"
            );
            Game::from_toml(&toml).unwrap()
        };
        let first = |input: &str, digits| {
            let mut citations = read_citations(input, &game(digits)).citations;
            (!citations.is_empty()).then(|| citations.remove(0).first.to_string())
        };
        assert_eq!(first("053.1", "[1, 3]").as_deref(), Some("053.1"));
        assert_eq!(first("000", "[1, 3]").as_deref(), Some("000"));
        // More figures than any rule's: a number that is not there, never the section.
        assert_eq!(first("702.99999999", "[3, 3]").as_deref(), Some("702.99999999"));
        assert_eq!(
            first("702.19999999999999999999", "[3, 3]").as_deref(),
            Some("702.199999999")
        );
        // Pasted with characters that nobody sees; where it stands is said of the text as it was pasted.
        for unseen in ['\u{200b}', '\u{feff}', '\u{ad}', '\u{2060}'] {
            let pasted = format!("see {unseen}702{unseen}.1{unseen}9 now");
            assert_eq!(first(&pasted, "[3, 3]").as_deref(), Some("702.19"), "{unseen:?}");
            assert_eq!(read_citations(&pasted, &game("[3, 3]")).written[0].first, 5..13);
        }
        // A card's code and a date.
        assert_eq!(first("01", "[1, 2]"), None);
        assert_eq!(first("053.1", "[3, 3]"), None);
    }

    proptest::proptest! {
        #[test]
        fn nothing_panics(input in ".{0,80}") {
            for game in [letters(), subsub(), dashes()] {
                is_written_well(&input, &game);
            }
        }

        #[test]
        fn near_citations_do_not_panic(input in "[0-9a-c.,;()#r §第条~ -]{0,30}") {
            for game in [letters(), subsub(), dashes()] {
                is_written_well(&input, &game);
            }
        }
    }
}
