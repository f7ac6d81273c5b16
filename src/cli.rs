//! The root parser and dispatch.

use crate::commands::{Command, Setup, completions, explain};
use crate::complete;
use crate::config::{Color, Environment, Flags, Format};
use crate::context::person;
use crate::exit;
use crate::given::Given;
use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, Parser, ValueEnum};
use reached::reached;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  sitectl --sandbox clients list
  sitectl --sandbox restore start site-0001 latest --full --watch --yes
  sitectl clients list --search smith --json

A service is named by SITECTL_BASE_URL and SITECTL_TOKEN, or by a profile, which auth login makes; --sandbox needs neither.

Exit codes:
  0 done            4 not found       8 unavailable       12 outcome unknown
  1 error           5 values refused  9 some failed       13 list not complete
  2 wrong usage     6 conflict       10 restore failed   130 interrupted
  3 no valid token  7 rate limited   11 wait timed out
sitectl explain says more about each.";

/// Operate the sites of your clients: list, change, restore.
#[derive(Debug, Parser)]
#[command(name = "sitectl", version = VERSION, after_help = EXAMPLES, max_term_width = 100)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub struct Cli {
    #[command(flatten)]
    flags: Flags,
    #[command(subcommand)]
    command: Top,
}

/// What can be run: the commands, those that see to their settings, and what needs none and so no working config file.
#[derive(Debug, clap::Subcommand)]
#[expect(clippy::large_enum_variant, reason = "there is one of it, parsed once")]
enum Top {
    #[command(flatten)]
    Command(Command),
    #[command(flatten)]
    Setup(Setup),
    Completions(completions::Args),
    Explain(explain::Args),
}

/// The program's version and that of the interface it speaks (spec, "Versioning").
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (interface 6.0.0)");

/// Runs the program on the process's arguments, environment and streams.
pub fn main() -> ExitCode {
    if let Some(code) = complete::answer(Cli::command) {
        return code;
    }
    let env = Environment::read();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(mut error) => {
            let typed = Typed::read();
            let flags = Flags { color: typed.color(), ..Flags::default() };
            let (json, ui) = (typed.wants_json(&env), person(&flags, &env));
            if !error.use_stderr() {
                return exit::asked_for(&error, json, &ui);
            }
            let command = reached(Cli::command(), &typed.0);
            if command == "sitectl restore" {
                propose_no_start(&mut error);
            }
            return exit::parse_error(&error, &command, json, &ui);
        }
    };
    let ui = person(&cli.flags, &env);
    let json = cli.flags.output.map_or_else(|| Typed::read().wants_json(&env), Format::is_json);
    let given = Given { flags: cli.flags, env, ui: ui.clone() };
    let ready = |lenient: bool| {
        let file = given.config()?;
        let context = if lenient { given.lenient_context(&file) } else { given.context(&file) };
        context.map(|context| (context, file))
    };
    let ended = match &cli.command {
        Top::Completions(args) => return exit::code(&ui, json, completions::run(args)),
        Top::Explain(args) => return exit::code(&ui, json, explain::run(args, &given)),
        Top::Command(command) => ready(false).map(|(context, _)| (command.run(&context), context)),
        Top::Setup(command) => ready(true).map(|(context, file)| (command.run(&given, &file, &context), context)),
    };
    match ended {
        Ok((result, context)) => exit::code(&ui, context.settings.format.is_json(), result),
        Err(error) => exit::code(&ui, json, Err(error)),
    }
}

/// A word such as `status` is near to `start`, which overwrites a live site: that is not proposed.
fn propose_no_start(error: &mut clap::Error) {
    let near = match error.get(ContextKind::SuggestedSubcommand) {
        Some(ContextValue::String(near)) => std::slice::from_ref(near),
        Some(ContextValue::Strings(near)) => near,
        _ => return,
    };
    if near.iter().any(|near| near == "start") {
        let others = ["history", "watch"].map(String::from).into();
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(others));
    }
}

/// The arguments as far as they say how to print, although they could not be parsed.
struct Typed(Vec<String>);

impl Typed {
    fn read() -> Self {
        Self(std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect())
    }

    /// Whether errors are wanted as JSON.
    fn wants_json(&self, env: &Environment) -> bool {
        let format = self.json().or_else(|| self.value("--output")).or_else(|| self.short_output());
        let format = format.or(self.value("--jq").map(|_| "json")).or(env.output.as_deref());
        matches!(format.map(str::to_ascii_lowercase).as_deref(), Some("json" | "ndjson"))
    }

    fn color(&self) -> Color {
        self.value("--color").and_then(|when| Color::from_str(when, true).ok()).unwrap_or_default()
    }

    fn json(&self) -> Option<&str> {
        self.0.iter().any(|word| word == "--json").then_some("json")
    }

    /// The value of an option, in the next word or in its own.
    fn value(&self, option: &str) -> Option<&str> {
        self.0.iter().enumerate().find_map(|(place, word)| match word.strip_prefix(option)? {
            "" => self.0.get(place + 1).map(String::as_str),
            value => value.strip_prefix('='),
        })
    }

    /// The value of `-o`, which may share its word with other short flags and with the value.
    fn short_output(&self) -> Option<&str> {
        self.0.iter().enumerate().find_map(|(place, word)| match short_output(word)? {
            "" => self.0.get(place + 1).map(String::as_str),
            value => Some(value.trim_start_matches('=')),
        })
    }
}

/// What follows `o` in a word of short flags, such as `-o`, `-ojson` or `-qo`.
fn short_output(word: &str) -> Option<&str> {
    let (before, value) = word.strip_prefix('-')?.split_once('o')?;
    before.chars().all(|flag| matches!(flag, 'q' | 'v')).then_some(value)
}

#[cfg(test)]
mod declared;
mod reached;
