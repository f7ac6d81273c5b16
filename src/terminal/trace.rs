//! Prints HTTP exchanges for `-v`, and reports waits.

use super::{Ui, visible};
use std::time::{Duration, Instant};

/// The longest wait that is not reported.
const LONGEST_SILENCE: Duration = Duration::from_secs(5);

impl Ui {
    /// Shows an HTTP exchange with `-v`. `details` are its headers and bodies; empty without `-vv`.
    pub fn trace(&self, exchange: &str, details: &[String]) {
        if self.verbose > 0 {
            self.print_line(&visible(exchange));
            for line in details {
                self.detail(&self.hide_passwords(line));
            }
        }
    }

    /// Reports a wait once, even if several requests share it: in the drawn progress, and as a line
    /// with `-v`, or if no progress is drawn and the wait is longer than [`LONGEST_SILENCE`].
    pub fn report_pause(&self, reason: &str, duration: Duration) {
        let is_new = self.drawing.set_pause(reason, Instant::now() + duration);
        let is_unseen = !self.drawing.is_drawn() && duration > LONGEST_SILENCE;
        if is_new && (self.verbose > 0 || is_unseen) {
            self.note(&format!("{reason}; continuing in {duration:.0?}"));
        }
    }
}
