//! A terminal that is put back to how it was: questions and progress bars change it, as may a program that prints a
//! token. Signals that end the program end what waits for them first, so that it is put back then too.

/// How the terminal was when this was made; it is put back when this is dropped.
#[cfg(not(unix))]
#[derive(Debug)]
pub struct Kept(());

#[cfg(not(unix))]
impl Kept {
    /// Nothing is known of the terminal here.
    pub fn new() -> Self {
        Self(())
    }

    /// The same: what is typed shows.
    pub fn without_echo() -> Self {
        Self(())
    }
}

/// Typed text stays.
#[cfg(not(unix))]
pub fn discard_typed() {}

#[cfg(unix)]
pub use unix::{Kept, discard_typed};

#[cfg(unix)]
mod unix {
    use rustix::io::Result;
    use rustix::process::getpgrp;
    use rustix::termios::{
        LocalModes, OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcgetpgrp, tcsetattr,
    };
    use std::io::{stderr, stdin};
    use std::os::fd::{AsFd, BorrowedFd};

    /// How the terminal was when this was made; it is put back when this is dropped.
    #[derive(Debug)]
    pub struct Kept(Option<Termios>);

    impl Kept {
        /// Notes how the terminal is.
        pub fn new() -> Self {
            Self(on_terminal(|terminal| tcgetattr(terminal)).ok())
        }

        /// From now on, the terminal does not show what is typed.
        pub fn without_echo() -> Self {
            let kept = Self::new();
            if let Some(mut modes) = kept.0.clone() {
                modes.local_modes -= LocalModes::ECHO | LocalModes::ECHONL;
                set(&modes);
            }
            kept
        }
    }

    impl Drop for Kept {
        fn drop(&mut self) {
            self.0.take().iter().for_each(set);
        }
    }

    /// Forgets what was typed but not read yet.
    pub fn discard_typed() {
        let _ = tcflush(stdin(), QueueSelector::IFlush);
    }

    /// A terminal that has gone needs nothing.
    fn set(modes: &Termios) {
        let _ = on_terminal(|terminal| tcsetattr(terminal, OptionalActions::Now, modes));
    }

    /// Does this with the terminal, if that is there. A process in the background would be stopped for it.
    fn on_terminal<T>(act: impl Fn(BorrowedFd<'_>) -> Result<T>) -> Result<T> {
        let in_foreground = |terminal: BorrowedFd<'_>| match tcgetpgrp(terminal)? == getpgrp() {
            true => act(terminal),
            false => Err(rustix::io::Errno::NOTTY),
        };
        in_foreground(stdin().as_fd()).or_else(|_| in_foreground(stderr().as_fd()))
    }
}
