//! Compares values of clients: those of the service, those of a file, and those that were sent. All
//! commands compare them in this way.

use crate::commands::find_clients::{email_key, sites_or_email};
use crate::resources::{Record, scalar_text};
use icu_normalizer::ComposingNormalizerBorrowed;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// A field whose value differs.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct FieldChange {
    /// The service's name of the field.
    #[serde(skip)]
    pub field: String,
    /// The value that the client has; null if it has none.
    pub from: Value,
    /// The value of the file, or the one that was sent.
    pub to: Value,
}

impl FieldChange {
    /// Describes the value that the service has instead of the one that was sent.
    pub fn describe_mismatch(&self) -> String {
        if !self.from.is_array() {
            return format!("Was sent as {}, but the service has {}", self.to, self.from);
        }
        let stored = sites_or_email(&self.from);
        let sent = sites_or_email(&self.to);
        let mut parts = Vec::new();
        for (label, ids) in [
            ("These stayed", &stored - &sent),
            ("These are missing", &sent - &stored),
        ] {
            if !ids.is_empty() {
                let ids: Vec<String> = ids.into_iter().collect();
                parts.push(format!("{label}: {}", ids.join(", ")));
            }
        }
        parts.join("; ")
    }
}

/// Returns the fields whose values are not those that were sent. Fields that the client lacks are
/// not compared.
pub fn mismatches(client: &Record, sent: &Map<String, Value>) -> Vec<FieldChange> {
    let mut changes = differences(client, sent);
    changes.retain(|change| client.value(&change.field).is_some());
    changes
}

/// Returns the values in `fields` that differ from those of the client.
pub fn differences(client: &Record, fields: &Map<String, Value>) -> Vec<FieldChange> {
    let mut stored = client.fields();
    let mut changes = Vec::new();
    for (field, to) in fields {
        let from = stored.remove(field).unwrap_or(Value::Null);
        if !is_same_value(field, &from, to) {
            changes.push(FieldChange {
                field: field.clone(),
                from,
                to: to.clone(),
            });
        }
    }
    changes
}

/// Whether two values of a field are the same. Blanks around a text, its line ends and its Unicode
/// form do not count, nor does the order of sites. Letter case counts, except in an email.
pub fn is_same_value(field: &str, stored: &Value, other: &Value) -> bool {
    let is_email = field == "email";
    comparable(stored, is_email) == comparable(other, is_email)
}

/// Returns the value in a form that is identical for equal values: scalars are text, lists are
/// sorted without duplicates, and null and an empty list are empty text.
fn comparable(value: &Value, is_email: bool) -> Value {
    match value {
        Value::Array(items) if !items.is_empty() => {
            let items = items.iter().map(|item| comparable(item, is_email));
            let mut items: Vec<Value> = items.collect();
            items.sort_by_key(ToString::to_string);
            items.dedup();
            items.into()
        }
        Value::Object(_) => value.clone(),
        value => {
            let text = scalar_text(value).unwrap_or_default();
            if is_email {
                email_key(&text).into()
            } else {
                normalized(&text).into()
            }
        }
    }
}

/// Returns a text without blanks around it, with `\n` at the end of lines, and in the composed form
/// of Unicode.
fn normalized(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    if text.is_ascii() && !text.contains('\r') {
        return text.into();
    }
    let text = ComposingNormalizerBorrowed::new_nfc().normalize(text);
    text.replace("\r\n", "\n").replace('\r', "\n").into()
}

