//! Progress of what takes its time: bars on a terminal, one plain line a change elsewhere.

use super::Ui;
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
    /// A bar for `name`, of which nothing is known but this.
    pub fn add(&self, name: &str, status: &str) -> Bar {
        let (number, begun) = (self.added.replace(self.added.get() + 1), Instant::now());
        let (ui, said) = (self.ui.clone(), String::new());
        let bar = Bar { ui, showing: self.showing, number, name: name.into(), begun, said };
        bar.draw(None, status);
        bar
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
        if self.showing == Showing::Drawn {
            let row = Row { name: self.ui.shown(&self.name), percent, words: self.ui.shown(status), begun: self.begun };
            self.ui.line.said().rows.insert(self.number, row);
        }
    }

    /// Shows how it ended, as a line that stays; the bar makes room for others.
    pub fn finish(&mut self, percent: Option<f64>, outcome: &str) {
        let told = self.told(percent, outcome);
        if self.showing == Showing::Drawn {
            self.ui.line.said().rows.remove(&self.number);
            self.ui.note(&format!("{told} ({})", elapsed(self.begun, Instant::now())));
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
