//! What can be printed.
