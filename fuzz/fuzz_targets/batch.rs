//! Whatever a script writes to `batch`: an answer in JSON for every line that is not blank, and nothing in it that a
//! terminal would obey.

#![no_main]

use libfuzzer_sys::fuzz_target;
use shiyi::cli::Batch;
use shiyi::library::Library;

thread_local! {
    static BATCH: Batch = Batch::new(Library::embedded());
}

fuzz_target!(|input: &[u8]| {
    let answers = BATCH.with(|batch| batch.answers(input));
    let asked = input.split(|b| *b == b'\n').filter(|line| !line.iter().all(u8::is_ascii_whitespace));
    assert_eq!(answers.len(), asked.count());
    for answer in answers {
        assert!(!answer.contains(char::is_control), "{answer:?}");
        let answer: serde_json::Value = serde_json::from_str(&answer).expect("an answer is JSON");
        assert!(answer["ok"].is_boolean() && answer.get("id").is_some(), "{answer}");
    }
});
