//! Directives in a document, expanded.
