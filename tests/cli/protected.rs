//! Which profile is changed is never in doubt: a protected one asks for its name, `--confirm` goes with no other, and
//! every question says what it is about.

use crate::screen::Terminal;
use crate::support::{Run, Server, World};
use snapbox::{assert_data_eq, str};

/// A change, as a command that makes it. `{}` stands for a number that no other run has.
struct Change {
    args: &'static [&'static str],
    /// A file that it reads.
    file: (&'static str, &'static str),
    /// What it asks of its own, and the keys that answer.
    asks: Option<(&'static str, &'static str)>,
    /// Whether it has to read before it knows that there is anything to ask.
    looks_first: bool,
}

const CREATE: Change = Change {
    args: &["clients", "create", "--first-name", "Ada", "--email", "ada-{}@example.com"],
    file: ("unused", ""),
    asks: None,
    looks_first: false,
};
const UPDATE: Change =
    Change { args: &["clients", "update", "client-0001", "--note", "note {}", "--add-site", "site-0036"], ..CREATE };
const DELETE: Change =
    Change { args: &["clients", "delete", "client-00{}"], asks: Some(("Delete 1 client (", "y\r")), ..CREATE };
const APPLY: Change = Change {
    args: &["clients", "apply", "clients.csv"],
    file: ("clients.csv", "email,first_name\na-{}@example.com,A\nb-{}@example.com,B\nc-{}@example.com,C\n"),
    asks: Some(("Create 3 clients (", "y\r")),
    looks_first: true,
};
const RESTORE: Change = Change {
    args: &["restore", "start", "site-00{}", "latest", "--full"],
    asks: Some(("Restore the site (", "site-00{}\r")),
    ..CREATE
};
const PLAN: Change = Change {
    args: &["restore", "start", "--plan", "plan.csv"],
    file: ("plan.csv", "site_id,snapshot_id,files\nsite-00{},latest,yes\n"),
    asks: Some(("Restore 1 site (", "1\r")),
    ..CREATE
};

const BY_HAND: Change =
    Change { args: &["api", "POST", "/clients/client-00{}/update", "-f", "client[note]=x"], ..UPDATE };

/// One way to run a change.
#[derive(Debug, Clone, Copy)]
struct Case {
    terminal: bool,
    protected: bool,
    yes: bool,
    confirm: Option<&'static str>,
}

impl Case {
    fn all() -> Vec<Self> {
        let each = |confirm| {
            (0..8).map(move |bits| Self { terminal: bits & 1 > 0, protected: bits & 2 > 0, yes: bits & 4 > 0, confirm })
        };
        [None, Some("live"), Some("test")].into_iter().flat_map(each).collect()
    }

    fn flags(self) -> Vec<&'static str> {
        let confirm = self.confirm.into_iter().flat_map(|name| ["--confirm", name]);
        self.yes.then_some("--yes").into_iter().chain(confirm).chain(["-v"]).collect()
    }

    /// The questions, as they begin or end, each with the keys that answer it.
    fn questions(self, change: &Change) -> Vec<(String, String)> {
        let own = change.asks.filter(|_| !self.yes).map(|(text, keys)| (text.to_string(), keys.to_string()));
        let name = (self.protected && self.confirm.is_none()).then(|| ("type live to go on".into(), "live\r".into()));
        own.into_iter().chain(name).collect()
    }
}

/// A world whose profile in use is `live`; there is another, `test`.
fn profiles(base_url: &str, protected: bool) -> World {
    let profile = format!("base_url = \"{base_url}\"\ntoken = \"sandbox-token\"\nprotected = {protected}\n");
    let both = format!("current_profile = \"live\"\n[profiles.live]\n{profile}[profiles.test]\n{profile}");
    World::empty().with_config(&both)
}

/// All that a client list and the restores of this world show.
fn state(server: &Server, world: &World) -> String {
    server.world().run(&["clients", "list", "--json"]).stdout + &world.journal()
}

