//! What `-v` shows of each HTTP exchange, and the countdown while the rate limit makes sitectl wait.

use super::{Ui, visible};
use std::fmt;
use std::time::{Duration, Instant};

/// An exchange in words; nothing in it holds the token.
pub struct Trace<'t> {
    /// Such as `GET https://…`.
    pub request: String,
    /// The status, or what went wrong.
    pub outcome: String,
    /// From sending to the whole answer.
    pub elapsed: Duration,
    /// 1, or more where the same request was sent before.
    pub attempt: u32,
    /// What is left of the rate limit.
    pub remaining: Option<u64>,
    /// The rate limit.
    pub limit: Option<u64>,
    /// Lines of headers and bodies, for `-vv`.
    pub more: &'t [String],
}

impl fmt::Display for Trace<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {} ({:.0?}", self.request, self.outcome, self.elapsed)?;
        if self.attempt > 1 {
            write!(f, ", attempt {}", self.attempt)?;
        }
        match (self.remaining, self.limit) {
            (Some(left), Some(limit)) => write!(f, ", {left} of {limit} requests left)"),
            (Some(left), None) => write!(f, ", {left} requests left)"),
            (None, _) => f.write_str(")"),
        }
    }
}

impl Ui {
    /// Shows an exchange to whoever asked for it.
    pub fn trace(&self, trace: &Trace<'_>) {
        if self.verbose == 0 {
            return;
        }
        self.say(&visible(&trace.to_string()));
        for line in trace.more {
            self.say(&format!("  {}", visible(line)));
        }
    }

    /// Reports a wait once, however many requests share it.
    pub fn pausing(&self, why: &str, duration: Duration) {
        let Some(is_drawn) = self.drawing.pause(why, Instant::now() + duration) else { return };
        if self.verbose > 0 || (self.stderr_terminal && !is_drawn && duration > Duration::from_secs(1)) {
            self.note(&format!("{why}; going on in {duration:.0?}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exchange_is_one_line() {
        let trace = |attempt, remaining, limit| {
            let (request, outcome) = ("GET https://a.example/x".to_string(), "200".to_string());
            let elapsed = Duration::from_millis(12);
            Trace { request, outcome, elapsed, attempt, remaining, limit, more: &[] }.to_string()
        };
        assert_eq!(trace(1, None, None), "GET https://a.example/x -> 200 (12ms)");
        assert_eq!(trace(1, Some(199), Some(200)), "GET https://a.example/x -> 200 (12ms, 199 of 200 requests left)");
        assert_eq!(trace(2, Some(9), None), "GET https://a.example/x -> 200 (12ms, attempt 2, 9 requests left)");
    }
}
