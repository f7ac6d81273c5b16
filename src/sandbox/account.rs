//! The accounts of the service, and which of them a request is from.

use super::response::ApiError;
use axum::http::{HeaderMap, StatusCode, header::AUTHORIZATION};

/// An account of the service. Everything stored belongs to exactly one.
#[derive(Debug)]
pub(super) struct Account {
    /// Its key in the database.
    pub(super) key: i64,
    /// The owner's email, which no client of the account can have.
    pub(super) owner_email: &'static str,
    token: &'static str,
    active: bool,
}

/// The first account owns the first data, the second only sites, the third is inactive.
static ACCOUNTS: [Account; 3] = [
    Account { key: 1, owner_email: "owner@example.com", token: super::TOKEN, active: true },
    Account { key: 2, owner_email: "other@example.com", token: "sandbox-other-token", active: true },
    Account { key: 3, owner_email: "inactive@example.com", token: "sandbox-inactive-token", active: false },
];

/// Finds the account of the request's token: 401 without a valid one, 403 if the account is inactive.
pub(super) fn authenticate(headers: &HeaderMap) -> Result<&'static Account, ApiError> {
    let mut accounts = ACCOUNTS.iter();
    let account = bearer(headers).and_then(|token| accounts.find(|account| account.token.as_bytes() == token));
    match account {
        None => Err(ApiError::new(StatusCode::UNAUTHORIZED, "unauthorized", "A valid API token is required.")),
        Some(Account { active: false, .. }) => {
            Err(ApiError::new(StatusCode::FORBIDDEN, "forbidden", "The account is inactive."))
        }
        Some(account) => Ok(account),
    }
}

/// The token of `Authorization: Bearer TOKEN`.
fn bearer(headers: &HeaderMap) -> Option<&[u8]> {
    let (scheme, token) = headers.get(AUTHORIZATION)?.as_bytes().split_at_checked("Bearer ".len())?;
    scheme.eq_ignore_ascii_case(b"Bearer ").then(|| token.trim_ascii())
}
