//! YAML from the tokens of JSON: numbers keep every digit, keys their order. What is written reads the same in YAML 1.1
//! and 1.2, neither of which allows a key twice.

use super::json;
use super::yaml_scalar::{plain_or_quoted, quoted};
use std::iter::Peekable;

/// Columns beyond which a value is written on one line, as YAML's flow style: indentation must not grow without end.
const DEEPEST: usize = 128;

/// A longer key than this is none to a reader, unless a question mark leads it.
const LONGEST_KEY: usize = 1000;

/// The value as a document.
pub fn document(raw: &str) -> String {
    write(raw, "", Place::Top)
}

/// The value as an item of a sequence at the top.
pub fn item(raw: &str) -> String {
    write(raw, "- ", Place::Item)
}

fn write(raw: &str, start: &str, place: Place) -> String {
    let mut out = String::with_capacity(raw.len() * 2);
    out.push_str(start);
    let mut writer = Writer { tokens: json::tokens_once(raw).peekable(), out };
    writer.value(place, 0);
    writer.out
}

/// What a value comes after on its line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Nothing.
    Top,
    /// `- `
    Item,
    /// `key:`
    Key,
}

struct Writer<'r, T: Iterator<Item = &'r str>> {
    tokens: Peekable<T>,
    out: String,
}

impl<'r, T: Iterator<Item = &'r str>> Writer<'r, T> {
    fn next(&mut self) -> &'r str {
        self.tokens.next().unwrap_or_default()
    }

    /// The next value, to the end of its last line. `indent` is the column of what it comes after.
    fn value(&mut self, place: Place, indent: usize) {
        let token = self.next();
        let empty = self.tokens.peek().is_some_and(|next| matches!((token, *next), ("{", "}") | ("[", "]")));
        if empty || !matches!(token, "{" | "[") || indent >= DEEPEST {
            self.out.push_str(if place == Place::Key { " " } else { "" });
            self.flow(token);
            self.out.push('\n');
            return;
        }
        if place == Place::Key {
            self.out.push('\n');
        }
        let inner = if place == Place::Top { 0 } else { indent + 2 };
        self.block(token == "{", inner, place == Place::Key);
    }

    /// The entries of an object or list, a line each or more. The first may go on with the line that is there.
    fn block(&mut self, object: bool, indent: usize, mut fresh: bool) {
        loop {
            if std::mem::replace(&mut fresh, true) {
                self.indent(indent);
            }
            if object {
                self.key(indent);
                self.value(Place::Key, indent);
            } else {
                self.out.push_str("- ");
                self.value(Place::Item, indent);
            }
            if self.next() != "," {
                return;
            }
        }
    }

    fn key(&mut self, indent: usize) {
        let key = plain_or_quoted(self.next());
        if key.chars().count() > LONGEST_KEY {
            self.out.push_str("? ");
            self.out.push_str(&key);
            self.out.push('\n');
            self.indent(indent);
        } else {
            self.out.push_str(&key);
        }
        let colon = self.next();
        self.out.push_str(colon);
    }

    fn indent(&mut self, columns: usize) {
        self.out.extend(std::iter::repeat_n(' ', columns));
    }

    /// The value that begins with this token, on one line.
    fn flow(&mut self, first: &'r str) {
        if !matches!(first, "{" | "[") {
            return self.out.push_str(&plain_or_quoted(first));
        }
        let mut depth = 0usize;
        let mut token = first;
        loop {
            match token {
                "" => return,
                "{" | "[" => depth += 1,
                "}" | "]" => depth -= 1,
                _ => {}
            }
            match token {
                "," | ":" => self.out.extend([token, " "]),
                "{" | "[" | "}" | "]" => self.out.push_str(token),
                token => self.out.push_str(&quoted(token)),
            }
            if depth == 0 {
                return;
            }
            token = self.next();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks() {
        let raw = r#"{"id":"a","none":null,"list":["x",[1,{"k":2,"l":{}}],[]],"o":{"p":{"q":true}},"e":{}}"#;
        let text = "\
id: a
none: null
list:
  - x
  - - 1
    - k: 2
      l: {}
  - []
o:
  p:
    q: true
e: {}
";
        assert_eq!(document(raw), text);
        let indented: Vec<String> = text.lines().map(|line| format!("  {line}\n")).collect();
        assert_eq!(item(raw), format!("- {}", indented.concat().trim_start()));
    }

    #[test]
    fn tops() {
        assert_eq!(document("[]"), "[]\n");
        assert_eq!(document(r#"[1,"no"]"#), "- 1\n- \"no\"\n");
        assert_eq!(item("{}"), "- {}\n");
        assert_eq!(item(r#"{"a":1,"a":[2],"b":3}"#), "- a:\n    - 2\n  b: 3\n");
        assert_eq!(item("[1,2]"), "- - 1\n  - 2\n");
        assert_eq!(item(r#""x""#), "- x\n");
    }

    #[test]
    fn what_is_nested_without_end_stays_small() {
        let deep = format!("{}1e3{}", r#"{"no":["#.repeat(10_000), "]}".repeat(10_000));
        let text = document(&deep);
        assert!(text.len() < 200_000 && text.contains(r#"{"no": [{"no": "#) && text.contains("1.0e+3"));
    }

    #[test]
    fn a_key_that_is_too_long_for_a_line_is_led_by_a_question_mark() {
        let long = "k".repeat(2000);
        assert_eq!(item(&format!(r#"{{"a":1,"{long}":2}}"#)), format!("- a: 1\n  ? {long}\n  : 2\n"));
    }
}
