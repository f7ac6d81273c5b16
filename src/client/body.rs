//! Reads response bodies up to a limit.

use super::retry::{FailedAttempt, Failure};
use reqwest::Response;

/// The largest body that is read: a page of 1000 clients with every field at its maximum length is smaller.
const LARGEST_BODY: usize = 96 << 20;

/// The largest capacity that is reserved at once for an announced length.
const USUAL_BODY: usize = 4 << 20;

/// The memory that a long list needs at a time. The block is never touched and costs nothing.
const LARGE_BLOCK: usize = 12 << 20;

/// Reads the complete body; `describe` returns the error of a closed connection.
///
/// # Errors
/// The error of `describe`, or that the body is too large.
pub async fn read(
    mut response: Response,
    describe: impl Fn(&reqwest::Error) -> FailedAttempt,
) -> Result<Vec<u8>, FailedAttempt> {
    let announced = response
        .content_length()
        .and_then(|length| usize::try_from(length).ok())
        .unwrap_or_default();
    let mut body = Vec::with_capacity(announced.min(USUAL_BODY));
    while let Some(chunk) = response.chunk().await.map_err(|error| describe(&error))? {
        let length = body.len() + chunk.len();
        if length > LARGEST_BODY {
            let what = format!("the response is larger than {} MiB", LARGEST_BODY >> 20);
            return Err(FailedAttempt::new(Failure::Unreadable, what));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// Makes the allocator keep freed memory (glibc does so after it has freed a large block). Otherwise each page of a long
/// list would return its memory to the system, and the next page would have to map it again.
pub fn keep_freed_memory() {
    drop(std::hint::black_box(Vec::<u8>::with_capacity(LARGE_BLOCK)));
}
