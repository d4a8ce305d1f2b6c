//! Build, open, search: the one folder that names tantivy.
