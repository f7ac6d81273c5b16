//! Help, aliases, and wrong command lines.

use crate::common::World;
use predicates::str::contains;
use snapbox::{assert_data_eq, str};

/// A world on a terminal of this width.
fn world(width: u16) -> World {
    World::sandbox().with("COLUMNS", &width.to_string())
}

#[test]
fn help_fits_into_80_columns() {
    assert_data_eq!(
        world(80).run("clients show -h").stdout,
        str![[r#"
Show a client

Usage: sitectl clients show [OPTIONS] [CLIENT_ID|EMAIL]

Examples:
  sitectl clients show client-0001
  sitectl clients show client-0001 --json

Arguments:
  [CLIENT_ID|EMAIL]  Id or email of the client; omit for a menu

Global options: sitectl clients show --help

"#]]
    );
    for (line, lines) in [
        ("clients show -h", 15),
        ("restore start -h", 46),
        ("restore start --help", 90),
    ] {
        let help = world(80).run(line).stdout;
        assert!(
            help.lines().count() <= lines,
            "{line} has {} lines\n{help}",
            help.lines().count()
        );
    }
}

#[test]
fn short_help_leaves_out_global_options() {
    let help = |args: &[&str]| world(80).run(args).stdout;
    let (short, long) = (
        help(&["clients", "list", "-h"]),
        help(&["clients", "list", "--help"]),
    );
    assert!(
        !short.contains("--profile")
            && short.contains("Global options: sitectl clients list --help"),
        "{short}"
    );
    assert!(
        long.contains("--profile <NAME>") && long.contains("--search <TEXT>"),
        "{long}"
    );
    assert_eq!(help(&["help", "clients", "list"]), long);
    assert_eq!(world(80).run("clients").stderr, help(&["clients", "-h"]));
}

/// Words of other tools, and sitectl's own.
const ALIASES: &str = "\
clients ls --limit 3 = clients list --limit 3
clients list -n 3 --format json = clients list --limit 3 --output json
clients get client-0001 = clients show client-0001
clients rm client-0001 --dry-run = clients delete client-0001 --dry-run
clients remove client-0001 --dry-run = clients delete client-0001 --dry-run
clients add --note x = clients create --note x
clients edit client-0001 --note x --dry-run = clients update client-0001 --note x --dry-run
managed-accounts ls = managed-accounts list
sites ls = sites list
sites get site-9999 = sites show site-9999
tasks get task-1 = tasks show task-1
tasks status task-1 = tasks show task-1
restore ls = restore history
restore list -L 3 = restore history --limit 3
restore wait = restore watch
restore start --plan - --wait --no-watch = restore start --plan - --watch --no-watch
restore resume --wait --no-watch = restore resume --watch --no-watch
auth whoami = auth status
profiles ls --context x = profiles list --profile x
profiles switch x = profiles use x
";

#[test]
fn words_of_other_tools_are_understood() {
    let requests_left = regex::Regex::new("[0-9]+ of [0-9]+ requests").unwrap();
    for line in ALIASES.lines() {
        let (other, own) = line.split_once(" = ").unwrap();
        let [other, own] = [other, own].map(|line| {
            let transcript = World::sandbox().run(line).transcript();
            requests_left.replace_all(&transcript, "").into_owned()
        });
        assert_eq!(other, own);
    }
}

/// Wrong command lines, and the one that does what was meant.
const CORRECTED: &str = "\
clients list --jsn = clients list --json
clients lst = clients list
clients list --color alwys = clients list --color always
client show 'A B' = clients show 'A B'
completion bash = completions bash
status = auth status
whoami = auth status
switch live = profiles use live
auth switch live = profiles use live
profiles add x = auth login --profile x
clients find kowal = clients list --search kowal
sites find shop = sites list --search shop
clients move x = clients update CLIENT --move-site x
clients import f.csv = clients apply f.csv
clients export = clients list -o csv
backups list x = snapshots list x
backups x = snapshots list x
login = auth login
logout = auth logout
version = --version
restore create x latest = restore start x latest
restore status x = restore watch x
restore site-0001 latest --full = restore start site-0001 latest --full
sites restore x = restore start x
restore stop x = tasks cancel x
tasks abort x = tasks cancel x
cancel x = tasks cancel x
stop x = tasks cancel x
abort x = tasks cancel x
wait x = restore watch x
sites move x = clients update CLIENT --move-site x
restore cancel task-1 = tasks cancel task-1
tasks wait task-1 = restore watch task-1
get clients = clients list
get client client-0001 = clients show client-0001
list clients = clients list
delete client client-0002 = clients delete client-0002
add client --note x = clients create --note x
edit client client-0001 --note x = clients update client-0001 --note x
get site site-0001 = sites show site-0001
watch restore = restore watch
";

#[test]
fn wrong_command_lines_are_corrected() {
    for line in CORRECTED.lines() {
        let (typed, meant) = line.split_once(" = ").unwrap();
        let words = shlex::split(typed).unwrap();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let run = World::empty().run(&words);
        run.assert_stderr(2, contains(format!("did you mean: sitectl {meant}")));
    }
}
