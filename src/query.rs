//! What the user typed, parsed; plain data, knows no index.
