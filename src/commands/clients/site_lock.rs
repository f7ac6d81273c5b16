//! A lock for commands that read the sites of a client, compute the new list and send it: on one
//! machine, they do this one after the other, so that none undoes the change of another.

use crate::commands::context::Context;
use crate::config::private_files;
use crate::error::Result;
use std::fs::{File, OpenOptions};
use std::time::Duration;
use tokio::sync::{Mutex, MutexGuard};

/// The maximum wait for a command that waits for the rate limit, or for slow responses.
const MAX_WAIT: Duration = Duration::from_secs(180);

/// The lock of one service.
pub struct SiteLock<'c> {
    context: &'c Context,
    /// Excludes the other requests of this command. Is false after a failure.
    is_usable: Mutex<bool>,
}

/// The lock is held until this is dropped.
pub struct HeldLock<'l> {
    _file: Option<File>,
    _guard: MutexGuard<'l, bool>,
}

impl<'c> SiteLock<'c> {
    pub fn new(context: &'c Context) -> Self {
        Self {
            context,
            is_usable: Mutex::new(true),
        }
    }

    /// Waits for the lock. If it cannot be had, a warning says so once, and the command continues.
    pub async fn hold(&self) -> HeldLock<'_> {
        let mut guard = self.is_usable.lock().await;
        let mut file = None;
        if *guard {
            match self.lock_file().await {
                Ok(locked) => file = Some(locked),
                Err(error) => {
                    *guard = false;
                    self.context.ui.warn(&format!(
                        "other commands on this machine can change the same client: {}",
                        error.message
                    ));
                }
            }
        }
        HeldLock {
            _file: file,
            _guard: guard,
        }
    }

    async fn lock_file(&self) -> Result<File> {
        let path = self.context.site_lock_file()?;
        let failed = |error| crate::error::Error::file("lock", &path, &error);
        if let Some(directory) = path.parent() {
            private_files::create_directory(directory).map_err(failed)?;
        }
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        let file = private_files::open(&mut options, &path).map_err(failed)?;
        let text = "waiting for another sitectl command that changes the sites of a client";
        let wait = || self.context.ui.announce(text);
        let locked = private_files::lock_file(&file, MAX_WAIT, wait).await;
        locked.map_err(failed)?;
        Ok(file)
    }
}