/// Runs the change in each way, and compares what was asked, what was sent and how it ended with what should be.
#[track_caller]
fn holds(change: &Change) {
    let server = Server::start(&["--rate-limit", "60000", "--restore-time", "1s"]);
    let cases = Case::all().into_iter().filter(|case| change.asks.is_some() || !case.yes);
    for (number, case) in cases.enumerate() {
        let number = (number + 10).to_string();
        let fill = |text: &str| text.replace("{}", &number);
        let world = profiles(&server.base_url, case.protected);
        std::fs::write(world.path(change.file.0), fill(change.file.1)).unwrap();
        let args: Vec<String> = change.args.iter().chain(&case.flags()).map(|word| fill(word)).collect();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let before = state(&server, &world);
        let questions = case.questions(change);
        let refused = case.confirm == Some("test") || (!case.terminal && !questions.is_empty());
        let (code, said) = if case.terminal {
            let answers = questions.iter().map(|(text, keys)| (fill(text), fill(keys)));
            at_terminal(&world, &args, if refused { Vec::new() } else { answers.collect() })
        } else {
            let Run { code, stderr, .. } = world.run(&args);
            (code, stderr)
        };
        let shown = format!("{args:?} {case:?}\n{said}");
        assert_eq!(code, if refused { 2 } else { 0 }, "{shown}");
        assert_eq!(said.contains("POST http"), !refused, "{shown}");
        assert_eq!(state(&server, &world) == before, refused, "{shown}");
        if refused {
            let is_early = !change.looks_first || case.confirm == Some("test");
            assert!(!is_early || !said.contains("GET http"), "{shown}");
            let names = [("--yes", !case.yes && change.asks.is_some()), ("--confirm live", case.protected)];
            let told = said.split("hint: ").nth(1).unwrap_or_default();
            let wanted = |(flag, wanted): &(&str, bool)| case.confirm.is_some() || told.contains(flag) == *wanted;
            assert!(names.iter().all(wanted), "{shown}");
        }
    }
}

/// Runs the program on a terminal, answers its questions, and gives its exit code and what it showed.
fn at_terminal(world: &World, args: &[&str], answers: Vec<(String, String)>) -> (i32, String) {
    let mut terminal = Terminal::start(world.command(args), 160, 40);
    for (question, keys) in answers {
        terminal.wait_for(&question);
        assert!(!terminal.history().contains("POST http"), "sent before it was asked:\n{}", terminal.history());
        terminal.press(&keys);
    }
    (terminal.exit_code(), terminal.history())
}

#[test]
fn creating_asks_as_it_should() {
    holds(&CREATE);
}

#[test]
fn updating_asks_as_it_should() {
    holds(&UPDATE);
}

#[test]
fn a_change_by_hand_asks_as_it_should() {
    holds(&BY_HAND);
}

#[test]
fn deleting_asks_as_it_should() {
    holds(&DELETE);
}

#[test]
fn applying_asks_as_it_should() {
    holds(&APPLY);
}

#[test]
fn restoring_asks_as_it_should() {
    holds(&RESTORE);
}

#[test]
fn a_plan_asks_as_it_should() {
    holds(&PLAN);
}

#[test]
fn another_answer_changes_nothing() {
    let server = Server::start(&["--rate-limit", "60000"]);
    for change in [CREATE, UPDATE, DELETE, APPLY, RESTORE, PLAN] {
        for (keys, code, end) in [
            ("\r", 1, "error: not confirmed; nothing was changed$"),
            ("y\r", 1, "error: not confirmed; nothing was changed$"),
            ("LIVE\r", 1, "error: not confirmed; nothing was changed$"),
            ("live\x03", 130, "error: interrupted; nothing was changed$"),
        ] {
            let world = profiles(&server.base_url, true);
            std::fs::write(world.path(change.file.0), change.file.1.replace("{}", "10")).unwrap();
            let before = state(&server, &world);
            let yes = if change.asks.is_some() { &["--yes"][..] } else { &[] };
            let args: Vec<String> = [change.args, yes].concat().iter().map(|word| word.replace("{}", "10")).collect();
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let mut terminal = Terminal::start(world.command(&args), 160, 40);
            terminal.wait_for("type live to go on");
            terminal.press(keys);
            assert_eq!(terminal.exit_code(), code, "{args:?} {keys:?}\n{}", terminal.text());
            terminal.assert_shows(end);
            assert!(!terminal.screen().hide_cursor(), "{args:?} {keys:?}");
            assert_eq!(state(&server, &world), before, "{args:?} {keys:?}");
        }
    }
}

#[test]
fn what_changes_nothing_asks_nothing() {
    let server = Server::start(&["--rate-limit", "60000"]);
    let world = profiles(&server.base_url, true);
    std::fs::write(world.path("clients.csv"), world.run(&["clients", "list", "-o", "csv"]).stdout).unwrap();
    std::fs::write(world.path("new.csv"), "email,first_name\nada@example.com,Ada\n").unwrap();
    for args in [
        &["clients", "list"][..],
        &["clients", "show", "client-0001"],
        &["clients", "apply", "clients.csv"],
        &["clients", "apply", "new.csv", "--dry-run"],
        &["managed-accounts", "list"],
        &["sites", "list"],
        &["snapshots", "list", "site-0001"],
        &["api", "/clients"],
        &["api", "HEAD", "/clients"],
        &["api", "POST", "/clients/delete", "-f", "ids[]=client-0001", "--dry-run"],
        &["restore", "history"],
        &["restore", "watch"],
    ] {
        let run = world.run(args);
        assert_eq!(run.code, 0, "{args:?} {}", run.transcript());
    }
}

