//! Progress of work that takes time. On a terminal, indicatif draws it below the text: a bar for
//! each watched task, and a line with the progress of all tasks and the reason for a wait.
//! Elsewhere, such as in the log of a CI job, each new status of a task is a line, and the progress
//! of all tasks is a line at intervals.

use super::Ui;
use super::saved_modes::SavedModes;
use crate::config::duration::format_duration;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt;
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The time until a counter is drawn, because faster work needs none.
const DRAW_DELAY: Duration = Duration::from_millis(500);
/// The greatest width of a bar's label, in columns.
const MAX_LABEL_WIDTH: usize = 24;
/// The time between two frames.
const TICK: Duration = Duration::from_millis(120);
/// The time between two lines with the progress of all tasks if no bars are drawn.
const LOG_INTERVAL: Duration = Duration::from_secs(60);

/// The progress display on stderr, shared by all writers.
#[derive(Debug, Clone, Default)]
pub struct Drawing {
    /// The lines that are drawn at the moment; None if nothing is drawn.
    lines: Arc<Mutex<Option<MultiProgress>>>,
    /// The last wait, which may be over.
    pause: Arc<Mutex<Option<Pause>>>,
}

/// Why requests wait, and until when.
#[derive(Debug)]
struct Pause {
    reason: String,
    until: Instant,
}

/// Removes the drawn lines when it is dropped.
struct DrawnLines {
    drawing: Drawing,
    multi: MultiProgress,
    _saved_modes: SavedModes,
}

impl Drawing {
    /// Writes a line to stderr, above what is drawn.
    pub fn print_line(&self, line: &str) {
        // An error of stderr itself can't be reported anywhere.
        let write = || drop(writeln!(std::io::stderr().lock(), "{line}"));
        match lock(&self.lines).as_ref() {
            Some(multi) => multi.suspend(write),
            None => write(),
        }
    }

    /// Whether lines are drawn at the moment.
    pub fn is_drawn(&self) -> bool {
        lock(&self.lines).is_some()
    }

    /// Shows in the drawn lines why requests wait. Returns whether the wait is new: a wait that
    /// ends within a second after the known one is the same wait, shared by several requests.
    pub fn set_pause(&self, reason: &str, until: Instant) -> bool {
        let mut pause = lock(&self.pause);
        if let Some(known) = &*pause {
            let has_ended = Instant::now() >= known.until;
            let is_longer = until > known.until + Duration::from_secs(1);
            if !has_ended && !is_longer {
                return false;
            }
        }
        *pause = Some(Pause {
            reason: reason.into(),
            until,
        });
        true
    }

    /// Draws this line, and bars that are added below it, until the result is dropped. The echo is
    /// off meanwhile, because typed text would leave parts of the lines on the screen.
    fn draw(&self, line: &ProgressBar) -> DrawnLines {
        let saved_modes = SavedModes::without_echo();
        let multi = MultiProgress::new();
        *lock(&self.lines) = Some(multi.clone());
        multi.add(line.clone()).enable_steady_tick(TICK);
        DrawnLines {
            drawing: self.clone(),
            multi,
            _saved_modes: saved_modes,
        }
    }

    /// Returns the line with the progress of all work, which is not drawn yet: a bar if the `total`
    /// is known, else a spinner, and then `template`, the reason for a wait and the elapsed time.
    fn new_line(&self, total: Option<u64>, template: &str) -> ProgressBar {
        let bar_or_spinner = if total.is_some() {
            "{bar:13}"
        } else {
            "{spinner}"
        };
        let pause = Arc::clone(&self.pause);
        let write_pause = move |_: &ProgressState, text: &mut dyn fmt::Write| {
            let _ = text.write_str(&countdown(lock(&pause).as_ref(), Instant::now()));
        };
        let style = style(&format!(
            "{bar_or_spinner} {template}{{pause}} ({{elapsed}})"
        ))
        .with_key("pause", write_pause);
        ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden()).with_style(style)
    }
}

