//! Rulebooks with numbered rules.
