//! The one fold: what people do not care about when they search.
