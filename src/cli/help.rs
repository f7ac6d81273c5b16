//! The pages of `-h` and `--help`. Both begin with examples. `-h` leaves out the global options,
//! the options that are hidden from it, and the notes. The manual pages have the long texts of
//! options.

use crate::completion::CommandLine;
use clap::Command;

/// `{examples}` is not one of clap's tags, because clap would wrap examples, which could not be
/// pasted then.
const TEMPLATE: &str =
    "{about-with-newline}\n{usage-heading} {usage}\n\n{examples}\n\n{all-args}{after-help}";

/// Returns the help page of the command in the command line.
pub fn page(
    root: &Command,
    parsed: &CommandLine<'_>,
    typed_words: &[String],
    color: bool,
) -> String {
    let mut command = root;
    for name in parsed.path.iter().filter(|name| **name != "help") {
        command = command.find_subcommand(name).unwrap_or(command);
    }
    let after_help = command
        .get_after_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    let (examples, notes) = after_help.split_once("\n\n").unwrap_or((&after_help, ""));
    let is_long = parsed.path.contains(&"help") || typed_words.iter().any(|word| word == "--help");
    let long_about = command.get_long_about().filter(|_| is_long);
    let about = long_about.or(command.get_about()).cloned();
    let name = command.get_bin_name().unwrap_or("sitectl");
    let more = format!("Global options: {name} --help");
    let mut command = command
        .clone()
        .about(about.unwrap_or_default())
        .help_template(TEMPLATE)
        .after_help(if is_long {
            join_lines_of_paragraphs(notes)
        } else {
            more
        })
        .mut_subcommands(|verb| {
            let is_help = verb.get_name() == "help";
            if is_help { verb.hide(true) } else { verb }
        })
        .mut_args(|arg| {
            let is_built_in = ["help", "version"].contains(&arg.get_id().as_str());
            let is_hidden = !is_long && (is_built_in || arg.is_hide_short_help_set());
            let arg = arg.hide_short_help(is_hidden);
            // Not the text that names the other page.
            if arg.get_id() == "help" {
                arg.help("Print help")
            } else {
                arg
            }
        });
    let page = command.render_help();
    let page = if color {
        page.ansi().to_string()
    } else {
        page.to_string()
    };
    // Without arguments, the blank lines before and after them follow each other.
    let page = page
        .replace("{examples}", examples)
        .replace("\n\n\n\n", "\n\n");
    format!("{}\n", page.trim_end())
}

/// Joins the lines of each paragraph, so that it wraps with the terminal. A list keeps its lines.
fn join_lines_of_paragraphs(notes: &str) -> String {
    let mut paragraphs = Vec::new();
    for paragraph in notes.split("\n\n") {
        let is_list = paragraph.contains("\n  ");
        paragraphs.push(if is_list {
            paragraph.into()
        } else {
            paragraph.replace('\n', " ")
        });
    }
    paragraphs.join("\n\n")
}
