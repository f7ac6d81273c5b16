//! Durations as they are typed: `500ms`, `2s`, `1m`, `1h`.

use std::time::Duration;

/// Reads a whole number with its unit.
///
/// # Errors
/// Says what is allowed.
pub(super) fn parse(text: &str) -> Result<Duration, String> {
    let digits = text.len()
        - text
            .trim_start_matches(|letter: char| letter.is_ascii_digit())
            .len();
    let (number, unit) = text.split_at(digits);
    let millis: u64 = match unit {
        "ms" => 1,
        "s" => 1000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return Err("write a whole number and ms, s, m or h, as in 500ms or 2s".to_owned()),
    };
    let number: u64 = number
        .parse()
        .map_err(|_| "write a whole number before the unit, as in 2s".to_owned())?;
    number
        .checked_mul(millis)
        .map(Duration::from_millis)
        .ok_or_else(|| "is too long".to_owned())
}
