//! Parsers of whole numbers whose errors show the allowed values.

use std::fmt::Display;
use std::ops::Bound::{Included, Unbounded};
use std::ops::RangeBounds;
use std::str::FromStr;

/// Returns a parser of numbers in this range.
pub fn within<T, R>(
    allowed: R,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display,
    R: RangeBounds<T> + Clone + Send + Sync + 'static,
{
    move |text| {
        let expected = || match (allowed.start_bound(), allowed.end_bound()) {
            (Included(least), Included(most)) => {
                format!("expected a whole number from {least} to {most}")
            }
            (Included(least), Unbounded) => format!("expected a whole number, {least} or more"),
            _ => "expected another whole number".into(),
        };
        text.parse()
            .ok()
            .filter(|number| allowed.contains(number))
            .ok_or_else(expected)
    }
}
