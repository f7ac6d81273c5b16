//! `--jq`: an embedded jq that reads only its input. It cannot read files, streams or the
//! environment, which can contain the token.

use super::json;
use super::sink::{OutputText, Sink};
use crate::error::{Error, Kind, Result};
use crate::resources::Record;
use crate::terminal::pluralize;
use console::truncate_str;
use jaq_core::data::JustLut;
use jaq_core::load::{self, Arena, File, Loader, import};
use jaq_core::{Compiler, Ctx, Vars, compile};
use jaq_json::{Rc, Val, read};
use std::collections::HashSet;
use std::sync::Arc;

/// Filters each record, or all records as one list, and prints one result per line. An incomplete
/// list is not filtered as one, because the result of a part would be wrong.
pub struct JqSink {
    filter: Arc<Filter>,
    input: JqInput,
    /// Whether there is only one record, which errors do not name.
    is_single: bool,
    /// The records so far, if they are filtered as one list.
    list: Vec<Val>,
    /// The names of fields in the list, which share their memory.
    names: HashSet<Val>,
    /// The number of records so far.
    count: usize,
}

impl JqSink {
    pub fn new(filter: &Arc<Filter>, input: JqInput, is_single: bool) -> Self {
        Self {
            filter: Arc::clone(filter),
            input: if is_single {
                JqInput::EachRecord
            } else {
                input
            },
            is_single,
            list: Vec::new(),
            names: HashSet::new(),
            count: 0,
        }
    }

    /// Replaces the names of fields by those that the list has already, and gives up reserved
    /// memory, because a list as values takes several times the memory of its text.
    fn share_names(&mut self, value: Val) -> Val {
        match value {
            Val::Arr(items) => {
                let items = Rc::unwrap_or_clone(items).into_iter();
                items.map(|item| self.share_names(item)).collect()
            }
            Val::Obj(fields) => {
                let fields = Rc::unwrap_or_clone(fields).into_iter();
                let fields = fields.map(|(name, value)| {
                    let shared = self.names.get(&name).cloned().unwrap_or_else(|| {
                        self.names.insert(name.clone());
                        name
                    });
                    (shared, self.share_names(value))
                });
                Val::obj(fields.collect())
            }
            other => other,
        }
    }

    /// Returns the beginning of the error of a record, such as `--jq: record 2 (client-0002)`.
    fn error_prefix(&self, record: &Record) -> String {
        let count = self.count;
        match record.id() {
            _ if self.is_single => "--jq".into(),
            Some(id) => format!("--jq: record {count} ({id})"),
            None => format!("--jq: record {count}"),
        }
    }
}

impl Sink for JqSink {
    fn add(&mut self, record: &Record, out: &mut OutputText) -> Result<()> {
        self.count += 1;
        let value = parse_input(record.json(), &|| self.error_prefix(record))?;
        match self.input {
            JqInput::CompleteList => {
                let value = self.share_names(value);
                self.list.push(value);
            }
            JqInput::EachRecord => {
                let error_prefix = || self.error_prefix(record);
                self.filter.run(value, &error_prefix, out)?;
            }
        }
        Ok(())
    }

    fn end(&mut self, out: &mut OutputText) -> Result<()> {
        match self.input {
            JqInput::CompleteList => {
                let list = std::mem::take(&mut self.list);
                self.filter
                    .run(list.into_iter().collect(), &|| "--jq".into(), out)
            }
            JqInput::EachRecord => Ok(()),
        }
    }

    fn end_incomplete(&mut self, _out: &mut OutputText) -> Result<()> {
        Ok(())
    }
}

/// The input of a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JqInput {
    CompleteList,
    EachRecord,
}

/// A valid filter.
pub struct Filter(jaq_core::Filter<JustLut<Val>>);

/// Functions of the library that are left out, because they reach beyond the filter's input and
/// output.
const WITHHELD: [&str; 7] = [
    "env",
    "debug",
    "debug_empty",
    "stderr",
    "stderr_empty",
    "halt",
    "halt_error",
];

/// Functions of jq that the library lacks.
const ADDED_DEFINITIONS: &str = r#"
def cells($format; f):
  if isarray then map(if isstring then f elif . == null then "" elif isarray or isobject
    then error("cannot write a list or object as a cell of \($format)") else tostring end)
  else error("cannot write \(type) as \($format)") end;
def @csv: cells("csv"; "\"" + (split("\"") | join("\"\"")) + "\"") | join(",");
def @tsv: cells("tsv"; reduce (["\\", "\\\\"], ["\t", "\\t"], ["\n", "\\n"], ["\r", "\\r"]) as $pair
  (.; split($pair[0]) | join($pair[1]))) | join("\t");
"#;

impl Filter {
    /// Compiles a filter.
    ///
    /// # Errors
    /// `Usage` with the problem.
    pub fn compile(code: &str) -> Result<Self> {
        let invalid = |problem| invalid_filter(code, problem);
        let arena = Arena::default();
        let is_allowed = |name: &str| !WITHHELD.contains(&name);
        let added = load::parse(ADDED_DEFINITIONS, |parser| parser.defs());
        let definitions = jaq_core::defs()
            .chain(jaq_std::defs())
            .chain(jaq_json::defs())
            .chain(added.into_iter().flatten())
            .filter(|definition| is_allowed(definition.name));
        let functions = jaq_core::funs()
            .chain(jaq_std::funs())
            .chain(jaq_json::funs())
            .filter(|(name, ..)| is_allowed(name));
        let modules = Loader::new(definitions)
            .load(&arena, File { code, path: () })
            .map_err(|errors| invalid(load_problem(errors)))?;
        import(&modules, |_| Err("no files are read".into()))
            .map_err(|errors| invalid(load_problem(errors)))?;
        Compiler::default()
            .with_funs(functions)
            .compile(modules)
            .map(Self)
            .map_err(|errors| invalid(compile_problem(errors)))
    }

