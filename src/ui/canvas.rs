//! Lines at the foot of a terminal that are drawn over and over until they go. The cursor waits at the beginning of the
//! row below them: what the terminal itself writes there, such as `^C` or a key that was typed, moves no line, and goes
//! with the next drawing. Pure: what is to be written is given back.

/// What is drawn.
#[derive(Debug, Default)]
pub struct Canvas {
    /// How many rows it takes.
    rows: usize,
    /// Whose turn it is to draw, where anything is drawn.
    turn: Option<u64>,
    turns: u64,
}

impl Canvas {
    /// From now on there is something to draw; whoever has this number keeps it drawn.
    pub fn begin(&mut self) -> u64 {
        self.turns += 1;
        self.turn = Some(self.turns);
        self.turns
    }

    /// Nothing is drawn any longer; what was drawn goes.
    pub fn end(&mut self) -> String {
        self.turn = None;
        self.erase()
    }

    /// Whether it is still this one's turn.
    pub fn is_turn_of(&self, number: u64) -> bool {
        self.turn == Some(number)
    }

    /// Whether anything is to be drawn.
    pub fn is_in_use(&self) -> bool {
        self.turn.is_some()
    }

    /// Makes room for other text.
    pub fn erase(&mut self) -> String {
        if self.rows == 0 {
            return String::new();
        }
        format!("{}\x1b[J", self.return_to_first_row())
    }

    /// Draws these lines in place of those before; none may be wider than the terminal, nor all of them as high.
    pub fn draw(&mut self, lines: &str) -> String {
        let start = self.return_to_first_row();
        self.rows = lines.lines().count();
        let drawn: String = lines.lines().map(|line| format!("{line}\x1b[K\r\n")).collect();
        format!("{start}{drawn}\x1b[J")
    }

    fn return_to_first_row(&mut self) -> String {
        match std::mem::take(&mut self.rows) {
            0 => "\r".into(),
            rows => format!("\r\x1b[{rows}A"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_drawn_in_the_place_of_those_before() {
        let mut canvas = Canvas::default();
        assert_eq!(canvas.erase(), "");
        assert_eq!(canvas.draw("one\ntwo"), "\rone\x1b[K\r\ntwo\x1b[K\r\n\x1b[J");
        assert_eq!(canvas.draw("three"), "\r\x1b[2Athree\x1b[K\r\n\x1b[J");
        assert_eq!((canvas.erase().as_str(), canvas.erase().as_str()), ("\r\x1b[1A\x1b[J", ""));
        assert_eq!(canvas.draw(""), "\r\x1b[J");
    }

    #[test]
    fn one_draws_at_a_time() {
        let mut canvas = Canvas::default();
        assert!(!canvas.is_in_use());
        let (first, second) = (canvas.begin(), canvas.begin());
        assert!(canvas.is_in_use() && !canvas.is_turn_of(first) && canvas.is_turn_of(second));
        canvas.draw("one");
        assert_eq!(canvas.end(), "\r\x1b[1A\x1b[J");
        assert!(!canvas.is_in_use() && !canvas.is_turn_of(second));
    }
}