impl Drop for DrawnLines {
    fn drop(&mut self) {
        let mut lines = lock(&self.drawing.lines);
        let _ = self.multi.clear();
        // Bars that are still held draw nothing any more.
        self.multi.set_draw_target(ProgressDrawTarget::hidden());
        *lines = None;
    }
}

/// Returns the reason for a wait and the remaining time; empty if no request waits.
fn countdown(pause: Option<&Pause>, now: Instant) -> String {
    if let Some(Pause { reason, until }) = pause
        && *until > now
    {
        let seconds = (*until - now).as_secs() + 1;
        return format!("; {reason}, continuing in {seconds}s");
    }
    String::new()
}

/// Locks a mutex, also after a panic of its last owner.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("━╸─")
}

/// Counts the pages and rows of one list, or the changes that are made.
pub struct Counter {
    drawing: Drawing,
    line: ProgressBar,
    /// Whether the line may be drawn.
    may_draw: bool,
    plural: &'static str,
}

impl Ui {
    /// Returns a counter for the list `plural`.
    pub fn counter(&self, plural: &'static str) -> Counter {
        let line = self.drawing.new_line(None, "{msg}");
        Counter {
            drawing: self.drawing.clone(),
            line: line.with_message(format!("reading {plural}")),
            may_draw: self.may_draw(),
            plural,
        }
    }

    /// Returns a counter for a list whose rows are printed meanwhile if it `streams`. Then it stays
    /// hidden if the rows go to a terminal.
    pub fn counter_beside_rows(&self, plural: &'static str, streams: bool) -> Counter {
        let mut counter = self.counter(plural);
        counter.may_draw &= !(streams && self.stdout_width.is_some());
        counter
    }

    /// Returns a counter with a bar for this many changes.
    pub fn counter_with_total(&self, plural: &'static str, total: u64) -> Counter {
        let template = format!("{{pos}} of {{len}} {plural}");
        Counter {
            line: self.drawing.new_line(Some(total), &template),
            ..self.counter(plural)
        }
    }

    /// Whether progress may be drawn: stderr is a terminal that can move the cursor.
    fn may_draw(&self) -> bool {
        self.stderr_terminal && !self.quiet && !console::is_dumb()
    }
}

impl Counter {
    /// Awaits `work`. The line appears after `DRAW_DELAY`, and disappears when the work ends.
    pub async fn while_waiting<T>(&self, work: impl Future<Output = T>) -> T {
        let mut work = std::pin::pin!(work);
        tokio::select! {
            biased;
            result = &mut work => return result,
            () = tokio::time::sleep(DRAW_DELAY) => {}
        }
        let _drawn = self.may_draw.then(|| self.drawing.draw(&self.line));
        work.await
    }

    /// Shows how many pages and rows were read. `total` is the number of all rows, if it is known.
    pub fn set_rows(&self, pages: u64, rows: u64, total: Option<u64>) {
        let of_total = match total {
            Some(total) => format!(" of {total}"),
            None => String::new(),
        };
        let plural = self.plural;
        let message = format!("page {pages}, {rows}{of_total} {plural}");
        self.line.set_message(message);
    }

    /// Shows how many changes were made.
    pub fn set_done(&self, done: u64) {
        self.line.set_position(done);
    }
}

/// The bars of one command, and above them a line with the progress of all tasks.
pub struct Bars {
    ui: Ui,
    total: ProgressBar,
    /// None if no bars are drawn.
    drawn: Option<DrawnLines>,
    /// Whether stdout shows the changes, so that stderr does not repeat them as lines.
    is_silent: bool,
    /// The progress of all tasks or, of a single task, its last line.
    summary: Arc<Mutex<String>>,
    is_single: bool,
}

/// The progress of one task: a bar, or a line for each new status.
pub struct Bar {
    ui: Ui,
    /// None if no bars are drawn.
    line: Option<ProgressBar>,
    /// Whether stdout shows the changes, so that stderr does not repeat them as lines.
    is_silent: bool,
    printed: PrintedStates,
    /// The summary of `Bars`, if this is the only task.
    summary: Option<Arc<Mutex<String>>>,
}

