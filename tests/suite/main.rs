//! Behaviour tests: one binary, a module per area.

mod cases;
mod harness;
mod layers;
mod magic;
mod real_data;
mod recall;
mod seeds;
mod segmentation;
mod shipped;
mod texts;
