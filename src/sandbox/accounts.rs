//! Who may call: the three fixed tokens and what each stands for (spec, "Authentication").

use super::answer::Refusal;
use axum::http::{HeaderMap, StatusCode, header::AUTHORIZATION};

/// An account of the service. Everything stored belongs to exactly one.
#[derive(Debug)]
pub(super) struct Account {
    /// Its key in the database.
    pub(super) key: i64,
    /// The owner's email, which no client of the account may have.
    pub(super) owner_email: &'static str,
    token: &'static str,
    active: bool,
}

/// The first account owns the first data, the second only sites, the third is closed.
static ACCOUNTS: [Account; 3] = [
    Account { key: 1, owner_email: "owner@example.com", token: super::TOKEN, active: true },
    Account { key: 2, owner_email: "other@example.com", token: "sandbox-other-token", active: true },
    Account { key: 3, owner_email: "inactive@example.com", token: "sandbox-inactive-token", active: false },
];

/// Finds the account whose token the request carries: 401 without a valid one, 403 where it is inactive.
pub(super) fn authenticate(headers: &HeaderMap) -> Result<&'static Account, Refusal> {
    let account =
        bearer(headers)
            .and_then(|token| ACCOUNTS.iter().find(|account| account.token.as_bytes() == token))
            .ok_or_else(|| Refusal::new(StatusCode::UNAUTHORIZED, "unauthorized", "A valid API token is required."))?;
    if !account.active {
        return Err(Refusal::new(StatusCode::FORBIDDEN, "forbidden", "The account is inactive."));
    }
    Ok(account)
}

/// The token of `Authorization: Bearer TOKEN`. Two such headers say nothing certain, so they are no token.
fn bearer(headers: &HeaderMap) -> Option<&[u8]> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let (value, None) = (values.next()?.as_bytes(), values.next()) else {
        return None;
    };
    let (scheme, token) = value.split_at_checked("Bearer ".len())?;
    scheme.eq_ignore_ascii_case(b"Bearer ").then(|| token.trim_ascii())
}
