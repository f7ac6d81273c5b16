//! What an answer holds that nobody declared: a list, one object, or a single value. The one place that finds a list in
//! an envelope whose form the spec does not show.

use super::envelope;
use super::pagination::Pagination;
use crate::error::{Error, Kind};
use crate::resources::{Member, Record, Resource, known, last, members};
use crate::terminal::quoted;
use serde_json::value::RawValue;
use std::collections::HashSet;
use std::sync::Arc;

/// A larger body is read beside the main thread, which meanwhile fetches and prints.
pub(super) const LARGE: usize = 64 << 10;
/// Levels of objects in which lists are looked for, to be named.
const DEEPEST: usize = 3;
/// Lists that are named.
const MOST_NAMED: usize = 12;

/// Which list is meant.
#[derive(Debug, Clone)]
pub enum Wanted {
    /// The only one.
    Only,
    /// The one of this name, or else the only one.
    Usual(&'static str),
    /// The one at this place, such as `data.items`, and no other.
    At(Arc<str>),
}

/// What was found in an answer.
#[derive(Debug)]
pub struct Found {
    /// The whole of it, as it came.
    pub whole: Record,
    /// The list, or what else there is.
    pub what: What,
    /// Where the list stands, if there is one or the response has an object about its pages.
    pub pagination: Option<Pagination>,
}

/// A list or one thing.
#[derive(Debug)]
pub enum What {
    /// The items of the list that was meant.
    List {
        /// What they are, where the array's name tells.
        resource: Option<&'static Resource>,
        /// As they came; not all need to be objects.
        items: Vec<Record>,
    },
    /// The object that is alone beside `meta`, or else the whole answer.
    One(Record),
}

impl Found {
    /// Reads a body.
    ///
    /// # Errors
    /// Where it is not JSON.
    pub async fn read(body: Vec<u8>, wanted: &Wanted) -> Result<Self, String> {
        if body.len() < LARGE {
            return Self::read_now(body, wanted);
        }
        let wanted = wanted.clone();
        let reading = tokio::task::spawn_blocking(move || Self::read_now(body, &wanted));
        reading.await.unwrap_or_else(|error| Err(format!("it could not be read ({error})")))
    }

    /// The same at once.
    ///
    /// # Errors
    /// Where it is not JSON.
    pub fn read_now(body: Vec<u8>, wanted: &Wanted) -> Result<Self, String> {
        let text = String::from_utf8(body).map_err(|error| format!("it is not JSON ({})", error.utf8_error()))?;
        let body = Arc::new(text);
        let whole: &RawValue = envelope::parse(body.as_bytes())?;
        let members = once(members(whole.get()).unwrap_or_default());
        let (pagination, is_paged) = (Pagination::of(&members), Pagination::has_object(&members));
        let list = match wanted {
            Wanted::At(place) => at(&members, place).map(|raw| (name_of(place), raw)),
            Wanted::Usual(name) => named(&members, name).or_else(|| only(whole, &members, is_paged)),
            Wanted::Only => only(whole, &members, is_paged),
        };
        let what = match list.filter(|(_, raw)| is_list(raw, &pagination)) {
            Some((name, array)) => What::List { resource: known(name), items: items(&body, array)? },
            None => What::One(envelope::part(&body, lone(whole, &members).get())),
        };
        let pagination = (is_paged || matches!(what, What::List { .. })).then_some(pagination);
        Ok(Self { whole: envelope::part(&body, &body), what, pagination })
    }

    /// That it holds no such list, and how to say which one is meant, where it holds others.
    pub fn refusal(&self, wanted: &Wanted) -> Error {
        let none = match wanted {
            Wanted::At(_) => format!("the answer {}", self.no_list(wanted)),
            _ => format!("the answer is no list: it {}", self.no_list(wanted)),
        };
        let error = Error::new(Kind::Unavailable, none);
        match self.lists().first() {
            Some(place) => error.hint(format!("--list says which one is meant, such as --list {}", quoted(place))),
            None => error,
        }
    }

    fn no_list(&self, wanted: &Wanted) -> String {
        let lists = self.lists();
        match (wanted, lists.as_slice()) {
            (Wanted::At(place), []) => format!("has no list '{place}', nor any other"),
            (Wanted::At(place), names) => format!("has no list '{place}'; there are: {}", names.join(", ")),
            (_, []) => "holds none".into(),
            (_, [name]) if name.contains('.') => format!("holds one only inside an object: {name}"),
            (_, [name]) => format!("is one record, of which '{name}' is a field"),
            (_, names) => {
                format!("holds {} lists, and which one is meant cannot be told: {}", names.len(), names.join(", "))
            }
        }
    }

