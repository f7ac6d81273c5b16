//! Completion in real shells on a terminal: the script is installed, a word begun, and Tab pressed.

use crate::common::World;
use crate::completion::cached_ids;
use crate::screen::Terminal;
use crate::tools::installed;
use assert_cmd::cargo::cargo_bin;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

/// A prompt that no completion contains.
const PROMPT: &str = "ready> ";

/// A shell at its prompt.
struct Shell {
    terminal: Terminal,
    /// Whether Ctrl-L clears its screen.
    clears: bool,
}

impl Shell {
    /// Starts the shell in this world, on a wide screen.
    fn start(world: &World, program: &str, args: &[&str]) -> Self {
        let binary = cargo_bin!("sitectl");
        let path = format!(
            "{}:{}",
            binary.parent().unwrap().display(),
            std::env::var("PATH").unwrap()
        );
        std::fs::set_permissions(world.path(""), Permissions::from_mode(0o700)).unwrap();
        let mut command = Command::new(program);
        let given = world.command(&[]);
        command.args(args).env_clear().envs(
            given
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        );
        command
            .env("PATH", path)
            .env("LC_ALL", "C.UTF-8")
            // Otherwise, fish and elvish write to the directory for temporary files. fish requires a
            // private one.
            .env("XDG_RUNTIME_DIR", world.path(""))
            .current_dir(world.path(""));
        let shell = Self {
            terminal: Terminal::start(command, 120, 40),
            clears: program != "elvish",
        };
        shell.terminal.wait_for(PROMPT.trim_end());
        shell
    }

    /// Types the keys, and waits for the line.
    #[track_caller]
    fn expect(&self, keys: &str, line: &str) {
        self.terminal.press(keys);
        let wanted = format!("{PROMPT}{line}");
        // The position of the cursor shows blanks at the end.
        self.terminal.wait_until(&format!("'{wanted}'"), |text| {
            let shown = text
                .lines()
                .rev()
                .find(|shown| shown.starts_with(PROMPT.trim_end()));
            shown.is_some_and(|shown| shown == wanted.trim_end())
        });
        let column = usize::from(self.terminal.screen().cursor_position().1);
        assert_eq!(
            column,
            wanted.chars().count(),
            "the cursor after '{keys}':\n{}",
            self.terminal.text()
        );
        self.clear();
    }

    /// Types the keys, and waits until the screen shows all texts.
    fn lists(&self, keys: &str, shown: &[&str]) {
        self.terminal.press(keys);
        self.terminal.wait_until(&format!("{shown:?}"), |text| {
            shown.iter().all(|one| text.contains(one))
        });
        self.clear();
    }

    /// Clears the line, and then the screen.
    fn clear(&self) {
        let prompt = PROMPT.trim_end();
        let line = |text: &str| {
            text.lines()
                .rev()
                .find(|line| line.starts_with(prompt))
                .map(str::to_string)
        };
        self.terminal.press("\x15");
        self.terminal.wait_until("an empty line", |text| {
            line(text).as_deref() == Some(prompt)
        });
        if self.clears {
            self.terminal.press("\x0c");
            self.terminal
                .wait_until("an empty screen", |text| text.trim() == prompt);
        }
    }
}

/// A world with profiles, a file, and listed ids. One id and one description hold commands.
fn world() -> World {
    let world = World::sandbox().with_config("[profiles.live]\n[profiles.sandbox]\n");
    std::fs::write(world.path("plan.csv"), "").unwrap();
    world.run("clients list");
    world.run("sites list");
    world.run("snapshots list site-0039");
    let cache = cached_ids(&world);
    let ids = std::fs::read_to_string(&cache).unwrap();
    let mut lists: serde_json::Value = serde_json::from_str(&ids).unwrap();
    for list in lists.as_object_mut().unwrap().values_mut() {
        list.as_array_mut().unwrap().truncate(2);
    }
    let ids = lists.to_string().replace("site-0040", "com$(touch ran)");
    std::fs::write(
        cache,
        ids.replace("https://site-0039.example.com", "`touch ran` $(touch ran)"),
    )
    .unwrap();
    world
}

fn install(world: &World, shell: &str, path: &str) {
    let path = world.path(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, world.run(&["completions", shell]).stdout).unwrap();
}

