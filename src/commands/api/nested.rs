//! A JSON object from keys such as `client[email]` and `ids[]`, spelled as `gh` has them. Values are passed on as text,
//! so that numbers keep every digit.

use super::given::Given;
use crate::error::{Error, Result};

/// Levels of a key: more are a mistake, and each costs stack.
const DEEPEST: usize = 32;

/// What stands at one place of the object.
enum Node {
    Nothing,
    Value(String),
    Object(Vec<(String, Node)>),
    Array(Vec<Node>),
}

/// One step of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step<'k> {
    Into(&'k str),
    Append,
}

/// The object that these make together; none where there are none.
///
/// # Errors
/// `Usage` with everything that contradicts itself.
pub fn object(given: &[Given]) -> Result<Option<String>, Vec<Error>> {
    let mut root = Node::Nothing;
    let put = |given: &Given| {
        let steps = steps(&given.key).ok_or_else(|| {
            Error::usage(format!("{}: the key is not of the form name, name[member] or name[]", given.flag))
                .hint("such as -f 'client[email]=ada@example.com'; in a shell it needs quotes")
        })?;
        root.put(&steps, &given.json).map_err(|why| {
            Error::usage(format!("{} {why}", given.flag)).hint("--input - takes a whole body, as JSON, from stdin")
        })
    };
    let problems: Vec<Error> = given.iter().map(put).filter_map(Result::err).collect();
    match problems.is_empty() {
        true if given.is_empty() => Ok(None),
        true => Ok(Some(root.text())),
        false => Err(problems),
    }
}

/// Takes a key apart; none where it is none.
fn steps(key: &str) -> Option<Vec<Step<'_>>> {
    let (name, mut rest) = key.split_at(key.find('[').unwrap_or(key.len()));
    let mut steps = vec![Step::Into(name)];
    while let Some(inside) = rest.strip_prefix('[') {
        let (member, after) = inside.split_once(']')?;
        steps.push(if member.is_empty() { Step::Append } else { Step::Into(member) });
        rest = after;
    }
    let is_sound = |step: &Step<'_>| {
        matches!(step, Step::Append) || matches!(step, Step::Into(name) if !name.contains(['[', ']']))
    };
    (rest.is_empty() && !name.is_empty() && steps.len() <= DEEPEST && steps.iter().all(is_sound)).then_some(steps)
}

impl Node {
    fn put(&mut self, steps: &[Step<'_>], value: &str) -> Result<(), &'static str> {
        let Some((step, rest)) = steps.split_first() else { return self.set(value) };
        if let Self::Nothing = self {
            *self = if *step == Step::Append { Self::Array(Vec::new()) } else { Self::Object(Vec::new()) };
        }
        match (self, step) {
            (Self::Object(members), Step::Into(name)) => member(members, name).put(rest, value),
            (Self::Array(items), Step::Append) => {
                if !items.last().is_some_and(|last| last.has_room(rest)) {
                    items.push(Self::Nothing);
                }
                items.last_mut().map_or(Ok(()), |last| last.put(rest, value))
            }
            (Self::Value(_), _) => Err("goes into what has a value already"),
            _ => Err("is a list in one place and an object in another"),
        }
    }

    fn set(&mut self, value: &str) -> Result<(), &'static str> {
        match self {
            Self::Nothing => *self = Self::Value(value.into()),
            Self::Value(_) => return Err("is given twice; a list is name[]=a name[]=b"),
            Self::Object(_) | Self::Array(_) => return Err("gives a value to what has members already"),
        }
        Ok(())
    }

    /// Whether the last item of a list takes this too, or another item begins: one does where a member would be there
    /// twice.
    fn has_room(&self, steps: &[Step<'_>]) -> bool {
        match (self, steps.split_first()) {
            (Self::Object(members), Some((Step::Into(name), rest))) => {
                members.iter().find(|(known, _)| known == name).is_none_or(|(_, node)| node.has_room(rest))
            }
            (Self::Array(_), Some((Step::Append, _))) => true,
            _ => false,
        }
    }

    fn text(&self) -> String {
        let joined = |parts: Vec<String>| parts.join(",");
        match self {
            Self::Nothing => "null".into(),
            Self::Value(value) => value.clone(),
            Self::Array(items) => format!("[{}]", joined(items.iter().map(Self::text).collect())),
            Self::Object(members) => {
                let member = |(name, node): &(String, Self)| {
                    format!("{}:{}", serde_json::Value::from(name.as_str()), node.text())
                };
                format!("{{{}}}", joined(members.iter().map(member).collect()))
            }
        }
    }
}

/// The member of this name, which is made where it is missing.
fn member<'m>(members: &'m mut Vec<(String, Node)>, name: &str) -> &'m mut Node {
    let place = members.iter().position(|(known, _)| known == name).unwrap_or(members.len());
    if place == members.len() {
        members.push((name.into(), Node::Nothing));
    }
    &mut members[place].1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(typed: &[&str]) -> String {
        let given: Vec<Given> = typed.iter().filter_map(|text| Given::json(text).ok()).collect();
        assert_eq!(given.len(), typed.len());
        match object(&given) {
            Ok(text) => text.unwrap_or_default(),
            Err(problems) => problems.iter().map(|error| error.message.clone()).collect::<Vec<_>>().join("; "),
        }
    }

    #[test]
    fn keys_nest() {
        for (typed, object) in [
            (&[][..], ""),
            (&["a=1"], r#"{"a":1}"#),
            (
                &["client[first_name]=\"Ada\"", "client[email]=\"a@b\"", "x=null"],
                r#"{"client":{"first_name":"Ada","email":"a@b"},"x":null}"#,
            ),
            (&["ids[]=\"a\"", "ids[]=12345678901234567890123"], r#"{"ids":["a",12345678901234567890123]}"#),
            (&["a[b][c][]=1", "a[b][c][]=[2]"], r#"{"a":{"b":{"c":[1,[2]]}}}"#),
            (
                &["l[][n]=1", "l[][c]=2", "l[][n]=3", "l[][t][]=4", "l[][t][]=5"],
                r#"{"l":[{"n":1,"c":2},{"n":3,"t":[4,5]}]}"#,
            ),
            (&["l[][]=1", "l[][]=2"], r#"{"l":[[1,2]]}"#),
            (&["a\"b[c:d]=1"], r#"{"a\"b":{"c:d":1}}"#),
        ] {
            assert_eq!(made(typed), object, "{typed:?}");
        }
    }

    #[test]
    fn contradictions_are_refused_all_at_once() {
        for (typed, why) in [
            (&["a=1", "a=2"][..], "-F a is given twice; a list is name[]=a name[]=b"),
            (&["a=1", "a[b]=2"], "-F a[b] goes into what has a value already"),
            (&["a={}", "a[b]=2"], "-F a[b] goes into what has a value already"),
            (&["a[b]=1", "a=2"], "-F a gives a value to what has members already"),
            (&["a[]=1", "a=2"], "-F a gives a value to what has members already"),
            (
                &["a[]=1", "a[b]=2", "c=1", "c=2"],
                "-F a[b] is a list in one place and an object in another; -F c is given twice; a list is name[]=a name[]=b",
            ),
        ] {
            assert_eq!(made(typed), why, "{typed:?}");
        }
        let deep = format!("a{}=1", "[b]".repeat(DEEPEST));
        for typed in ["a[b=1", "a]b=1", "[a]=1", "a[b]c=1", "a[[b]]=1", "a[b]]=1", &deep] {
            assert!(made(&[typed]).contains("the key is not of the form"), "{typed}");
        }
    }
}
