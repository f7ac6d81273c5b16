//! What of a site is restored, as a person or a file says it, and the scope that says it to the service.

use crate::client::Scope;
use crate::error::Result;

/// What of a site is restored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// Files: all, or those under `paths`.
    pub files: bool,
    /// The database: all tables, or `tables`.
    pub database: bool,
    /// Of the files only these.
    pub paths: Vec<String>,
    /// Of the database only these.
    pub tables: Vec<String>,
    /// Of a multisite only these.
    pub subsite_ids: Vec<String>,
}

impl Selection {
    /// The scope that says so.
    ///
    /// # Errors
    /// None in practice: every string is JSON.
    pub fn scope(&self) -> Result<Scope> {
        Scope::new(self.files, self.database, &self.paths, &self.tables, &self.subsite_ids)
    }

    /// In words.
    pub fn describe(&self) -> String {
        let narrowed = |what: &str, names: &[String]| match names {
            [] => format!("all {what}"),
            names => format!("{what} {}", names.join(", ")),
        };
        let files = self.files.then(|| narrowed("files", &self.paths));
        let database = self.database.then(|| narrowed("database tables", &self.tables));
        let parts: Vec<String> = files.into_iter().chain(database).collect();
        let subsites = match self.subsite_ids.as_slice() {
            [] => String::new(),
            ids => format!(" of the subsites {}", ids.join(", ")),
        };
        format!("{}{subsites}", parts.join(" and "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_told_in_words() {
        let list = |items: &[&str]| items.iter().map(ToString::to_string).collect::<Vec<_>>();
        let both = Selection { files: true, database: true, ..Selection::default() };
        assert_eq!(both.describe(), "all files and all database tables");
        let some = Selection { tables: list(&["a", "b"]), subsite_ids: list(&["2"]), ..both };
        assert_eq!(some.describe(), "all files and database tables a, b of the subsites 2");
        let paths = Selection { files: true, paths: list(&["x/y"]), ..Selection::default() };
        assert_eq!(paths.describe(), "files x/y");
    }
}
