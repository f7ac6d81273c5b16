//! `--jq`: the JSON result as a filter makes it, each value that comes out on a line of its own.

use super::Shape;
use super::interrupt::interruptible;
use super::jq::{Filter, text, value};
use super::sink::{Sink, put};
use crate::error::Result;
use crate::resource::Record;
use crate::ui::{Ui, visible, visible_json};
use jaq_json::Val;
use std::io::Write;
use std::sync::Arc;

/// Filters each record by itself.
pub struct FilteredEach(Printer);

impl FilteredEach {
    /// Nothing printed yet.
    pub fn new(filter: &Arc<Filter>, shape: &Shape) -> Self {
        Self(Printer::new(filter, &shape.ui))
    }
}

impl Sink for FilteredEach {
    fn row(&mut self, record: &Record, out: &mut dyn Write) -> Result<()> {
        self.0.print(value(record.json())?, out)
    }
}

/// Filters all records as one list. Of a list that broke off nothing is printed: no answer is right for a part of it.
pub struct FilteredWhole {
    printer: Printer,
    held: Vec<Val>,
}

impl FilteredWhole {
    /// Nothing printed yet.
    pub fn new(filter: &Arc<Filter>, shape: &Shape) -> Self {
        Self { printer: Printer::new(filter, &shape.ui), held: Vec::new() }
    }
}

impl Sink for FilteredWhole {
    fn row(&mut self, record: &Record, _out: &mut dyn Write) -> Result<()> {
        self.held.push(value(record.json())?);
        Ok(())
    }

    fn finish(&mut self, out: &mut dyn Write) -> Result<()> {
        let all = std::mem::take(&mut self.held);
        self.printer.print(all.into_iter().collect(), out)
    }

    fn streams(&self) -> bool {
        false
    }
}

struct Printer {
    filter: Arc<Filter>,
    ui: Ui,
}

impl Printer {
    fn new(filter: &Arc<Filter>, ui: &Ui) -> Self {
        Self { filter: Arc::clone(filter), ui: ui.clone() }
    }

    fn print(&self, input: Val, out: &mut dyn Write) -> Result<()> {
        let mut each = |output: &Val| {
            let text = text(output)?;
            put(out, &if self.ui.stdout_terminal() { tame(&text, output) } else { text })?;
            put(out, "\n")
        };
        interruptible(&self.ui, || self.filter.run(input, &mut each))
    }
}

/// The text of a value for a terminal, with nothing in it that could drive it but the line ends and tabs of a string.
fn tame(text: &str, value: &Val) -> String {
    if !matches!(value, Val::TStr(_) | Val::BStr(_)) {
        return visible_json(text).into_owned();
    }
    let part = |part: &str| match part.strip_suffix(['\n', '\t']) {
        Some(before) => format!("{}{}", visible(before), &part[before.len()..]),
        None => visible(part).into_owned(),
    };
    text.split_inclusive(['\n', '\t']).map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_is_not_driven() {
        let tamed = |value: Val| tame(&text(&value).unwrap_or_default(), &value);
        assert_eq!(tamed(Val::utf8_str("a\tb\x1b[31m\n\u{202e}c\r\n")), "a\tb\\u{1b}[31m\n\\u{202e}c\\r\n");
        assert_eq!(tamed(Val::utf8_str("plain\n\n")), "plain\n\n");
        assert_eq!(tamed([Val::utf8_str("\u{202e}")].into_iter().collect()), r#"["\u202e"]"#);
    }
}
