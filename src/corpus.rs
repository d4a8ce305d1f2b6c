//! Every entry by id, parent and name; editions; links checked.
