//! Progress of work that takes time. On a terminal, indicatif draws it below the text: a bar for each watched task, and
//! a line with the progress of all and the reason for a wait. Elsewhere, each change of a task is a line.

use super::Ui;
use super::saved_modes::SavedModes;
use crate::config::duration::format_duration;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt;
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Faster work needs no line.
const PATIENCE: Duration = Duration::from_millis(500);
/// The widest label of a bar.
const LABEL: usize = 24;
/// The time between two frames.
const TICK: Duration = Duration::from_millis(120);

/// What is drawn on stderr, shared by everyone who writes there.
#[derive(Debug, Clone, Default)]
pub struct Drawing {
    drawn: Arc<Mutex<Option<MultiProgress>>>,
    /// Why requests wait at the moment, and until when.
    pause: Arc<Mutex<Option<(String, Instant)>>>,
}

/// Something drawn; it is removed when this is dropped.
struct Drawn {
    drawing: Drawing,
    multi: MultiProgress,
    _kept: SavedModes,
}

impl Drawing {
    /// Writes a line to stderr, above what is drawn.
    pub fn say(&self, line: &str) {
        // An error of stderr itself can't be reported anywhere.
        let write = || drop(writeln!(std::io::stderr().lock(), "{line}"));
        match lock(&self.drawn).as_ref() {
            Some(multi) => multi.suspend(write),
            None => write(),
        }
    }

    /// Shows in the drawing why requests wait. Returns whether something is drawn, or nothing if the same wait was
    /// reported before, because several requests may share it.
    pub fn pause(&self, why: &str, until: Instant) -> Option<bool> {
        let mut pause = lock(&self.pause);
        let later =
            |known: Instant| Instant::now() >= known || until > known + Duration::from_secs(1);
        if pause.as_ref().is_some_and(|(_, known)| !later(*known)) {
            return None;
        }
        *pause = Some((why.into(), until));
        Some(lock(&self.drawn).is_some())
    }

    /// Draws this line, and bars that are added below it.
    fn draw(&self, line: &ProgressBar) -> Drawn {
        let (multi, kept) = (MultiProgress::new(), SavedModes::without_echo());
        *lock(&self.drawn) = Some(multi.clone());
        multi.add(line.clone()).enable_steady_tick(TICK);
        Drawn {
            drawing: self.clone(),
            multi,
            _kept: kept,
        }
    }

    /// Draws the line with the progress of all work, which may have a known length. `words` is a part of its template.
    fn line(&self, total: Option<u64>, words: &str) -> ProgressBar {
        let share = if total.is_some() {
            "{bar:13}"
        } else {
            "{spinner}"
        };
        let pause = Arc::clone(&self.pause);
        let why = move |_: &ProgressState, text: &mut dyn fmt::Write| {
            let _ = text.write_str(&countdown(lock(&pause).as_ref(), Instant::now()));
        };
        let style =
            style(&format!("{share} {words}{{pause}} ({{elapsed}})")).with_key("pause", why);
        ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden()).with_style(style)
    }
}

impl Drop for Drawn {
    fn drop(&mut self) {
        let mut drawn = lock(&self.drawing.drawn);
        let _ = self.multi.clear();
        // Bars that are still held draw nothing any more.
        self.multi.set_draw_target(ProgressDrawTarget::hidden());
        *drawn = None;
    }
}

