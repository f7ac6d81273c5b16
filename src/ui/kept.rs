//! A terminal that is put back to how it was: questions change it, and so may a program that prints a token. It is put
//! back when the question is over, also where SIGTERM or SIGHUP ends the program in the middle of it.

/// How the terminal was when this was made; it is put back when this is dropped.
pub struct Kept(());

#[cfg(not(unix))]
impl Kept {
    /// Nothing is known of the terminal here; dialoguer puts it back.
    pub fn new() -> Self {
        Self(())
    }
}

#[cfg(unix)]
pub use unix::mute;

#[cfg(unix)]
mod unix {
    use super::Kept;
    use rustix::termios::{InputModes, LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
    use std::io::stdin;
    use std::sync::mpsc::{Sender, channel};
    use std::sync::{Mutex, OnceLock, PoisonError};
    use tokio::signal::unix::{SignalKind, signal};

    /// How the terminal was before what goes on now; none where nothing does.
    static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);

    impl Kept {
        /// Notes how the terminal is. From the first time on, signals that end the program do it here.
        pub fn new() -> Self {
            static WATCH: OnceLock<()> = OnceLock::new();
            WATCH.get_or_init(|| {
                let (ready, is_ready) = channel();
                // Without a watch, a signal ends the program as it always does.
                let watch = std::thread::Builder::new().name("signals".into()).spawn(move || watch(&ready));
                let _ = watch.map(|_| is_ready.recv());
            });
            keep(tcgetattr(stdin()).ok());
            Self(())
        }
    }

    impl Drop for Kept {
        fn drop(&mut self) {
            put_back();
        }
    }

    /// Lets the terminal show nothing of what is typed and pass each key on. What was typed before is not meant for it.
    pub fn mute() -> std::io::Result<()> {
        let mut mute = tcgetattr(stdin())?;
        mute.local_modes -=
            LocalModes::ECHO | LocalModes::ECHONL | LocalModes::ICANON | LocalModes::ISIG | LocalModes::IEXTEN;
        mute.input_modes -= InputModes::IXON;
        Ok(tcsetattr(stdin(), OptionalActions::Flush, &mute)?)
    }

    fn keep(how: Option<Termios>) -> Option<Termios> {
        std::mem::replace(&mut *BEFORE.lock().unwrap_or_else(PoisonError::into_inner), how)
    }

    /// Whether there was something to put back.
    fn put_back() -> bool {
        let before = keep(None);
        // A terminal that has gone needs nothing.
        before.is_some_and(|before| tcsetattr(stdin(), OptionalActions::Now, &before).is_ok())
    }

    /// Waits for the signals on a runtime of its own. Who listens to a signal takes its effect away for good, so the
    /// program is ended here also where nothing is asked any more.
    fn watch(ready: &Sender<()>) {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
        let number = runtime.block_on(async {
            let (mut terminate, mut hang_up) =
                (signal(SignalKind::terminate()).ok()?, signal(SignalKind::hangup()).ok()?);
            ready.send(()).ok()?;
            tokio::select! {
                _ = terminate.recv() => Some(SignalKind::terminate()),
                _ = hang_up.recv() => Some(SignalKind::hangup()),
            }
        });
        let Some(number) = number else { return };
        if put_back() {
            let term = console::Term::stderr();
            let _ = term.show_cursor().and_then(|()| term.write_line(""));
        }
        // As a shell tells of a program that a signal has ended.
        std::process::exit(128 + number.as_raw_value());
    }
}
