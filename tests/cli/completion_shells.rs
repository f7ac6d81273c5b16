//! Completion where people meet it: a real shell on a terminal, its script installed, a word begun, and a tab.

use crate::screen::Terminal;
use crate::support::World;
use crate::tools::{installed, installed_by_chance, present};
use assert_cmd::cargo::cargo_bin;
use std::process::Command;

/// How far the prompt is from everything that is completed.
const PROMPT: &str = "ready> ";

/// A shell at its prompt.
struct Shell {
    terminal: Terminal,
    /// Whether Ctrl-L empties its screen.
    clears: bool,
}

impl Shell {
    /// Starts it in this world, on a wide screen.
    fn start(world: &World, program: &str, args: &[&str]) -> Self {
        let binary = cargo_bin!("sitectl");
        let path = format!("{}:{}", binary.parent().unwrap().display(), std::env::var("PATH").unwrap());
        let mut command = Command::new(program);
        let given = world.command(&[]);
        command.args(args).env_clear().envs(given.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.env("PATH", path).env("LC_ALL", "C.UTF-8").current_dir(world.path(""));
        let shell = Self { terminal: Terminal::start(command, 120, 40), clears: program != "elvish" };
        shell.terminal.wait_for(PROMPT.trim_end());
        shell
    }

    /// Types this, and waits for the line to become that.
    #[track_caller]
    fn expect(&self, keys: &str, line: &str) {
        self.terminal.press(keys);
        let wanted = format!("{PROMPT}{line}");
        // Blanks at the end do not show: where the cursor is tells.
        self.terminal.wait_until(&format!("'{wanted}'"), |text| {
            let shown = text.lines().rev().find(|shown| shown.starts_with(PROMPT.trim_end()));
            shown.is_some_and(|shown| shown == wanted.trim_end())
        });
        let column = usize::from(self.terminal.screen().cursor_position().1);
        assert_eq!(column, wanted.chars().count(), "the cursor after '{keys}':\n{}", self.terminal.text());
        self.clear();
    }

    /// Types this, and waits for the screen to show all of those.
    fn lists(&self, keys: &str, shown: &[&str]) {
        self.terminal.press(keys);
        self.terminal.wait_until(&format!("{shown:?}"), |text| shown.iter().all(|one| text.contains(one)));
        self.clear();
    }

    /// Empties the line, and then the screen.
    fn clear(&self) {
        let prompt = PROMPT.trim_end();
        let line = |text: &str| text.lines().rev().find(|line| line.starts_with(prompt)).map(str::to_string);
        self.terminal.press("\x15");
        self.terminal.wait_until("an empty line", |text| line(text).as_deref() == Some(prompt));
        if self.clears {
            self.terminal.press("\x0c");
            self.terminal.wait_until("an empty screen", |text| text.trim() == prompt);
        }
    }
}

/// A world with profiles, a file, and ids that were seen.
fn world() -> World {
    let odd = ODD.replace('"', "\\\"");
    let config = format!("[profiles.live]\n[profiles.'my own']\n[profiles.sandbox]\n[profiles.\"{odd}\"]\n");
    let world = World::sandbox().with_config(&config);
    std::fs::write(world.path("plan.csv"), "").unwrap();
    world.run(&["clients", "list", "--limit", "2"]);
    world.run(&["sites", "list", "--limit", "2"]);
    world
}

fn install(world: &World, shell: &str, path: &str) {
    let path = world.path(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, world.run(&["completions", shell]).stdout).unwrap();
}

/// What every shell does.
fn all_shells(shell: &Shell, world: &World) {
    shell.expect("sitectl profiles r\t", "sitectl profiles remove ");
    shell.expect("sitectl --profile l\t", "sitectl --profile live ");
    shell.expect("sitectl -q --profile=s\t", "sitectl -q --profile=sandbox ");
    shell.expect("sitectl clients list --filter em\t", "sitectl clients list --filter email:");
    shell.expect("sitectl clients list --filter=email:\t", "sitectl clients list --filter=email:contains=");
    shell.expect("sitectl clients list --sort created_at,d\t", "sitectl clients list --sort created_at,desc ");
    shell.expect("sitectl clients show quentin@l\t", "sitectl clients show quentin@long-names.example ");
    shell.expect("sitectl restore start site-0039 la\t", "sitectl restore start site-0039 latest ");
    shell.expect("sitectl restore start --plan pl\t", "sitectl restore start --plan plan.csv ");
    shell.expect("sitectl restore start --plan=pl\t", "sitectl restore start --plan=plan.csv ");
    shell.expect("sitectl clients create --note pl\t", "sitectl clients create --note pl");
    an_odd_name_is_one_word(shell, world);
    let by_path = format!("{} --sandbox rest\t", cargo_bin!("sitectl").display());
    shell.expect(&by_path, &by_path.replace("rest\t", "restore "));
}

/// A name for which a shell would run a program, if it were not quoted.
const ODD: &str = "$(touch ran) `touch ran` 'x\" ;é!";

/// What is completed is what the program gets.
fn an_odd_name_is_one_word(shell: &Shell, world: &World) {
    shell.terminal.press("sitectl profiles use \\$\t");
    shell.terminal.wait_for("!");
    shell.terminal.press("\r");
    shell.terminal.wait_until("an empty line", |text| text.lines().last() == Some(PROMPT.trim_end()));
    let config: toml_edit::DocumentMut = world.config().parse().unwrap();
    assert_eq!(config["current_profile"].as_str(), Some(ODD), "{}", shell.terminal.text());
    assert!(!world.path("ran").exists());
    shell.clear();
}

#[test]
fn bash_completes() {
    if !installed("bash") {
        return;
    }
    let world = world();
    install(&world, "bash", "sitectl.bash");
    std::fs::write(world.path("rc"), format!("PS1='{PROMPT}'\nbind 'set bell-style none'\nsource ./sitectl.bash\n"))
        .unwrap();
    let shell = Shell::start(&world, "bash", &["--noprofile", "--rcfile", "rc", "-i"]);
    all_shells(&shell, &world);
    shell.expect("sitectl managed-accounts list --status p\t", "sitectl managed-accounts list --status pending");
    shell.expect("sitectl --profile m\t", "sitectl --profile my\\ own ");
    shell.expect("sitectl --profile 'm\t", "sitectl --profile 'my own'");
    shell.expect("sitectl --profile \"m\t", "sitectl --profile \"my own\"");
    shell.expect("sitectl clients list --filter 'email:c\t", "sitectl clients list --filter 'email:contains='");
    shell.lists("sitectl clients show client-00\t\t", &["client-0060", "(li@single-name.example)"]);
    shell.lists("sitectl clients \t\t", &["update", "(Change a client's details"]);
    shell.expect("echo; sitectl cl\t", "echo; sitectl clients ");
}

/// A shell to which ids are completed for which it would run a program, if they were not quoted.
fn hostile(shell: &str, script: &str) -> World {
    let ids = ["com$(touch ran)c", "bom`touch ran`c", "dom!touch", "eom\\\\$(touch ran)\\\""];
    let sites: Vec<String> = ids.iter().map(|id| format!(r#"{{"id":"{id}","url":""}}"#)).collect();
    let pages = r#"{"pagination":{"page":1,"perPage":25,"totalPages":1,"totalItems":4}}"#;
    let body = format!(r#"{{"sites":[{}],"meta":{pages}}}"#, sites.join(","));
    let service = crate::scripted::Scripted::new(vec![("GET /api/v6/sites", crate::scripted::Reply::Json(200, body))]);
    let world = service.world();
    assert_eq!(world.run(&["sites", "list", "-o", "ids"]).code, 0);
    install(&world, shell, script);
    world
}

/// Completes the beginnings of such ids as a person may have begun them, and presses enter.
fn nothing_is_run(shell: &Shell, world: &World) {
    let wait = || std::thread::sleep(std::time::Duration::from_millis(200));
    for (begun, quote) in [("com", ""), ("com$", ""), ("com$", "\""), ("bom`", "\""), ("bom`", "'"), ("dom!", "\"")] {
        for end in ["\r", &format!("{quote}\r")] {
            // Ends with a complaint before anything is sent.
            for keys in [&format!("sitectl snapshots list --limit 0 {quote}{begun}\t"), end, "\x03"] {
                shell.terminal.press(keys);
                // A shell may throw away what is typed before an interruption.
                wait();
            }
        }
    }
    shell.terminal.press("touch end\r");
    shell.terminal.wait_until("the end", |_| world.path("end").exists());
    assert!(!world.path("ran").exists(), "{}", shell.terminal.history());
}

#[test]
fn nothing_that_is_completed_is_run_by_bash() {
    if !installed("bash") {
        return;
    }
    let world = hostile("bash", "sitectl.bash");
    std::fs::write(world.path("rc"), format!("PS1='{PROMPT}'\nbind 'set bell-style none'\nsource ./sitectl.bash\n"))
        .unwrap();
    let shell = Shell::start(&world, "bash", &["--noprofile", "--rcfile", "rc", "-i"]);
    let typed = |word: &str| format!("sitectl clients create --site {word}");
    for (word, completed) in [
        ("com", "com'$'\\(touch\\ ran\\)c "),
        ("com\\$", "com\\$\\(touch\\ ran\\)c "),
        ("'com", "'com$(touch ran)c'"),
        ("\"com", "\"com\"'$'\"(touch ran)c\""),
        ("\"com\\$", "\"com\\$"),
        ("\"com$", "\"com$"),
        ("com$", "com$"),
        ("bom", "bom$'\\140'touch\\ ran$'\\140'c "),
        ("'bom", "'bom'$'\\140''touch ran'$'\\140''c'"),
        ("\"bom", "\"bom\"$'\\140'\"touch ran\"$'\\140'\"c\""),
        ("\"bom`", "\"bom`"),
        ("dom", "dom\\!touch "),
        ("'dom", "'dom!touch'"),
        ("\"dom", "\"dom"),
        ("\"dom!", "\"dom!"),
    ] {
        shell.expect(&(typed(word) + "\t"), &typed(completed));
    }
    nothing_is_run(&shell, &world);
}

#[test]
fn nothing_that_is_completed_is_run_by_zsh_or_fish() {
    if installed("zsh") {
        let world = hostile("zsh", "functions/_sitectl");
        let lines = format!(
            "PROMPT='{PROMPT}'\nunsetopt beep\nfpath=(~/functions $fpath)\nautoload -U compinit\ncompinit -u\n"
        );
        std::fs::write(world.path(".zshrc"), lines).unwrap();
        nothing_is_run(&Shell::start(&world, "zsh", &["-o", "no_global_rcs", "-i"]), &world);
    }
    if installed("fish") {
        let world = hostile("fish", ".config/fish/completions/sitectl.fish");
        let lines = format!(
            "set fish_greeting\nfunction fish_prompt; echo -n '{PROMPT}'; end\nset -g fish_autosuggestion_enabled 0\n"
        );
        std::fs::write(world.path(".config/fish/config.fish"), lines).unwrap();
        nothing_is_run(&Shell::start(&world, "fish", &["-i"]), &world);
    }
}

/// What a program gets is what was completed, whatever was typed before it, between backquotes too.
#[test]
fn what_bash_completes_is_what_the_program_gets() {
    if !installed("bash") {
        return;
    }
    let world = hostile("bash", "sitectl.bash");
    let lines = [("com", "com$(touch ran)c"), ("bom", "bom`touch ran`c"), ("eom", "eom\\$(touch ran)\"")];
    for (begun, value) in lines {
        for quote in ["", "'", "\""] {
            let line = format!("sitectl clients create --site {quote}{begun}");
            let run = world.run(&["__complete", "bash", &line, begun]);
            let word = run.stdout.lines().nth(1).unwrap_or_else(|| panic!("{line}: {}", run.transcript())).trim_end();
            // Where a shell adds the quote itself, at the end of the only one.
            let word = format!("{quote}{word}{quote}");
            for script in [format!("printf %s {word}"), format!("echo `printf %s {word}`")] {
                let told = Command::new("bash").args(["-c", &script]).current_dir(world.path("")).output().unwrap();
                assert_eq!(String::from_utf8(told.stdout).unwrap().trim_end(), value, "{script}");
            }
        }
    }
    assert!(!world.path("ran").exists());
}

#[test]
fn bash_finds_the_script_where_packages_put_it() {
    let loader = "/usr/share/bash-completion/bash_completion";
    if !installed("bash") || !present(loader) {
        return;
    }
    let world = world();
    install(&world, "bash", ".local/share/bash-completion/completions/sitectl");
    std::fs::write(world.path("rc"), format!("PS1='{PROMPT}'\nsource {}\n", loader)).unwrap();
    let shell = Shell::start(&world, "bash", &["--noprofile", "--rcfile", "rc", "-i"]);
    shell.expect("sitectl cl\t", "sitectl clients ");
    shell.expect("sitectl clients list --filter=email:\t", "sitectl clients list --filter=email:contains=");
}

#[test]
fn zsh_completes_from_the_first_tab() {
    if !installed("zsh") {
        return;
    }
    let world = world();
    install(&world, "zsh", "functions/_sitectl");
    std::fs::write(
        world.path(".zshrc"),
        format!("PROMPT='{PROMPT}'\nunsetopt beep\nfpath=(~/functions $fpath)\nautoload -U compinit\ncompinit -u\nalias sc='sitectl --sandbox'\n"),
    )
    .unwrap();
    let shell = Shell::start(&world, "zsh", &["-o", "no_global_rcs", "-i"]);
    shell.expect("sitectl cl\t", "sitectl clients ");
    all_shells(&shell, &world);
    shell.expect("sitectl managed-accounts list --status p\t", "sitectl managed-accounts list --status pending");
    shell.expect("sc cl\t", "sc clients ");
    shell.expect("sitectl --profile m\t", "sitectl --profile my\\ own ");
    shell.expect("sitectl --profile 'm\t", "sitectl --profile 'my own' ");
    shell.lists("sitectl clients show client-00\t", &["client-0060", "-- li@single-name.example"]);
    // Sourced, it does as well.
    shell.expect(
        "compdef -d sitectl; source functions/_sitectl; sitectl cl\t",
        "compdef -d sitectl; source functions/_sitectl; sitectl clients ",
    );
}

#[test]
fn fish_completes() {
    if !installed("fish") {
        return;
    }
    let world = world();
    install(&world, "fish", ".config/fish/completions/sitectl.fish");
    std::fs::write(
        world.path(".config/fish/config.fish"),
        format!(
            "set fish_greeting\nfunction fish_prompt; echo -n '{PROMPT}'; end\nset -g fish_autosuggestion_enabled 0\n"
        ),
    )
    .unwrap();
    let shell = Shell::start(&world, "fish", &["-i"]);
    all_shells(&shell, &world);
    // Only fish itself decides whether a space follows.
    shell.expect("sitectl managed-accounts list --status p\t", "sitectl managed-accounts list --status pending ");
    shell.expect("sitectl --profile m\t", "sitectl --profile my\\ own ");
    shell.lists("sitectl clients show client-00\t", &["client-0060", "(li@single-name.example)"]);
}

#[test]
fn elvish_completes() {
    if !installed("elvish") {
        return;
    }
    let world = world();
    install(&world, "elvish", "sitectl.elv");
    std::fs::write(
        world.path("rc.elv"),
        format!("set edit:prompt = {{ print '{PROMPT}' }}\nset edit:rprompt = {{ }}\neval (slurp < sitectl.elv)\n"),
    )
    .unwrap();
    let shell = Shell::start(&world, "elvish", &["-rc", "rc.elv"]);
    shell.expect("sitectl profiles r\t", "sitectl profiles remove ");
    shell.expect("sitectl --profile l\t", "sitectl --profile live ");
    shell.expect("sitectl clients list --filter em\t", "sitectl clients list --filter email:");
    shell.expect("sitectl clients show quentin@l\t", "sitectl clients show quentin@long-names.example ");
    shell.expect("sitectl restore start --plan pl\t", "sitectl restore start --plan plan.csv ");
    let other = Shell::start(&world, "elvish", &["-rc", "rc.elv"]);
    // It quotes the whole word, and so asks.
    other.terminal.press("sitectl --profile m\t");
    other.terminal.wait_for("--profile 'my own'");
    shell.terminal.press("sitectl clients show client-00\t");
    shell.terminal.wait_for("client-0060  (li@single-name.example)");
}

#[test]
fn powershell_completes() {
    if !installed_by_chance("pwsh") {
        return;
    }
    let world = world();
    install(&world, "powershell", "_sitectl.ps1");
    let complete = |line: &str| {
        let line = line.replace('\'', "''");
        let ask = format!("(TabExpansion2 '{line}' {}).CompletionMatches.CompletionText", line.chars().count());
        let script = format!(". ./_sitectl.ps1; {ask}");
        let mut shell = world.shell(&["-c", r#"exec pwsh -NoProfile -NonInteractive -Command "$0""#, &script]);
        String::from_utf8(shell.output().unwrap().stdout).unwrap().trim_end().to_string()
    };
    assert_eq!(complete("sitectl profiles r"), "remove");
    assert_eq!(complete("sitectl --profile l"), "live");
    assert_eq!(complete("sitectl --profile m"), "'my own'");
    assert_eq!(complete("sitectl clients show quentin@l"), "quentin@long-names.example");
    // Between these quotes PowerShell runs nothing.
    assert!(complete("sitectl profiles use ").contains(&format!("'{}'", ODD.replace('\'', "''"))));
}
