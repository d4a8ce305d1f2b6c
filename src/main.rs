//! The program: hands the arguments to the library and exits with its code.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(shiyi::cli::run(std::env::args_os()))
}
