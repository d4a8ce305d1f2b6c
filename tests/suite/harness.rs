//! Runs the program in a folder of its own, away from the user's data and settings.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A temporary home, with a place for a library in it.
pub struct Sandbox {
    dir: tempfile::TempDir,
}

/// What a run of the program gave.
#[derive(Debug)]
pub struct Ran {
    /// The exit code; none when a signal ended it.
    pub code: Option<i32>,
    /// What it answered.
    pub stdout: String,
    /// What it said beside that.
    pub stderr: String,
}

impl Ran {
    fn of(output: Output) -> Ran {
        Ran {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("stdout is UTF-8"),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Its lines as JSON objects.
    pub fn json(&self) -> Vec<serde_json::Value> {
        let parse = |line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        self.stdout.lines().map(parse).collect()
    }

    /// The objects of one type.
    pub fn objects(&self, kind: &str) -> Vec<serde_json::Value> {
        self.json()
            .into_iter()
            .filter(|object| object["type"] == kind)
            .collect()
    }

    /// Fails with everything the program said unless it ended with `code`.
    #[track_caller]
    pub fn expect(self, code: i32) -> Ran {
        assert_eq!(self.code, Some(code), "{self:#?}");
        assert!(!self.stderr.contains("panicked"), "{self:#?}");
        self
    }
}

impl Sandbox {
    /// An empty home without a library.
    pub fn new() -> Sandbox {
        Sandbox {
            dir: tempfile::tempdir().expect("a temporary folder"),
        }
    }

    /// The folder of its library.
    pub fn library(&self) -> PathBuf {
        self.dir.path().join("library")
    }

    /// A path inside.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Writes a file, with the folders above it; returns its path.
    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(&path, contents).expect("a file");
        path
    }

    /// Copies a file into the sandbox under that name.
    pub fn copy(&self, from: &Path, name: &str) -> PathBuf {
        self.write(
            name,
            std::fs::read(from).unwrap_or_else(|e| panic!("{}: {e}", from.display())),
        )
    }

    /// The program, with nothing of the user's environment that it reads.
    pub fn command<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_shiyi"));
        command
            .args(args)
            .current_dir(self.dir.path())
            .stdin(Stdio::null());
        for name in [
            "SHIYI_LIBRARY",
            "SHIYI_GAME",
            "NO_COLOR",
            "CLICOLOR",
            "CLICOLOR_FORCE",
            "LC_MESSAGES",
            "LANG",
            "LANGUAGE",
        ] {
            command.env_remove(name);
        }
        command
            .env("HOME", self.dir.path())
            .env("XDG_DATA_HOME", self.path("data"))
            .env("XDG_CACHE_HOME", self.path("cache"))
            .env("XDG_CONFIG_HOME", self.path("config"))
            .env("LC_ALL", "C");
        command
    }

    /// Runs the program.
    pub fn run<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Ran {
        Ran::of(self.command(args).output().expect("the program starts"))
    }

    /// Runs the program on the sandbox's own library.
    pub fn in_library<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Ran {
        let mut command = self.command(args);
        Ran::of(
            command
                .env("SHIYI_LIBRARY", self.library())
                .output()
                .expect("the program starts"),
        )
    }

    /// Runs the program with something on its stdin.
    pub fn run_with<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>, stdin: &str) -> Ran {
        let mut command = self.command(args);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let mut pipe = child.stdin.take().expect("a pipe");
        let input = stdin.to_owned();
        // The program may answer before it has read everything.
        let writer = std::thread::spawn(move || {
            let _ = pipe.write_all(input.as_bytes());
        });
        let output = child.wait_with_output().expect("it ends");
        let _ = writer.join();
        Ran::of(output)
    }

    /// Runs a line of the shell in which `shiyi` is the program; returns what it gave.
    pub fn shell(&self, line: &str) -> Ran {
        let bin = Path::new(env!("CARGO_BIN_EXE_shiyi")).parent().expect("a folder");
        let path = std::env::join_paths(std::iter::once(bin.to_owned()).chain(std::env::split_paths(
            &std::env::var_os("PATH").unwrap_or_default(),
        )))
        .expect("a PATH");
        let template = self.command::<&str>([]);
        let mut command = Command::new("bash");
        command
            .args(["-c", line])
            .current_dir(self.dir.path())
            .stdin(Stdio::null());
        for (name, value) in template.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        Ran::of(command.env("PATH", path).output().expect("bash starts"))
    }
}
