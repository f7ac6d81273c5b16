//! Reads response bodies up to a limit.

use super::retry::{FailedAttempt, Failure};
use reqwest::Response;

/// The largest body that is read: a page of 1000 clients with every field at its maximum length is
/// smaller.
const MAX_BODY: usize = 96 << 20;

/// Reads the complete body. `describe_error` describes an error of the connection.
pub async fn read_body(
    mut response: Response,
    describe_error: impl Fn(&reqwest::Error) -> FailedAttempt,
) -> Result<Vec<u8>, FailedAttempt> {
    let announced = response.content_length().unwrap_or(0);
    let mut body = Vec::with_capacity(announced.min(MAX_BODY as u64) as usize);
    while let Some(chunk) = response
        .chunk()
        .await
        .map_err(|error| describe_error(&error))?
    {
        if body.len() + chunk.len() > MAX_BODY {
            let message = format!("the response is larger than {} MiB", MAX_BODY >> 20);
            return Err(FailedAttempt::new(Failure::Unreadable, message));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}
