//! Prints HTTP exchanges for `-v`, and waits.

use super::{Ui, visible};
use std::time::{Duration, Instant};

impl Ui {
    /// Shows an HTTP exchange if `-v` asks for it; `details` are its headers and bodies.
    pub fn trace(&self, exchange: &str, details: &[String]) {
        if self.verbose > 0 {
            self.say(&visible(exchange));
            details
                .iter()
                .for_each(|line| self.say(&format!("  {}", visible(line))));
        }
    }

    /// Reports a wait once, even if several requests share it.
    pub fn pausing(&self, why: &str, duration: Duration) {
        let Some(is_drawn) = self.drawing.pause(why, Instant::now() + duration) else {
            return;
        };
        if self.verbose > 0
            || (self.stderr_terminal && !is_drawn && duration > Duration::from_secs(1))
        {
            self.note(&format!("{why}; continuing in {duration:.0?}"));
        }
    }
}
