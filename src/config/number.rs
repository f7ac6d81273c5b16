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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_show_the_allowed_numbers() {
        assert_eq!(within(1_u8..=64)("64"), Ok(64));
        assert_eq!(at_least(0_u32)("0"), Ok(0));
        for text in ["0", "65", "256", "x"] {
            assert_eq!(within(1_u8..=64)(text), Err("expected a whole number from 1 to 64".into()), "{text}");
        }
        assert_eq!(at_least(1_u32)("0"), Err("expected a whole number, 1 or more".into()));
    }
}
