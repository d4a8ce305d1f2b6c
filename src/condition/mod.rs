//! Numeric conditions as values, and the grammar that reads them.
