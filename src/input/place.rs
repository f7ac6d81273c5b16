//! Where something stands in a file, so that a person finds it: lines are counted as an editor counts them.

use std::fmt::Write;

/// `column`: in CSV the number of the column; elsewhere that of the character on the line. Both from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The line on which it begins.
    pub line: usize,
    /// None where the line says enough.
    pub column: Option<usize>,
}

/// How a person finds it: `clients.csv line 12, column 3 (email)`.
pub fn locate(name: &str, place: Place, field: Option<&str>) -> String {
    let mut text = format!("{name} line {}", place.line);
    if let Some(column) = place.column {
        let _ = write!(text, ", column {column}");
    }
    if let Some(field) = field.filter(|field| !field.is_empty()) {
        let _ = write!(text, " ({field})");
    }
    text
}

/// The lines that end in this text: at `\n`, `\r\n` or, as old spreadsheets write it, `\r` alone.
pub fn line_ends(text: &str) -> usize {
    let bytes = text.as_bytes();
    let ends = |(at, byte): (usize, &u8)| *byte == b'\n' || (*byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
    bytes.iter().enumerate().filter(|pair| ends(*pair)).count()
}

/// Turns offsets into places. It goes forward through the text, since a line may be as long as the file.
pub struct Cursor<'t> {
    text: &'t str,
    offset: usize,
    line: usize,
    column: usize,
}

impl<'t> Cursor<'t> {
    /// At the beginning.
    pub fn new(text: &'t str) -> Self {
        Self { text, offset: 0, line: 1, column: 1 }
    }

    /// The line and the character on it. An offset inside a character is that character.
    pub fn at(&mut self, offset: usize) -> Place {
        if offset < self.offset {
            *self = Self::new(self.text);
        }
        let bytes = self.text.as_bytes();
        for c in self.text[self.offset..].chars() {
            let next = self.offset + c.len_utf8();
            if next > offset {
                break;
            }
            self.offset = next;
            self.column += 1;
            if c == '\n' || (c == '\r' && bytes.get(next) != Some(&b'\n')) {
                self.line += 1;
                self.column = 1;
            }
        }
        Place { line: self.line, column: Some(self.column) }
    }

    /// The line alone.
    pub fn line(&mut self, offset: usize) -> Place {
        Place { column: None, ..self.at(offset) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_end_counts_once() {
        let text = "a\nb\r\nc\rd\n\rÄe";
        assert_eq!(line_ends(text), 5);
        let mut cursor = Cursor::new(text);
        let places = text.char_indices().map(|(at, c)| (c, cursor.at(at))).filter(|(c, _)| c.is_alphabetic());
        let places: Vec<_> = places.map(|(c, place)| (c, place.line, place.column)).collect();
        let expected = [('a', 1, 1), ('b', 2, 1), ('c', 3, 1), ('d', 4, 1), ('Ä', 6, 1), ('e', 6, 2)]
            .map(|(c, l, n)| (c, l, Some(n)));
        assert_eq!(places, expected);
        assert_eq!(cursor.at(2), Place { line: 2, column: Some(1) });
        assert_eq!(cursor.at(usize::MAX), Place { line: 6, column: Some(3) });
        assert_eq!(Cursor::new(text).line(text.len() - 2), Place { line: 6, column: None });
    }

    #[test]
    fn a_person_finds_it() {
        let place = Place { line: 12, column: Some(3) };
        assert_eq!(locate("clients.csv", place, Some("email")), "clients.csv line 12, column 3 (email)");
        assert_eq!(locate("stdin", Place { column: None, ..place }, Some("")), "stdin line 12");
    }
}
