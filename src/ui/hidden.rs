//! Asks for what must not be seen, such as a token: nothing that is typed shows. Only letters and the keys that edit
//! make the line; what else a terminal sends for a key or around a paste is no part of it.

#[cfg(unix)]
use super::{Kept, beside, interrupted, kept::mute, prompt::unasked};
use super::{Ui, visible};
use crate::error::Result;
#[cfg(unix)]
use std::io::Read;

impl Ui {
    /// Asks for a line that nobody sees.
    ///
    /// # Errors
    /// `Interrupted` where the person gives up.
    pub async fn ask_hidden(&self, question: &str) -> Result<String> {
        loop {
            let answer = read(&format!("{}: ", visible(question))).await?;
            if !answer.trim().is_empty() {
                return Ok(answer);
            }
            self.note("it can't be blank");
        }
    }
}

#[cfg(not(unix))]
async fn read(question: &str) -> Result<String> {
    let question = question.trim_end_matches(": ").to_string();
    super::prompt::answered(move || dialoguer::Password::new().with_prompt(question).interact()).await
}

#[cfg(unix)]
async fn read(question: &str) -> Result<String> {
    let term = console::Term::stderr();
    let kept = Kept::new();
    let asked = mute().and_then(|()| term.write_str(question));
    asked.map_err(|error| unasked(&error))?;
    let typed = beside(|| line(std::io::stdin().lock())).await;
    // What follows the line is part of the same secret.
    let _ = rustix::termios::tcflush(std::io::stdin(), rustix::termios::QueueSelector::IFlush);
    drop(kept);
    let _ = term.write_line("");
    typed?.map_err(|error| unasked(&error))?.ok_or_else(interrupted)
}

/// The line that these keys make; none where the person gives up.
#[cfg(unix)]
fn line(keys: impl Read) -> std::io::Result<Option<String>> {
    let (mut keys, mut typed) = (Keys { keys, next: None }, Vec::new());
    loop {
        match keys.next()? {
            // Ctrl-C and Ctrl-\; Ctrl-D only where it cannot be meant for anything else.
            None | Some(0x03 | 0x1c) => return Ok(None),
            Some(0x04) if typed.is_empty() => return Ok(None),
            Some(b'\r' | b'\n') => return Ok(Some(String::from_utf8_lossy(&typed).into_owned())),
            // Backspace takes the last letter, however many bytes it has; Ctrl-U takes all.
            Some(0x08 | 0x7f) => while typed.pop().is_some_and(|byte: u8| byte & 0xc0 == 0x80) {},
            Some(0x15) => typed.clear(),
            Some(byte) if byte.is_ascii_control() => {}
            Some(byte) => typed.push(byte),
        }
    }
}

/// What is typed, byte by byte, without the sequences that stand for arrow keys and for the ends of a paste.
#[cfg(unix)]
struct Keys<R> {
    keys: R,
    /// What has been read already.
    next: Option<u8>,
}

#[cfg(unix)]
impl<R: Read> Keys<R> {
    fn next(&mut self) -> std::io::Result<Option<u8>> {
        loop {
            match self.byte()? {
                Some(0x1b) => self.skip()?,
                byte => return Ok(byte),
            }
        }
    }

    /// Passes over what follows an Escape, if it is a sequence.
    fn skip(&mut self) -> std::io::Result<()> {
        self.next = match self.byte()? {
            Some(b'[') => loop {
                match self.byte()? {
                    Some(0x20..=0x3f) => {}
                    Some(0x40..=0x7e) => break None,
                    byte => break byte,
                }
            },
            Some(b'O') => self.byte()?.filter(u8::is_ascii_control),
            byte => byte,
        };
        Ok(())
    }

    fn byte(&mut self) -> std::io::Result<Option<u8>> {
        if let Some(byte) = self.next.take() {
            return Ok(Some(byte));
        }
        let mut byte = [0];
        Ok((self.keys.read(&mut byte)? > 0).then_some(byte[0]))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::line;

    #[test]
    fn keys_make_a_line() {
        let typed = |keys: &str| line(keys.as_bytes()).ok().flatten();
        assert_eq!(typed("abc\rdef").as_deref(), Some("abc"));
        assert_eq!(typed("abü\u{7f}\u{8}c\n").as_deref(), Some("ac"));
        assert_eq!(typed("abc\u{15}\u{7f}d\r").as_deref(), Some("d"));
        assert_eq!(typed("a\u{4}\u{1a}\t\0b\r").as_deref(), Some("ab"));
        for keys in ["", "abc", "ab\u{3}", "\u{4}", "\u{1c}\r"] {
            assert_eq!(typed(keys), None, "{keys:?}");
        }
    }

    #[test]
    fn sequences_are_no_letters() {
        let typed = |keys: &str| line(keys.as_bytes()).ok().flatten();
        for keys in [
            "a\u{1b}[Ab\r",
            "\u{1b}[200~ab\u{1b}[201~\r",
            "a\u{1b}ODb\r",
            "a\u{1b}[1;5Cb\u{1b}\u{1b}[3~\r",
            "ab\u{1b}\r",
        ] {
            assert_eq!(typed(keys).as_deref(), Some("ab"), "{keys:?}");
        }
        // Who gives up in the middle of one is heard.
        for keys in ["a\u{1b}\u{3}", "a\u{1b}[\u{3}", "a\u{1b}O\u{3}", "a\u{1b}[200"] {
            assert_eq!(typed(keys), None, "{keys:?}");
        }
    }
}
