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
        if let Ok(number) = text.parse()
            && allowed.contains(&number)
        {
            return Ok(number);
        }
        Err(match (allowed.start_bound(), allowed.end_bound()) {
            (Included(min), Included(max)) => {
                format!("expected a whole number from {min} to {max}")
            }
            (Included(min), Unbounded) => format!("expected a whole number, {min} or more"),
            _ => "expected another whole number".into(),
        })
    }
}
