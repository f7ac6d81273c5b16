//! YAML: a sequence of mappings, or one mapping. It is read event by event, so that each value has a place and a word
//! its own letters.

mod events;
mod excerpt;
mod lines;
#[cfg(test)]
mod tests;
mod value;

pub use excerpt::yaml;

use super::reading::Reading;
use events::Events;
use lines::cut;
use saphyr_parser::Event;
use serde_json::{Map, Value};
use value::{Anchors, scalar, strange_tag};

/// What to say of a file that does not keep to the rules.
const BROKEN: &str = "it is not YAML";

/// Levels beyond which nothing is read.
const DEEPEST: usize = 64;

/// What ends the reading: where, and what is wrong.
type Stop = (usize, String);

/// Reads all rows of all documents.
///
/// # Errors
/// What to say of a file that is not YAML; why is among the problems.
pub fn read(reading: &mut Reading<'_>) -> Result<(), &'static str> {
    let mut reader = Reader { events: Events::new(reading.text), anchors: Anchors::new(), wrong: Vec::new() };
    let zero = reading.text.find('\0').map(|at| (at, "a zero byte is no character of YAML".to_string()));
    let read = zero.map_or_else(|| reader.documents(reading), Err);
    read.map_err(|(offset, message)| {
        reading.broken(offset, message);
        BROKEN
    })
}

struct Reader<'t> {
    events: Events<'t>,
    anchors: Anchors,
    /// What is wrong with the value that is being read.
    wrong: Vec<Stop>,
}

impl<'t> Reader<'t> {
    fn next(&mut self) -> Result<(Event<'t>, usize), Stop> {
        self.events.next()?.ok_or((usize::MAX, "the file ends too early".into()))
    }

    fn documents(&mut self, reading: &mut Reading<'t>) -> Result<(), Stop> {
        while let Some((event, start)) = self.events.next()? {
            match event {
                Event::StreamStart | Event::DocumentStart(_) | Event::DocumentEnd | Event::Nothing => {}
                Event::SequenceStart(..) => self.rows(reading, &event, start)?,
                Event::Scalar(ref text, style, _, ref tag) if scalar(text, style, tag.as_deref()).is_null() => {}
                event => {
                    let index = reading.rows.len();
                    let end = self.row(reading, event, start)?;
                    cut(reading, index, start, "", end);
                }
            }
        }
        Ok(())
    }

    /// The items of a sequence at the top.
    fn rows(&mut self, reading: &mut Reading<'t>, list: &Event<'t>, start: usize) -> Result<(), Stop> {
        if let Some(tag) = strange_tag(list) {
            return Err((start, unsupported(&tag)));
        }
        let mut before = None;
        loop {
            let (event, start) = self.next()?;
            if let Some((index, begun)) = before {
                cut(reading, index, begun, "-", start);
            }
            if event == Event::SequenceEnd {
                return Ok(());
            }
            before = Some((reading.rows.len(), start));
            self.row(reading, event, start)?;
        }
    }

    /// A row that begins with this event, and where what comes behind it begins.
    fn row(&mut self, reading: &mut Reading<'t>, event: Event<'t>, start: usize) -> Result<usize, Stop> {
        let tag = strange_tag(&event);
        if !matches!(event, Event::MappingStart(..)) {
            self.value(event, start, 0)?;
            self.wrong.clear();
            let place = reading.row_place(start);
            reading.problem(place, "", "invalid_type", "Must be a mapping of names to values");
            return Ok(start);
        }
        let mut row = reading.row(start..start);
        if let Some(tag) = tag {
            row.problem(start, "", unsupported(&tag));
        }
        loop {
            let (key, at) = self.next()?;
            let name = match key {
                Event::MappingEnd => {
                    row.end();
                    return Ok(at);
                }
                Event::Scalar(ref name, ..) => Some(name.to_string()),
                _ => None,
            };
            if name.is_none() {
                self.wrong.push((at, "The name of a column must be a word".into()));
            }
            self.value(key, at, 0)?;
            let (event, at) = self.next()?;
            let value = self.value(event, at, 0)?;
            let name = name.unwrap_or_default();
            for (offset, message) in self.wrong.drain(..) {
                row.problem(offset, &name, message);
            }
            if let Some(value) = value.filter(|_| !name.is_empty()) {
                row.member(&name, at, value);
            }
        }
    }

    /// The value that begins with this event; none, and the reason among what is wrong, where it cannot be taken.
    fn value(&mut self, event: Event<'t>, start: usize, depth: usize) -> Result<Option<Value>, Stop> {
        if depth > DEEPEST {
            return Err((start, format!("more than {DEEPEST} levels are inside each other")));
        }
        let before = self.wrong.len();
        if let Some(tag) = strange_tag(&event) {
            self.wrong.push((start, unsupported(&tag)));
        }
        let (anchor, value) = match event {
            Event::Scalar(text, style, anchor, tag) => (anchor, scalar(&text, style, tag.as_deref())),
            Event::SequenceStart(anchor, _) => (anchor, self.items(depth)?),
            Event::MappingStart(anchor, _) => (anchor, self.fields(depth)?),
            Event::Alias(anchor) => (
                0,
                self.anchors.repeat(anchor).unwrap_or_else(|why| {
                    self.wrong.push((start, why.into()));
                    Value::Null
                }),
            ),
            _ => return Err((start, "a value is missing".into())),
        };
        let value = (self.wrong.len() == before).then_some(value);
        self.anchors.keep(anchor, value.as_ref());
        Ok(value)
    }

    fn items(&mut self, depth: usize) -> Result<Value, Stop> {
        let mut items = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd, _) => return Ok(Value::Array(items)),
                (event, at) => items.extend(self.value(event, at, depth + 1)?),
            }
        }
    }

    fn fields(&mut self, depth: usize) -> Result<Value, Stop> {
        let mut fields = Map::new();
        loop {
            let (key, at) = match self.next()? {
                (Event::MappingEnd, _) => return Ok(Value::Object(fields)),
                key => key,
            };
            let name = if let Event::Scalar(name, ..) = &key { name.to_string() } else { String::new() };
            self.value(key, at, depth + 1)?;
            let (event, at) = self.next()?;
            if let Some(value) = self.value(event, at, depth + 1)? {
                fields.insert(name, value);
            }
        }
    }
}

fn unsupported(tag: &str) -> String {
    format!("The tag {tag} is not supported: values are text")
}
