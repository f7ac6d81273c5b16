//! Reads the bodies of answers, within bounds.

use super::http::Missed;
use super::retry::Miss;
use reqwest::Response;
use tokio::sync::Semaphore;

/// A larger answer is refused: a page of 1000 clients at every field's maximum stays below it.
const LARGEST_BODY: usize = 96 << 20;

/// So much of a body is read as soon as it comes.
const SMALL_BODY: usize = 64 << 10;
/// Larger bodies that are read at a time: while they wait, they cost the system's memory and not ours.
const LARGE_BODIES: usize = 2;
/// So much room is made at once where an answer says that it will need it.
const USUAL_BODY: usize = 4 << 20;

/// As much as a long list needs at a time; it is never touched, and so costs nothing.
const LARGE_BLOCK: usize = 12 << 20;

/// Returns a semaphore that lets a few large bodies in at a time.
pub fn turns() -> Semaphore {
    Semaphore::new(LARGE_BODIES)
}

/// Reads the complete body; `describe` says what a closed connection means.
///
/// # Errors
/// What `describe` says, or that the body is too large.
pub async fn read(
    turns: &Semaphore,
    mut response: Response,
    describe: impl Fn(&reqwest::Error) -> Missed,
) -> Result<Vec<u8>, Missed> {
    let announced = response.content_length().and_then(|length| usize::try_from(length).ok()).unwrap_or_default();
    let mut turn = None;
    let mut body = Vec::with_capacity(announced.min(USUAL_BODY));
    while let Some(chunk) = response.chunk().await.map_err(|error| describe(&error))? {
        let length = body.len() + chunk.len();
        if length > LARGEST_BODY {
            let what = format!("the response is larger than {} MiB", LARGEST_BODY >> 20);
            return Err(Missed::new(Miss::Unreadable, what));
        }
        if length.max(announced) > SMALL_BODY && turn.is_none() {
            turn = turns.acquire().await.ok();
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// A system allocator that sees a large block come and go keeps what is freed from then on (glibc does). Otherwise each
/// page of a long list would give its memory back, for the next to fault it in anew.
pub fn keep_freed_memory() {
    drop(std::hint::black_box(Vec::<u8>::with_capacity(LARGE_BLOCK)));
}
