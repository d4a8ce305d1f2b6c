//! The command line: the one folder that names clap.
