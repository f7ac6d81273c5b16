//! The events of a YAML file, each with its offset in bytes: the parser counts characters.

use saphyr_parser::{Event, Parser, ScanError, StrInput};

/// What the parser finds in a file.
pub struct Events<'t> {
    parser: Parser<'t, StrInput<'t>>,
    text: &'t str,
    /// Where the last event was, in characters and in bytes.
    counted: (usize, usize),
}

impl<'t> Events<'t> {
    /// All of a text.
    pub fn new(text: &'t str) -> Self {
        Self { parser: Parser::new_from_str(text), text, counted: (0, 0) }
    }

    /// The next one, and where it begins; none at the end.
    ///
    /// # Errors
    /// Where the text is not YAML, with what is wrong.
    pub fn next(&mut self) -> Result<Option<(Event<'t>, usize)>, (usize, String)> {
        match self.parser.next_event() {
            None | Some(Ok((Event::StreamEnd, _))) => Ok(None),
            Some(Ok((event, span))) => Ok(Some((event, self.offset(span.start.index())))),
            Some(Err(error)) => Err(self.explain(&error)),
        }
    }

    fn explain(&mut self, error: &ScanError) -> (usize, String) {
        (self.offset(error.marker().index()), error.info().to_string())
    }

    /// The offset of the character of this number.
    fn offset(&mut self, wanted: usize) -> usize {
        let (mut count, mut offset) = self.counted;
        if wanted < count {
            let back = self.text[..offset].char_indices().rev().nth(count - wanted - 1);
            offset = back.map_or(0, |(at, _)| at);
            count = wanted;
        } else {
            let mut ahead = self.text[offset..].chars();
            for c in ahead.by_ref().take(wanted - count) {
                count += 1;
                offset += c.len_utf8();
            }
        }
        self.counted = (count, offset);
        offset
    }
}
