//! What can be typed next, as the program tells it to a shell: words in, candidates out, from nothing but local files.

use crate::support::World;
use std::net::TcpListener;

/// What is told where these words are typed, of which the last is not complete: each candidate with what it is about.
fn told(world: &World, words: &[&str]) -> Vec<String> {
    let run = world.run(&[&["__complete", "elvish", "sitectl"], words].concat());
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{words:?}");
    let mut lines = run.stdout.lines();
    match lines.next() {
        Some("values") => lines.map(|line| line.strip_prefix([' ', '+']).unwrap().to_string()).collect(),
        kind => vec![kind.unwrap_or_default().to_uppercase()],
    }
}

/// The candidates alone, in one line.
fn values(world: &World, words: &[&str]) -> String {
    let value = |line: &String| line.split('\t').next().unwrap().to_string();
    told(world, words).iter().map(value).collect::<Vec<_>>().join(" ")
}

const PROFILES: &str = "\
current_profile = 'live'
[profiles.live]
base_url = 'https://live.example/api/v6'
token = 'live-token'
[profiles.'--odd']
base_url = 'https://odd.example/api/v6'
[profiles.sandbox]
base_url = 'https://other.example/api/v6'
token_command = ['touch', 'ran']
";

#[test]
fn words_in_candidates_out() {
    let world = World::empty().with_config(PROFILES);
    for (typed, candidates) in [
        ("cl", "clients"),
        ("clients a", "apply"),
        ("--profile ", "live sandbox"),
        ("--profile=s", "--profile=sandbox"),
        ("--profile sandbox clients a", "apply"),
        ("clients -q --profile live a", "apply"),
        ("profiles use l", "live"),
        ("api /s", "/sites"),
        ("api P", "POST PUT PATCH"),
        ("api GET /cl", "/clients"),
        ("api GET /managed-accounts?page=2 --sort st", "status"),
        ("api clients --filter em", "email:"),
        ("api /teams --filter ", ""),
        ("explain not", "not_found not_deleted not_sent not_succeeded not_multisite"),
        ("explain already", "already_exists already_assigned"),
        ("api /v", ""),
        ("profiles remove s", "sandbox"),
        ("auth login --profile l", "live"),
        ("clients delete x --confirm ", "live sandbox"),
        ("-o ", "table json ndjson csv yaml ids"),
        ("-qo j", "json"),
        ("-oj", "-ojson"),
        ("-o=y", "-o=yaml"),
        ("clients list --output=n", "--output=ndjson"),
        ("--color ", "auto always never"),
        ("completions ", "bash elvish fish powershell zsh"),
        ("clients create --if-exists ", "fail skip update"),
        ("clients list --filter e", "email:"),
        ("clients list --filter=email:", "--filter=email:contains="),
        ("clients list --filter created_at:", "created_at:gte= created_at:lte="),
        ("clients list --filter email:contains=", ""),
        ("managed-accounts list --filter status:eq=", "status:eq=pending status:eq=connected"),
        ("managed-accounts list --filter status:in=pending,", "status:in=pending,connected"),
        ("managed-accounts list --filter all_sites_access:eq=t", "all_sites_access:eq=true"),
        ("managed-accounts list --role ", "collaborator administrator co_owner"),
        ("managed-accounts list --role co_owner,a", "co_owner,administrator"),
        ("managed-accounts list --status p", "pending"),
        ("managed-accounts list --all-sites-access ", "true false"),
        ("managed-accounts list --sort ", "status created_at updated_at"),
        ("managed-accounts list --sort status,", "status,asc status,desc"),
        ("clients list --fields id,site", "id,site_ids"),
        ("--fields s", ""),
        ("restore history --outcome running,f", "running,failed"),
        ("restore history --fields ta", "task_id"),
        ("profiles list --fields to", "token_source"),
        ("help clients d", "delete"),
        ("help re", "restore"),
        ("clients apply ", "FILES"),
        ("clients create --from-file x", "FILES"),
        ("clients apply --failed-to=x", "FILES"),
        ("--ca-cert ", "FILES"),
        ("sandbox serve --db ", "FILES"),
        ("auth login -- ", ""),
        ("auth login --no-v", "--no-verify"),
        ("clients create --note ", ""),
        ("clients list --timezone Europe/Berl", "Europe/Berlin"),
        ("clients list --limit ", ""),
        ("clients list -- --", ""),
        ("clients list --json --js", ""),
        ("clients list --filter email:contains=x --filt", "--filter"),
        ("nonsense ", ""),
        ("--nonsense ", ""),
        ("clients nonsense ", ""),
        ("--jq --profile clients a", "apply"),
    ] {
        assert_eq!(values(&world, &typed.split(' ').collect::<Vec<_>>()), candidates, "{typed}");
    }
    assert!(!world.path("ran").exists(), "a token command was run");
}

