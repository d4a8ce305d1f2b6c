//! shiyi (释疑, "to clear up doubt") looks up trading-card-game rules by number, searches rules and rulings in
//! Chinese or English, and settles numeric questions, offline, on the user's own copies of the rules.
//!
//! The modules stand in the order in which data flows, and none uses a later one:
//!
//! ```text
//! source text → parse → entries + diagnostics → pair → corpus → index → query → hits / verdict → render → cli
//! ```

// The docs of a module are for whoever reads its source, too, and may lead into it.
#![allow(rustdoc::private_intra_doc_links)]

pub mod jobs;

pub mod source;

pub mod diagnostic;

pub mod fold;

pub mod hash;

pub mod name;

pub mod citation;

pub mod entry;

pub mod card;

pub mod game;

pub mod condition;

pub mod parse;

pub mod pair;

pub mod corpus;

pub mod segment;

pub mod query;

pub mod lookup;

pub mod history;

pub mod cite;

pub mod index;

pub mod library;

pub mod evaluate;

pub mod faq;

pub mod render;

pub mod cli;
