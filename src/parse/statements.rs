//! Unnumbered statements.
