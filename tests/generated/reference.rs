//! What all commands share, from the program's own tables: exit codes, variables, files.

use crate::page::Page;
use crate::words::{capital, marked, sentence, unbroken};
use roff::{Inline, bold, italic, roman};
use sitectl::reference::{CONFIG, Directory, Ending, FILES, STATE, VARIABLES};

pub fn endings(page: &mut Page) {
    sitectl::reference::endings().iter().for_each(|ending| one_ending(page, ending, ending.when));
}

/// Those with these codes, for a page that lists no others.
pub fn endings_among(page: &mut Page, codes: &[u8]) {
    for ending in sitectl::reference::endings().iter().filter(|ending| codes.contains(&ending.code)) {
        let when = if ending.code == 1 { "any other error, or a question was answered with no" } else { ending.when };
        one_ending(page, ending, when);
    }
}

fn one_ending(page: &mut Page, ending: &Ending, when: &str) {
    let kind = ending.kind.map(|kind| vec![roman(" ("), roman(kind), roman(")")]).unwrap_or_default();
    let term = std::iter::once(bold(ending.code.to_string())).chain(kind).collect();
    page.tagged(term, marked(&sentence(&capital(when))));
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
pub fn in_short(page: &mut Page, journalled: bool) {
    page.section("Environment");
    page.say(
        "SITECTL_PROFILE, or SITECTL_BASE_URL and SITECTL_TOKEN, or SITECTL_SANDBOX choose the service. sitectl(1) lists \
         all variables that are read.",
    );
    page.section("Files");
    if journalled {
        let journal = FILES.iter().find(|file| file.directory == STATE).unwrap();
        let place = format!("{}/{}", journal.directory.linux, journal.name);
        page.paragraph(vec![roman("The journal is "), unbroken(italic(place)), roman(" on Linux.")]);
    }
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
