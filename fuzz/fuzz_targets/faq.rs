//! Documents with directives, and locks: no panic, the pieces are the whole document, a directive prints as it is read,
//! and a lock that is read is written the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use shiyi::faq::lock::Lock;
use shiyi::faq::{Piece, pieces};
use shiyi::source::SourceFile;

fuzz_target!(|text: &str| {
    let source = SourceFile::new("a.md", text);
    let mut at = 0;
    for piece in pieces(&source).0 {
        let span = match piece {
            Piece::Text(span) => span,
            Piece::Directive(directive) => {
                let printed = SourceFile::new("b.md", directive.to_string());
                match pieces(&printed).0.as_slice() {
                    [Piece::Directive(again)] => assert_eq!(again.to_string(), printed.text()),
                    other => panic!("{other:?}"),
                }
                directive.line
            }
        };
        assert_eq!(span.start, at);
        at = span.end;
    }
    assert_eq!(at, source.text().len());
    if let Ok(lock) = Lock::parse(text) {
        assert_eq!(Lock::parse(&lock.to_text()), Ok(lock));
    }
});
