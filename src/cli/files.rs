//! Files of the user's that the program writes: whole or not at all.

use super::ask::AskError;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// What the names of files that are being written begin with.
const PASSING: &str = ".writing-";

/// Writes a file beside the one that has its name and puts it in its place, so that a full disk or a crash leaves the old
/// one. A link is followed. What is no file (a pipe, a device) is written to as it is.
///
/// # Errors
///
/// [`AskError`] when it cannot be written; what was there before is there still.
pub fn replace(path: &Path, contents: &str) -> Result<(), AskError> {
    write(path, contents).map_err(|error| {
        AskError::usage(
            "io",
            format!("`{}` cannot be written: {error}", path.display()),
            "check the folder; what was there before is left as it was",
        )
    })
}

fn write(path: &Path, contents: &str) -> io::Result<()> {
    let there = std::fs::metadata(path).ok();
    if there
        .as_ref()
        .is_some_and(|there| !there.is_file() && !there.is_dir())
    {
        return std::fs::OpenOptions::new()
            .write(true)
            .open(path)?
            .write_all(contents.as_bytes());
    }
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let mut new = tempfile::Builder::new();
    new.prefix(PASSING);
    #[cfg(unix)]
    let readable = {
        use std::os::unix::fs::PermissionsExt as _;
        // What the user's mask leaves of it, as for any file.
        std::fs::Permissions::from_mode(0o666)
    };
    #[cfg(unix)]
    new.permissions(readable);
    // Its message would name the passing file.
    let kind_alone = |error: io::Error| io::Error::from(error.kind());
    let mut file = new.tempfile_in(folder).map_err(kind_alone)?;
    file.write_all(contents.as_bytes())?;
    if let Some(there) = there {
        file.as_file().set_permissions(there.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(&path)?;
    #[cfg(unix)]
    std::fs::File::open(folder)?.sync_all()?;
    Ok(())
}

/// True when two paths lead to one file, or would once it is there: by their names, or as links.
pub fn is_same(a: &Path, b: &Path) -> bool {
    if resolved(a) == resolved(b) {
        return true;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        if let (Ok(a), Ok(b)) = (std::fs::metadata(a), std::fs::metadata(b)) {
            return (a.dev(), a.ino()) == (b.dev(), b.ino());
        }
    }
    false
}

/// Where a path leads; of one that is not there yet, where its folder does.
fn resolved(path: &Path) -> PathBuf {
    if let Ok(path) = path.canonicalize() {
        return path;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize();
    match (folder, path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.md");
        for text in ["one", "two"] {
            replace(&path, text).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(replace(&folder.path().join("no/a.md"), "x").is_err());
        assert!(replace(folder.path(), "x").is_err());
    }

    #[test]
    fn one_file_has_many_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.md");
        let dotted = folder.path().join(".").join("a.md");
        assert!(is_same(&path, &dotted) && !is_same(&path, &folder.path().join("b.md")));
        std::fs::write(&path, "x").unwrap();
        assert!(is_same(&path, &dotted));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&path, folder.path().join("link")).unwrap();
            std::fs::hard_link(&path, folder.path().join("hard")).unwrap();
            for other in ["link", "hard"] {
                assert!(is_same(&path, &folder.path().join(other)), "{other}");
            }
        }
    }
}
