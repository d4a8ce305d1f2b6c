//! What can be printed: [`text`] for people, [`json`] for programs, [`markdown`] and [`html`] for documents.
//!
//! Everything here turns values into strings; nothing prints. Foreign characters pass [`sanitize`] on their
//! way into any text for people.

pub mod html;
pub mod json;
pub mod markdown;
pub mod message;
pub mod phrases;
pub mod sanitize;
pub mod text;
