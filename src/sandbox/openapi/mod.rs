//! The OpenAPI 3.1 description of what the sandbox serves, complete enough for tools that test against it.
//!
//! Fields, filters and sorts come from the resource declarations, so the description cannot promise others.

mod parameters;
mod paths;
mod schemas;

use super::answer::Answer;
use super::routes;
use serde_json::{Value, json};
use std::sync::OnceLock;

/// `GET /openapi.json`, the only endpoint without authentication, rate limit and faults.
pub(super) async fn show() -> Answer {
    static DOCUMENT: OnceLock<Vec<u8>> = OnceLock::new();
    Answer::ok(DOCUMENT.get_or_init(|| document().to_string().into_bytes()).clone())
}

fn document() -> Value {
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Site-management service (sandbox)",
            "version": "6.0.0",
            "description": "What the embedded sandbox serves. Where the interface specification is silent, this is the sandbox's choice.",
        },
        "servers": [{ "url": routes::PREFIX }],
        "security": [{ "BearerAuth": [] }],
        "paths": paths::all(),
        "components": {
            "securitySchemes": { "BearerAuth": { "type": "http", "scheme": "bearer" } },
            "schemas": schemas::all(),
            "headers": headers(),
            "responses": refusals(),
        },
    })
}

fn headers() -> Value {
    let header =
        |description: &str, schema: Value| json!({ "description": description, "required": true, "schema": schema });
    let count = |description: &str| header(description, json!({ "type": "integer", "minimum": 0 }));
    json!({
        "RateLimitLimit": count("Maximum requests allowed per window."),
        "RateLimitRemaining": count("Requests remaining in the current window."),
        "RateLimitReset": count("Seconds until the current window resets."),
        "RetryAfter": count("Seconds until a request is allowed again."),
        "WwwAuthenticate": header("The scheme to authenticate with.", json!({ "type": "string", "const": "Bearer" })),
        "Allow": header("The methods that the path supports, separated by commas.", json!({ "type": "string" })),
    })
}

/// References to the headers that every authenticated answer carries.
fn rate_limit() -> Value {
    json!({
        "X-RateLimit-Limit": { "$ref": "#/components/headers/RateLimitLimit" },
        "X-RateLimit-Remaining": { "$ref": "#/components/headers/RateLimitRemaining" },
        "X-RateLimit-Reset": { "$ref": "#/components/headers/RateLimitReset" },
    })
}

/// Those, and one more.
fn rate_limit_and(header: &str, name: &str) -> Value {
    let mut headers = rate_limit();
    headers[header] = json!({ "$ref": format!("#/components/headers/{name}") });
    headers
}

/// The refusals, by the name that `paths` refers to them with.
fn refusals() -> Value {
    let refusal = |description: &str, headers: Value| {
        let schema = json!({ "$ref": "#/components/schemas/Error" });
        json!({ "description": description, "headers": headers, "content": { "application/json": { "schema": schema } } })
    };
    json!({
        "400": refusal("Body or query invalid; every problem is in the details.", rate_limit()),
        "401": refusal(
            "Authentication missing or invalid.",
            json!({ "WWW-Authenticate": { "$ref": "#/components/headers/WwwAuthenticate" } }),
        ),
        "403": refusal("Account inactive.", json!({})),
        "404": refusal("What the path names does not exist.", rate_limit()),
        "405": refusal("The path does not support the method.", rate_limit_and("Allow", "Allow")),
        "409": refusal("State conflict with existing work.", rate_limit()),
        "413": refusal("The body is too large.", rate_limit()),
        "415": refusal("The body has a Content-Encoding.", rate_limit()),
        "422": refusal("Business rule violated; every violation is in the details.", rate_limit()),
        "429": refusal("Rate limit exceeded.", rate_limit_and("Retry-After", "RetryAfter")),
        "default": refusal("Anything else: a request that is not HTTP, or a fault of the sandbox itself.", json!({})),
    })
}