/// Whether a text is `stored`, but for letters beyond ASCII that were lost or read in another
/// encoding: they became `?`, U+FFFD, or at least as many characters beyond ASCII as they have bytes
/// in UTF-8. Letters that are not Latin can be another name with as many letters.
pub fn is_misread(stored: &str, text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii() && c != '?';
    let is_lost = |c: char| matches!(c, '?' | char::REPLACEMENT_CHARACTER);
    let is_latin = |c: char| matches!(c, '\0'..='\u{24f}' | '\u{1e00}'..='\u{1eff}');
    let is_spoiled = |stored: &str, text: &str| {
        let [known, rest] = [stored, text].map(|text| text.replace(is_lost, ""));
        let can_be_name = known.contains(|c: char| c.is_alphabetic() && !is_latin(c))
            && text.chars().all(char::is_alphabetic);
        let has_lost = rest != known && rest != text;
        has_lost && rest.chars().all(|c| known.contains(c))
            || !known.is_empty()
                && text.replace('?', "").chars().count() >= known.len()
                && !can_be_name
    };
    let texts = [stored, text].map(|text| text.trim_ascii().replace('\r', ""));
    let [plain, other] = texts
        .each_ref()
        .map(|text| text.replace(|c| !is_plain(c), ""));
    let [stored, text] = texts.each_ref().map(|text| text.split(is_plain));
    let mut changed = stored
        .zip(text)
        .filter(|(one, other)| one != other)
        .peekable();
    plain == other && changed.peek().is_some() && changed.all(|(one, other)| is_spoiled(one, other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn only_what_differs_changes() {
        let client = json!({
            "id": "1", "email": "Ada@x.example", "note": null, "site_ids": ["a", "b"],
            "first_name": 7, "address": "Street 1\r\n12345 Town", "last_name": "Zoe\u{308}",
        });
        let client = Record::from_json(client.to_string());
        let changed = |row: Value| {
            let row = row.as_object().cloned().unwrap_or_default();
            let changes = differences(&client, &row).into_iter();
            changes.map(|change| change.field).collect::<Vec<_>>()
        };
        let same = json!({
            "email": " ada@x.example", "note": " ", "site_ids": ["b", "a", "a"], "first_name": "7",
            "address": "Street 1\n12345 Town\n", "last_name": "Zo\u{eb}", "company_name": "",
        });
        assert_eq!(changed(same), [""; 0]);
        let other = json!({
            "email": "ada@y.example", "note": "n", "site_ids": ["a"], "last_name": "zo\u{eb}",
            "address": "Street 1 12345 Town",
        });
        let all = ["email", "note", "site_ids", "last_name", "address"];
        assert_eq!(changed(other), all);
        let no_sites = Map::from_iter([("site_ids".into(), json!([]))]);
        assert_eq!(differences(&Record::from_json("{}".into()), &no_sites), []);
    }

    /// What the bytes from 0x80 mean in code pages 437, 850 and 852, Mac Roman, and Windows 1250 to
    /// 1252.
    #[rustfmt::skip]
    const CODE_PAGES: [&str; 7] = [
        "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}",
        "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}",
        "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u{ad}˝˛ˇ˘§÷¸°¨˙űŘř■\u{a0}",
        "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u{a0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{f8ff}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ",
        "€\u{81}‚\u{83}„…†‡\u{88}‰Š‹ŚŤŽŹ\u{90}‘’“”•–—\u{98}™š›śťžź\u{a0}ˇ˘Ł¤Ą¦§¨©Ş«¬\u{ad}®Ż°±˛ł´µ¶·¸ąş»Ľ˝ľżŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢßŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙",
        "ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—\u{98}™љ›њќћџ\u{a0}ЎўЈ¤Ґ¦§Ё©Є«¬\u{ad}®Ї°±Ііґµ¶·ё№є»јЅѕїАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя",
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ\u{a0}¡¢£¤¥¦§¨©ª«¬\u{ad}®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ",
    ];

    /// Reads a text in UTF-8 as one in another encoding.
    fn misread(text: &str, table: &str) -> String {
        let read = |byte: u8| match byte.checked_sub(0x80) {
            Some(index) => table.chars().nth(index.into()).unwrap_or_default(),
            None => byte.into(),
        };
        text.bytes().map(read).collect()
    }

    proptest! {
        #[test]
        fn a_text_in_the_wrong_encoding_is_recognized(
            stored in "[A-Z]?[a-z]{0,2}[ÀÅÉÖØßàäçèéñöøüăčěğŁłőřșşśűźž“–€]{1,3}[a-z?]{0,2}( & Co)?",
            other in "(Иванов|Ольга|Ελένη|王小明|ปิยะ) [0-9]",
        ) {
            let latin_1: String = (0x80..=0xff).map(char::from).collect();
            for table in CODE_PAGES.into_iter().chain([&*latin_1]) {
                for text in [&stored, &other] {
                    let mut read = misread(text, table);
                    let letters = read.trim_matches(|c: char| c.is_ascii());
                    if text == &stored || !letters.chars().all(char::is_alphabetic) {
                        prop_assert!(is_misread(text, &read), "{} {}", text, read);
                    }
                    read = misread(&read, table);
                    prop_assert!(is_misread(text, &read), "{} {}", text, read);
                }
            }
            for lost in ["?", "\u{fffd}", "\u{fffd}\u{fffd}"] {
                let is_lost = |c: char| !c.is_ascii();
                prop_assert!(is_misread(&stored, &stored.replace(is_lost, lost)));
                prop_assert!(is_misread("Łódź", &"Łódź".replacen(is_lost, lost, 1)));
            }
        }
    }

    #[test]
    fn another_name_is_not_a_wrong_encoding() {
        for (stored, text) in [
            ("Mäller", "Möller"),
            ("Muller", "Müller"),
            ("Müller", "Mueller"),
            ("Иван", "Иванов"),
            ("Лев", "Александр"),
            ("王", "王小明"),
            ("Olé", "Olé?"),
            ("Malmö", "Malmö AB"),
            ("Malmö", ""),
        ] {
            assert!(!is_misread(stored, text), "{text}");
        }
    }

    #[test]
    fn other_values_are_named_and_absent_ones_are_not_compared() {
        let client = Record::from_json(
            json!({"note": null, "address": "x", "site_ids": [1, "b", "c"]}).to_string(),
        );
        let sent = json!({
            "note": "n", "address": "", "site_ids": ["d", "b"], "first_name": "A",
        });
        let sent = sent.as_object().cloned().unwrap_or_default();
        let changes = mismatches(&client, &sent);
        let described = changes.iter().map(FieldChange::describe_mismatch);
        assert_eq!(
            described.collect::<Vec<_>>(),
            [
                r#"Was sent as "n", but the service has null"#,
                r#"Was sent as "", but the service has "x""#,
                "These stayed: 1, c; These are missing: d",
            ]
        );
    }
}
