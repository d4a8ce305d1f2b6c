//! Which library is it, and how its sources become a generation.
