//! Prints HTTP exchanges for `-v`, and reports waits.

use super::{Ui, visible};
use std::time::{Duration, Instant};

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
    /// with `-v`, or if no progress is drawn and the wait is longer than a second or, in a log, five
    /// seconds.
    pub fn report_pause(&self, reason: &str, duration: Duration) {
        let is_new = self.drawing.set_pause(reason, Instant::now() + duration);
        let longest_silence = Duration::from_secs(if self.stderr_terminal { 1 } else { 5 });
        let is_unseen = !self.drawing.is_drawn() && duration > longest_silence;
        if is_new && (self.verbose > 0 || is_unseen) {
            self.note(&format!("{reason}; continuing in {duration:.0?}"));
        }
    }
}
