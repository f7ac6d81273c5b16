//! The columns of records that nobody declared: what all of them together show of themselves.

use super::cell::{is_wordy, simple, simple_items};
use super::width::width;
use crate::resources::Record;
use std::collections::HashMap;

/// What is longer is for reading one by one.
const LONGEST: usize = 60;
/// A list of more items is not taken in at a glance.
const MOST_ITEMS: usize = 4;

/// Which fields are columns, and in which order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guess {
    /// Of sitectl's own results, all that can be said in words, in their own order.
    Own,
    /// Of the service's records, nothing long: the id first, then what names and describes them, times last.
    Foreign,
}

/// What the records hold under one name.
struct Seen {
    name: String,
    /// Something else than null.
    told: bool,
    wordy: bool,
    short: bool,
    /// Nothing but times.
    timely: bool,
}

impl Guess {
    /// The names of the fields that are columns. What is null throughout says nothing.
    pub fn columns(self, records: &[Record]) -> Vec<String> {
        let mut fields = fields(records);
        let fits = |field: &Seen| field.told && field.wordy && (self == Self::Own || field.short);
        // Where nothing fits, everything is shown: a row without a cell would say that there is nothing.
        let any_fits = self == Self::Own || fields.iter().any(fits);
        fields.retain(|field| if any_fits { fits(field) } else { field.told });
        if self == Self::Foreign {
            fields.sort_by_key(Seen::rank);
        }
        fields.into_iter().map(|field| field.name).collect()
    }
}

/// All fields, in the order in which they first appear.
fn fields(records: &[Record]) -> Vec<Seen> {
    let mut fields: Vec<Seen> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for record in records {
        for (name, raw) in record.members() {
            let place = *places.entry(name.into_owned()).or_insert(fields.len());
            if place == fields.len() {
                fields.push(Seen::new());
            }
            fields[place].take(raw.get());
        }
    }
    places.into_iter().for_each(|(name, place)| fields[place].name = name);
    fields
}

impl Seen {
    fn new() -> Self {
        Self { name: String::new(), told: false, wordy: true, short: true, timely: true }
    }

    fn take(&mut self, raw: &str) {
        if raw == "null" {
            return;
        }
        self.told = true;
        self.wordy &= is_wordy(raw);
        let text = simple(raw);
        self.short &= match &text {
            Some(text) => text.len() <= LONGEST || width(text) <= LONGEST,
            None => simple_items(raw).is_some_and(|items| items.len() <= MOST_ITEMS),
        };
        self.timely &= text.is_some_and(|text| is_time(&text));
    }

    /// Where its column stands: the parts of a name, such as `site_url`, tell what it is.
    fn rank(&self) -> usize {
        const TELLING: [&[&str]; 4] = [
            &["name", "title", "label", "subject"],
            &["url", "domain", "host", "hostname", "path"],
            &["email", "user", "username", "login"],
            &["status", "state", "type", "kind", "role", "severity"],
        ];
        if self.name == "id" {
            return 0;
        }
        let name = self.name.to_ascii_lowercase();
        if self.timely || ["_at", "_on", "_time", "timestamp"].iter().any(|end| name.ends_with(end)) {
            return TELLING.len() + 2;
        }
        let last = name.rsplit(['_', '-', '.']).next().unwrap_or_default();
        TELLING.iter().position(|words| words.contains(&last)).unwrap_or(TELLING.len()) + 1
    }
}

/// Whether a text is a date, or begins with one, as in `2026-01-31T10:00:00Z`.
fn is_time(text: &str) -> bool {
    let pattern = b"dddd-dd-dd";
    let bytes = text.as_bytes();
    let fits = |(byte, wanted): (&u8, &u8)| if *wanted == b'd' { byte.is_ascii_digit() } else { byte == wanted };
    bytes.len() >= pattern.len()
        && bytes.iter().zip(pattern).all(fits)
        && bytes.get(pattern.len()).is_none_or(|next| matches!(next, b'T' | b' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(guess: Guess, records: &[&str]) -> String {
        let records: Vec<Record> = records.iter().map(|text| Record::whole((*text).into())).collect();
        guess.columns(&records).join(" ")
    }

    #[test]
    fn the_id_comes_first_and_times_last() {
        let record = r##"{"created_at":"x","expires":"2026-01-31","color":"#fff","site_ids":["a","b"],"email":"e","state":"s",
            "site_url":"u","name":"n","tag_id":"t","id":1,"updated_at":null,"done":true}"##;
        assert_eq!(
            columns(Guess::Foreign, &[record]),
            "id name site_url email state color site_ids tag_id done created_at expires"
        );
    }

    #[test]
    fn what_one_record_lacks_another_may_have() {
        let records = [r#"{"a":1,"gone":null}"#, r#"{"b":"x","a":null}"#, "7", r#"{"id":"i","gone":null}"#];
        assert_eq!(columns(Guess::Foreign, &records), "id a b");
        assert_eq!(columns(Guess::Own, &records), "a b id");
    }

    #[test]
    fn what_is_long_or_nested_has_no_column() {
        let long = "ü".repeat(LONGEST + 1);
        let record = format!(r#"{{"o":{{}},"l":[{{}}],"m":[1,2,3,4,5],"t":"{long}","e":[],"s":"{}"}}"#, &long[2..]);
        assert_eq!(columns(Guess::Foreign, &[&record]), "e s");
        assert_eq!(columns(Guess::Own, &[&record]), "m t e s");
        assert_eq!(columns(Guess::Own, &[r#"{"a":1}"#, r#"{"a":{}}"#]), "");
        assert_eq!(columns(Guess::Foreign, &[r#"{"a":1,"b":1}"#, r#"{"a":{}}"#]), "b");
        assert_eq!(columns(Guess::Foreign, &[r#"{"a":1,"b":null}"#, r#"{"a":{}}"#]), "a", "better than nothing");
    }

    #[test]
    fn times() {
        for (text, is) in
            [("2026-01-31", true), ("2026-01-31T1", true), ("2026-01-31-x", false), ("26-01-31", false), ("", false)]
        {
            assert_eq!(is_time(text), is, "{text}");
        }
    }
}
