//! YAML: a sequence of mappings, or one mapping. Plain scalars keep their letters, so that an id of
//! `007` doesn't become a number.

use super::{Columns, Parsed};
use saphyr_parser::{Event, Parser, ScalarStyle, StrInput};
use serde_json::{Map, Value};

/// The most levels of nesting, because `read_value` is recursive.
const MAX_DEPTH: usize = 64;

/// Reads all records of all documents.
///
/// # Errors
/// If the text is not YAML.
pub fn parse(text: &str, columns: &Columns) -> Result<Parsed, String> {
    let mut events = YamlEvents(Parser::new_from_str(text));
    let mut parsed = Parsed::default();
    loop {
        match events.next()? {
            Event::StreamEnd => return Ok(parsed),
            Event::StreamStart | Event::DocumentStart(_) | Event::DocumentEnd | Event::Nothing => {}
            event => match events.read_value(event, 0)? {
                Value::Null => {}
                document => parsed.add_records(document, columns),
            },
        }
    }
}

/// The parser's events, with its errors as messages.
struct YamlEvents<'t>(Parser<'t, StrInput<'t>>);

impl<'t> YamlEvents<'t> {
    fn next(&mut self) -> Result<Event<'t>, String> {
        let event = self
            .0
            .next_event()
            .ok_or("invalid YAML: unexpected end of file")?;
        event.map(|(event, _)| event).map_err(|error| {
            let info = error.info();
            let line = error.marker().line();
            let column = error.marker().col() + 1;
            format!("invalid YAML: {info} at line {line} column {column}")
        })
    }

    /// Returns the value that begins with this event, and reads its other events.
    fn read_value(&mut self, event: Event<'t>, depth: usize) -> Result<Value, String> {
        if depth > MAX_DEPTH {
            return Err(format!(
                "invalid YAML: more than {MAX_DEPTH} levels of nesting"
            ));
        }
        match event {
            // With quotes or a tag, `null` is text.
            Event::Scalar(text, ScalarStyle::Plain, _, None) if is_null(&text) => Ok(Value::Null),
            Event::Scalar(text, ..) => Ok(Value::String(text.into_owned())),
            Event::SequenceStart(..) => {
                let mut items = Vec::new();
                loop {
                    match self.next()? {
                        Event::SequenceEnd => return Ok(Value::Array(items)),
                        event => items.push(self.read_value(event, depth + 1)?),
                    }
                }
            }
            Event::MappingStart(..) => {
                let mut fields = Map::new();
                loop {
                    let key = match self.next()? {
                        Event::MappingEnd => return Ok(Value::Object(fields)),
                        Event::Scalar(key, ..) => key.into_owned(),
                        _ => return Err("invalid YAML: a field name must be a scalar".into()),
                    };
                    let event = self.next()?;
                    let value = self.read_value(event, depth + 1)?;
                    if fields.insert(key.clone(), value).is_some() {
                        return Err(format!(
                            "invalid YAML: field '{key}' is in one record twice"
                        ));
                    }
                }
            }
            _ => Err("unsupported YAML: write values out instead of aliases".into()),
        }
    }
}

fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}
