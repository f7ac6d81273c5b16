//! Progress of what takes its time: bars on a terminal, one plain line a change elsewhere.

use super::Ui;
use super::counter::Line;
use super::frame::{Row, elapsed};
use std::cell::Cell;
use std::time::Instant;

/// The bars of one command, one below the other, and below them the total.
pub struct Bars {
    ui: Ui,
    showing: Showing,
    added: Cell<usize>,
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
    number: usize,
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
        if showing == Showing::Drawn {
            self.line.begin(true, String::new(), None);
            self.line.draw();
        }
        Bars { ui: self.clone(), showing, added: Cell::new(0) }
    }
}

impl Bars {
    /// A bar for `name`.
    pub fn add(&self, name: &str) -> Bar {
        let number = self.added.replace(self.added.get() + 1);
        Bar {
            ui: self.ui.clone(),
            showing: self.showing,
            number,
            name: name.into(),
            begun: Instant::now(),
            said: String::new(),
        }
    }

    /// Says below the bars how many have ended, of how many.
    pub fn total(&self, ended: usize, of: usize, words: String) {
        if self.showing == Showing::Drawn {
            self.ui.line.reached(words, Some((ended as u64, of as u64)));
        }
    }
}

/// However a command ends, its bars go.
impl Drop for Bars {
    fn drop(&mut self) {
        if self.showing == Showing::Drawn {
            self.ui.line.clear();
        }
    }
}

impl Bar {
    /// Shows where it stands: percent done where that is known, and a word.
    pub fn update(&mut self, percent: Option<f64>, status: &str) {
        match self.line() {
            Some(line) => {
                let row = Row { name: self.name.clone(), percent, words: status.into(), begun: self.begun };
                line.said().rows.insert(self.number, row);
            }
            None => self.say_once(self.told(percent, status)),
        }
    }

    /// Shows how it ended, as a line that stays; the bar makes room for others.
    pub fn finish(&mut self, percent: Option<f64>, outcome: &str) {
        let told = self.told(percent, outcome);
        match self.line() {
            Some(line) => {
                line.said().rows.remove(&self.number);
                self.ui.note(&format!("{told} ({})", elapsed(self.begun, Instant::now())));
            }
            None => self.say_once(told),
        }
    }

    fn line(&self) -> Option<&Line> {
        (self.showing == Showing::Drawn).then_some(&self.ui.line)
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
