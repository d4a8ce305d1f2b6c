//! Source text in, entries and diagnostics out.
