//! Directories and files that only their owner may look into, and how several programs take turns at a file.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Error, Result, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Longest wait for a lock.
const LOCK_TIME: Duration = Duration::from_secs(10);

/// Creates the directory and its missing parents, and syncs the entry of each: else what is synced inside could be lost
/// with its directory.
///
/// # Errors
/// If the system refuses.
pub fn directory(path: &Path) -> Result<()> {
    create(path, sync_directory)
}

/// `sync` writes the entry of a new directory to disk.
fn create(path: &Path, sync: impl FnMut(&Path) -> Result<()>) -> Result<()> {
    let is_missing = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
    let missing: Vec<&Path> = path.ancestors().take_while(is_missing).collect();
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    missing.into_iter().try_for_each(sync)
}

/// Opens a file as the options say; one that this makes is its owner's alone.
///
/// # Errors
/// If the system refuses.
pub fn open(options: &mut OpenOptions, path: &Path) -> Result<File> {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options.open(path)
}

/// Waits for the lock, but not for ever: another sitectl holds it only while it writes a line or a small file.
///
/// # Errors
/// If another program keeps it, or the system refuses.
pub fn lock(file: &File) -> Result<()> {
    let start = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if start.elapsed() < LOCK_TIME => {
                std::thread::sleep(Duration::from_millis(1))
            }
            Err(TryLockError::WouldBlock) => return Err(Error::other("another program has locked it")),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
}

/// Puts a file of this text in the place of the one at `path`: whoever reads it sees the old one or the new one, also
/// after a crash. Whoever calls this holds a lock: the file that becomes the new one has a name of its own, but one
/// name, so that what a crash has left of it does not stay.
///
/// # Errors
/// If the system refuses; the old file is as it was then.
pub fn replace(path: &Path, text: &str) -> Result<()> {
    let new = beside(path, ".new");
    let write = || {
        let mut file = open(OpenOptions::new().write(true).create(true).truncate(true), &new)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&new, path)
    };
    write().inspect_err(|_| drop(std::fs::remove_file(&new)))?;
    // It is written now, whether or not its name would outlive a crash.
    let _ = sync_directory(path);
    Ok(())
}

/// The path with this at the end of its name.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(ending);
    name.into()
}

/// Syncs the directory that holds this path: the name of a new file or directory is on disk only then.
///
/// # Errors
/// If the system refuses.
pub fn sync_directory(path: &Path) -> Result<()> {
    match path.parent() {
        Some(directory) if directory.as_os_str().is_empty() => sync_directory(&Path::new(".").join(path)),
        Some(directory) if cfg!(unix) => File::open(directory)?.sync_all(),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entry_of_each_new_directory_is_synced() -> Result<()> {
        let root = tempfile::tempdir()?;
        let path = root.path().join("a/b");
        let mut synced = Vec::new();
        create(&path, |new| {
            synced.push(new.to_path_buf());
            Ok(())
        })?;
        assert_eq!(synced, [path, root.path().join("a")]);
        Ok(())
    }
}
