//! The root parser, its errors, and dispatch.

mod correct;
mod help;
mod usage;

use crate::commands::context::{Context, read_config};
use crate::commands::{Command, explain};
use crate::completion::{self, CommandLine};
use crate::config::{Environment, Flags, OutputFormat, Profile, output_format};
use crate::error::{Kind, Result};
use crate::output;
use crate::terminal::{Ui, errors};
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, ValueEnum};
use std::process::ExitCode;

#[cfg(not(feature = "sandbox"))]
const EXAMPLES: &str = "\
Examples:
  sitectl clients list --search smith --json
  sitectl restore start site-0001 latest --full

To connect to a service, run sitectl auth login, or set SITECTL_BASE_URL and SITECTL_TOKEN.

To refuse all changes, set SITECTL_READ_ONLY=1.

To list the exit codes, run sitectl explain.";

#[cfg(feature = "sandbox")]
const EXAMPLES: &str = "\
Examples:
  sitectl --sandbox clients list
  sitectl --sandbox restore start site-0001 latest --full
  sitectl clients list --search smith --json

To connect to a service, run sitectl auth login, or set SITECTL_BASE_URL and SITECTL_TOKEN. \
--sandbox needs neither.

To refuse all changes, set SITECTL_READ_ONLY=1.

To list the exit codes, run sitectl explain.";

/// Manage clients and restore sites from the command line
#[derive(Debug, Parser)]
#[command(name = "sitectl", version = VERSION, after_help = EXAMPLES, max_term_width = 100)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub struct Cli {
    #[command(flatten)]
    flags: Flags,
    #[command(subcommand)]
    command: RootCommand,
}

/// The commands: the nouns with their verbs, and the commands that need no config file.
#[derive(Debug, clap::Subcommand)]
#[expect(clippy::large_enum_variant, reason = "a process parses one")]
enum RootCommand {
    #[command(flatten)]
    Command(Command),
    Completions(completion::Args),
    Explain(explain::Args),
}

/// The version of the program, and of the API that it implements (specification, "Versioning").
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (API 6.0.0)");

/// Runs the program on the process's arguments, environment and streams.
pub fn run() -> ExitCode {
    if let Some(code) = completion::reply_to_script(Cli::command) {
        return code;
    }
    let env = Environment::read();
    let Cli { flags, command } = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return report_parse_error(&error, &env),
    };
    let ui = Ui::new(&flags, &env);
    // The format of errors; the profile can change it when the config file has been read.
    let mut json = wants_json(&flags, &env);
    let result = match command {
        RootCommand::Completions(args) => completion::run(&args),
        RootCommand::Explain(args) => explain::run(&args, Cli::command, &flags, &env, &ui),
        RootCommand::Command(command) => {
            let context = create_context(flags, env, ui.clone(), command.edits_config());
            context.and_then(|context| {
                json = context.settings.format.is_json();
                command.run(&context)
            })
        }
    };
    errors::report(&ui, json, result)
}

/// Returns the context of a command. An invalid profile is an error, except for a command that can
/// correct it.
fn create_context(
    flags: Flags,
    env: Environment,
    ui: Ui,
    ignores_invalid_profile: bool,
) -> Result<Context> {
    if let Some(name) = &env.unknown_time_zone {
        ui.warn(&format!(
            "unknown time zone '{name}' in TZ: times are in UTC"
        ));
    }
    let file = read_config(&env, &ui)?;
    if ignores_invalid_profile {
        Context::ignoring_invalid_profile(flags, env, ui, file)
    } else {
        Context::new(flags, env, ui, file)
    }
}

/// Prints help, the version or an error of the parser.
fn report_parse_error(error: &clap::Error, env: &Environment) -> ExitCode {
    if error.kind() == ErrorKind::DisplayVersion {
        // Building the complete tree of commands would take longer than everything else.
        let ui = Ui::new(&Flags::default(), env);
        let version = error.render().to_string();
        return errors::report(&ui, false, output::write_stdout(&version));
    }
    let mut typed_words = Vec::new();
    for word in std::env::args_os().skip(1) {
        typed_words.push(word.to_string_lossy().into_owned());
    }
    let mut root = Cli::command();
    root.build();
    let parsed = CommandLine::parse(&root, &typed_words);
    let flags = flags_for_printing(&parsed);
    let ui = Ui::new(&flags, env);
    let json = wants_json(&flags, env);
    match error.kind() {
        ErrorKind::DisplayHelp => {
            let page = help::page(&root, &parsed, &typed_words, ui.stdout_color);
            errors::report(&ui, json, output::write_stdout(&page))
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand if !json => {
            let page = help::page(&root, &parsed, &typed_words, ui.stderr_color);
            ui.print_line(page.trim_end());
            ExitCode::from(Kind::Usage.exit_code())
        }
        _ => {
            let error = usage::usage_error(error, &parsed, &typed_words);
            errors::report(&ui, json, Err(error))
        }
    }
}

/// Returns the options that control printing, of a command line that the parser rejected.
fn flags_for_printing(parsed: &CommandLine<'_>) -> Flags {
    fn choice<T: ValueEnum>(text: Option<&str>) -> Option<T> {
        T::from_str(text?, true).ok()
    }
    Flags {
        output: choice(parsed.last_value("output")),
        json: parsed.last_value("json").is_some(),
        jq: parsed.last_value("jq").map(String::from),
        color: choice(parsed.last_value("color")).unwrap_or_default(),
        ..Flags::default()
    }
}

/// Whether errors are JSON, as far as it is known without a config file.
fn wants_json(flags: &Flags, env: &Environment) -> bool {
    output_format(flags, env, &Profile::default()).is_ok_and(OutputFormat::is_json)
}

#[cfg(test)]
mod tests;
