//! Files and directories that only their owner can access, and file locks.

use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io::{Error, Result, Write};
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The wait for a lock after which the user is informed.
const LONG_WAIT: Duration = Duration::from_secs(5);
/// The time between two attempts to lock a file.
const LOCK_INTERVAL: Duration = Duration::from_millis(1);

/// Creates the directory and its missing parents. Syncs the entry of each in its parent, because
/// files inside an unsynced directory could be lost in a crash.
pub fn create_directory(path: &Path) -> Result<()> {
    create_and_sync(path, sync_parent)
}

/// Creates the directories, and calls `sync` for each new one.
fn create_and_sync(path: &Path, mut sync: impl FnMut(&Path) -> Result<()>) -> Result<()> {
    let mut missing = Vec::new();
    for directory in path.ancestors() {
        if directory.as_os_str().is_empty() || directory.exists() {
            break;
        }
        missing.push(directory);
    }
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    for directory in missing {
        sync(directory)?;
    }
    Ok(())
}

/// Opens a file. A new file is accessible only to its owner.
pub fn open(options: &mut OpenOptions, path: &Path) -> Result<File> {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options.open(path)
}

/// Whether this is a file that other users can access. Not known on Windows, where the directories
/// of a user are private.
pub fn others_can_access(path: &Path) -> bool {
    #[cfg(unix)]
    let mode = |metadata: &Metadata| metadata.permissions().mode();
    #[cfg(not(unix))]
    let mode = |_: &Metadata| 0;
    std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && mode(&metadata) & 0o077 != 0)
}

/// Locks a file, and lets other work of this process continue meanwhile. Calls `on_wait` once, if
/// another program holds the lock for long.
///
/// # Errors
/// If another program holds the lock longer than `max_wait`, or the I/O error.
pub async fn lock_file(file: &File, max_wait: Duration, on_wait: impl FnOnce()) -> Result<()> {
    let start = Instant::now();
    let mut on_wait = Some(on_wait);
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if start.elapsed() >= max_wait => {
                return Err(Error::other("another program has locked the file"));
            }
            Err(TryLockError::WouldBlock) => {}
        }
        if start.elapsed() >= LONG_WAIT
            && let Some(on_wait) = on_wait.take()
        {
            on_wait();
        }
        tokio::time::sleep(LOCK_INTERVAL).await;
    }
}

/// Replaces a file atomically: readers see the old text or the new one, also after a crash. The
/// caller holds a lock, because the temporary file always has the same name, so that crashes leave
/// at most one. After an error, the old file is unchanged.
pub fn replace(path: &Path, text: &str) -> Result<()> {
    let temporary = with_suffix(path, ".new");
    let written = write_and_sync(&temporary, text);
    let replaced = written.and_then(|()| std::fs::rename(&temporary, path));
    if replaced.is_ok() {
        // The file is written, whether or not its name would survive a crash.
        let _ = sync_parent(path);
    } else {
        // A file that stays is overwritten by the next call.
        let _ = std::fs::remove_file(&temporary);
    }
    replaced
}

fn write_and_sync(path: &Path, text: &str) -> Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    let mut file = open(&mut options, path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

pub fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(suffix);
    name.into()
}

/// Syncs the parent directory, which puts the name of a new file or directory on disk.
pub fn sync_parent(path: &Path) -> Result<()> {
    if cfg!(unix)
        && let Some(directory) = path.parent()
    {
        // The parent of a file name alone is an empty path.
        let directory = Path::new(".").join(directory);
        File::open(directory)?.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entry_of_each_new_directory_is_synced() -> Result<()> {
        let root = tempfile::tempdir()?;
        let path = root.path().join("a/b");
        let mut synced = Vec::new();
        create_and_sync(&path, |new| {
            synced.push(new.to_path_buf());
            Ok(())
        })?;
        assert_eq!(synced, [path.clone(), root.path().join("a")]);
        assert!(sync_parent(&path).is_ok());
        assert!(!cfg!(unix) || sync_parent(&path.join("missing/file")).is_err());
        Ok(())
    }

    /// Linux cannot sync this device, so that only a missing sync is no error.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_text_that_cannot_be_synced_is_an_error() {
        assert!(write_and_sync(Path::new("/dev/null"), "text").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_is_private_if_only_its_owner_has_any_permission() -> Result<()> {
        let root = tempfile::tempdir()?;
        let path = root.path().join("file");
        File::create(&path)?;
        for (mode, is_shared) in [
            (0o600, false),
            (0o700, false),
            (0o640, true),
            (0o620, true),
            (0o604, true),
        ] {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode))?;
            assert_eq!(others_can_access(&path), is_shared, "{mode:o}");
        }
        Ok(())
    }
}
