//! What all commands share, from the program's own tables: exit codes, variables, files.

use crate::page::Page;
use crate::words::{capital, marked, sentence, unbroken};
use roff::{Inline, bold, italic, roman};
use sitectl::reference::{CONFIG, Directory, FILES, STATE, VARIABLES};

pub fn endings(page: &mut Page) {
    for ending in sitectl::reference::endings() {
        let kind = ending.kind.map(|kind| vec![roman(" ("), roman(kind), roman(")")]).unwrap_or_default();
        let term = std::iter::once(bold(ending.code.to_string())).chain(kind).collect();
        page.tagged(term, marked(&sentence(&capital(ending.when))));
    }
}

/// The sections on the environment and the files.
pub fn whole(page: &mut Page) {
    page.section("Environment");
    page.say("A flag goes before the environment, which goes before the profile. An empty variable counts as absent.");
    for variable in VARIABLES {
        page.tagged(listed(variable.names), marked(variable.meaning));
    }
    page.section("Files");
    for file in FILES {
        let term = vec![italic(file.directory.name), roman(format!("/{}", file.name))];
        page.tagged(term, marked(file.meaning));
    }
    for directory in [CONFIG, STATE] {
        place(page, &directory);
    }
}

/// The same sections where they say where to read of them.
pub fn in_short(page: &mut Page) {
    page.section("Environment");
    page.say(
        "SITECTL_PROFILE, or SITECTL_BASE_URL and SITECTL_TOKEN, or SITECTL_SANDBOX choose the service. sitectl(1) lists \
         all variables that are read.",
    );
    page.section("Files");
    page.say("The config file is config.toml in the platform's config directory. sitectl(1) lists all files.");
}

fn place(page: &mut Page, directory: &Directory) {
    let mut line = vec![italic(directory.name), roman(" is ")];
    line.extend([
        italic(directory.linux),
        roman(" on Linux, "),
        unbroken(italic(directory.macos)),
        roman(" on macOS and "),
    ]);
    line.extend([italic(directory.windows), roman(" on Windows. "), bold(directory.variable)]);
    let what = if *directory == CONFIG { "another file in place of config.toml." } else { "another directory." };
    line.push(roman(format!(" names {what}")));
    page.paragraph(line);
}

fn listed(names: &[&str]) -> Vec<Inline> {
    let separated = |(number, name): (usize, &&str)| {
        let comma = (number > 0).then(|| roman(", "));
        comma.into_iter().chain([bold(*name)]).collect::<Vec<_>>()
    };
    names.iter().enumerate().flat_map(separated).collect()
}