    /// The places of the lists in it, as `--list` takes them.
    pub fn lists(&self) -> Vec<String> {
        let mut found = Vec::new();
        collect(self.whole.json(), "", DEEPEST, &mut |place, _| found.push(place));
        found.truncate(MOST_NAMED);
        found
    }

    /// How many items the longest list in it has.
    pub fn longest(&self) -> u64 {
        let mut longest = 0;
        let length = |raw: &RawValue| serde_json::from_str::<Vec<&RawValue>>(raw.get()).map_or(0, |items| items.len());
        collect(self.whole.json(), "", DEEPEST, &mut |_, raw| longest = longest.max(length(raw) as u64));
        longest
    }
}

/// Whether this is a list: an array, or nothing at all where there is nothing.
fn is_list(raw: &RawValue, pagination: &Pagination) -> bool {
    raw.get().starts_with('[') || (raw.get() == "null" && pagination.total_items == Some(0))
}

/// The only list: a bare array, or the only array beside `meta`. What has an id of its own is a record, and its array a
/// field, unless an object about pages stands beside it.
fn only<'r, 'm>(whole: &'r RawValue, members: &'m [Member<'r>], is_paged: bool) -> Option<(&'m str, &'r RawValue)> {
    if whole.get().starts_with('[') {
        return Some(("", whole));
    }
    let others = || members.iter().filter(|(name, _)| name != "meta").map(|(name, raw)| (name.as_ref(), *raw));
    let sole = |begin: char| {
        let mut found = others().filter(|(_, raw)| raw.get().starts_with(begin));
        found.next().filter(|_| found.next().is_none())
    };
    let is_record = !is_paged && others().any(|(name, _)| name == "id");
    let has_array = others().any(|(_, raw)| raw.get().starts_with('['));
    if has_array { sole('[').filter(|_| !is_record) } else { sole('n') }
}

/// The member of this name, where it is an array.
fn named<'r, 'm>(members: &'m [Member<'r>], name: &str) -> Option<(&'m str, &'r RawValue)> {
    let found = members.iter().find(|(known, raw)| known == name && raw.get().starts_with('['));
    found.map(|(name, raw)| (name.as_ref(), *raw))
}

/// What stands at a place such as `data.items`. A name may hold dots itself.
fn at<'r>(inside: &[Member<'r>], place: &str) -> Option<&'r RawValue> {
    let below = |(dot, _): (usize, &str)| {
        let object = last(inside, &place[..dot])?;
        at(&members(object.get()).ok()?, &place[dot + 1..])
    };
    last(inside, place).or_else(|| place.match_indices('.').find_map(below))
}

/// The last name of a place.
fn name_of(place: &str) -> &str {
    place.rsplit('.').next().unwrap_or(place)
}

/// The object that is alone beside `meta`, or else everything.
fn lone<'r>(whole: &'r RawValue, members: &[Member<'r>]) -> &'r RawValue {
    let mut others = members.iter().filter(|(name, _)| name != "meta").map(|(_, raw)| *raw);
    let first = others.next().filter(|raw| raw.get().starts_with('{'));
    first.filter(|_| others.next().is_none()).unwrap_or(whole)
}

/// Passes on the lists in an object, with their places.
fn collect<'r>(object: &'r str, before: &str, levels: usize, take: &mut impl FnMut(String, &'r RawValue)) {
    for (name, raw) in once(members(object).unwrap_or_default()) {
        let place = if before.is_empty() { name.to_string() } else { format!("{before}.{name}") };
        match raw.get().as_bytes().first() {
            _ if place == "meta" => {}
            Some(b'[') => take(place, raw),
            Some(b'{') if levels > 1 => collect(raw.get(), &place, levels - 1, take),
            _ => {}
        }
    }
}

/// The members without those whose name comes again: of several, the last counts.
fn once<'r>(members: Vec<Member<'r>>) -> Vec<Member<'r>> {
    let mut met = HashSet::new();
    let mut last: Vec<_> = members.into_iter().rev().filter(|(name, _)| met.insert(name.clone())).collect();
    last.reverse();
    last
}

