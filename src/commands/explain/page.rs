//! The texts: a file a kind, and one for the codes of details.

use crate::error::Kind;

/// The codes of details: after the name of each stands the kind of the errors that have it.
const CODES: &str = include_str!("pages/codes.txt");
/// How an entry of that file begins.
const ENTRY: &str = "== ";

/// What there is to say about a kind.
pub fn of_kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Error => include_str!("pages/error.txt"),
        Kind::Usage => include_str!("pages/usage.txt"),
        Kind::Auth => include_str!("pages/auth.txt"),
        Kind::NotFound => include_str!("pages/not_found.txt"),
        Kind::Invalid => include_str!("pages/invalid.txt"),
        Kind::Conflict => include_str!("pages/conflict.txt"),
        Kind::RateLimited => include_str!("pages/rate_limited.txt"),
        Kind::Unavailable => include_str!("pages/unavailable.txt"),
        Kind::Partial => include_str!("pages/partial.txt"),
        Kind::RestoreFailed => include_str!("pages/restore_failed.txt"),
        Kind::TimedOut => include_str!("pages/timed_out.txt"),
        Kind::UnknownOutcome => include_str!("pages/unknown_outcome.txt"),
        Kind::Incomplete => include_str!("pages/incomplete.txt"),
        Kind::Interrupted => include_str!("pages/interrupted.txt"),
        Kind::OutputClosed => "",
    }
}

/// Each code of a detail: its name, the name of its kind, its text.
pub fn codes() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    CODES.split(ENTRY).filter_map(|entry| {
        let (head, text) = entry.split_once('\n')?;
        let (code, kind) = head.split_once(' ')?;
        Some((code, kind, text.trim_end()))
    })
}
