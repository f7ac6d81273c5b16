//! Progress of what takes its time. On a terminal, indicatif draws it below the text: a bar for each task that is watched,
//! and a line that says how far the whole has come, and what it waits for. Elsewhere each change of a task is a line.

use super::Ui;
use super::kept::Kept;
use crate::config::duration::describe;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt;
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What is done sooner needs no line.
const PATIENCE: Duration = Duration::from_millis(500);
/// How long a drawing stands.
const TICK: Duration = Duration::from_millis(120);

/// What is drawn on stderr, shared by everyone who writes there.
#[derive(Debug, Clone, Default)]
pub struct Drawing {
    drawn: Arc<Mutex<Option<MultiProgress>>>,
    pause: Arc<Mutex<Pause>>,
}

#[derive(Debug, Default)]
struct Pause {
    /// Whether something shows it, or will.
    shown: bool,
    /// Why nothing comes at the moment, and until when.
    until: Option<(String, Instant)>,
}

/// Something drawn; it goes when this is dropped.
struct Drawn {
    drawing: Drawing,
    multi: MultiProgress,
    _kept: Kept,
}

impl Drawing {
    /// Writes a line to stderr, above what is drawn.
    pub fn say(&self, line: &str) {
        // Nothing is left to tell where stderr itself is gone.
        let write = || drop(writeln!(std::io::stderr().lock(), "{line}"));
        match lock(&self.drawn).as_ref() {
            Some(multi) => multi.suspend(write),
            None => write(),
        }
    }

    /// Shows in the drawing why nothing happens until then. Returns whether that is drawn, or nothing if the same wait was
    /// reported before, because several requests may share it.
    pub fn pause(&self, why: &str, until: Instant) -> Option<bool> {
        let mut pause = lock(&self.pause);
        let later = |known: Instant| Instant::now() >= known || until > known + Duration::from_secs(1);
        let is_new = pause.until.as_ref().is_none_or(|(_, known)| later(*known));
        if is_new {
            pause.until = Some((why.into(), until));
        }
        is_new.then_some(pause.shown)
    }

    fn draw(&self) -> Drawn {
        let (multi, kept) = (MultiProgress::new(), Kept::without_echo());
        *lock(&self.drawn) = Some(multi.clone());
        Drawn { drawing: self.clone(), multi, _kept: kept }
    }

