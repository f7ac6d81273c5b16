//! Prints HTTP exchanges for `-v`, and reports waits.

use super::{Ui, visible};
use std::time::{Duration, Instant};

impl Ui {
    /// Shows an HTTP exchange with `-v`. `details` are its headers and bodies; empty without `-vv`.
    pub fn trace(&self, exchange: &str, details: &[String]) {
        if self.verbose > 0 {
            self.print_line(&visible(exchange));
            for line in details {
                self.detail(line);
            }
        }
    }

    /// Reports a wait once, even if several requests share it: in the drawn progress, and as a line
    /// with `-v`, or if a terminal shows no progress during a wait of more than a second.
    pub fn report_pause(&self, reason: &str, duration: Duration) {
        let is_new = self.drawing.set_pause(reason, Instant::now() + duration);
        let is_unseen =
            self.stderr_terminal && !self.drawing.is_drawn() && duration > Duration::from_secs(1);
        if is_new && (self.verbose > 0 || is_unseen) {
            self.note(&format!("{reason}; continuing in {duration:.0?}"));
        }
    }
}
