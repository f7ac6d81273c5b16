//! The embedded jq. It reads nothing but its input: no environment, which holds the token, no files and no streams.

use super::jq_wrong::{compile_error, load_error, wrong};
use super::json;
use crate::error::{Error, Kind, Result};
use crate::resources::unquoted;
use jaq_core::data::JustLut;
use jaq_core::load::parse::Def;
use jaq_core::load::{self, Arena, File, Loader, import};
use jaq_core::{Compiler, Ctx, Vars};
use jaq_json::{Num, Val, read};

/// A filter that is one.
pub struct Filter(jaq_core::Filter<JustLut<Val>>);

/// What the library has and this one does not: each would reach beyond the filter's input and output.
const WITHHELD: [&str; 7] = ["env", "debug", "debug_empty", "stderr", "stderr_empty", "halt", "halt_error"];

/// What jq has and the library leaves to others.
const ADDED: &str = r#"
def IN(s): any(s == .; .);
def IN(src; s): any(src == s; .);
def INDEX(stream; f): reduce stream as $x ({}; .[$x | f | tostring] = $x);
def INDEX(f): INDEX(.[]; f);
def cells($format; f):
  if isarray then map(if isstring then f elif . == null then "" elif isarray or isobject
    then error("cannot write a list or object as a cell of \($format)") else tostring end)
  else error("cannot write \(type) as \($format)") end;
def @csv: cells("csv"; "\"" + (split("\"") | join("\"\"")) + "\"") | join(",");
def @tsv: cells("tsv"; reduce (["\\", "\\\\"], ["\t", "\\t"], ["\n", "\\n"], ["\r", "\\r"]) as $pair
  (.; split($pair[0]) | join($pair[1]))) | join("\t");
"#;

/// Levels that a filter's input may be nested. The parser goes down one call a level.
const DEEPEST: usize = 500;

/// The most of a value that an error shows.
const LONGEST: usize = 200;

impl Filter {
    /// Reads a filter.
    ///
    /// # Errors
    /// `Usage` with what is wrong, and where.
    pub fn compile(code: &str) -> Result<Self> {
        let defs = jaq_core::defs().chain(jaq_std::defs()).chain(jaq_json::defs()).chain(added());
        let funs = jaq_core::funs().chain(jaq_std::funs()).chain(jaq_json::funs());
        let arena = Arena::default();
        let modules = Loader::new(defs.filter(|def| !WITHHELD.contains(&def.name)))
            .load(&arena, File { code, path: () })
            .map_err(|errors| wrong(code, load_error(errors)))?;
        import(&modules, |_| Err("no files are read".into())).map_err(|errors| wrong(code, load_error(errors)))?;
        let compiled =
            Compiler::default().with_funs(funs.filter(|(name, ..)| !WITHHELD.contains(name))).compile(modules);
        compiled.map(Self).map_err(|errors| wrong(code, compile_error(errors)))
    }

    /// Hands each value that comes out to `each`.
    ///
    /// # Errors
    /// What the filter says of its input, and what `each` does.
    pub fn run(&self, input: Val, each: &mut dyn FnMut(&Val) -> Result<()>) -> Result<()> {
        let context = Ctx::<JustLut<Val>>::new(&self.0.lut, Vars::new([]));
        for output in self.0.id.run((context, input)) {
            match output {
                Ok(value) => each(&value)?,
                Err(stopped) => {
                    let message = stopped.get_err().ok().map(|error| text(&error.into_val())).transpose()?;
                    let message = message.as_deref().unwrap_or("the filter broke off");
                    let wrong = Error::new(Kind::Error, format!("--jq: {}", shortened(message)));
                    return Err(wrong.hint("? passes over what the filter cannot take, as in .[].site_ids[0]?"));
                }
            }
        }
        Ok(())
    }
}

fn added() -> impl Iterator<Item = Def> {
    load::parse(ADDED, |parser| parser.defs()).into_iter().flatten()
}

/// What is left where a record cannot be filtered.
const UNFILTERED: &str = "-o json prints it as it is";

