//! What is drawn on a terminal while something takes its time: bars, and a line that says how far the reading of a list,
//! or a number of changes, has come, and what it waits for. There is one of it, and whoever writes to stderr writes
//! beside it.

use super::Ui;
use super::canvas::Canvas;
use super::frame::{Foot, Row, frame};
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What is done sooner needs no line.
const PATIENCE: Duration = Duration::from_millis(500);
/// How long a drawing stands.
const TICK: Duration = Duration::from_millis(120);

/// The lines that stderr has on a terminal, shared by everyone who writes there. They are drawn only while a list is
/// read, changes are made or tasks are watched.
#[derive(Debug, Clone, Default)]
pub struct Line {
    canvas: Arc<Mutex<Canvas>>,
    said: Arc<Mutex<Said>>,
}

#[derive(Debug, Default)]
pub struct Said {
    shown: bool,
    /// The bars, by number.
    pub rows: BTreeMap<usize, Row>,
    progress: String,
    /// How many are done, and of how many.
    share: Option<(u64, u64)>,
    begun: Option<Instant>,
    /// Why nothing comes at the moment, and until when.
    pause: Option<(String, Instant)>,
}

/// Counts the pages and rows of one list, or changes as they are made.
pub struct Counter {
    line: Line,
    plural: &'static str,
}

impl Line {
    /// Writes to stderr without anything drawn getting in between.
    pub fn aside(&self, write: impl FnOnce()) {
        let mut canvas = self.canvas();
        put(&canvas.erase());
        write();
        self.redraw(&mut canvas);
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

    /// Begins anew, with nothing drawn yet.
    pub fn begin(&self, shown: bool, progress: String, share: Option<(u64, u64)>) {
        *self.said() = Said { shown, progress, share, begun: Some(Instant::now()), ..Said::default() };
    }

    /// Says how far it has come.
    pub fn reached(&self, progress: String, share: Option<(u64, u64)>) {
        let mut said = self.said();
        (said.progress, said.share) = (progress, share);
    }

    /// What is drawn, to be changed.
    pub fn said(&self) -> MutexGuard<'_, Said> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on it is drawn, until it is cleared.
    pub fn draw(&self) {
        let turn = self.canvas().begin();
        self.redraw(&mut self.canvas());
        let line = self.clone();
        // Where the system has no thread left, it is drawn beside what is written.
        let _ = std::thread::Builder::new().name("drawing".into()).spawn(move || line.keep_drawn(turn));
    }

    fn keep_drawn(&self, turn: u64) {
        loop {
            std::thread::sleep(TICK);
            let mut canvas = self.canvas();
            if !canvas.is_turn_of(turn) {
                return;
            }
            self.redraw(&mut canvas);
        }
    }

    fn redraw(&self, canvas: &mut Canvas) {
        if canvas.is_in_use() {
            let (height, width) = console::Term::stderr().size();
            let drawn = self.said().drawn((height.into(), width.into()), Instant::now());
            put(&canvas.draw(&drawn));
        }
    }

    /// Takes it away.
    pub fn clear(&self) {
        *self.said() = Said::default();
        put(&self.canvas().end());
    }

    /// To be locked before what is said.
    fn canvas(&self) -> MutexGuard<'_, Canvas> {
        self.canvas.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Nothing is left to tell where stderr itself is gone.
fn put(codes: &str) {
    let _ = std::io::stderr().lock().write_all(codes.as_bytes());
}

impl Said {
    fn drawn(&self, size: (usize, usize), now: Instant) -> String {
        let rows: Vec<&Row> = self.rows.values().collect();
        frame(&rows, self.foot(now).as_ref(), size, now)
    }

    /// The last line, where there is anything to say.
    fn foot(&self, now: Instant) -> Option<Foot> {
        let share = self.share.map(|(done, total)| if total == 0 { 1.0 } else { done as f64 / total as f64 });
        let words = self.text(now);
        (!words.is_empty()).then(|| Foot { share, words, begun: self.begun.unwrap_or(now) })
    }

    fn text(&self, now: Instant) -> String {
        let pause = self.pause.as_ref().filter(|(_, until)| *until > now);
        let pause = pause.map(|(why, until)| format!("{why}, going on in {}s", (*until - now).as_secs() + 1));
        let progress = Some(self.progress.clone()).filter(|progress| !progress.is_empty());
        progress.into_iter().chain(pause).collect::<Vec<_>>().join("; ")
    }
}

impl Ui {
    /// A counter for a list of `plural`. It stays hidden where rows that stream to the same terminal say enough.
    pub fn counter(&self, plural: &'static str, streams: bool) -> Counter {
        let wanted = !(streams && self.stdout_width.is_some());
        self.begin(plural, format!("reading {plural}"), None, wanted)
    }

    /// A bar for `total` changes that are to be made.
    pub fn tally(&self, plural: &'static str, total: u64) -> Counter {
        self.begin(plural, format!("0 of {total} {plural}"), Some((0, total)), true)
    }

    fn begin(&self, plural: &'static str, progress: String, share: Option<(u64, u64)>, wanted: bool) -> Counter {
        self.line.begin(self.draws() && wanted, progress, share);
        Counter { line: self.line.clone(), plural }
    }

    /// Whether anything may be drawn.
    pub(super) fn draws(&self) -> bool {
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
        if self.line.tells() {
            self.line.draw();
        }
        work.await
    }

    /// Says how far the list has come.
    pub fn count(&self, pages: u64, rows: u64, total: Option<u64>) {
        let of = total.map(|total| format!(" of {total}")).unwrap_or_default();
        self.line.reached(format!("page {pages}, {rows}{of} {}", self.plural), None);
    }

    /// Says how many changes of the total are made.
    pub fn reached(&self, done: u64) {
        let total = self.line.said().share.map_or(done, |(_, total)| total);
        self.line.reached(format!("{done} of {total} {}", self.plural), Some((done, total)));
    }

    /// Takes the line away.
    pub fn clear(&self) {
        self.line.clear();
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
            ..Said::default()
        };
        let text = |after| said.text(now + Duration::from_millis(after));
        assert_eq!(text(500), "page 2, 200 of 900 clients; the rate limit is used up, going on in 30s");
        assert_eq!(text(29_500), "page 2, 200 of 900 clients; the rate limit is used up, going on in 1s");
        assert_eq!(text(30_000), "page 2, 200 of 900 clients");
    }
}
