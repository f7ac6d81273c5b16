//! The program on a real terminal: a pty of a given size, the keys that a person types there, and the screen that they
//! see.

use crate::support::steady;
use pty_process::Size;
use pty_process::blocking::{self, Pty};
use regex::Regex;
use std::io::{Read, Write};
use std::process::{Child, Command};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Far longer than anything takes, also where many tests share a small machine.
const PATIENCE: Duration = Duration::from_secs(30);
/// So many rows are kept of what scrolls away.
const SCROLLBACK: usize = 1000;

/// A terminal in which one command runs; both end with the test.
pub struct Terminal {
    pty: Arc<Pty>,
    command: Child,
    seen: Arc<Mutex<Seen>>,
    reader: JoinHandle<()>,
}

/// What the terminal was sent, and the screen that this makes.
struct Seen {
    bytes: Vec<u8>,
    parser: vt100::Parser,
}

impl Terminal {
    /// Starts the command on a terminal of its own, so wide and so high.
    pub fn start(mut command: Command, columns: u16, rows: u16) -> Self {
        let (pty, pts) = blocking::open().unwrap();
        pty.resize(Size::new(rows, columns)).unwrap();
        command.env("TERM", "xterm-256color");
        let command = blocking::Command::from(command).spawn(pts).unwrap();
        let parser = vt100::Parser::new(rows.try_into().unwrap(), columns.try_into().unwrap(), SCROLLBACK);
        let (pty, seen) = (Arc::new(pty), Arc::new(Mutex::new(Seen { bytes: Vec::new(), parser })));
        let reader = std::thread::spawn({
            let (pty, seen) = (Arc::clone(&pty), Arc::clone(&seen));
            move || read(&pty, &seen)
        });
        Self { pty, command, seen, reader }
    }

    /// Types these keys: `\r` is Enter, `\x03` is Ctrl-C.
    pub fn press(&self, keys: &str) {
        (&*self.pty).write_all(keys.as_bytes()).unwrap();
    }

    /// Waits until the screen shows this text.
    pub fn wait_for(&self, text: &str) {
        self.wait_until(&format!("'{text}'"), |screen| screen.contains(text));
    }

    /// Waits until the screen's text is as it should be and stands still, so that no line is half drawn, and gives the
    /// screen of that instant.
    pub fn wait_until(&self, what: &str, is_so: impl Fn(&str) -> bool) -> vt100::Screen {
        let deadline = Instant::now() + PATIENCE;
        let mut before = None;
        loop {
            // In this order: what came last must still be looked at.
            let over = self.reader.is_finished() || Instant::now() > deadline;
            let screen = self.screen();
            let text = text(&screen);
            let stands = over || before.as_ref() == Some(&text);
            if stands && is_so(&text) {
                return screen;
            }
            assert!(!over, "the screen never showed {what}:\n{text}");
            before = Some(text);
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until the command has ended and all that it printed is on the screen.
    pub fn exit_code(&mut self) -> i32 {
        let deadline = Instant::now() + PATIENCE;
        while !self.reader.is_finished() {
            assert!(Instant::now() < deadline, "it does not end:\n{}", self.text());
            std::thread::sleep(Duration::from_millis(10));
        }
        self.command.wait().unwrap().code().unwrap_or(-1)
    }

    /// Fails where no part of the screen is like this.
    #[track_caller]
    pub fn assert_shows(&self, pattern: &str) {
        assert!(Regex::new(pattern).unwrap().is_match(&self.text()), "no {pattern} in:\n{}", self.text());
    }

    /// The screen as it is now.
    pub fn screen(&self) -> vt100::Screen {
        self.seen().parser.screen().clone()
    }

    /// The text of the screen as it is now.
    pub fn text(&self) -> String {
        text(&self.screen())
    }

    /// The text of the screen, with what differs from run to run replaced by its name.
    pub fn transcript(&self) -> String {
        settled(&format!("{}\n", self.text()))
    }

    /// The lines of all that has scrolled away and of the screen, those that were wrapped put together again.
    pub fn history(&self) -> String {
        let mut screen = self.screen();
        let (rows, columns) = screen.size();
        // A screen that grows takes back what has scrolled away.
        screen.set_size(rows.saturating_add(screen.scrollback_len().try_into().unwrap()), columns);
        screen.contents()
    }

    /// All that the terminal was sent.
    pub fn bytes(&self) -> Vec<u8> {
        self.seen().bytes.clone()
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.command.kill();
        let _ = self.command.wait();
    }
}

/// Takes in what the terminal is sent. The last process that has it open ends this.
fn read(mut pty: &Pty, seen: &Mutex<Seen>) {
    let mut buffer = [0; 4096];
    while let Ok(length @ 1..) = pty.read(&mut buffer) {
        let mut seen = seen.lock().unwrap();
        seen.bytes.extend_from_slice(&buffer[..length]);
        seen.parser.process(&buffer[..length]);
    }
}

/// The rows of a screen up to the last that is not blank, each without the blanks at its end.
fn text(screen: &vt100::Screen) -> String {
    let rows: Vec<String> = screen.rows(0, screen.size().1.get()).map(|row| row.trim_end().into()).collect();
    rows.join("\n").trim_end().into()
}

/// The same text with ids, ports, times and ages replaced by their names.
pub fn settled(text: &str) -> String {
    let rules = [(r"20\d\d-\d\d-\d\dT[\d:.]+Z", "TIME"), (r"\(\d+[hms]( \d+[ms])?\)", "(ELAPSED)")];
    rules
        .iter()
        .fold(steady(text), |text, (pattern, name)| Regex::new(pattern).unwrap().replace_all(&text, *name).into_owned())
}
