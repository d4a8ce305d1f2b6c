//! Dated rulings under bullets.
