//! The real texts in `../shared`, for tests that need them.

use std::io::Write as _;
use std::path::PathBuf;

/// The folder of real texts, or none, said on stderr, where it is absent.
///
/// # Panics
///
/// When `REQUIRE_REAL_DATA=1` and it is not there.
#[allow(dead_code, reason = "each test module takes what it needs")]
pub fn shared(what: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../shared")
        .join(what);
    if path.exists() {
        return Some(path);
    }
    assert!(
        std::env::var_os("REQUIRE_REAL_DATA").is_none_or(|v| v != "1"),
        "../shared/{what} not found"
    );
    let _ = writeln!(std::io::stderr(), "skipped: ../shared/{what} not found");
    None
}
