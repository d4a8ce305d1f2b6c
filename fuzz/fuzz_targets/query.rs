//! Queries: no panic, and the folded text keeps a way back into the one that was typed.

#![no_main]

use libfuzzer_sys::fuzz_target;
use shiyi::fold::Folded;
use shiyi::query::{Query, Search};

fuzz_target!(|text: &str| {
    if let Err(error) = Query::parse(text) {
        assert!(text.is_char_boundary(error.at().min(text.len())));
    }
    let _ = Search::new(text);
    let _ = Search::exact(text);
    let folded = Folded::new(text);
    for at in 0..folded.chars().len() {
        assert!(text.get(folded.bytes(at..at + 1)).is_some());
    }
});
