//! The scope of a restore: its rules, its JSON and its text.

use crate::error::Result;
use crate::shell::refuse_rewritten_path;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use std::fmt::{Display, Formatter};

/// The part of a site to restore (spec, "Site restore"). Paths, tables and subsite ids are assumed
/// to be arrays of strings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct RestoreScope {
    /// Files: all, or those under `paths`.
    pub include_files: bool,
    /// The database: all tables, or `tables`.
    pub include_database: bool,
    /// Only these files.
    #[serde(
        deserialize_with = "deserialize_names",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub paths: Vec<String>,
    /// Only these tables.
    #[serde(
        deserialize_with = "deserialize_names",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub tables: Vec<String>,
    /// Only these subsites of a multisite.
    #[serde(
        deserialize_with = "deserialize_names",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub subsite_ids: Vec<String>,
}

/// Reads a list. An empty one could mean everything or nothing.
fn deserialize_names<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let names = Vec::<String>::deserialize(deserializer)?;
    if names.is_empty() || names.iter().any(|name| name.trim().is_empty()) {
        let message = "a list or a name is empty; omit the list to restore everything";
        return Err(D::Error::custom(message));
    }
    Ok(names)
}

impl RestoreScope {
    /// Parses JSON.
    ///
    /// # Errors
    /// The problem, if it has other members than the spec, or breaks a rule of [`Self::check`].
    pub fn parse(json: &str) -> Result<Self, String> {
        let example = r#"{"include_files":true,"include_database":false}"#;
        let expected = format!("expected a JSON object such as {example}");
        // Serde would also read an array.
        if !json.trim_start().starts_with('{') {
            return Err(expected);
        }
        let scope: Self = serde_json::from_str(json).map_err(|error| {
            let mut problem = error.to_string();
            // The position in a text of one line.
            problem.truncate(problem.rfind(" at line ").unwrap_or(problem.len()));
            format!("{expected}: {problem}")
        })?;
        scope.check().map(|()| scope)
    }

    /// Checks that the scope restores something, and nothing else than it says: the service
    /// restores files and database in full if both are included (spec, "Site restore").
    ///
    /// # Errors
    /// The problem.
    pub fn check(&self) -> Result<(), String> {
        let [paths, tables] = [&self.paths, &self.tables].map(|names| !names.is_empty());
        let narrows = paths || tables || !self.subsite_ids.is_empty();
        let problem = match (self.include_files, self.include_database) {
            (false, false) => "at least one of include_files and include_database must be true",
            (true, true) if narrows => {
                "paths, tables and subsite_ids cannot narrow a restore of both files and database"
            }
            (false, _) if paths => "paths require include_files",
            (_, false) if tables => "tables require include_database",
            _ => {
                let mut paths = self.paths.iter();
                return Ok(paths.try_for_each(|path| refuse_rewritten_path(path))?);
            }
        };
        Err(problem.into())
    }

    /// Returns the JSON that is sent.
    ///
    /// # Errors
    /// Never in practice, because every scope can be serialized.
    pub fn to_json(&self) -> Result<Box<RawValue>> {
        Ok(to_raw_value(self)?)
    }

    /// Whether the scope is the complete site.
    pub fn is_full(&self) -> bool {
        self.include_files && self.include_database
    }
}

impl Display for RestoreScope {
    /// Describes the scope, such as `files, database` or `database: wp_posts, wp_users`.
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let part = |name: &str, names: &[String]| match names {
            [] => name.to_string(),
            names => format!("{name}: {}", names.join(", ")),
        };
        match (self.include_files, self.include_database) {
            (true, true) => write!(f, "files, database")?,
            (true, false) => write!(f, "{}", part("files", &self.paths))?,
            (false, _) => write!(f, "{}", part("database", &self.tables))?,
        }
        match self.subsite_ids.as_slice() {
            [] => Ok(()),
            [id] => write!(f, " of subsite {id}"),
            ids => write!(f, " of subsites {}", ids.join(", ")),
        }
    }
}

/// Renders the JSON of a scope as text; None for JSON that sitectl would not send, which the
/// journal of an older version can have.
pub fn render_scope(json: &str) -> Option<String> {
    let scope = RestoreScope::parse(json).ok()?;
    Some(scope.to_string())
}

/// Whether both are the same scope, however they are written.
pub fn is_same_scope(one: &RawValue, other: &RawValue) -> bool {
    let parse = |json: &RawValue| RestoreScope::parse(json.get()).ok();
    one.get() == other.get() || parse(one).is_some_and(|one| Some(one) == parse(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_has_members_of_the_spec_and_no_narrowing_beside_both_parts() {
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
                r#"{"include_files":true,"paths":["p"],"subsite_ids":["2"]}"#,
                Some("files: p of subsite 2"),
            ),
            (
                r#"{"include_files":true,"include_database":true,"paths":["p"]}"#,
                None,
            ),
            (
                r#"{"include_files":true,"include_database":true,"subsite_ids":["2"]}"#,
                None,
            ),
            (r#"{"include_files":true,"more":1}"#, None),
            (r#"{"include_database":true,"paths":["p"]}"#, None),
            (r#"{"include_files":true,"tables":["t"]}"#, None),
            (r#"{"include_files":true,"paths":[]}"#, None),
            (r#"{"include_files":true,"paths":[" "]}"#, None),
            (r#"{"include_files":true,"paths":[7]}"#, None),
            (r#"{"include_files":true,"paths":["C:/a"]}"#, None),
            (r#"{"include_files":"yes"}"#, None),
            (r#"{"subsite_ids":["2"]}"#, None),
            ("{}", None),
            ("[true,true]", None),
            ("null", None),
        ];
        for (json, text) in cases {
            assert_eq!(render_scope(json).as_deref(), text, "{json}");
        }
    }
}
