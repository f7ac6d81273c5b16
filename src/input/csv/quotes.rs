//! Quotes in CSV that are not as they should be: the parser takes them in its stride, and so would take one cell for
//! another.

/// What is wrong with a quoted cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It is never closed.
    Open,
    /// Something comes between its closing quote and the next comma.
    Trailing,
}

enum State {
    Begin,
    Plain,
    Quoted,
    Closed,
}

/// The first fault in a row, with the number of its cell and where that begins.
pub fn fault(row: &str) -> Option<(usize, usize, Fault)> {
    let mut state = State::Begin;
    let (mut cell, mut start) = (0, 0);
    for (at, byte) in row.bytes().enumerate() {
        state = match (state, byte) {
            (State::Begin, b'"') => {
                start = at;
                State::Quoted
            }
            (State::Begin | State::Plain | State::Closed, b',') => {
                cell += 1;
                State::Begin
            }
            (State::Begin | State::Plain, _) => State::Plain,
            (State::Quoted, b'"') => State::Closed,
            (State::Quoted, _) | (State::Closed, b'"') => State::Quoted,
            (State::Closed, _) => return Some((cell, start, Fault::Trailing)),
        };
    }
    matches!(state, State::Quoted).then_some((cell, start, Fault::Open))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults() {
        for (row, found) in [
            ("a,b\"c,\"d,\"\"e\n\",\"\"", None),
            ("a,\"b", Some((1, 2, Fault::Open))),
            ("\"\"\"", Some((0, 0, Fault::Open))),
            ("\"a,\" ,b", Some((0, 0, Fault::Trailing))),
            ("x,\"He said \"hi\"\"", Some((1, 2, Fault::Trailing))),
        ] {
            assert_eq!(fault(row), found, "{row}");
        }
    }
}
