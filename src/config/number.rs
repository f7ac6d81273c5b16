//! Parsers of whole numbers whose errors show the allowed values.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Returns a parser of numbers in this range.
pub fn within<T>(allowed: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |text| {
        let expected = || format!("expected a whole number from {} to {}", allowed.start(), allowed.end());
        text.parse().ok().filter(|number| allowed.contains(number)).ok_or_else(expected)
    }
}

/// Returns a parser of numbers from `least`.
pub fn at_least<T>(least: T) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |text| {
        let expected = || format!("expected a whole number, {least} or more");
        text.parse().ok().filter(|number| *number >= least).ok_or_else(expected)
    }
}