#[test]
fn what_was_seen_is_offered_newest_first_with_what_it_is() {
    let world = World::sandbox();
    let seen = |words: &[&str]| told(&world, words);
    assert!(seen(&["clients", "show", ""]).is_empty());
    world.run(&["clients", "list", "--limit", "2"]);
    world.run(&["sites", "list", "--page", "1", "--per-page", "2"]);
    world.run(&["snapshots", "list", "site-0001", "-o", "ids"]);
    world.run(&["managed-accounts", "show", "account-0001"]);
    assert_eq!(
        seen(&["clients", "show", ""]),
        [
            "client-0060\tli@single-name.example",
            "client-0059\tquentin@long-names.example",
            "li@single-name.example\tclient-0060",
            "quentin@long-names.example\tclient-0059"
        ]
    );
    world.run(&["clients", "show", "client-0001"]);
    assert!(seen(&["clients", "update", ""])[0].starts_with("client-0001\t"));
    assert_eq!(values(&world, &["clients", "delete", "client-0001", "client-00"]), "client-0060 client-0059");
    let sites = ["site-0040\thttps://site-0040.example.com", "site-0039\thttps://site-0039.example.com"];
    for words in [
        &["clients", "create", "--site", ""][..],
        &["clients", "update", "x", "--add-site", ""],
        &["clients", "update", "x", "--remove-site", ""],
        &["clients", "update", "x", "--set-site", ""],
        &["restore", "history", "--site", ""],
        &["restore", "start", ""],
        &["snapshots", "list", ""],
    ] {
        assert_eq!(seen(words), sites, "{words:?}");
    }
    assert_eq!(seen(&["clients", "create", "--site", "site-0040", "--site", ""]), sites[1..]);
    assert_eq!(seen(&["restore", "start", "https://site-0039"]), ["https://site-0039.example.com\tsite-0039"]);
    let snapshots = seen(&["restore", "start", "site-0001", ""]);
    assert_eq!(snapshots[0], "latest\tthe newest that has succeeded");
    assert_eq!(
        snapshots[2],
        "snap-0001-3\t2026-11-20T02:01:00.000Z, succeeded".replace("2026-11-20", &snapshots[2][12..22])
    );
    assert_eq!(snapshots.len(), 5);
    assert_eq!(values(&world, &["restore", "start", "site-0002", ""]), "latest");
    assert!(values(&world, &["managed-accounts", "show", ""]).starts_with("account-0001"));
}

#[test]
fn what_is_asked_for_by_hand_is_not_kept() {
    let world = World::sandbox();
    world.run(&["sites", "list", "--limit", "1"]);
    let sites = ["site-0040\thttps://site-0040.example.com"];
    assert_eq!(world.run(&["api", "/sites", "--paginate", "-o", "ids"]).stdout.lines().count(), 40);
    assert_eq!(world.run(&["api", "/clients", "--paginate", "-o", "ids"]).stdout.lines().count(), 60);
    assert_eq!(told(&world, &["restore", "start", ""]), sites);
    assert_eq!(values(&world, &["clients", "show", ""]), "");
}

#[test]
fn nothing_is_kept_where_that_is_switched_off() {
    let world = World::sandbox();
    world.run(&["sites", "list", "--limit", "1"]);
    let world = world.with("SITECTL_SEEN", "0");
    world.run(&["sites", "list", "--limit", "2"]);
    world.run(&["clients", "list"]);
    assert_eq!(values(&world, &["restore", "start", ""]) + &values(&world, &["clients", "show", ""]), "site-0040");
}

#[test]
fn by_hand_sites_are_where_the_profile_has_them() {
    let profile = "[profiles.a]\nbase_url = 'https://a.example/api/v6'\n[profiles.a.endpoints]\nsites = '/v/sites'\n";
    let world = World::empty().with_config(profile);
    assert_eq!(values(&world, &["api", "/"]), "/clients /managed-accounts /sites");
    assert_eq!(values(&world, &["--profile", "none", "api", "/"]), "/clients /managed-accounts");
    assert_eq!(values(&world, &["--profile", "a", "api", "/"]), "/clients /managed-accounts /v/sites");
    assert_eq!(values(&world, &["--profile", "a", "api", "v/sites", "--fields", "ur"]), "url");
    assert_eq!(values(&world, &["--profile", "a", "api", "sites", "--fields", "ur"]), "");
}

#[test]
fn open_tasks_come_first_where_they_are_watched() {
    let world = World::sandbox();
    let start = |args: &[&str]| {
        let start = ["restore", "start", "--full", "--yes", "-o", "ids"];
        world.run(&[&start, args].concat()).stdout.lines().last().unwrap().to_string()
    };
    let open = start(&["site-0001", "snap-0001-1"]);
    let ended = start(&["site-0002", "snap-0002-1"]);
    assert_eq!(world.run(&["restore", "watch", &ended]).code, 0);
    let ended_first = [ended.as_str(), &open].join(" ");
    assert_eq!(values(&world, &["restore", "watch", ""]), [open.as_str(), &ended].join(" "));
    assert_eq!(values(&world, &["tasks", "show", ""]), ended_first);
}

