//! Asks for what must not be seen, such as a token: nothing that is typed shows. The terminal is put back to how it was
//! also where the person gives up: its own line editing would end the program on Ctrl-C, and leave it mute.

#[cfg(unix)]
use super::prompt::{interrupted, unasked};
use super::{Ui, visible};
use crate::error::Result;

impl Ui {
    /// Asks for a line that nobody sees.
    ///
    /// # Errors
    /// `Interrupted` where the person gives up.
    pub fn ask_hidden(&self, question: &str) -> Result<String> {
        loop {
            let answer = read(&format!("{}: ", visible(question)))?;
            if !answer.trim().is_empty() {
                return Ok(answer);
            }
            self.note("it can't be blank");
        }
    }
}

#[cfg(not(unix))]
fn read(question: &str) -> Result<String> {
    let asked = dialoguer::Password::new().with_prompt(question.trim_end_matches(": ")).interact();
    asked.map_err(|error| super::prompt::unanswered(&error))
}

#[cfg(unix)]
fn read(question: &str) -> Result<String> {
    let term = console::Term::stderr();
    let mute = Mute::new().map_err(|error| unasked(&error))?;
    let typed = term.write_str(question).and_then(|()| line(&mut std::io::stdin().lock()));
    drop(mute);
    let _ = term.write_line("");
    typed.map_err(|error| unasked(&error))?.ok_or_else(interrupted)
}

/// The line that these keys make; none where the person gives up.
#[cfg(unix)]
fn line(keys: &mut impl std::io::Read) -> std::io::Result<Option<String>> {
    let mut typed = Vec::new();
    let mut key = [0];
    loop {
        if keys.read(&mut key)? == 0 {
            return Ok(None);
        }
        match key[0] {
            b'\r' | b'\n' => return Ok(Some(String::from_utf8_lossy(&typed).into_owned())),
            // Ctrl-C and Ctrl-\; Ctrl-D only where it cannot be meant for anything else.
            0x03 | 0x1c => return Ok(None),
            0x04 if typed.is_empty() => return Ok(None),
            // Backspace takes the last letter, however many bytes it has; Ctrl-U takes all.
            0x08 | 0x7f => while typed.pop().is_some_and(|byte: u8| byte & 0xc0 == 0x80) {},
            0x15 => typed.clear(),
            byte => typed.push(byte),
        }
    }
}

/// A terminal that shows nothing of what is typed and passes each key on, until this is dropped.
#[cfg(unix)]
struct Mute(rustix::termios::Termios);

#[cfg(unix)]
impl Mute {
    fn new() -> std::io::Result<Self> {
        use rustix::termios::{InputModes, LocalModes, OptionalActions, tcgetattr, tcsetattr};
        let before = tcgetattr(std::io::stdin())?;
        let mut mute = before.clone();
        mute.local_modes -=
            LocalModes::ECHO | LocalModes::ECHONL | LocalModes::ICANON | LocalModes::ISIG | LocalModes::IEXTEN;
        mute.input_modes -= InputModes::IXON;
        tcsetattr(std::io::stdin(), OptionalActions::Flush, &mute)?;
        Ok(Self(before))
    }
}

#[cfg(unix)]
impl Drop for Mute {
    fn drop(&mut self) {
        // A terminal that has gone needs nothing.
        let _ = rustix::termios::tcsetattr(std::io::stdin(), rustix::termios::OptionalActions::Flush, &self.0);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::line;

    #[test]
    fn keys_make_a_line() {
        let typed = |keys: &str| line(&mut keys.as_bytes()).ok().flatten();
        assert_eq!(typed("abc\rdef").as_deref(), Some("abc"));
        assert_eq!(typed("abü\u{7f}\u{8}c\n").as_deref(), Some("ac"));
        assert_eq!(typed("abc\u{15}\u{7f}d\r").as_deref(), Some("d"));
        assert_eq!(typed("a\u{4}\r").as_deref(), Some("a\u{4}"));
        for keys in ["", "abc", "ab\u{3}", "\u{4}", "\u{1c}\r"] {
            assert_eq!(typed(keys), None, "{keys:?}");
        }
    }
}
