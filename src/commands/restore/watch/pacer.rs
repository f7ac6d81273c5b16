//! The least time between two polls: all tasks together use at most half of the rate limit.

use std::time::Duration;

/// The limit if the service reports none (spec, "Limits").
const ASSUMED_LIMIT: u64 = 200;

/// Spreads half of a window's requests over a little more than the window, because polls may reach the service closer
/// together than they were sent.
pub fn spacing(limit: Option<u64>, window: Duration) -> Duration {
    match limit.unwrap_or(ASSUMED_LIMIT) / 2 {
        0 => window.mul_f64(2.2),
        half => window.mul_f64(1.1 / half as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_window_holds_more_than_half_of_its_requests() {
        let window = Duration::from_secs(60);
        for limit in [None, Some(2), Some(3), Some(5), Some(20), Some(200), Some(10_000)] {
            let half = limit.unwrap_or(200) / 2;
            // A window that begins with a poll holds that one, and those that follow before it ends.
            let polls = 1.0 + (window.as_secs_f64() / spacing(limit, window).as_secs_f64()).floor();
            assert!(polls <= half as f64 && polls >= half as f64 * 0.8, "{limit:?}: {polls}");
        }
        assert!(spacing(Some(1), window) > window * 2);
    }
}
