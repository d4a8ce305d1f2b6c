//! Behaviour tests: one binary, a module per area.

mod magic;
mod real_data;
mod recall;
mod seeds;
mod segmentation;
mod shipped;
mod texts;
