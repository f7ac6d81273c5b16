//! A terminal that is put back to how it was: questions change it, and so may a program that prints a token. It is put
//! back when the question is over, also where SIGTERM or SIGHUP ends the program in the middle of it. At any other time
//! these are for the command to hear.

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
pub use unix::{is_asked, mute};

#[cfg(unix)]
mod unix {
    use super::Kept;
    use crate::ui::stop::{hang_up, heard};
    use rustix::termios::{InputModes, LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
    use std::io::stdin;
    use std::sync::mpsc::{Sender, channel};
    use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
    use tokio::signal::unix::{SignalKind, signal};

    /// How the terminal was before what goes on now; none where nothing does.
    static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);

    impl Kept {
        /// Notes how the terminal is. Until it is put back, signals that end the program do it here.
        pub fn new() -> Self {
            static WATCH: OnceLock<()> = OnceLock::new();
            WATCH.get_or_init(|| {
                let (ready, is_ready) = channel();
                // Without a watch, a signal ends the program as it always does.
                let watch = std::thread::Builder::new().name("signals".into()).spawn(move || watch(&ready));
                let _ = watch.map(|_| is_ready.recv());
            });
            *before() = tcgetattr(stdin()).ok();
            Self(())
        }
    }

    impl Drop for Kept {
        fn drop(&mut self) {
            put_back(&mut before());
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

    /// Whether a question, or a program that may ask one, has the terminal.
    pub fn is_asked() -> bool {
        before().is_some()
    }

    fn before() -> MutexGuard<'static, Option<Termios>> {
        BEFORE.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put_back(before: &mut Option<Termios>) -> bool {
        // A terminal that has gone needs nothing.
        before.take().is_some_and(|before| tcsetattr(stdin(), OptionalActions::Now, &before).is_ok())
    }

    /// Ends the program as a shell tells of one that a signal has ended.
    fn end(before: &mut Option<Termios>, number: SignalKind) -> ! {
        if put_back(before) {
            let term = console::Term::stderr();
            let _ = term.show_cursor().and_then(|()| term.write_line(""));
        }
        std::process::exit(128 + number.as_raw_value());
    }

    /// Waits for the signals on a runtime of its own.
    fn watch(ready: &Sender<()>) {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
        runtime.block_on(async {
            let (mut terminate, mut hang_up) = (signal(SignalKind::terminate()).ok(), hang_up());
            let _ = ready.send(());
            loop {
                let number = tokio::select! {
                    () = heard(&mut terminate) => SignalKind::terminate(),
                    () = heard(&mut hang_up) => SignalKind::hangup(),
                };
                // Kept to the end of the program: nobody else takes this signal for one that is theirs.
                let mut before = before();
                if before.is_some() {
                    end(&mut before, number);
                }
            }
        });
    }
}