#[test]
fn who_logs_out_is_forgotten() {
    let server = crate::support::Server::start(&[]);
    let config = |name: &str, token: &str| format!("[profiles.{name}]\nbase_url = '{}/'\n{token}\n", server.base_url);
    let world = World::empty().with_config(&format!(
        "{}{}{}",
        config("one", "token = 'sandbox-token'"),
        config("two", "token = 'sandbox-other-token'"),
        config("three", "token_command = ['sh', '-c', 'echo ran >> ran; echo sandbox-other-token']"),
    ));
    let sites = |profile: &str| values(&world, &["--profile", profile, "snapshots", "list", ""]);
    for profile in ["one", "two", "three"] {
        world.run(&["--profile", profile, "sites", "list", "--limit", "1"]);
        assert!(sites(profile).starts_with("site-"), "{profile}");
    }
    let seen = || std::fs::read_to_string(world.path(".local/state/sitectl/seen.json")).unwrap();
    assert_eq!(world.run(&["auth", "logout", "--profile", "one"]).code, 0);
    assert!(!seen().contains("site-0040") && sites("two") == "site-1005", "{}", seen());
    assert_eq!(world.run(&["profiles", "remove", "two", "--yes"]).code, 0);
    assert_eq!((seen().matches("site-1005\"").count(), sites("three").as_str()), (1, "site-1005"));
    assert_eq!(world.run(&["profiles", "remove", "three", "--yes"]).code, 0);
    assert_eq!(seen(), "[]");
    assert_eq!(std::fs::read_to_string(world.path("ran")).unwrap(), "ran\n", "once, for the list");
}

#[test]
fn changes_are_seen_too_and_a_reset_forgets_all() {
    let world = World::sandbox();
    let id = world.run(&["clients", "create", "--first-name", "Ada", "--email", "ada@example.com", "-o", "ids"]).stdout;
    assert_eq!(values(&world, &["clients", "show", "ada"]), "ada@example.com");
    world.run(&["clients", "update", id.trim(), "--email", "lovelace@example.com"]);
    assert_eq!(told(&world, &["clients", "show", "client-"]), [format!("{}\tlovelace@example.com", id.trim())]);
    world.run(&["clients", "delete", id.trim(), "--yes"]);
    assert_eq!(values(&world, &["clients", "show", ""]), "");
    let start = world.run(&["restore", "start", "site-0001", "snap-0001-1", "--full", "--yes", "-o", "ids"]);
    let task = start.stdout.trim();
    world.run(&["clients", "list"]);
    for words in [&["restore", "watch", ""][..], &["tasks", "show", "task-"]] {
        assert_eq!(told(&world, words), [format!("{task}\tsite-0001, running")]);
    }
    assert_eq!(values(&world, &["restore", "watch", task, ""]), "");
    assert_eq!(values(&world, &["--base-url", "https://service.example/api/v6", "tasks", "show", ""]), "");
    assert_eq!(world.run(&["sandbox", "reset"]).code, 0);
    assert_eq!(values(&world, &["clients", "show", ""]) + &values(&world, &["tasks", "show", ""]), "");
}

#[test]
fn each_account_has_its_own() {
    let server = crate::support::Server::start(&[]);
    let config = |name: &str, token: &str| format!("[profiles.{name}]\nbase_url = '{}'\n{token}\n", server.base_url);
    let world = World::empty().with_config(&format!(
        "{}{}{}",
        config("one", "token = 'sandbox-token'"),
        config("two", "token = 'sandbox-other-token'"),
        config("three", "token_command = ['sh', '-c', 'echo ran >> ran; echo sandbox-other-token']"),
    ));
    for (profile, site) in [("one", "site-0040"), ("two", "site-1005"), ("three", "site-1005")] {
        let list = ["snapshots", "list", "--profile", profile, "site-"];
        assert_eq!(values(&world, &list), "", "{profile}");
        world.run(&["--profile", profile, "sites", "list", "--limit", "1"]);
        assert_eq!(values(&world, &list), site, "{profile}");
    }
    assert_eq!(std::fs::read_to_string(world.path("ran")).unwrap(), "ran\n", "once, for the list");
    let world = world.with("SITECTL_PROFILE", "two");
    assert_eq!(values(&world, &["snapshots", "list", ""]), "site-1005");
    assert_eq!(values(&world, &["--profile=one", "snapshots", "list", ""]), "site-0040");
    assert_eq!(values(&world, &["--sandbox", "snapshots", "list", ""]), "");
    let world = world.with("SITECTL_SANDBOX", "1");
    assert_eq!(values(&world, &["snapshots", "list", ""]), "");
}

