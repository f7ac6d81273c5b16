//! Single values in YAML: a plain word stands for its own letters, whatever a reader of YAML would make of it. A zip
//! of `007` and a note of `no` stay what they are.

use saphyr_parser::{Event, ScalarStyle, Tag};
use serde_json::Value;
use std::collections::HashMap;

/// The value of a scalar.
pub fn scalar(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Value {
    let plain = style == ScalarStyle::Plain && tag.is_none();
    if plain && is_null(text) { Value::Null } else { Value::String(text.into()) }
}

fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

/// The tag of a node, where it says that the node is something else than it looks.
pub fn strange_tag(event: &Event<'_>) -> Option<String> {
    let (tag, usual) = match event {
        Event::Scalar(.., tag) => (tag, "str"),
        Event::SequenceStart(_, tag) => (tag, "seq"),
        Event::MappingStart(_, tag) => (tag, "map"),
        _ => return None,
    };
    let tag = tag.as_ref()?;
    let harmless = (tag.is_yaml_core_schema() && tag.suffix == usual) || format!("{}{}", tag.handle, tag.suffix) == "!";
    (!harmless).then(|| tag.to_string())
}

/// Values that an alias may repeat, and how much repeating is left: what repeats itself without end must not fill the
/// memory.
pub struct Anchors {
    values: HashMap<usize, Value>,
    left: usize,
}

/// How many bytes aliases may stand for.
const MOST: usize = 1 << 20;

impl Anchors {
    /// None yet.
    pub fn new() -> Self {
        Self { values: HashMap::new(), left: MOST }
    }

    /// Remembers a value that has an anchor, which is 0 for one that has none.
    pub fn keep(&mut self, anchor: usize, value: Option<&Value>) {
        if let Some(value) = value.filter(|_| anchor > 0) {
            self.values.insert(anchor, value.clone());
        }
    }

    /// The value once more.
    ///
    /// # Errors
    /// Why not.
    pub fn repeat(&mut self, anchor: usize) -> Result<Value, &'static str> {
        let value = self.values.get(&anchor).ok_or("Refers to what cannot be repeated here: write it out")?;
        self.left = self.left.checked_sub(size(value)).ok_or("Repeats too much: write it out")?;
        Ok(value.clone())
    }
}

fn size(value: &Value) -> usize {
    1 + match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(fields) => fields.iter().map(|(name, value)| name.len() + size(value)).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}
