//! Rows of cells with tabs, commas or semicolons between them, under a line that names the columns.
//!
//! ```text
//! table  := line* header row*
//! row    := cell ( delimiter cell )*
//! cell   := text | '"' ( text | '""' | delimiter | line end )* '"'
//! ```
//!
//! RFC 4180, as far as a file keeps to it. Where nothing in a file needs quotes they are letters: `"Ach! Hans, Run!"`
//! between tabs is so called. A quote that is never closed is a letter, too, so that it swallows no rows.

use super::columns::Column;
use crate::source::{SourceFile, Span};

/// What may stand between cells.
const DELIMITERS: [char; 3] = ['\t', ';', ','];

/// Lines from the start among which the names of the columns are looked for.
const HEADER_WITHIN: usize = 10;

/// The longest line that names columns, in bytes.
const LONGEST_HEADER: usize = 2000;

/// Lines that one cell may have at most.
const LONGEST_CELL: usize = 100;

/// A table, cut into rows.
#[derive(Debug)]
pub(super) struct Table<'s> {
    /// The columns.
    pub columns: Vec<Column>,
    /// What they are called.
    pub names: Vec<String>,
    /// The line that names the columns.
    pub header: u32,
    /// The rows below it.
    pub rows: Vec<Row<'s>>,
}

/// One row.
#[derive(Debug)]
pub(super) struct Row<'s> {
    /// Where it stands.
    pub span: Span,
    /// Its first line and its last.
    pub lines: (u32, u32),
    /// Its cells.
    pub cells: Vec<std::borrow::Cow<'s, str>>,
    /// Where a quote stands that should open a cell and is never closed.
    pub open_quote: Option<usize>,
}

/// Cuts a source into rows, if one of its first lines names columns that make a table.
pub(super) fn table<'s>(source: &'s SourceFile, is_table: impl Fn(&[Column]) -> bool) -> Option<Table<'s>> {
    let first = source
        .lines()
        .filter(|line| !line.text.trim().is_empty())
        .take(HEADER_WITHIN);
    let (header, delimiter, names, columns) = first.into_iter().find_map(|line| {
        DELIMITERS.into_iter().find_map(|delimiter| {
            let text = line.text.trim_start_matches('\u{feff}');
            if !text.contains(delimiter) || text.len() > LONGEST_HEADER {
                return None;
            }
            let names: Vec<String> = text
                .split(delimiter)
                .map(|name| name.trim().trim_matches('"').trim().to_owned())
                .collect();
            if !names.iter().all(|name| may_name(name)) {
                return None;
            }
            let columns: Vec<Column> = names.iter().map(|name| Column::called(name)).collect();
            is_table(&columns).then_some((line.number, delimiter, names, columns))
        })
    })?;
    let cutter = Cutter {
        source,
        delimiter,
        n_columns: columns.len(),
        quotes: has_quotes(source, header, delimiter, columns.len()),
    };
    let rows = cutter.rows(header + 1);
    // Prose has marks between its words, too, but not as many in each line. Blanks at the ends of lines may be lost.
    let is_like = |row: &&Row<'_>| match row.cells.len() {
        n if n == columns.len() => true,
        n => delimiter == '\t' && (2..columns.len()).contains(&n),
    };
    let n_like = rows.iter().filter(is_like).count();
    (n_like * 2 >= rows.len()).then_some(Table {
        rows,
        columns,
        names,
        header,
    })
}

/// True for what may be a column's name: a few words, and no sentence.
fn may_name(name: &str) -> bool {
    const LONGEST: usize = 60;
    const MOST_WORDS: usize = 5;
    let is_sentence =
        name.ends_with(['.', '。', '!', '?', '；', '：']) || name.contains(['<', '>', '，', '"', '“']);
    !is_sentence && name.len() <= LONGEST && name.split_whitespace().count() <= MOST_WORDS
}

/// True where quotes are marks in a file and no letters: some cell has one doubled, or has what only quotes let it
/// have.
fn has_quotes(source: &SourceFile, header: u32, delimiter: char, n_columns: usize) -> bool {
    let lines = || source.lines().skip(header as usize - 1);
    lines().enumerate().any(|(at, line)| {
        if !line.text.contains('"') {
            return false;
        }
        // What it begins would go on in the next line.
        let next = source.line(line.number + 1);
        let goes_on = next
            .is_some_and(|next| next.text.contains('"') && next.text.split(delimiter).count() < n_columns);
        line.text.split(delimiter).any(|cell| {
            let Some(inner) = cell.trim().strip_prefix('"') else {
                return false;
            };
            match inner.strip_suffix('"') {
                // Between commas and semicolons nobody quotes for another reason, and nobody quotes a column's name.
                Some(inner) => delimiter != '\t' || at == 0 || inner.contains("\"\"") && balanced(inner),
                // It goes on behind a delimiter, or on the next line.
                None if delimiter != '\t' => true,
                None => inner.contains("\"\"") || goes_on && !inner.contains('"'),
            }
        })
    })
}

/// True where every quote is doubled.
fn balanced(inner: &str) -> bool {
    !inner.replace("\"\"", "").contains('"')
}

struct Cutter<'s> {
    source: &'s SourceFile,
    delimiter: char,
    n_columns: usize,
    quotes: bool,
}