#[test]
fn a_client_that_is_there_already_is_asked_about_only_where_it_would_change() {
    let server = Server::start(&[]);
    let world = profiles(&server.base_url, true);
    let start = |note: &str, if_exists: &str| {
        let client = ["clients", "create", "--first-name", "Amara", "--email", "amara.okafor@okafor-interiors.example"];
        let args = [&client[..], &["--note", note, "--if-exists", if_exists, "-o", "ids"]].concat();
        Terminal::start(world.command(&args), 160, 30)
    };
    assert_eq!(start("other", "skip").exit_code(), 0);
    let mut terminal = start("other", "update");
    terminal.wait_for("Update note of the client amara.okafor@okafor-interiors.example (profile live");
    terminal.press("live\r");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.text());
    assert_eq!(world.run(&["clients", "show", "client-0001", "--json"]).json()["note"], "other");
    assert_eq!(start("other", "update").exit_code(), 0);
}

#[test]
fn a_terminal_shows_what_will_happen_and_asks_for_the_name_last() {
    let server = Server::start(&[]);
    let world = profiles(&server.base_url, true);
    let mut clients = world.run(&["clients", "list", "-o", "csv"]).stdout;
    clients =
        clients.lines().filter(|line| !line.starts_with("client-0060,")).map(|line| format!("{line}\n")).collect();
    std::fs::write(world.path("clients.csv"), format!("{clients},Ada,,ada@example.com,,,,,,\n")).unwrap();
    let mut terminal = Terminal::start(world.command(&["clients", "apply", "clients.csv", "--prune"]), 120, 30);
    for (question, keys) in [("type 1 to go on", "1\r"), ("[y/N]", "y\r"), ("type live to go on", "live\r")] {
        terminal.wait_for(question);
        terminal.press(keys);
    }
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.text());
    assert_data_eq!(
        terminal.transcript(),
        str![[r#"
+ create ada@example.com
    first_name: "Ada"
- delete client-0060  李 li@single-name.example
plan: 1 to create, 0 to update, 1 to delete, 59 unchanged
Delete 1 client not in clients.csv (profile live)? (type 1 to go on): 1
Create 1 client (profile live)? [y/N] y
Delete 1 client not in clients.csv; Create 1 client (profile live, which is protected)? (type live to go on): live
created    1
updated    0
unchanged  59
deleted    1
failed     0

"#]]
    );
    let restore = ["restore", "start", "site-0001", "snap-0001-1", "--full", "--yes"];
    let terminal = Terminal::start(world.command(&restore), 120, 30);
    terminal.wait_for("to go on");
    assert_data_eq!(
        terminal.transcript(),
        str![[r#"
warning: this overwrites the live site site-0001 (https://site-0001.example.com) on http://127.0.0.1:PORT/api/v6
  restores files, database from snapshot snap-0001-1, taken TIME
  everything that changed there in the last AGE is lost
Restore the site (profile live, which is protected)? (type live to go on):

"#]]
    );
}

#[test]
fn without_a_terminal_the_profile_and_the_flag_are_named() {
    let world = profiles("http://127.0.0.1:1/api/v6", true);
    assert_data_eq!(
        world.run(&["clients", "delete", "client-0001"]).transcript(),
        str![[r#"
[stderr]
error: Delete 1 client (profile live): the profile is protected, and there is no terminal to ask for its name on
hint: add --confirm live and --yes to go on without being asked
exit 2

"#]]
    );
    assert_data_eq!(
        world.run(&["restore", "start", "site-0001", "latest", "--full", "--yes", "--json"]).transcript(),
        str![[r#"
[stderr]
{"error":{"kind":"usage","exit_code":2,"status":null,"code":null,"message":"Overwrite the live site site-0001 (profile live): the profile is protected, and there is no terminal to ask for its name on","details":[],"hint":"add --confirm live to go on without being asked"}}
exit 2

"#]]
    );
    let mut terminal = Terminal::start(world.command(&["clients", "delete", "c1", "--yes", "--no-input"]), 160, 30);
    assert_eq!(terminal.exit_code(), 2);
    terminal.assert_shows("hint: add --confirm live to go on without being asked$");
}

#[test]
fn a_confirmation_of_another_profile_is_refused() {
    let url = "http://127.0.0.1:1/api/v6";
    let delete = ["clients", "delete", "client-0001", "--yes", "--confirm", "test"];
    assert_data_eq!(
        profiles(url, false).run(&delete).transcript(),
        str![[r#"
[stderr]
error: --confirm names the profile 'test', but this is about profile live
hint: nothing was changed; --profile test chooses that profile
exit 2

"#]]
    );
    assert_data_eq!(
        World::on(url).run(&delete).transcript(),
        str![[r#"
[stderr]
error: --confirm names the profile 'test', but this is about http://127.0.0.1:PORT/api/v6
hint: nothing was changed; --profile test chooses that profile
exit 2

"#]]
    );
    assert_data_eq!(
        profiles(url, true).with("SITECTL_SANDBOX", "1").run(&delete).transcript(),
        str![[r#"
[stderr]
error: --confirm names the profile 'test', but this is about the sandbox
hint: nothing was changed; --profile test chooses that profile
exit 2

"#]]
    );
    let dry = profiles(url, true).run_with(&["clients", "apply", "-", "--dry-run", "--confirm", "test"], "[]");
    assert_eq!(dry.code, 2, "{}", dry.transcript());
    let empty = profiles(url, true).run(&["clients", "delete", "client-0001", "--yes", "--confirm", ""]);
    assert_eq!(empty.code, 2, "{}", empty.transcript());
}

#[test]
fn a_protected_token_is_protected_under_any_name() {
    let server = Server::start(&[]);
    let live = "base_url = \"https://live.example/api/v6\"\ntoken = \"sandbox-token\"\nprotected = true\n";
    let test = format!("base_url = \"{}\"\ntoken = \"sandbox-token\"\n", server.base_url);
    let world = World::empty().with_config(&format!("[profiles.live]\n{live}[profiles.test]\n{test}"));
    let localhost = server.base_url.replace("127.0.0.1", "localhost");
    let delete = ["clients", "delete", "client-0001", "--yes", "--ignore-not-found"];
    for more in [&["--profile", "test"][..], &["--profile", "test", "--base-url", &localhost]] {
        let run = world.run(&[&delete[..], more].concat());
        assert!(run.code == 2 && run.stderr.contains("(profile live on http"), "{more:?} {}", run.transcript());
        assert!(run.stderr.contains("add --confirm live "), "{more:?} {}", run.transcript());
        assert_eq!(world.run(&[&delete[..], more, &["--confirm", "live"]].concat()).code, 0, "{more:?}");
    }
    let status = ["auth", "status", "--json", "--offline", "--profile", "test"];
    assert_eq!(world.run(&status).json()["protected"], true);
}

#[test]
fn an_odd_name_is_shown_and_can_be_typed() {
    let server = Server::start(&[]);
    for (number, (name, shown)) in
        [(r"a\u001b[31mb\u202e", r"a\u{1b}[31mb\u{202e}"), ("my live €", "my live €"), ("-x", "-x"), ("", "''")]
            .into_iter()
            .enumerate()
    {
        let profile = format!("base_url = \"{}\"\ntoken = \"sandbox-token\"\nprotected = true\n", server.base_url);
        let world =
            World::empty().with_config(&format!("current_profile = \"{name}\"\n[profiles.\"{name}\"]\n{profile}"));
        let id = format!("client-001{number}");
        let mut terminal = Terminal::start(world.command(&["clients", "delete", &id, "--yes"]), 200, 30);
        terminal.wait_for(&format!("(type {shown} to go on)"));
        assert!(!terminal.bytes().windows(5).any(|bytes| bytes == b"\x1b[31m"), "{name}");
        terminal.press(&format!("{shown}\r"));
        assert_eq!(terminal.exit_code(), 0, "{name}: {}", terminal.text());
    }
}

#[test]
fn hints_reach_the_same_service() {
    let server = Server::start(&[]);
    let world = profiles(&server.base_url, false);
    for args in [
        &["clients", "show", "client-9999"][..],
        &["clients", "show", "nobody@example.com"],
        &["clients", "update", "client-9999", "--note", "x"],
        &["managed-accounts", "show", "account-9999"],
        &["snapshots", "list", "site-9999"],
        &["restore", "start", "https://nowhere.example", "latest", "--full", "--yes"],
        &["restore", "start", "site-9999", "latest", "--full", "--yes"],
        &["restore", "start", "site-0001", "snap-9999", "--full", "--yes"],
        &["restore", "start", "site-0001", "snap-0001-4", "--full", "--yes"],
        &["restore", "start", "--full"],
    ] {
        let run = world.run(args);
        let hint = run.stderr.split("hint: ").nth(1).or_else(|| run.stderr.split("; ").nth(1));
        let named = hint.unwrap_or_default().matches("sitectl ").count();
        assert!(named > 0, "{args:?}\n{}", run.transcript());
        assert_eq!(hint.unwrap_or_default().matches("sitectl --profile live ").count(), named, "{}", run.transcript());
    }
    let typed = ["--base-url", &format!("{}/", server.base_url), "clients", "show", "client-9999"];
    let world = World::empty().with("SITECTL_TOKEN", "sandbox-token");
    let hint = format!("hint: sitectl --base-url {} clients list ", server.base_url);
    let run = world.run(&typed);
    assert!(run.stderr.contains(&hint), "{}", run.transcript());
}