#[test]
fn nobody_is_asked() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let world = World::on(&format!("http://{}/api/v6", listener.local_addr().unwrap()));
    for words in [
        &["clients", "show", ""][..],
        &["restore", "start", ""],
        &["restore", "start", "site-0001", ""],
        &["tasks", "show", ""],
        &["clients", "list", "--filter", ""],
    ] {
        told(&world, words);
    }
    assert!(listener.accept().is_err(), "a connection was made");
    assert_eq!(world.run(&["clients", "list", "--retries", "0", "--request-timeout", "1s"]).code, 8);
    assert!(listener.accept().is_ok(), "a list does make one");
}

#[test]
fn what_is_damaged_or_missing_is_passed_over_in_silence() {
    let world = World::sandbox();
    world.run(&["sites", "list", "--limit", "1"]);
    world.run(&["restore", "start", "site-0001", "latest", "--full", "--yes"]);
    let state = world.path(".local/state/sitectl/sandbox");
    for file in ["seen.json", "restores.ndjson"] {
        let path = state.join(file);
        let whole = std::fs::read(&path).unwrap();
        for text in [&b"{"[..], b"\0\xff\n{}\n{}", b"[]", b""] {
            std::fs::write(&path, text).unwrap();
            values(&world, &["restore", "start", ""]);
            values(&world, &["restore", "watch", ""]);
        }
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
        assert_eq!(
            values(&world, if file == "seen.json" { &["restore", "start", ""] } else { &["restore", "watch", ""] }),
            ""
        );
        std::fs::remove_dir(&path).unwrap();
        if file == "seen.json" {
            std::fs::write(&path, &whole).unwrap();
            assert_eq!(values(&world, &["restore", "start", ""]), "site-0040");
        }
    }
    let broken = World::empty().with_config("[profiles.a\ntoken = 'secret");
    assert_eq!(values(&broken, &["--profile", ""]), "");
    assert_eq!(values(&broken, &["clients", "sh"]), "show");
    let homeless = World::empty().with("HOME", "").with("SITECTL_OUTPUT", "nonsense");
    assert_eq!(values(&homeless, &["restore", "start", "x", ""]), "latest");
    for odd in [&["__complete"][..], &["__complete", "nonsense"], &["__complete", "bash"], &["__complete", "zsh"]] {
        let run = broken.run(odd);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{odd:?}");
    }
}

#[test]
fn nothing_that_a_service_sends_drives_a_shell() {
    let sites = r#"{"id":"a\nb","url":"x"},{"id":"c\u001b[31m","url":"x"},{"id":"d","url":"e\u001b[2Jf\ng\u202e"},{"id":"has-sandbox-token","url":"x"},{"id":"--yes","url":"x"},{"id":"$(touch ran) 'q\"","url":""}"#;
    let body = format!(
        r#"{{"sites":[{sites}],"meta":{{"pagination":{{"page":1,"perPage":25,"totalPages":1,"totalItems":6}}}}}}"#
    );
    let service = crate::scripted::Scripted::new(vec![("GET /api/v6/sites", crate::scripted::Reply::Json(200, body))]);
    let world = service.world();
    assert_eq!(world.run(&["sites", "list", "--json"]).code, 0);
    assert_eq!(
        told(&world, &["snapshots", "list", ""]),
        ["d\te\\u{1b}[2Jf\\ng\\u{202e}".to_string(), "$(touch ran) 'q\"".into()]
    );
    let seen = std::fs::read_to_string(world.path(".local/state/sitectl/seen.json")).unwrap();
    assert!(!seen.contains("sandbox-token"), "{seen}");
    for shell in ["bash", "fish", "zsh", "powershell"] {
        let typed: &[&str] = match shell {
            "bash" => &["sitectl snapshots list ", ""],
            "powershell" => &["=sitectl", "=snapshots", "=list", "="],
            _ => &["sitectl", "snapshots", "list", ""],
        };
        let run = world.run(&[&["__complete", shell], typed].concat());
        assert!(!run.stdout.contains('\u{1b}') && run.stdout.lines().count() == 3, "{shell}: {}", run.stdout);
    }
}

#[test]
fn the_scripts_are_those_of_the_folder() {
    for (shell, file) in [
        ("bash", "sitectl.bash"),
        ("elvish", "sitectl.elv"),
        ("fish", "sitectl.fish"),
        ("powershell", "_sitectl.ps1"),
        ("zsh", "_sitectl"),
    ] {
        let script = std::fs::read_to_string(format!("{}/completions/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap();
        assert_eq!(World::empty().run(&["completions", shell]).stdout, script, "{shell}");
        assert!(script.contains(&format!("__complete {shell}")), "{shell}");
    }
}
