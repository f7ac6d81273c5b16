//! The scope of a restore: its JSON, its meaning, and its text.

use crate::error::Result;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

/// The part of a site to restore (spec, "Site restore"). Paths, tables and subsite ids are assumed
/// to be arrays of strings.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Scope {
    /// Files: all, or those under `paths`.
    pub include_files: bool,
    /// The database: all tables, or `tables`.
    pub include_database: bool,
    /// Only these files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// Only these tables.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<String>,
    /// Only these subsites of a multisite.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub subsite_ids: Vec<String>,
}

impl Scope {
    /// Returns the JSON that is sent.
    ///
    /// # Errors
    /// Never in practice, because every scope can be serialized.
    pub fn json(&self) -> Result<Box<RawValue>> {
        Ok(to_raw_value(self)?)
    }

    /// Parses a scope; None if it has more than the fields of this type. An empty list could mean
    /// everything or nothing.
    pub fn parse_exactly(json: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(json).ok()?;
        let lists = ["paths", "tables", "subsite_ids"];
        if lists
            .iter()
            .any(|name| value[name] == Value::Array(Vec::new()))
        {
            return None;
        }
        serde_json::from_value(value).ok()
    }

    /// Whether a scope includes neither files nor the database. A scope with other fields may mean
    /// something else.
    pub fn is_empty(json: &RawValue) -> bool {
        let scope = Self::parse_exactly(json.get());
        scope.is_some_and(|scope| !scope.include_files && !scope.include_database)
    }

    /// Whether the scope narrows the restore although it includes files and the database, which the
    /// service restores in full then (spec, "Site restore").
    pub fn narrows_both(&self) -> bool {
        let lists = [&self.paths, &self.tables, &self.subsite_ids];
        self.include_files && self.include_database && lists.iter().any(|list| !list.is_empty())
    }

    /// Describes a scope, such as `files, database` or `database: wp_posts, wp_users`. A scope that
    /// no text describes exactly stays JSON.
    pub fn describe(json: &RawValue) -> String {
        render_scope(json.get()).unwrap_or_else(|| json.get().into())
    }
}

/// Renders a scope as text; None if the text would not be exact.
pub fn render_scope(json: &str) -> Option<String> {
    let scope = Scope::parse_exactly(json)?;
    let mut parts = Vec::new();
    for (part, is_included, names) in [
        ("files", scope.include_files, &scope.paths),
        ("database", scope.include_database, &scope.tables),
    ] {
        match (is_included, names.as_slice()) {
            (true, []) => parts.push(part.to_string()),
            (true, names) => parts.push(format!("{part}: {}", names.join(", "))),
            (false, []) => {}
            // A restriction of a part that is not restored.
            (false, _) => return None,
        }
    }
    if parts.is_empty() {
        return None;
    }
    let has_names = parts.iter().any(|part| part.contains(':'));
    let text = parts.join(if has_names { "; " } else { ", " });
    match scope.subsite_ids.as_slice() {
        [] => Some(text),
        [id] => Some(format!("{text} of subsite {id}")),
        ids => Some(format!("{text} of subsites {}", ids.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_is_described_only_if_the_text_is_exact() {
        let cases = [
            (
                r#"{"include_files":true,"include_database":true}"#,
                Some("files, database"),
            ),
            (
                r#"{"include_files":false,"include_database":true,"tables":["a","b"]}"#,
                Some("database: a, b"),
            ),
            (
                r#"{"include_files":true,"include_database":true,"paths":["p"]}"#,
                Some("files: p; database"),
            ),
            (
                r#"{"include_files":true,"include_database":false,"subsite_ids":["2"]}"#,
                Some("files of subsite 2"),
            ),
            (r#"{"include_database": true}"#, Some("database")),
            (r#"{"include_files":true,"more":1}"#, None),
            (
                r#"{"include_files":false,"include_database":true,"paths":["p"]}"#,
                None,
            ),
            (r#"{"include_files":true,"paths":[7]}"#, None),
            ("{}", None),
            ("null", None),
        ];
        for (json, text) in cases {
            assert_eq!(render_scope(json).as_deref(), text, "{json}");
        }
    }
}