/// What every shell completes.
const LINES: &[(&str, &str)] = &[
    ("sitectl profiles r\t", "sitectl profiles remove "),
    ("sitectl --profile l\t", "sitectl --profile live "),
    ("sitectl -q --profile=s\t", "sitectl -q --profile=sandbox "),
    (
        "sitectl clients list --filter=email:\t",
        "sitectl clients list --filter=email:contains=",
    ),
    (
        "sitectl clients list --sort created_at,d\t",
        "sitectl clients list --sort created_at,desc ",
    ),
    (
        "sitectl clients show quentin@l\t",
        "sitectl clients show quentin@long-names.example ",
    ),
    (
        "sitectl restore start site-0039 la\t",
        "sitectl restore start site-0039 latest ",
    ),
    (
        "sitectl restore start --plan pl\t",
        "sitectl restore start --plan plan.csv ",
    ),
    (
        "sitectl restore start --plan=pl\t",
        "sitectl restore start --plan=plan.csv ",
    ),
    (
        "sitectl clients create --note pl\t",
        "sitectl clients create --note pl",
    ),
    ("sitectl snapshots list com\t", "sitectl snapshots list com"),
    (
        "sitectl snapshots list site\t",
        "sitectl snapshots list site-0039 ",
    ),
];

/// Installs a shell's script and configuration, starts the shell, and completes what every shell completes.
fn completes(
    shell: &str,
    script: &str,
    config: (&str, String),
    args: &[&str],
) -> Option<(Shell, World)> {
    let world = installed(shell).then(world)?;
    install(&world, shell, script);
    std::fs::write(world.path(config.0), config.1).unwrap();
    let shell = Shell::start(&world, shell, args);
    LINES
        .iter()
        .for_each(|(keys, line)| shell.expect(keys, line));
    assert!(!world.path("ran").exists(), "a command in an id was run");
    Some((shell, world))
}

#[test]
fn bash_completes() {
    let config = format!("PS1='{PROMPT}'\nbind 'set bell-style none'\nsource ./sitectl.bash\n");
    let Some((shell, _world)) = completes(
        "bash",
        "sitectl.bash",
        ("rc", config),
        &["--noprofile", "--rcfile", "rc", "-i"],
    ) else {
        return;
    };
    shell.expect(
        "sitectl clients list --filter 'email:c\t",
        "sitectl clients list --filter 'email:contains='",
    );
    shell.lists(
        "sitectl clients show client-00\t\t",
        &["client-0060", "client-0059"],
    );
    shell.expect("echo; sitectl cl\t", "echo; sitectl clients ");
}

#[test]
fn zsh_completes() {
    let config = format!(
        "PROMPT='{PROMPT}'\nunsetopt beep\nfpath=(~/functions $fpath)\nautoload -U compinit\ncompinit -u\nalias sc='sitectl --sandbox'\n"
    );
    let args = ["-o", "no_global_rcs", "-i"];
    let Some((shell, _world)) = completes("zsh", "functions/_sitectl", (".zshrc", config), &args)
    else {
        return;
    };
    shell.expect("sc cl\t", "sc clients ");
    shell.lists(
        "sitectl clients show client-00\t",
        &["client-0060", "-- li@single-name.example"],
    );
    shell.lists(
        "sitectl restore start site-0039 \t",
        &["latest", "snap-0039-4  -- 2026-11-"],
    );
}

#[test]
fn fish_completes() {
    let config = format!(
        "set fish_greeting\nfunction fish_prompt; echo -n '{PROMPT}'; end\nset -g fish_autosuggestion_enabled 0\n"
    );
    let (script, file) = (
        ".config/fish/completions/sitectl.fish",
        ".config/fish/config.fish",
    );
    let Some((shell, _world)) = completes("fish", script, (file, config), &["-i"]) else {
        return;
    };
    shell.lists(
        "sitectl clients show client-00\t",
        &["client-0060", "(li@single-name.example)"],
    );
}

#[test]
fn elvish_completes() {
    if !installed("elvish") {
        return;
    }
    let world = world();
    install(&world, "elvish", "sitectl.elv");
    let config = format!(
        "set edit:prompt = {{ print '{PROMPT}' }}\nset edit:rprompt = {{ }}\neval (slurp < sitectl.elv)\n"
    );
    std::fs::write(world.path("rc.elv"), config).unwrap();
    let shell = Shell::start(&world, "elvish", &["-rc", "rc.elv"]);
    // It quotes words with these characters.
    for (keys, line) in LINES.iter().filter(|(keys, _)| !keys.contains(['=', ','])) {
        shell.expect(keys, line);
    }
    shell.terminal.press("sitectl clients show client-00\t");
    shell
        .terminal
        .wait_for("client-0060  (li@single-name.example)");
}
