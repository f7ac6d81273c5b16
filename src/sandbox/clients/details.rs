//! The details of a client as a caller sends them, and what 400 refuses about them (spec, "Client", "Errors").

use crate::sandbox::answer::{Problems, Refusal};
use crate::sandbox::body::{self, Payload};
use crate::sandbox::call::Call;
use serde_json::{Map, Value};

/// What is allowed in a text field.
pub(in crate::sandbox) struct TextField {
    pub(in crate::sandbox) name: &'static str,
    /// Must be there on create, and never be blank.
    pub(in crate::sandbox) required: bool,
    /// In characters; the email has a format instead.
    pub(in crate::sandbox) longest: Option<usize>,
}

impl TextField {
    const fn new(name: &'static str, required: bool, longest: Option<usize>) -> TextField {
        TextField { name, required, longest }
    }
}

/// The text fields, in the order of the record.
pub(in crate::sandbox) const TEXT_FIELDS: [TextField; 6] = [
    TextField::new("first_name", true, Some(255)),
    TextField::new("last_name", false, Some(255)),
    TextField::new("email", true, None),
    TextField::new("company_name", false, Some(255)),
    TextField::new("address", false, Some(2000)),
    TextField::new("note", false, Some(5000)),
];

/// Where the email is among the texts.
const EMAIL: usize = 2;

/// What a valid body says about a client; `None` where it says nothing.
pub(super) struct Details {
    /// first_name, last_name, email, company_name, address, note.
    pub(super) texts: [Option<String>; 6],
    /// Without repetitions.
    pub(super) site_ids: Option<Vec<String>>,
}

impl Details {
    /// Reads the body of a create, in which the required fields must be.
    pub(super) fn of_new(call: &Call) -> Result<Details, Refusal> {
        Details::read(&call.payload, true)
    }

    /// Reads the body of an update, which may be empty.
    pub(super) fn of_change(call: &Call) -> Result<Details, Refusal> {
        Details::read(&call.payload, false)
    }

    pub(super) fn email(&self) -> Option<&str> {
        self.texts[EMAIL].as_deref()
    }

    fn read(payload: &Payload, complete: bool) -> Result<Details, Refusal> {
        let (body, mut problems) = (payload.object()?, Problems::default());
        let nothing = Map::new();
        let client = match body.contains_key("client") || complete {
            true => body::child(&body, "client", &mut problems),
            false => Some(&nothing),
        };
        // Of what is not an object, nothing more can be said.
        let Some(client) = client else {
            return Err(problems.refusal());
        };
        let texts = TEXT_FIELDS.map(|field| field.read(client, complete, &mut problems));
        let site_ids = client.get("site_ids").map(|value| body::strings(value, "site_ids", &mut problems));
        problems.invalid().map(|()| Details { texts, site_ids })
    }
}

impl TextField {
    fn read(&self, client: &Map<String, Value>, complete: bool, problems: &mut Problems) -> Option<String> {
        let TextField { name, required, .. } = *self;
        match client.get(name) {
            None if !(required && complete) => {}
            None | Some(Value::Null) if required => problems.blank(name),
            Some(Value::String(text)) => {
                self.check(text, problems);
                return Some(text.clone());
            }
            _ => problems.wrong_type(name, "a string"),
        }
        None
    }

    fn check(&self, text: &str, problems: &mut Problems) {
        let TextField { name, required, longest } = *self;
        match longest {
            _ if required && text.trim().is_empty() => problems.blank(name),
            Some(most) if text.chars().count() > most => {
                problems.add("too_long", name, format!("Is too long (maximum is {most} characters)"));
            }
            None if !is_email(text) => problems.add("invalid_format", name, "Invalid email format"),
            _ => {}
        }
    }
}

/// One `@`; before it no spaces, quotes or brackets and no misplaced dots; after it a domain of at least two labels.
fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else {
        return false;
    };
    let forbidden = |letter: char| !is_visible(letter) || "@()<>[],;:\\\"".contains(letter);
    let local_is_fine = !local.contains(forbidden) && local.split('.').all(|part| !part.is_empty());
    local_is_fine && domain.contains('.') && domain.split('.').all(is_label)
}

/// Letters, digits and marks of any script, and hyphens inside. Which those are beyond ASCII is for registries to say.
fn is_label(label: &str) -> bool {
    let fine = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || !letter.is_ascii();
    let fine = |letter: char| fine(letter) && is_visible(letter);
    !label.is_empty() && label.chars().all(fine) && !label.starts_with('-') && !label.ends_with('-')
}

/// Neither a space nor a control character, nor one that shows nothing by itself (Unicode: default ignorable).
fn is_visible(letter: char) -> bool {
    let ignorable = matches!(letter,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}');
    !letter.is_whitespace() && !letter.is_control() && !ignorable
}
