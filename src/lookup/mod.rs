//! Here is what somebody typed: which entries does it name?

pub mod citation;