fn countdown(pause: Option<&(String, Instant)>, now: Instant) -> String {
    match pause {
        Some((why, until)) if *until > now => {
            format!("; {why}, continuing in {}s", (*until - now).as_secs() + 1)
        }
        _ => String::new(),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
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
    is_drawn: bool,
    plural: &'static str,
}

impl Ui {
    /// Returns a counter for a list of `plural`. It stays hidden if rows stream to the same terminal.
    pub fn counter(&self, plural: &'static str, streams: bool) -> Counter {
        let is_drawn = self.draws() && !(streams && self.stdout_width.is_some());
        let line = self
            .drawing
            .line(None, "{msg}")
            .with_message(format!("reading {plural}"));
        Counter {
            drawing: self.drawing.clone(),
            line,
            is_drawn,
            plural,
        }
    }

    /// Returns a bar for this many changes.
    pub fn tally(&self, plural: &'static str, total: u64) -> Counter {
        let line = self
            .drawing
            .line(Some(total), &format!("{{pos}} of {{len}} {plural}"));
        Counter {
            drawing: self.drawing.clone(),
            line,
            is_drawn: self.draws(),
            plural,
        }
    }

    /// Whether anything may be drawn.
    fn draws(&self) -> bool {
        self.stderr_terminal && !self.quiet && !console::is_dumb()
    }
}

impl Counter {
    /// Drives `work` to its end. The line appears if the work takes long, and goes with its end.
    pub async fn while_waiting<T>(&self, work: impl Future<Output = T>) -> T {
        let mut work = std::pin::pin!(work);
        tokio::select! {
            biased;
            result = &mut work => return result,
            () = tokio::time::sleep(PATIENCE) => {}
        }
        let _drawn = self.is_drawn.then(|| self.drawing.draw(&self.line));
        work.await
    }

    /// Shows how many rows were read.
    pub fn count(&self, pages: u64, rows: u64, total: Option<u64>) {
        let of = total
            .map(|total| format!(" of {total}"))
            .unwrap_or_default();
        self.line
            .set_message(format!("page {pages}, {rows}{of} {}", self.plural));
    }

    /// Shows how many changes were made.
    pub fn reached(&self, done: u64) {
        self.line.set_position(done);
    }
}

/// The bars of one command, one below the other, and above them the total.
pub struct Bars {
    ui: Ui,
    total: ProgressBar,
    drawn: Option<Drawn>,
    /// Whether stdout shows the same.
    is_silent: bool,
}

/// The progress of one task: a bar, or a line for each change.
pub struct Bar {
    ui: Ui,
    line: Option<ProgressBar>,
    is_silent: bool,
    said: String,
}

impl Ui {
    /// Makes room for the bars of this many tasks. With `events`, each change is printed on stdout, too, and not
    /// repeated to its reader.
    pub fn bars(&self, of: usize, events: bool) -> Bars {
        let is_drawn = self.draws() && !(events && self.stdout_terminal);
        let length = Some(of as u64).filter(|of| *of > 1);
        let total = self.drawing.line(length, "{msg}").with_message("watching");
        let drawn = is_drawn.then(|| self.drawing.draw(&total));
        Bars {
            ui: self.clone(),
            total,
            drawn,
            is_silent: events,
        }
    }
}

impl Bars {
    /// Adds a bar.
    pub fn add(&self) -> Bar {
        let line = || ProgressBar::with_draw_target(Some(100), ProgressDrawTarget::hidden());
        let line = self.drawn.as_ref().map(|drawn| drawn.multi.add(line()));
        Bar {
            ui: self.ui.clone(),
            line,
            is_silent: self.is_silent,
            said: String::new(),
        }
    }

    /// Shows above the bars how many tasks have ended.
    pub fn total(&self, ended: usize, words: String) {
        self.total.set_position(ended as u64);
        self.total.set_message(words);
    }
}

impl Bar {
    /// Shows the state of the task: percent done if that is known, and a word. `label` is its short name.
    pub fn update(&mut self, (label, name): (&str, &str), percent: Option<f64>, status: &str) {
        self.draw(label, percent, status);
        if self.line.is_none() {
            self.say_once(summary(name, percent, status));
        }
    }

    /// Shows the state in a bar, if there is one.
    pub fn draw(&self, label: &str, percent: Option<f64>, status: &str) {
        let Some(line) = &self.line else { return };
        let columns = usize::from(console::Term::stderr().size().1);
        let share = match (percent, (columns / 6).min(24)) {
            (Some(_), bar) => format!("{{bar:{bar}}} {{percent:>3}}%"),
            (None, bar) => " ".repeat(bar + 5),
        };
        line.set_style(style(&format!(
            "{{prefix:{}!}} {share} {{wide_msg}}",
            (columns / 2).min(LABEL)
        )));
        line.set_prefix(self.ui.shown(label));
        line.set_position(percent.unwrap_or_default() as u64);
        line.set_message(self.ui.shown(status));
    }

    /// Shows how the task ended, as a line that stays; its bar makes room for others.
    pub fn finish(&mut self, name: &str, percent: Option<f64>, outcome: &str) {
        let summary = summary(name, percent, outcome);
        let Some(line) = &self.line else {
            return self.say_once(summary);
        };
        line.finish_and_clear();
        self.ui.note(&format!(
            "{summary} ({})",
            format_duration(Duration::from_secs(line.elapsed().as_secs()))
        ));
    }

    fn say_once(&mut self, line: String) {
        if !self.is_silent && line != self.said {
            self.ui.note(&line);
            self.said = line;
        }
    }
}

fn summary(name: &str, percent: Option<f64>, words: &str) -> String {
    let percent = percent
        .map(|percent| format!(" {}%", percent as u64))
        .unwrap_or_default();
    format!("{name}: {words}{percent}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_reported_once_and_counts_down() {
        let drawing = Drawing::default();
        let now = Instant::now();
        assert_eq!(
            drawing.pause("the rate limit is used up", now + Duration::from_secs(30)),
            Some(false)
        );
        assert_eq!(
            drawing.pause("the rate limit is used up", now + Duration::from_secs(30)),
            None
        );
        let over = Drawing::default();
        assert!(over.pause("the last attempt failed", now).is_some());
        assert!(
            over.pause("the last attempt failed", now).is_some(),
            "a pause that is over hides no other"
        );
        let text = |after| {
            countdown(
                lock(&drawing.pause).as_ref(),
                now + Duration::from_millis(after),
            )
        };
        assert_eq!(text(500), "; the rate limit is used up, continuing in 30s");
        assert_eq!(
            text(29_500),
            "; the rate limit is used up, continuing in 1s"
        );
        assert_eq!(text(30_000), "");
    }
}
