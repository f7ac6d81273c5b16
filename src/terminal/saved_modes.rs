//! Restores the terminal's modes: prompts and progress bars change them, and so may the profile's
//! `token_command`, a program that sitectl runs to get the token. The modes are restored after a
//! signal too: a signal first cancels the waiting work, which drops `SavedModes`, and only then ends
//! the program.

pub use os::{SavedModes, discard_typed, resumed};

#[cfg(unix)]
mod os {
    use rustix::io::{Errno, Result};
    use rustix::process::{Signal, getpgrp};
    use rustix::termios::{
        LocalModes, OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcgetpgrp,
        tcsetattr,
    };
    use std::future::pending;
    use std::io::{stderr, stdin};
    use std::os::fd::{AsFd, BorrowedFd};
    use tokio::signal::unix::{SignalKind, signal};
    use tokio::task::JoinHandle;

    /// The terminal's modes, which are restored on drop.
    #[derive(Debug)]
    pub struct SavedModes {
        /// None if this process has no terminal or is in its background.
        modes: Option<Termios>,
        keeps_echo_off: Option<JoinHandle<()>>,
    }

    impl SavedModes {
        /// Saves the modes.
        pub fn new() -> Self {
            Self {
                modes: on_terminal(|terminal| tcgetattr(terminal)).ok(),
                keeps_echo_off: None,
            }
        }

        /// Saves the modes and turns the echo off, also each time that the user suspends and
        /// resumes the program, because the shell turns the echo on meanwhile.
        pub fn without_echo() -> Self {
            let mut saved = Self::new();
            turn_echo_off();
            // Also if the process is in the background: the user can resume it.
            saved.keeps_echo_off = Some(tokio::spawn(keep_echo_off()));
            saved
        }
    }

    impl Drop for SavedModes {
        fn drop(&mut self) {
            if let Some(task) = &self.keeps_echo_off {
                task.abort();
            }
            if let Some(modes) = &self.modes {
                // A terminal that was closed needs no modes.
                let _ = on_terminal(|terminal| tcsetattr(terminal, OptionalActions::Now, modes));
            }
        }
    }

    /// Discards typed text that was not read yet.
    pub fn discard_typed() {
        let _ = tcflush(stdin(), QueueSelector::IFlush);
    }

    fn turn_echo_off() {
        let _ = on_terminal(|terminal| {
            let mut modes = tcgetattr(terminal)?;
            modes.local_modes -= LocalModes::ECHO | LocalModes::ECHONL;
            tcsetattr(terminal, OptionalActions::Now, &modes)
        });
    }

    /// Turns the echo off each time that the user resumes this process.
    async fn keep_echo_off() {
        loop {
            resumed().await;
            turn_echo_off();
        }
    }

    /// Waits until the user resumes this process after a stop.
    pub async fn resumed() {
        match signal(SignalKind::from_raw(Signal::CONT.as_raw())) {
            Ok(mut continued) => _ = continued.recv().await,
            Err(_) => pending().await,
        }
    }

    /// Calls `act` with the terminal of stdin, else of stderr. It fails if this process is in the
    /// background, because the system would stop a process that sets modes there.
    fn on_terminal<T>(act: impl Fn(BorrowedFd<'_>) -> Result<T>) -> Result<T> {
        let act_in_foreground = |terminal: BorrowedFd<'_>| {
            if tcgetpgrp(terminal)? != getpgrp() {
                return Err(Errno::NOTTY);
            }
            act(terminal)
        };
        act_in_foreground(stdin().as_fd()).or_else(|_| act_in_foreground(stderr().as_fd()))
    }
}

/// Does nothing on this platform.
#[cfg(not(unix))]
mod os {
    #[derive(Debug)]
    pub struct SavedModes(());

    impl SavedModes {
        pub fn new() -> Self {
            Self(())
        }

        pub fn without_echo() -> Self {
            Self(())
        }
    }

    pub fn discard_typed() {}

    pub async fn resumed() {
        std::future::pending().await
    }
}
