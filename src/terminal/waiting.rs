//! What blocks, such as a question, is waited for beside the main thread, which hears Ctrl-C and its like meanwhile.

use crate::error::{Error, Kind, Result};
use crate::signal::stopped;

/// Does the work, and gives up waiting for it on Ctrl-C. Then it is left behind, and ends with the program.
///
/// # Errors
/// `Interrupted` where Ctrl-C came first.
pub async fn beside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    tokio::select! {
        // In this order: the work itself may send the signal, and must not end the program by it.
        biased;
        () = stopped() => Err(interrupted()),
        done = async { tokio::task::spawn_blocking(work).await } => {
            done.map_err(|error| Error::new(Kind::Error, format!("could not wait: {error}")))
        }
    }
}

/// Where nothing has been sent yet.
pub fn interrupted() -> Error {
    Error::new(Kind::Interrupted, "interrupted; nothing was changed")
}
