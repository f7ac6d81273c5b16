//! `sitectl explain`: every exit code and detail code has a page, and the commands on the pages work.

use crate::common::{Server, World};
use crate::examples::run_script;
use clap::{Command, CommandFactory};
use regex::Regex;
use snapbox::{assert_data_eq, str};
use std::collections::BTreeSet;
use std::path::Path;

/// All pages with their names.
fn pages() -> Vec<(&'static str, String)> {
    let topics = include_str!("../../src/commands/explain/pages.txt")
        .lines()
        .filter_map(|line| line.strip_prefix("== "));
    let name = |topic: &'static str| topic.split(' ').next().unwrap();
    topics
        .map(name)
        .map(|name| (name, World::empty().run(&["explain", name]).stdout))
        .collect()
}

/// The commands that a page shows.
fn commands(page: &str) -> Vec<&str> {
    page.lines()
        .filter_map(|line| line.strip_prefix("      "))
        .filter(|line| line.starts_with("sitectl "))
        .collect()
}

#[test]
fn explain_lists_the_exit_codes_and_shows_a_page() {
    let world = World::empty();
    let codes = world.run("explain").stdout;
    assert!(
        codes.contains("\n2          usage            invalid usage, or a missing confirmation\n"),
        "{codes}"
    );
    assert_data_eq!(
        world.run("explain too-long").transcript(),
        str![[r#"
[stdout]
too_long: a detail of invalid (exit 5)

  A text is too long. The limits are 255 characters for names and the company
  name, 2000 for the address and 5000 for the note. sitectl does not shorten the
  text before it sends a client.
exit 0

"#]]
    );
    let page = world.run("explain already_exists --json").json();
    let keys: Vec<&String> = page.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["code", "kind", "exit_code", "when", "page"]);
    assert_eq!(
        (&page["kind"], &page["exit_code"]),
        (&"invalid".into(), &5.into())
    );
}

#[test]
fn pages_contain_only_commands_and_flags_that_exist() {
    fn flags(command: &Command, found: &mut Vec<String>) {
        found.extend(
            command
                .get_arguments()
                .filter_map(|arg| arg.get_long())
                .map(|flag| format!("--{flag}")),
        );
        command
            .get_subcommands()
            .for_each(|command| flags(command, found));
    }
    let mut root = sitectl::cli::Cli::command();
    root.build();
    let mut known = Vec::new();
    flags(&root, &mut known);
    let flag = Regex::new("--[a-z][a-z-]+").unwrap();
    for (name, page) in pages() {
        let wrong = flag
            .find_iter(&page)
            .find(|flag| !known.iter().any(|known| known == flag.as_str()));
        assert!(wrong.is_none(), "{name} names {wrong:?}");
        for line in commands(&page) {
            let parsed = root
                .clone()
                .try_get_matches_from(shlex::split(line).unwrap());
            let error = parsed.err().filter(|error| error.use_stderr());
            assert!(error.is_none(), "{name} shows {line}: {error:?}");
        }
        assert!(
            page.lines()
                .all(|line| line.len() <= 80 || line.starts_with("      sitectl ")),
            "{name} is wide\n{page}"
        );
    }
}

/// Words in capitals stand for values. All other commands can be pasted.
#[test]
fn commands_in_pages_work() {
    let placeholder = Regex::new("[A-Z]{3}").unwrap();
    let server = Server::start("");
    let world = World::empty().with_config(&format!(
        "current_profile = \"live\"\n[profiles.live]\nbase_url = \"{}\"\ntoken_command = [\"echo\", \"sandbox-token\"]\n",
        server.base_url
    ));
    let ada = "clients create --first-name Ada --email ada@example.com";
    assert_eq!(world.run(ada).code, 0);
    for (name, page) in pages() {
        let complete = |line: &&str| !placeholder.is_match(line) && !line.contains("auth login");
        for line in commands(&page).into_iter().filter(complete) {
            let run = run_script(&world, line);
            assert_eq!(run.code, 0, "{name} shows {line}\n{}", run.transcript());
        }
    }
}

/// Adds the codes in the Rust files of a directory. A code is the first argument of a detail or the
/// status of a sandbox error, or stands before the message of a problem.
fn add_codes(directory: &Path, codes: &mut BTreeSet<String>) {
    let patterns = [
        r#"Detail::new\(\s*"([a-z_]+)""#,
        r#"\.add\(\s*"([a-z_]+)""#,
        r"(?:ApiError::new|FaultKind::Status)\(\s*StatusCode::([A-Z_]+)",
        r#"(?:add_problem|problem|reject|detail|refusal)\([^;{}]*?"([a-z_]+)",\s*(?:&?\*?\w*(?:message|error)\b|&?format|"[A-Z])"#,
        r#"\bcode: "([a-z_]+)""#,
        r#"(?:Some|Err)\(\(\s*"([a-z_]+)","#,
        r#"const (?:NOT_FOUND|ALREADY_ASSIGNED|DUPLICATE_FIELD): &str = "([a-z_]+)""#,
        r#"=> "([a-z]+_?[a-z]*)",\n *_ => "([a-z]+)",\n *\};\n *return Ok\(Err\(self\.refusal"#,
    ];
    let patterns = patterns.map(|pattern| Regex::new(pattern).unwrap());
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add_codes(&path, codes);
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap();
        let source = source.split("#[cfg(test)]").next().unwrap();
        for pattern in &patterns {
            for found in pattern.captures_iter(source) {
                let groups = found.iter().skip(1).flatten();
                codes.extend(groups.map(|code| code.as_str().to_lowercase()));
            }
        }
    }
}

#[test]
fn every_code_that_can_be_printed_has_a_page() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut codes = BTreeSet::new();
    for directory in ["client", "commands", "input", "sandbox"] {
        add_codes(&source.join(directory), &mut codes);
    }
    let names: BTreeSet<String> = pages().iter().map(|page| page.0.to_string()).collect();
    let missing: Vec<&String> = codes.difference(&names).collect();
    assert!(missing.is_empty(), "no page: {missing:?}");
    let kinds = sitectl::EXIT_CODES.iter().filter_map(|row| row.kind);
    codes.extend(kinds.map(String::from));
    let unused: Vec<&String> = names.difference(&codes).collect();
    assert!(unused.is_empty(), "no code: {unused:?}");
}