impl<'s> Cutter<'s> {
    fn rows(&self, first: u32) -> Vec<Row<'s>> {
        let mut rows = Vec::new();
        let mut number = first;
        while let Some(line) = self.source.line(number) {
            if line.text.trim().is_empty() && !line.text.contains(self.delimiter) {
                number += 1;
                continue;
            }
            let row = self.row(number);
            number = row.lines.1 + 1;
            rows.push(row);
        }
        rows
    }

    /// The row that begins in that line.
    fn row(&self, first: u32) -> Row<'s> {
        let text = self.source.text();
        let line = self.source.line(first);
        let mut end = line.as_ref().map_or(text.len(), |line| line.span.end);
        let start = line.map_or(text.len(), |line| line.span.start);
        let (mut at, mut last) = (start, first);
        let mut cells = Vec::new();
        let mut open_quote = None;
        loop {
            let rest = &text[at..end];
            let quoted = self.quotes && rest.trim_start_matches(' ').starts_with('"');
            let opening = at + (rest.len() - rest.trim_start_matches(' ').len());
            match quoted.then(|| self.quoted(opening + 1, last)) {
                Some(Some((cell, after, line))) => {
                    cells.push(cell.into());
                    at = after;
                    if line != last {
                        last = line;
                        end = self.source.line(line).map_or(text.len(), |line| line.span.end);
                    }
                }
                unquoted => {
                    if unquoted.is_some() {
                        open_quote = open_quote.or(Some(opening));
                    }
                    let length = rest.find(self.delimiter).unwrap_or(rest.len());
                    cells.push(rest[..length].trim().into());
                    at += length;
                }
            }
            match text[at..end].strip_prefix(self.delimiter) {
                Some(rest) => at = end - rest.len(),
                None => break,
            }
        }
        Row {
            span: Span::new(start, end),
            lines: (first, last),
            cells,
            open_quote,
        }
    }

    /// A quoted cell from behind its opening quote, with where it ends and in which line; none where it does not end
    /// in time.
    fn quoted(&self, start: usize, first: u32) -> Option<(String, usize, u32)> {
        let text = self.source.text();
        let mut cell = String::new();
        let mut number = first;
        let mut at = start;
        loop {
            let line = self.source.line(number)?;
            // A line that is a row by itself is no part of a cell.
            if number > first
                && self.n_columns > 2
                && line.text.split(self.delimiter).count() == self.n_columns
                && (self.delimiter != ',' || self.n_columns > 5)
            {
                return None;
            }
            let end = line.span.end;
            while let Some(found) = text[at..end].find('"') {
                cell.push_str(&text[at..at + found]);
                at += found + 1;
                let rest = &text[at..end];
                if rest.starts_with('"') {
                    cell.push('"');
                    at += 1;
                    continue;
                }
                let blanks = rest.len() - rest.trim_start_matches(' ').len();
                let after = &rest[blanks..];
                if after.is_empty() || after.starts_with(self.delimiter) {
                    return Some((cell.trim().to_owned(), at + blanks, number));
                }
                // It closes nothing.
                cell.push('"');
            }
            cell.push_str(&text[at..end]);
            cell.push('\n');
            number += 1;
            if number - first > LONGEST_CELL as u32 {
                return None;
            }
            at = self.source.line(number)?.span.start;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut(text: &str) -> Vec<Vec<String>> {
        let source = SourceFile::new("a.tsv", text);
        let table = table(&source, |columns| columns.len() > 1).unwrap();
        let rows = table.rows.iter();
        rows.map(|row| row.cells.iter().map(|cell| cell.to_string()).collect())
            .collect()
    }

    #[test]
    fn quotes_are_marks_where_a_file_needs_them() {
        assert_eq!(
            cut("name\ttext\n\"Ach!\"\tx\n\"A\" b\ty\n"),
            [["\"Ach!\"", "x"], ["\"A\" b", "y"]]
        );
        assert_eq!(
            cut("name\ttext\nA\t\"say \"\"b\"\"\"\n\"C\"\td\n"),
            [["A", "say \"b\""], ["C", "d"]]
        );
        assert_eq!(
            cut("name,text\n\"A, b\",\"c\"\nD,e\n"),
            [["A, b", "c"], ["D", "e"]]
        );
        assert_eq!(cut("name;text\nA;\"b\nc\"\nD;e\n"), [["A", "b\nc"], ["D", "e"]]);
        assert_eq!(
            cut("name\ttext\nA\t\"b\nc\"\nD\te\n"),
            [["A", "b\nc"], ["D", "e"]]
        );
    }

    #[test]
    fn an_open_quote_swallows_nothing() {
        let rows = cut("id\tname\ttext\n1\t\"A\tb\n2\tC\t\"say \"\"d\"\"\"\n3\tE\tf\n");
        assert_eq!(
            rows,
            [["1", "\"A", "b"], ["2", "C", "say \"d\""], ["3", "E", "f"]]
        );
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            rows in prop::collection::vec(prop::collection::vec("[a-c规\", ;\t\n]{0,6}", 3), 1..8),
        ) {
            let mut text = "id,\"name\",text\n".to_owned();
            for row in &rows {
                let cells: Vec<String> = row.iter().map(|cell| format!("\"{}\"", cell.replace('"', "\"\""))).collect();
                text.push_str(&(cells.join(",") + "\n"));
            }
            let trimmed: Vec<Vec<String>> =
                rows.iter().map(|row| row.iter().map(|cell| cell.trim().to_owned()).collect()).collect();
            prop_assert_eq!(cut(&text), trimmed);
        }

        #[test]
        fn whatever_comes_is_cut(text in "(?s)[ab\"\t,;\r\n]{0,80}") {
            let source = SourceFile::new("a.tsv", format!("id\tname\ttext\n{text}"));
            let mut line = 1;
            for row in table(&source, |_| true).iter().flat_map(|table| &table.rows) {
                prop_assert!(row.lines.0 > line && row.lines.1 >= row.lines.0);
                line = row.lines.1;
            }
        }
    }
}
