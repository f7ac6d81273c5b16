//! The one line on a terminal that says how far the reading of a list, or a number of changes, has come, where that takes
//! longer than half a second, and what it waits for.

use super::Ui;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What is done sooner needs no line.
const PATIENCE: Duration = Duration::from_millis(500);

/// The line that stderr has on a terminal, shared by everyone who writes there. It is drawn only while a
/// list is read or changes are made.
#[derive(Debug, Clone)]
pub struct Line {
    bar: ProgressBar,
    said: Arc<Mutex<Said>>,
}

#[derive(Debug, Default)]
struct Said {
    shown: bool,
    progress: String,
    /// Why nothing comes at the moment, and until when.
    pause: Option<(String, Instant)>,
}

/// Counts the pages and rows of one list, or changes as they are made.
pub struct Counter {
    line: Line,
    plural: &'static str,
}

impl Default for Line {
    fn default() -> Self {
        Self { bar: ProgressBar::hidden(), said: Arc::default() }
    }
}

impl Line {
    /// Writes to stderr without the line getting in between.
    pub fn aside(&self, write: impl FnOnce()) {
        self.bar.suspend(write);
    }

    /// Says why nothing comes until `until`, and whether that is news: several requests may wait for the same.
    pub fn pause(&self, why: &str, until: Instant) -> bool {
        let mut said = self.said();
        let later = |known: Instant| Instant::now() >= known || until > known + Duration::from_secs(1);
        let news = said.pause.as_ref().is_none_or(|(_, known)| later(*known));
        if news {
            said.pause = Some((why.into(), until));
        }
        news
    }

    /// Whether it is drawn, or will be: then nobody else needs to say what it says.
    pub fn tells(&self) -> bool {
        self.said().shown
    }

    fn said(&self) -> MutexGuard<'_, Said> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn draw(&self) {
        let said = Arc::clone(&self.said);
        let text = move |_: &ProgressState, out: &mut dyn Write| {
            let said = said.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = out.write_str(&said.text(Instant::now()));
        };
        let bar = if self.bar.length().is_some() { "{bar:24}" } else { "{spinner}" };
        let style = ProgressStyle::with_template(&format!("{bar} {{said}} ({{elapsed}})"));
        self.bar.set_style(
            style.unwrap_or_else(|_| ProgressStyle::default_spinner()).with_key("said", text).progress_chars("━╸─"),
        );
        self.bar.set_draw_target(ProgressDrawTarget::stderr());
        self.bar.enable_steady_tick(Duration::from_millis(120));
    }
}

impl Said {
    fn text(&self, now: Instant) -> String {
        match &self.pause {
            Some((why, until)) if *until > now => {
                format!("{}; {why}, going on in {}s", self.progress, (*until - now).as_secs() + 1)
            }
            _ => self.progress.clone(),
        }
    }
}

impl Ui {
    /// A counter for a list of `plural`. It stays hidden where rows that stream to the same terminal say enough.
    pub fn counter(&self, plural: &'static str, streams: bool) -> Counter {
        self.line.bar.unset_length();
        self.begin(plural, format!("reading {plural}"), !(streams && self.stdout_width.is_some()))
    }

    /// A bar for `total` changes that are to be made.
    pub fn tally(&self, plural: &'static str, total: u64) -> Counter {
        self.line.bar.set_length(total);
        self.begin(plural, format!("0 of {total} {plural}"), true)
    }

    fn begin(&self, plural: &'static str, progress: String, wanted: bool) -> Counter {
        self.line.bar.reset();
        *self.line.said() = Said { shown: self.stderr_terminal && !self.quiet && wanted, progress, pause: None };
        Counter { line: self.line.clone(), plural }
    }
}

impl Counter {
    /// Drives `work` to its end; the line appears when that takes its time.
    pub async fn while_waiting<T>(&self, work: impl Future<Output = T>) -> T {
        let mut work = std::pin::pin!(work);
        tokio::select! {
            biased;
            result = &mut work => return result,
            () = tokio::time::sleep(PATIENCE) => {}
        }
        if self.line.tells() {
            self.line.draw();
        }
        work.await
    }

    /// Says how far the list has come.
    pub fn count(&self, pages: u64, rows: u64, total: Option<u64>) {
        let of = total.map(|total| format!(" of {total}")).unwrap_or_default();
        self.line.said().progress = format!("page {pages}, {rows}{of} {}", self.plural);
    }

    /// Says how many changes of the total are made.
    pub fn reached(&self, done: u64) {
        let total = self.line.bar.length().unwrap_or(done);
        self.line.said().progress = format!("{done} of {total} {}", self.plural);
        self.line.bar.set_position(done);
    }

    /// Takes the line away.
    pub fn clear(&self) {
        self.line.said().shown = false;
        self.line.bar.finish_and_clear();
    }
}

/// However a list ends, its line goes.
impl Drop for Counter {
    fn drop(&mut self) {
        self.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_counts_down_and_is_told_once() {
        let line = Line::default();
        let now = Instant::now();
        assert!(line.pause("the rate limit is used up", now + Duration::from_secs(30)));
        assert!(!line.pause("the rate limit is used up", now + Duration::from_secs(30)));
        let over = Line::default();
        assert!(over.pause("the last attempt failed", now));
        assert!(over.pause("the last attempt failed", now), "a pause that is over hides no other");
        let said = Said {
            shown: true,
            progress: "page 2, 200 of 900 clients".into(),
            pause: Some(("the rate limit is used up".into(), now + Duration::from_secs(30))),
        };
        let text = |after| said.text(now + Duration::from_millis(after));
        assert_eq!(text(500), "page 2, 200 of 900 clients; the rate limit is used up, going on in 30s");
        assert_eq!(text(29_500), "page 2, 200 of 900 clients; the rate limit is used up, going on in 1s");
        assert_eq!(text(30_000), "page 2, 200 of 900 clients");
    }
}
