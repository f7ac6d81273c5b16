//! The accounts, and authentication.

use super::response::ApiError;
use axum::http::{HeaderMap, StatusCode, header::AUTHORIZATION};

/// An account. Every record belongs to one account.
#[derive(Debug)]
pub struct Account {
    /// The value of the column `account` in all tables.
    pub key: i64,
    /// The owner's email, which no client of the account can have.
    pub owner_email: &'static str,
    token: &'static str,
    is_active: bool,
}

/// The first account owns most of the first data, the second owns only sites, and the third is
/// inactive.
static ACCOUNTS: [Account; 3] = [
    Account {
        key: 1,
        owner_email: "owner@example.com",
        token: super::TOKEN,
        is_active: true,
    },
    Account {
        key: 2,
        owner_email: "other@example.com",
        token: "sandbox-other-token",
        is_active: true,
    },
    Account {
        key: 3,
        owner_email: "inactive@example.com",
        token: "sandbox-inactive-token",
        is_active: false,
    },
];

/// Returns the account of the token: 401 if the token is missing or invalid, 403 if the account is
/// inactive.
pub fn authenticate(headers: &HeaderMap) -> Result<&'static Account, ApiError> {
    let token = headers
        .get(AUTHORIZATION)
        .and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    let Some(account) = ACCOUNTS.iter().find(|account| Some(account.token) == token) else {
        let message = "A valid API token is required.";
        return Err(ApiError::new(StatusCode::UNAUTHORIZED, message));
    };
    if !account.is_active {
        let message = "The account is inactive.";
        return Err(ApiError::new(StatusCode::FORBIDDEN, message));
    }
    Ok(account)
}
