//! Restores the terminal's modes: prompts and progress bars change them, and so may the profile's
//! `token_command`, a program that sitectl runs to get the token. The modes are restored after a signal too: a signal first cancels the waiting
//! work, which drops `SavedModes`, and only then ends the program.

/// The terminal's modes, which are restored on drop.
#[cfg(not(unix))]
#[derive(Debug)]
pub struct SavedModes(());

#[cfg(not(unix))]
impl SavedModes {
    /// Saves nothing on this platform.
    pub fn new() -> Self {
        Self(())
    }

    /// Leaves the echo on.
    pub fn without_echo() -> Self {
        Self(())
    }
}

/// Does nothing on this platform.
#[cfg(not(unix))]
pub fn discard_typed() {}

#[cfg(unix)]
pub use unix::{SavedModes, discard_typed};

#[cfg(unix)]
mod unix {
    use rustix::io::{Errno, Result};
    use rustix::process::getpgrp;
    use rustix::termios::{
        LocalModes, OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcgetpgrp,
        tcsetattr,
    };
    use std::io::{stderr, stdin};
    use std::os::fd::{AsFd, BorrowedFd};

    /// The terminal's modes, which are restored on drop. None if this process has no terminal or is
    /// in its background.
    #[derive(Debug)]
    pub struct SavedModes(Option<Termios>);

    impl SavedModes {
        /// Saves the modes.
        pub fn new() -> Self {
            Self(on_terminal(|terminal| tcgetattr(terminal)).ok())
        }

        /// Saves the modes and turns the echo off.
        pub fn without_echo() -> Self {
            let saved = Self::new();
            if let Some(mut modes) = saved.0.clone() {
                modes.local_modes -= LocalModes::ECHO | LocalModes::ECHONL;
                set_modes(&modes);
            }
            saved
        }
    }

    impl Drop for SavedModes {
        fn drop(&mut self) {
            self.0.take().iter().for_each(set_modes);
        }
    }

    /// Discards typed text that was not read yet.
    pub fn discard_typed() {
        let _ = tcflush(stdin(), QueueSelector::IFlush);
    }

    /// Sets the modes. Errors are ignored: a terminal that was closed needs no modes.
    fn set_modes(modes: &Termios) {
        let _ = on_terminal(|terminal| tcsetattr(terminal, OptionalActions::Now, modes));
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
