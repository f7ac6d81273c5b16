//! The description of what the sandbox serves.

use super::answer::Answer;
use serde_json::json;

/// `GET /openapi.json`
pub(super) async fn show() -> Answer {
    Answer::ok(json!({}).to_string().into_bytes())
}