/// The state of a task.
pub struct TaskProgress {
    pub status: String,
    pub percent: Option<f64>,
    /// The text after the status and the percentage, such as `, timed out`.
    pub remark: String,
}

impl TaskProgress {
    /// Returns a line such as `site-0001: running 40%, timed out`.
    fn line(&self, name: &str) -> String {
        let Self { status, remark, .. } = self;
        match self.percent {
            Some(percent) => format!("{name}: {status} {}%{remark}", percent as u64),
            None => format!("{name}: {status}{remark}"),
        }
    }
}

/// The states of a task that were printed as lines.
#[derive(Default)]
struct PrintedStates {
    /// Whether a line has announced the start of the task, so that its first status is not a line.
    is_announced: bool,
    status: String,
    /// The remarks that were printed since the status changed.
    remarks: Vec<String>,
}

impl PrintedStates {
    /// Whether a state has a new status, or a remark that was not printed since the last status:
    /// errors that come and go are not repeated.
    fn add(&mut self, state: &TaskProgress) -> bool {
        let is_known = self.is_announced && self.status.is_empty() && state.remark.is_empty();
        if self.status != state.status {
            self.status.clone_from(&state.status);
            self.remarks.clear();
        } else if self.remarks.contains(&state.remark) {
            return false;
        }
        self.remarks.push(state.remark.clone());
        !is_known
    }
}

impl Ui {
    /// Starts to draw the line above the bars of this many tasks. With `prints_events`, stdout
    /// shows each change: stderr does not repeat it, and no bars are drawn on the terminal of
    /// stdout.
    pub fn bars(&self, tasks: usize, prints_events: bool) -> Bars {
        let may_draw = self.may_draw() && !(prints_events && self.stdout_terminal);
        // A single task has no bar of all tasks, but a spinner.
        let length = Some(tasks as u64).filter(|tasks| *tasks > 1);
        let template = match length {
            Some(_) => "{pos} of {len} finished{msg}",
            None => "watching",
        };
        let total = self.drawing.new_line(length, template);
        Bars {
            ui: self.clone(),
            drawn: may_draw.then(|| self.drawing.draw(&total)),
            total,
            is_silent: prints_events,
            summary: Arc::default(),
            is_single: length.is_none(),
        }
    }
}

impl Bars {
    /// Adds a bar. See `PrintedStates` for `is_announced`.
    pub fn add(&self, is_announced: bool) -> Bar {
        let drawn = self.drawn.as_ref();
        Bar {
            ui: self.ui.clone(),
            line: drawn.map(|drawn| drawn.multi.add(ProgressBar::new(100))),
            is_silent: self.is_silent,
            printed: PrintedStates {
                is_announced,
                ..PrintedStates::default()
            },
            summary: self.is_single.then(|| Arc::clone(&self.summary)),
        }
    }

    /// Shows how many of several tasks have finished and failed.
    pub fn set_finished(&self, finished: usize, failed: usize) {
        let Some(total) = self.total.length() else {
            return;
        };
        let failed = match failed {
            0 => String::new(),
            failed => format!(", {failed} failed"),
        };
        self.total.set_position(finished as u64);
        let running = total - finished as u64;
        *lock(&self.summary) = format!("{finished} of {total} finished{failed}, {running} running");
        self.total.set_message(failed);
    }

    /// Without bars, prints the progress of all tasks at intervals, so that a log is not silent
    /// while no status changes.
    pub async fn log_progress(&self) -> ! {
        loop {
            tokio::time::sleep(LOG_INTERVAL).await;
            if self.drawn.is_none() {
                let elapsed = format_duration(Duration::from_secs(self.total.elapsed().as_secs()));
                let summary = lock(&self.summary).clone();
                self.ui.note(&format!("{summary} ({elapsed})"));
            }
        }
    }
}

impl Bar {
    /// Shows the state of the task. A bar has the short `label`; a line has the `name`.
    pub fn update(&mut self, label: &str, name: &str, state: &TaskProgress) {
        self.draw(label, name, state);
        if self.line.is_none() && !self.is_silent && self.printed.add(state) {
            self.ui.note(&state.line(name));
        }
    }