/// JSON as the filter's input.
///
/// # Errors
/// Where it is nested too deeply.
pub fn value(raw: &str) -> Result<Val> {
    if depth(raw) > DEEPEST {
        let deep = format!("--jq: a record is nested more than {DEEPEST} levels deep");
        return Err(Error::new(Kind::Error, deep).hint(UNFILTERED));
    }
    // What no string can hold, half of a surrogate pair, stands as the service spelled it.
    read::parse_single(raw.as_bytes())
        .or_else(|_| read::parse_single(mended(raw).as_bytes()))
        .map_err(|error| Error::new(Kind::Error, format!("--jq: could not read a record: {error}")).hint(UNFILTERED))
}

fn depth(raw: &str) -> usize {
    let mut depth = 0usize;
    let depths = json::tokens(raw).map(|token| {
        match token {
            "{" | "[" => depth += 1,
            "}" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth
    });
    depths.max().unwrap_or_default()
}

fn mended(raw: &str) -> String {
    let mend = |token: &str| match token.starts_with('"') {
        true => serde_json::Value::from(unquoted(token)).to_string(),
        false => token.to_string(),
    };
    json::tokens(raw).map(mend).collect()
}

/// A string without its quotes, any other value as JSON.
///
/// # Errors
/// Where an object has a key that is no string, which the library allows and JSON does not.
pub fn text(value: &Val) -> Result<String> {
    let mut out = String::new();
    match value {
        Val::TStr(bytes) | Val::BStr(bytes) => out.push_str(&String::from_utf8_lossy(bytes)),
        other => write(other, &mut out)?,
    }
    Ok(out)
}

/// What JSON cannot say is said as jq does: no number is null, and one without end the greatest there is.
fn write(value: &Val, out: &mut String) -> Result<()> {
    match value {
        Val::Num(Num::Float(number)) if number.is_nan() => out.push_str("null"),
        Val::Num(Num::Float(number)) => out.push_str(&Val::from(number.clamp(f64::MIN, f64::MAX)).to_string()),
        Val::BStr(bytes) => out.push_str(&Val::utf8_str(bytes.to_vec()).to_string()),
        Val::Arr(items) => enclose(['[', ']'], items.iter(), out, write)?,
        Val::Obj(members) => enclose(['{', '}'], members.iter(), out, |(name, value), out| {
            if !matches!(name, Val::TStr(_)) {
                let wrong = Error::new(Kind::Error, format!("--jq: an object's key must be a string, not {name}"));
                return Err(wrong.hint("tostring makes one of it"));
            }
            out.push_str(&name.to_string());
            out.push(':');
            write(value, out)
        })?,
        other => out.push_str(&other.to_string()),
    }
    Ok(())
}

/// Items between brackets, with commas between them.
fn enclose<T>(
    brackets: [char; 2],
    items: impl Iterator<Item = T>,
    out: &mut String,
    write: impl Fn(T, &mut String) -> Result<()>,
) -> Result<()> {
    out.push(brackets[0]);
    for (place, item) in items.enumerate() {
        out.push_str(if place > 0 { "," } else { "" });
        write(item, out)?;
    }
    out.push(brackets[1]);
    Ok(())
}

fn shortened(message: &str) -> String {
    match message.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(filter: &str, input: &str) -> Result<Vec<String>> {
        let mut outputs = Vec::new();
        Filter::compile(filter)?.run(value(input)?, &mut |output| {
            let mut text = String::new();
            write(output, &mut text)?;
            outputs.push(text);
            Ok(())
        })?;
        Ok(outputs)
    }

    fn error(filter: &str, input: &str) -> (Kind, String) {
        run(filter, input).map_or_else(|error| (error.kind, error.message.clone()), |_| (Kind::Error, "none".into()))
    }

    #[test]
    fn numbers_keep_every_digit() {
        let input =
            r#"[{"big":123456789012345678901234567890,"dec":1.10,"long":0.1234567890123456789012345,"e":1e400}]"#;
        let outputs = run(".[0] | .big, .dec, .long, .e", input).unwrap_or_default();
        assert_eq!(outputs, ["123456789012345678901234567890", "1.10", "0.1234567890123456789012345", "1e400"]);
        assert_eq!(run(".", input).unwrap_or_default(), [input]);
    }

    #[test]
    fn what_comes_out_is_json() {
        for (filter, output) in [
            ("nan", "null"),
            (
                "{a: [infinite, -infinite, 1/0, .]}",
                r#"{"a":[1.7976931348623157e308,-1.7976931348623157e308,1.7976931348623157e308,1]}"#,
            ),
            (r#"["/w==" | @base64d, ("a\"" | tobytes)]"#, "[\"\u{fffd}\",\"a\\\"\"]"),
            ("[], {}, [[]], {a: {}, b: 2}", r#"[] {} [[]] {"a":{},"b":2}"#),
        ] {
            assert_eq!(run(filter, "1").unwrap_or_default().join(" "), output, "{filter}");
        }
        assert_eq!(error("[{(.): 2}]", "1"), (Kind::Error, "--jq: an object's key must be a string, not 1".into()));
    }

    #[test]
    fn the_usual_filters_work() {
        for (filter, input, output) in [
            ("map(.a) | add", r#"[{"a":1},{"a":2}]"#, "3"),
            ("[.[] | select(test(\"^a\"; \"i\"))]", r#"["Ab","b"]"#, r#"["Ab"]"#),
            (
                "group_by(.k) | map({k: .[0].k, n: length})",
                r#"[{"k":"x"},{"k":"y"},{"k":"x"}]"#,
                r#"[{"k":"x","n":2},{"k":"y","n":1}]"#,
            ),
            ("fromdateiso8601", r#""2026-10-07T10:30:00Z""#, "1791369000"),
            ("@base64 | ., @base64d", r#""ab""#, "\"YWI=\" \"ab\""),
            ("@uri, @sh, @html", r#""a<b""#, r#""a%3Cb" "'a<b'" "a&lt;b""#),
            ("@tsv", r#"[1,null,true,"a\t\\\n"]"#, r#""1\t\ttrue\ta\\t\\\\\\n""#),
            ("@csv", r#"[1.50,null,"say \"a, b\""]"#, r#""1.50,,\"say \"\"a, b\"\"\"""#),
            ("INDEX(.id) | keys, (.a.id | IN(\"a\", \"b\"))", r#"[{"id":"b"},{"id":"a"}]"#, r#"["a","b"] true"#),
            ("to_entries[0].key", r#"{"z":1,"a":2}"#, r#""z""#),
        ] {
            let outputs = run(filter, input);
            assert!(outputs.is_ok(), "{filter}: {:?}", outputs.err());
            assert_eq!(outputs.unwrap_or_default().join(" "), output, "{filter}");
        }
    }

    #[test]
    fn a_wrong_filter_is_refused_with_its_place() {
        for (filter, message) in [
            (".[] | nope", "--jq: there is no filter 'nope', at character 7 of '.[] | nope'"),
            (
                "\"é\" | nope(1; 2)",
                "--jq: there is no filter 'nope' with 2 arguments, at character 7 of '\"é\" | nope(1; 2)'",
            ),
            ("nope(1)", "--jq: there is no filter 'nope' with 1 argument, at character 1 of 'nope(1)'"),
            (".a | (.b", "--jq: expected closing parenthesis, at the end of '.a | (.b'"),
            ("$x", "--jq: there is no variable '$x', at character 1 of '$x'"),
        ] {
            assert_eq!(error(filter, "1"), (Kind::Usage, message.into()));
        }
    }

    #[test]
    fn it_reads_nothing_but_its_input() {
        let filters = "env|$ENV|env.PATH|input|inputs|debug|stderr|halt|halt_error|halt_error(1)|input_filename|input_line_number\
            |get_search_list|include \"a\"; .|import \"a\" as a; .|import \"a\" as $a; .";
        for filter in filters.split('|') {
            assert_eq!(error(filter, "1").0, Kind::Usage, "{filter}");
        }
    }

    #[test]
    fn a_filter_that_fails_says_why_and_not_too_much() {
        assert_eq!(error(".a", "[1]"), (Kind::Error, "--jq: cannot index [1] with \"a\"".into()));
        assert!(error(".a", &format!("[\"{}\"]", "x".repeat(10_000))).1.len() < 300);
        assert_eq!(error("error(\"no\")", "1").1, "--jq: no");
    }

    #[test]
    fn odd_records_are_filtered_too() {
        assert_eq!(run(".a, .b", r#"{"a":"caf\ud83d","b":2}"#).unwrap_or_default(), [r#""caf\\ud83d""#, "2"]);
        let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(error(".", &deep).0, Kind::Error);
        assert!(run(".", &format!("{}1{}", "[".repeat(DEEPEST), "]".repeat(DEEPEST))).is_ok());
    }
}