    /// The line that says how far the whole has come, out of a number or not.
    fn line(&self, total: Option<u64>) -> ProgressBar {
        let share = if total.is_some() { "{bar:13}" } else { "{spinner}" };
        let pause = Arc::clone(&self.pause);
        let tell = move |_: &ProgressState, text: &mut dyn fmt::Write| {
            let _ = text.write_str(&lock(&pause).words(Instant::now()));
        };
        let style = style(&format!("{share} {{msg}}{{pause}} ({{elapsed}})")).with_key("pause", tell);
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

impl Pause {
    fn words(&self, now: Instant) -> String {
        match &self.until {
            Some((why, until)) if *until > now => format!("; {why}, going on in {}s", (*until - now).as_secs() + 1),
            _ => String::new(),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("━╸─")
}

/// Counts the pages and rows of one list, or changes as they are made.
pub struct Counter {
    drawing: Drawing,
    /// None where nothing may be drawn.
    line: Option<ProgressBar>,
    drawn: Mutex<Option<Drawn>>,
    plural: &'static str,
}

impl Ui {
    /// A counter for a list of `plural`. It stays hidden where rows that stream to the same terminal say enough.
    pub fn counter(&self, plural: &'static str, streams: bool) -> Counter {
        let wanted = !(streams && self.stdout_width.is_some());
        self.count(plural, None, format!("reading {plural}"), wanted)
    }

    /// A bar for `total` changes that are to be made.
    pub fn tally(&self, plural: &'static str, total: u64) -> Counter {
        self.count(plural, Some(total), format!("0 of {total} {plural}"), true)
    }

    fn count(&self, plural: &'static str, total: Option<u64>, words: String, wanted: bool) -> Counter {
        let drawing = self.drawing.clone();
        let line = (self.draws() && wanted).then(|| drawing.line(total).with_message(words));
        *lock(&drawing.pause) = Pause { shown: line.is_some(), until: None };
        Counter { drawing, line, drawn: Mutex::new(None), plural }
    }

    /// Whether anything may be drawn.
    fn draws(&self) -> bool {
        self.stderr_terminal && !self.quiet && !console::is_dumb()
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
        if let Some(line) = &self.line {
            let drawn = self.drawing.draw();
            drawn.multi.add(line.clone()).enable_steady_tick(TICK);
            *lock(&self.drawn) = Some(drawn);
        }
        work.await
    }

    /// Says how far the list has come.
    pub fn count(&self, pages: u64, rows: u64, total: Option<u64>) {
        let of = total.map(|total| format!(" of {total}")).unwrap_or_default();
        self.say(format!("page {pages}, {rows}{of} {}", self.plural));
    }

    /// Says how many changes of the total are made.
    pub fn reached(&self, done: u64) {
        if let Some(line) = &self.line {
            line.set_position(done);
            self.say(format!("{done} of {} {}", line.length().unwrap_or(done), self.plural));
        }
    }

    fn say(&self, words: String) {
        self.line.iter().for_each(|line| line.set_message(words.clone()));
    }

    /// Takes the line away.
    pub fn clear(&self) {
        lock(&self.drawn).take();
        *lock(&self.drawing.pause) = Pause::default();
    }
}

/// However a list ends, its line goes.
impl Drop for Counter {
    fn drop(&mut self) {
        self.clear();
    }
}

/// The bars of one command, one below the other, and above them the total.
pub struct Bars {
    ui: Ui,
    showing: Showing,
    /// The total, if anything is drawn.
    drawn: Option<(ProgressBar, Drawn)>,
}

/// How progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Showing {
    /// As bars.
    Drawn,
    /// As lines.
    Lines,
    /// Not at all: stdout says it.
    Silent,
}

/// One line of progress.
pub struct Bar {
    ui: Ui,
    showing: Showing,
    line: ProgressBar,
    name: String,
    begun: Instant,
    said: String,
}

impl Ui {
    /// Room for bars. Where each change is an event on stdout, nothing is said twice to who reads it there.
    pub fn bars(&self, events: bool) -> Bars {
        let showing = match (self.draws(), events) {
            (true, true) if self.stdout_terminal => Showing::Silent,
            (true, _) => Showing::Drawn,
            (false, true) => Showing::Silent,
            (false, false) => Showing::Lines,
        };
        let drawn = (showing == Showing::Drawn).then(|| {
            *lock(&self.drawing.pause) = Pause { shown: true, until: None };
            let (drawn, total) = (self.drawing.draw(), self.drawing.line(Some(0)));
            let total = drawn.multi.add(total);
            total.enable_steady_tick(TICK);
            (total, drawn)
        });
        Bars { ui: self.clone(), showing, drawn }
    }
}

impl Bars {
    /// A bar for `name`, of which nothing is known but this.
    pub fn add(&self, name: &str, status: &str) -> Bar {
        let mut line = ProgressBar::with_draw_target(Some(100), ProgressDrawTarget::hidden());
        if let Some((_, drawn)) = &self.drawn {
            line = drawn.multi.add(line);
        }
        let (ui, said) = (self.ui.clone(), String::new());
        let bar = Bar { ui, showing: self.showing, line, name: name.into(), begun: Instant::now(), said };
        bar.draw(None, status);
        bar
    }

    /// Says above the bars how many have ended, of how many.
    pub fn total(&self, ended: usize, of: usize, words: String) {
        if let Some((total, _)) = &self.drawn {
            total.set_length(of as u64);
            total.set_position(ended as u64);
            total.set_message(words);
        }
    }
}

/// However a command ends, its bars go.
impl Drop for Bars {
    fn drop(&mut self) {
        if self.drawn.take().is_some() {
            *lock(&self.ui.drawing.pause) = Pause::default();
        }
    }
}

impl Bar {
    /// Goes by another name from now on.
    pub fn rename(&mut self, name: &str) {
        self.name = name.into();
    }

    /// Shows where it stands: percent done where that is known, and a word.
    pub fn update(&mut self, percent: Option<f64>, status: &str) {
        self.draw(percent, status);
        self.say_once(self.told(percent, status));
    }

    fn draw(&self, percent: Option<f64>, status: &str) {
        if self.showing != Showing::Drawn {
            return;
        }
        let columns = usize::from(console::Term::stderr().size().1);
        let (name, bar) = ((columns / 3).min(36), (columns / 6).min(24));
        let share = match percent {
            Some(_) => format!("{{bar:{bar}}} {{percent:>3}}%"),
            None => " ".repeat(bar + 5),
        };
        self.line.set_style(style(&format!("{{prefix:{name}!}} {share} {{wide_msg}}")));
        self.line.set_prefix(self.ui.shown(&self.name));
        self.line.set_position(percent.unwrap_or_default() as u64);
        self.line.set_message(self.ui.shown(status));
    }

    /// Shows how it ended, as a line that stays; the bar makes room for others.
    pub fn finish(&mut self, percent: Option<f64>, outcome: &str) {
        let told = self.told(percent, outcome);
        if self.showing == Showing::Drawn {
            self.line.finish_and_clear();
            self.ui.note(&format!("{told} ({})", describe(Duration::from_secs(self.begun.elapsed().as_secs()))));
        } else {
            self.say_once(told);
        }
    }

    fn told(&self, percent: Option<f64>, words: &str) -> String {
        let percent = percent.map(|percent| format!(" {}%", percent as u64)).unwrap_or_default();
        format!("{}: {words}{percent}", self.name)
    }

    fn say_once(&mut self, line: String) {
        if self.showing == Showing::Lines && line != self.said {
            self.ui.note(&line);
            self.said = line;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_counts_down_and_is_told_once() {
        let drawing = Drawing::default();
        let now = Instant::now();
        assert_eq!(drawing.pause("the rate limit is used up", now + Duration::from_secs(30)), Some(false));
        assert_eq!(drawing.pause("the rate limit is used up", now + Duration::from_secs(30)), None);
        let over = Drawing::default();
        assert!(over.pause("the last attempt failed", now).is_some());
        assert!(over.pause("the last attempt failed", now).is_some(), "a pause that is over hides no other");
        let text = |after| lock(&drawing.pause).words(now + Duration::from_millis(after));
        assert_eq!(text(500), "; the rate limit is used up, going on in 30s");
        assert_eq!(text(29_500), "; the rate limit is used up, going on in 1s");
        assert_eq!(text(30_000), "");
    }
}
