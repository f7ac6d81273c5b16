//! Prints HTTP exchanges for `-v`, and waits.

use super::{Ui, visible};
use std::time::{Duration, Instant};

impl Ui {
    /// Shows an HTTP exchange if `-v` asks for it; `details` are its headers and bodies.
    pub fn trace(&self, exchange: &str, details: &[String]) {
        if self.verbose > 0 {
            self.print_line(&visible(exchange));
            for line in details {
                self.detail(line);
            }
        }
    }

    /// Reports a wait once, even if several requests share it.
    pub fn report_pause(&self, reason: &str, duration: Duration) {
        let is_new = self.drawing.pause(reason, Instant::now() + duration);
        let is_missed =
            self.stderr_terminal && !self.drawing.is_drawn() && duration > Duration::from_secs(1);
        if is_new && (self.verbose > 0 || is_missed) {
            self.note(&format!("{reason}; continuing in {duration:.0?}"));
        }
    }
}