    /// Writes one result per line, as soon as there are many. An error begins with `error_prefix`.
    fn run(
        &self,
        input: Val,
        error_prefix: &dyn Fn() -> String,
        out: &mut OutputText,
    ) -> Result<()> {
        let context = Ctx::<JustLut<Val>>::new(&self.0.lut, Vars::new([]));
        for output in self.0.id.run((context, input)) {
            let result = output.map_err(|exception| filter_error(exception, &error_prefix()))?;
            out.extend([&text_of(&result), "\n"]);
            out.write_if_long()?;
        }
        Ok(())
    }
}

fn filter_error(exception: jaq_core::Exn<Val>, prefix: &str) -> Error {
    let message = match exception.get_err() {
        Ok(error) => text_of(&error.into_val()),
        Err(_) => "the filter was ended".into(),
    };
    let message = truncate_str(&message, 200, "…");
    Error::new(Kind::Error, format!("{prefix}: {message}"))
        .with_hint("skip values that the filter cannot use with '?', as in: .[].site_ids[0]?")
}

fn parse_input(raw: &str, error_prefix: &dyn Fn() -> String) -> Result<Val> {
    json::check_depth(raw, error_prefix)?;
    read::parse_single(raw.as_bytes()).map_err(|error| {
        let message = format!("{}: could not read the record: {error}", error_prefix());
        Error::new(Kind::Error, message)
    })
}

/// Returns a string without its quotes, any other value as JSON.
fn text_of(value: &Val) -> String {
    match value {
        Val::TStr(bytes) | Val::BStr(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        value => value.to_string(),
    }
}

/// Returns the first problem of a filter that could not be parsed.
fn load_problem(errors: load::Errors<&str, ()>) -> Option<String> {
    let (expected, rest) = match errors.into_iter().next()?.1 {
        load::Error::Io(errors) => return errors.into_iter().next().map(|(_, message)| message),
        load::Error::Lex(errors) => {
            let (expected, rest) = errors.into_iter().next()?;
            (expected.as_str(), rest)
        }
        load::Error::Parse(errors) => {
            let (expected, rest) = errors.into_iter().next()?;
            (expected.as_str(), rest)
        }
    };
    let position = if rest.is_empty() {
        "the end".into()
    } else {
        format!("'{rest}'")
    };
    Some(format!("expected {expected} at {position}"))
}

/// Returns the first unknown name in a filter.
fn compile_problem(errors: compile::Errors<&str, ()>) -> Option<String> {
    let (name, undefined) = errors.into_iter().next()?.1.into_iter().next()?;
    let arguments = match undefined {
        compile::Undefined::Filter(count) if count > 0 => {
            format!(" with {}", pluralize(count, "argument"))
        }
        _ => String::new(),
    };
    let kind = undefined.as_str();
    Some(format!("unknown {kind} '{name}'{arguments}"))
}

fn invalid_filter(code: &str, problem: Option<String>) -> Error {
    let problem = problem.unwrap_or("not a filter".into());
    Error::usage(format!("--jq: {problem} in '{code}'"))
        .with_hint("see https://jqlang.org/manual; env, input, debug and halt are not supported")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(filter: &str, input: &str) -> Result<String> {
        let filter = Arc::new(Filter::compile(filter)?);
        let mut out = OutputText::new(|text| text.into(), Vec::new());
        let mut sink = JqSink::new(&filter, JqInput::EachRecord, true);
        sink.add(&Record::from_json(input.into()), &mut out)?;
        out.write()?;
        let text = String::from_utf8_lossy(&out.stream);
        Ok(text.trim_end_matches('\n').into())
    }

    fn error(filter: &str, input: &str) -> (Kind, String) {
        run(filter, input).map_or_else(
            |error| (error.kind, error.message.clone()),
            |_| (Kind::Error, "none".into()),
        )
    }

    #[test]
    fn filters_work_and_numbers_keep_every_digit() {
        let numbers = r#"[{"big":123456789012345678901234567890,"dec":1.10,"long":0.1234567890123456789012345,"e":1e400}]"#;
        for (filter, input, output) in [
            (".", numbers, numbers),
            (
                "[.[] | select(test(\"^a\"; \"i\"))]",
                r#"["Ab","b"]"#,
                r#"["Ab"]"#,
            ),
            (
                "@tsv",
                r#"[1,null,true,"a\t\\\n"]"#,
                "1\t\ttrue\ta\\t\\\\\\n",
            ),
            (
                "@csv",
                r#"[1.50,null,"say \"a, b\""]"#,
                r#"1.50,,"say ""a, b""""#,
            ),
        ] {
            assert_eq!(
                run(filter, input).unwrap_or_else(|error| error.message.clone()),
                output,
                "{filter}"
            );
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
}