    /// Shows the state as `update` does, but without a line.
    pub fn draw(&self, label: &str, name: &str, state: &TaskProgress) {
        if let Some(summary) = &self.summary {
            *lock(summary) = state.line(name);
        }
        let Some(line) = &self.line else { return };
        let percent = state.percent;
        let columns = usize::from(console::Term::stderr().size().1);
        let label_width = (columns / 2).min(MAX_LABEL_WIDTH);
        let bar_width = (columns / 6).min(24);
        let bar = if percent.is_some() {
            format!("{{bar:{bar_width}}} {{percent:>3}}%")
        } else {
            // As wide as a bar and its percentage.
            " ".repeat(bar_width + 5)
        };
        let template = format!("{{prefix:{label_width}!}} {bar} {{wide_msg}}");
        line.set_style(style(&template));
        line.set_prefix(self.ui.safe_text(label));
        line.set_position(percent.unwrap_or_default() as u64);
        let text = format!("{}{}", state.status, state.remark);
        line.set_message(self.ui.safe_text(&text));
    }

    /// Shows how the task ended, and its duration if it is known, as a line that stays; its bar
    /// makes room for others.
    pub fn finish(&mut self, name: &str, state: &TaskProgress, duration: Option<String>) {
        if let Some(line) = &self.line {
            line.finish_and_clear();
        } else if self.is_silent {
            return;
        }
        let duration = duration.map_or(String::new(), |duration| format!(" ({duration})"));
        self.ui.note(&format!("{}{duration}", state.line(name)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_reported_once_and_counts_down() {
        let drawing = Drawing::default();
        let now = Instant::now();
        let pause =
            || drawing.set_pause("the rate limit is used up", now + Duration::from_secs(30));
        assert!(pause());
        assert!(!pause());
        let text = |milliseconds| {
            let later = now + Duration::from_millis(milliseconds);
            countdown(lock(&drawing.pause).as_ref(), later)
        };
        assert_eq!(text(500), "; the rate limit is used up, continuing in 30s");
        assert_eq!(
            text(29_500),
            "; the rate limit is used up, continuing in 1s"
        );
        assert_eq!(text(30_000), "");
    }

    /// Returns the lines of a task with these states, which have a new percentage each.
    fn lines(is_announced: bool, states: &[(&str, &str)]) -> Vec<String> {
        let mut printed = PrintedStates {
            is_announced,
            ..PrintedStates::default()
        };
        let mut lines = Vec::new();
        for (index, (status, remark)) in states.iter().enumerate() {
            let state = TaskProgress {
                status: (*status).into(),
                percent: Some(index as f64),
                remark: (*remark).into(),
            };
            if printed.add(&state) {
                lines.push(state.line("s"));
            }
        }
        lines
    }

    #[test]
    fn a_log_of_twelve_restores_of_ten_minutes_has_at_most_sixty_lines() {
        let mut states = vec![("queued", "")];
        states.extend([("running", ""); 600]);
        assert_eq!(lines(true, &states), ["s: running 1%"]);
        let lines = lines(false, &states);
        assert_eq!(lines, ["s: queued 0%", "s: running 1%"]);
        let with_end = lines.len() as u64 + 1;
        assert!(12 * with_end + 600 / LOG_INTERVAL.as_secs() <= 60);
    }

    #[test]
    fn an_error_is_logged_once_until_the_status_changes() {
        let error = ", retrying (unavailable)";
        let states = [
            ("a", ""),
            ("a", error),
            ("a", ""),
            ("a", error),
            ("b", ""),
            ("b", error),
        ];
        let errors_and_b = [
            "s: a 1%, retrying (unavailable)",
            "s: b 4%",
            "s: b 5%, retrying (unavailable)",
        ];
        assert_eq!(lines(true, &states), errors_and_b);
        assert_eq!(lines(false, &states)[1..], errors_and_b);
    }
}
