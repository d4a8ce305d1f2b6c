//! Documents with directives: no panic, and the pieces are the whole document.

#![no_main]

use libfuzzer_sys::fuzz_target;
use shiyi::faq::{Piece, pieces};
use shiyi::source::SourceFile;

fuzz_target!(|text: &str| {
    let source = SourceFile::new("a.md", text);
    let mut at = 0;
    for piece in pieces(&source).0 {
        let span = match piece {
            Piece::Text(span) => span,
            Piece::Directive(directive) => directive.span,
        };
        assert_eq!(span.start, at);
        at = span.end;
    }
    assert_eq!(at, source.text().len());
});
