//! What `-f`, `-F`, `--filter` and `--sort` give: each with its key, its value, and the flag that it was typed as.

use crate::error::{Error, Result, UNSET};
use crate::resources::query::{filter, sort, wire};
use serde_json::value::RawValue;

/// One key and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// As it was typed.
    pub key: String,
    /// The value in a query.
    pub text: String,
    /// The value in a JSON body.
    pub json: String,
    /// Such as `-f client[email]`.
    pub flag: String,
}

impl Given {
    /// `-f KEY=VALUE`: a text.
    ///
    /// # Errors
    /// `Usage` where it is not of that form.
    pub fn text(typed: &str) -> Result<Self> {
        let (key, value) = split("-f", typed, "KEY=VALUE")?;
        Ok(Self::new("-f", key, value, quoted(value)))
    }

    /// `-F KEY=JSON`: any value, to the last digit.
    ///
    /// # Errors
    /// `Usage` where it is not of that form, or the value is not JSON.
    pub fn json(typed: &str) -> Result<Self> {
        let (key, value) = split("-F", typed, "KEY=JSON")?;
        let raw: &RawValue = serde_json::from_str(value).map_err(|_| {
            Error::usage(format!("-F {key}: '{value}' is not JSON")).hint(format!(
                "-f {key}=… sends text; JSON is a number, true, false, null, \"text\", a list or an object"
            ))
        })?;
        let text = serde_json::from_str::<String>(value).unwrap_or_else(|_| raw.get().into());
        Ok(Self::new("-F", key, &text, raw.get().into()))
    }

    /// `--filter FIELD:OP=VALUE`. Fields and operators of other areas are not shown, so only the form is checked.
    ///
    /// # Errors
    /// `Usage` where it is not of that form.
    pub fn filter(typed: &str) -> Result<Self> {
        let malformed = || {
            let refused = Error::usage(format!("--filter: '{typed}' is not of the form FIELD:OP=VALUE"));
            refused.hint("such as --filter name:contains=example")
        };
        let (field, operator, value) = filter::split(typed).ok_or_else(malformed)?;
        let is_name = |name: &str| !name.is_empty() && !name.contains(['[', ']', ':']);
        match () {
            () if !is_name(field) || !is_name(operator) => Err(malformed()),
            () if value.trim().is_empty() => {
                Err(Error::usage(format!("--filter: the value for '{field}' is empty")).hint(UNSET))
            }
            () => Ok(Self {
                flag: "--filter".into(),
                ..Self::new("", &wire::filter(field, operator), value, String::new())
            }),
        }
    }

    /// `--sort FIELD[,asc|desc]`, ascending without a direction.
    ///
    /// # Errors
    /// `Usage` where it is not of that form.
    pub fn sort(typed: &str) -> Result<Self> {
        let (field, direction) = sort::split(typed);
        if field.is_empty() {
            return Err(Error::usage(format!("--sort: '{typed}' is not of the form FIELD[,asc|desc]"))
                .hint("such as --sort name,desc"));
        }
        let value = wire::order(field, sort::is_descending(direction)?);
        Ok(Self { flag: "--sort".into(), ..Self::new("", wire::SORT, &value, String::new()) })
    }

    fn new(flag: &str, key: &str, text: &str, json: String) -> Self {
        Self { key: key.into(), text: text.into(), json, flag: format!("{flag} {key}") }
    }

    /// Whether a problem with this parameter is about it: the key, or the name that comes last in it.
    pub fn is(&self, param: &str) -> bool {
        let last = self.key.split(['[', ']']).rfind(|part| !part.is_empty()).unwrap_or_default();
        self.key == param || last == param || last.split_once(':').is_some_and(|(field, _)| field == param)
    }
}

fn split<'t>(flag: &str, typed: &'t str, form: &str) -> Result<(&'t str, &'t str)> {
    let parts = typed.split_once('=').filter(|(key, _)| !key.trim().is_empty());
    let example = if form.ends_with("JSON") { "count=10" } else { "name=Ada" };
    parts.ok_or_else(|| {
        Error::usage(format!("{flag}: '{typed}' is not of the form {form}")).hint(format!("such as {flag} {example}"))
    })
}

/// A text as JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(given: Result<Given>) -> String {
        given.map_or_else(|error| error.message.clone(), |given| format!("{} {} {}", given.key, given.text, given.json))
    }

    #[test]
    fn values_are_text_or_json() {
        assert_eq!(shown(Given::text("a[b:c]=x=\"y\"")), r#"a[b:c] x="y" "x=\"y\"""#);
        assert_eq!(shown(Given::text("a=")), r#"a  """#);
        assert_eq!(shown(Given::json(r#"a="x y""#)), r#"a x y "x y""#);
        assert_eq!(
            shown(Given::json("a= [1, 12345678901234567890123] ")),
            "a [1, 12345678901234567890123] [1, 12345678901234567890123]"
        );
        assert_eq!(shown(Given::json("a=1e400")), "a 1e400 1e400");
        assert_eq!(shown(Given::json("a=x")), "-F a: 'x' is not JSON");
        assert_eq!(shown(Given::json("a=")), "-F a: '' is not JSON");
        assert_eq!(shown(Given::text("a")), "-f: 'a' is not of the form KEY=VALUE");
        assert_eq!(shown(Given::text(" =b")), "-f: ' =b' is not of the form KEY=VALUE");
    }

    #[test]
    fn filters_and_sorts_are_checked_for_their_form() {
        assert_eq!(shown(Given::filter("name:contains=a=b")), "filters[name:contains] a=b ");
        for typed in ["name=a", "name:contains", ":eq=a", "name:=a", "a[b]:eq=c", "a:b:c=d"] {
            assert!(shown(Given::filter(typed)).contains("is not of the form FIELD:OP=VALUE"), "{typed}");
        }
        assert_eq!(shown(Given::filter("a:eq= ")), "--filter: the value for 'a' is empty");
        assert_eq!(shown(Given::sort("name")), "sort name,asc ");
        assert_eq!(shown(Given::sort("name, desc")), "sort name,desc ");
        assert_eq!(shown(Given::sort("name,down")), "--sort: 'down' is not a direction");
        assert_eq!(shown(Given::sort(",asc")), "--sort: ',asc' is not of the form FIELD[,asc|desc]");
    }

    #[test]
    fn a_problem_is_known_by_the_name_that_comes_last() {
        let is = |key: &str, param| Given::new("-f", key, "", String::new()).is(param);
        assert!(
            is("client[email]", "email") && is("ids[]", "ids") && is("filters[name:eq]", "name") && is("a[b]", "a[b]")
        );
        assert!(!is("client[email]", "client") && !is("a", ""));
    }
}
