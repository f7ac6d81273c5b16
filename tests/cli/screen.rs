//! Runs the program on a pty of a given size, types keys, and reads the screen.

use crate::common::{PATIENCE, Signal, exit_code, regex, signal, steady, wait_for, wait_until};
use pty_process::Size;
use pty_process::blocking::{self, Pty};

use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
use std::io::{Read, Write};
use std::process::{Child, Command};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The rows of the scrollback.
const SCROLLBACK: usize = 1000;

/// A terminal in which one command runs; both end with the test.
pub struct Terminal {
    pty: Arc<Pty>,
    command: Child,
    seen: Arc<Mutex<Seen>>,
    reader: JoinHandle<()>,
}

/// The bytes that the terminal received, and its screen.
struct Seen {
    bytes: Vec<u8>,
    parser: vt100::Parser,
}

impl Terminal {
    /// Starts the command on a new terminal of this size.
    pub fn start(mut command: Command, columns: u16, rows: u16) -> Self {
        let (pty, pts) = blocking::open().unwrap();
        pty.resize(Size::new(rows, columns)).unwrap();
        command.env("TERM", "xterm-256color");
        let command = blocking::Command::from(command).spawn(pts).unwrap();
        let parser = vt100::Parser::new(
            rows.try_into().unwrap(),
            columns.try_into().unwrap(),
            SCROLLBACK,
        );
        let (pty, seen) = (
            Arc::new(pty),
            Arc::new(Mutex::new(Seen {
                bytes: Vec::new(),
                parser,
            })),
        );
        let reader = std::thread::spawn({
            let (pty, seen) = (Arc::clone(&pty), Arc::clone(&seen));
            move || read(&pty, &seen)
        });
        Self {
            pty,
            command,
            seen,
            reader,
        }
    }

    /// Types these keys: `\r` is Enter, `\x03` is Ctrl-C.
    pub fn press(&self, keys: &str) {
        (&*self.pty).write_all(keys.as_bytes()).unwrap();
    }

    /// Stops the command as Ctrl-Z does, turns the echo on as a shell does meanwhile, and continues
    /// the command.
    pub fn suspend_and_resume(&self) {
        let process = self.command.id();
        signal(Signal::STOP, process);
        wait_until("the program stops", || {
            let status = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
            status.contains(") T ") || status.contains(") t ")
        });
        let mut modes = tcgetattr(&*self.pty).unwrap();
        modes.local_modes |= LocalModes::ECHO;
        tcsetattr(&*self.pty, OptionalActions::Now, &modes).unwrap();
        signal(Signal::CONT, process);
    }

    /// Waits until the terminal no longer shows what is typed.
    pub fn wait_for_hidden_input(&self) {
        wait_until("the echo is turned off", || {
            let modes = tcgetattr(&*self.pty).unwrap();
            !modes.local_modes.contains(LocalModes::ECHO)
        });
    }

    /// Waits until the screen shows this text.
    pub fn wait_for(&self, text: &str) {
        self.wait_until(&format!("'{text}'"), |screen| screen.contains(text));
    }

    /// Waits until the text of the screen is as expected and no longer changing, and returns the screen.
    pub fn wait_until(&self, what: &str, is_so: impl Fn(&str) -> bool) -> vt100::Screen {
        let deadline = Instant::now() + PATIENCE;
        let mut before = None;
        loop {
            // In this order, because the last bytes must be checked, too.
            let over = self.reader.is_finished() || Instant::now() > deadline;
            let screen = self.screen();
            let text = text(&screen);
            let stands = over || before.as_ref() == Some(&text);
            if stands && is_so(&text) {
                return screen;
            }
            assert!(
                !over,
                "waited up to {PATIENCE:?} for {what}, but the screen shows:\n{text}"
            );
            before = Some(text);
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until the command has exited and all of its output is on the screen.
    pub fn exit_code(&mut self) -> i32 {
        self.wait_until("the end of the program", |_| self.reader.is_finished());
        let exited = || self.command.try_wait().unwrap();
        exit_code(wait_for("the program exits", exited))
    }

    /// Fails if no part of the screen matches.
    #[track_caller]
    pub fn assert_shows(&self, pattern: &str) {
        assert!(
            regex(pattern).is_match(&self.text()),
            "no {pattern} in:\n{}",
            self.text()
        );
    }

    /// Returns the current screen.
    pub fn screen(&self) -> vt100::Screen {
        self.seen().parser.screen().clone()
    }

    /// Returns the current text of the screen.
    pub fn text(&self) -> String {
        text(&self.screen())
    }

    /// Returns the text of the screen with variable parts replaced by names.
    pub fn transcript(&self) -> String {
        settled(&format!("{}\n", self.text()))
    }

    /// Returns the lines of the scrollback and the screen, unwrapped.
    pub fn history(&self) -> String {
        let mut screen = self.screen();
        let (rows, columns) = screen.size();
        // A screen that grows shows the scrollback again.
        screen.set_size(
            rows.saturating_add(screen.scrollback_len().try_into().unwrap()),
            columns,
        );
        screen.contents()
    }

    /// Returns all bytes that the terminal received.
    pub fn bytes(&self) -> Vec<u8> {
        self.seen().bytes.clone()
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It may have exited already.
        let _ = self.command.kill();
        let _ = self.command.wait();
    }
}

/// Reads the output until the last process closes the terminal.
fn read(mut pty: &Pty, seen: &Mutex<Seen>) {
    let mut buffer = [0; 4096];
    while let Ok(length @ 1..) = pty.read(&mut buffer) {
        let mut seen = seen.lock().unwrap();
        seen.bytes.extend_from_slice(&buffer[..length]);
        seen.parser.process(&buffer[..length]);
    }
}

/// Returns the rows of a screen without trailing blanks.
fn text(screen: &vt100::Screen) -> String {
    let rows: Vec<String> = screen
        .rows(0, screen.size().1.get())
        .map(|row| row.trim_end().into())
        .collect();
    rows.join("\n").trim_end().into()
}

/// Replaces ids, ports, times and ages by names.
pub fn settled(text: &str) -> String {
    let rules = [
        (r"20\d\d-\d\d-\d\d[T ][\d:.]+Z?", "TIME"),
        (r"\(\d+[hms]( \d+[ms])?\)", "(ELAPSED)"),
    ];
    rules.iter().fold(steady(text), |text, (pattern, name)| {
        regex(pattern).replace_all(&text, *name).into_owned()
    })
}
