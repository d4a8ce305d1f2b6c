//! Behaviour tests: one binary, a module per area.

mod cases;
mod citations;
mod cli;
mod determinism;
mod diagnostics;
mod dirty;
mod doctor;
mod editions;
mod faq;
mod faults;
mod harness;
mod hostile;
mod judge;
mod layers;
mod library;
mod magic;
mod numeric;
mod readme;
mod real_data;
mod recall;
mod rulebooks;
mod script;
mod seeds;
mod segmentation;
mod shipped;
mod texts;