fn items(body: &Arc<String>, array: &RawValue) -> Result<Vec<Record>, String> {
    let items: Option<Vec<&RawValue>> = envelope::parse(array.get().as_bytes())?;
    let items = items.unwrap_or_default();
    Ok(items.into_iter().map(|item| envelope::part(body, item.get())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(body: &str) -> String {
        let found = Found::read_now(body.into(), &Wanted::Only).unwrap_or_else(|what| unreachable!("{body}: {what}"));
        assert_eq!(found.whole.json(), body);
        match found.what {
            What::One(record) => format!("one {}", record.json()),
            What::List { resource, items } => {
                let items: Vec<&str> = items.iter().map(Record::json).collect();
                format!("{} {}", resource.map_or("list", |resource| resource.plural), items.join(" "))
            }
        }
    }

    #[test]
    fn a_list_is_the_only_array_beside_meta() {
        for (body, what) in [
            (r#"{"tags":[{"id":1}, {"id":2}],"meta":{"x":[]}}"#, r#"list {"id":1} {"id":2}"#),
            (r#"{"meta":[],"clients":[{"a":1e400}],"total":1,"links":{}}"#, r#"clients {"a":1e400}"#),
            (r#" [1, "a",null,[2]] "#, r#"list 1 "a" null [2]"#),
            ("[]", "list "),
            (r#"{"a":[],"meta":null}"#, "list "),
            (r#"{"a":{},"a":[1]}"#, "list 1"),
            (r#"{"a":[1],"meta":[2],"a":[3]}"#, "list 3"),
            (r#"{"id":"q","a":[1],"meta":{"pagination":{"page":1}}}"#, "list 1"),
            (r#"{"a":null,"meta":{"pagination":{"totalItems":0}}}"#, "list "),
            (r#"{"id":"q","a":[1],"pagination":{"page":1}}"#, "list 1"),
        ] {
            assert_eq!(found(body), what, "{body}");
        }
    }

    #[test]
    fn anything_else_is_one_thing() {
        for (body, what) in [
            (r#"{"client":{"id":1},"meta":{}}"#, r#"one {"id":1}"#),
            (r#"{"client":{"id":1},"x":1}"#, r#"one {"client":{"id":1},"x":1}"#),
            (r#"{"id":"c","site_ids":["s"]}"#, r#"one {"id":"c","site_ids":["s"]}"#),
            (r#"{"id":"c","lines":["s"],"total":7}"#, r#"one {"id":"c","lines":["s"],"total":7}"#),
            (r#"{"a":[],"b":[]}"#, r#"one {"a":[],"b":[]}"#),
            (r#"{"a":null}"#, r#"one {"a":null}"#),
            (
                r#"{"a":null,"meta":{"pagination":{"totalItems":1}}}"#,
                r#"one {"a":null,"meta":{"pagination":{"totalItems":1}}}"#,
            ),
            ("{}", "one {}"),
            (r#"{"meta":{}}"#, r#"one {"meta":{}}"#),
            (" null\n", "one null"),
            ("7", "one 7"),
            (r#""a""#, r#"one "a""#),
        ] {
            assert_eq!(found(body), what, "{body}");
        }
    }

    #[test]
    fn the_list_that_is_meant_can_be_named() {
        let body = r#"{"data":{"team.members":[1],"teams":[],"deep":{"x":[2]}},"a":[3],"none":null,
            "meta":{"list":[],"pagination":{"totalItems":0}}}"#;
        let at = |place: &str| {
            let wanted = Wanted::At(place.into());
            let found = Found::read_now(body.into(), &wanted).unwrap_or_else(|what| unreachable!("{what}"));
            match &found.what {
                What::List { items, .. } => items.iter().map(Record::json).collect::<Vec<_>>().join(" "),
                What::One(_) => found.no_list(&wanted),
            }
        };
        for (place, what) in
            [("a", "3"), ("data.team.members", "1"), ("data.deep.x", "2"), ("data.teams", ""), ("none", "")]
        {
            assert_eq!(at(place), what, "{place}");
        }
        for place in ["", ".", "data", "data.", "b", "a.0"] {
            let why = format!("has no list '{place}'; there are: data.team.members, data.teams, data.deep.x, a");
            assert_eq!(at(place), why);
        }
    }

    #[test]
    fn depth_and_oddities_are_taken_as_they_are() {
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(found(&deep).starts_with("list ["));
        assert_eq!(found(r#"{"caf\ud83d":[123456789012345678901234567890]}"#), "list 123456789012345678901234567890");
        for body in ["", "<html>", "{", "[1,]", "{} x", "\u{feff}{}"] {
            assert!(Found::read_now(body.into(), &Wanted::Only).is_err(), "{body}");
        }
        assert!(Found::read_now(b"\"\xff\"".to_vec(), &Wanted::Only).is_err());
    }
}
