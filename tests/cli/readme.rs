//! Runs the shell scripts of the CI jobs in the README and in `docs/ci.md`.

use crate::common::{Run, Server, World};
use crate::examples::run_script;
use crate::tools::installed;

const PAGES: [&str; 2] = [
    include_str!("../../README.md"),
    include_str!("../../docs/ci.md"),
];

/// Returns the scripts of a job of Jenkins: the texts in triple quotes.
fn quoted_scripts(job: &str) -> Vec<String> {
    let texts = job.split("'''").skip(1).step_by(2);
    texts.map(String::from).collect()
}

/// Returns the scripts of a job in YAML: the lines below each `|` that are indented deeper.
fn indented_scripts(job: &str) -> Vec<String> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut scripts = Vec::new();
    let mut below = None;
    for line in job.lines() {
        match (below, scripts.last_mut()) {
            (Some(mark), Some(script)) if indent(line) > mark => {
                *script += line.trim_start();
                *script += "\n";
            }
            _ if line.trim_end().ends_with('|') => {
                below = Some(indent(line));
                scripts.push(String::new());
            }
            _ => below = None,
        }
    }
    scripts
}

/// Returns the blocks of all pages in this language.
fn blocks(language: &str) -> Vec<&'static str> {
    let start = format!("```{language}\n");
    let starts = PAGES.iter().flat_map(|page| page.split(&start).skip(1));
    starts.filter_map(|rest| rest.split("```").next()).collect()
}

/// Returns the scripts of all jobs with scripts.
fn jobs() -> Vec<Vec<String>> {
    let in_yaml = blocks("yaml").into_iter().map(indented_scripts);
    let in_groovy = blocks("groovy").into_iter().map(quoted_scripts);
    let mut jobs: Vec<Vec<String>> = in_yaml.chain(in_groovy).collect();
    jobs.retain(|scripts| !scripts.is_empty());
    jobs
}

/// Sets the number of the attempt, of which the first is 0, as the CI services do.
fn in_attempt(world: World, number: usize) -> World {
    world
        .with("GITHUB_RUN_ATTEMPT", &(number + 1).to_string())
        .with("CI_JOB_RETRY_COUNT", &number.to_string())
}

/// The environment of the first attempt of a job.
fn first_attempt(server: &Server) -> World {
    let world = server.world();
    let path = |name: &str| world.path(name).to_str().unwrap().to_string();
    let (state, added_to_path) = (path("state"), path("added-to-path"));
    let world = world
        .with("GITHUB_PATH", &added_to_path)
        .with("SITE", "https://site-0003.example.com")
        .with("SITECTL_STATE_DIR", &state)
        .with("GITHUB_RUN_ID", "4711")
        .with("CI_PIPELINE_ID", "4711")
        .with("BUILD_TAG", "4711");
    in_attempt(world, 0)
}

/// Creates an archive with a program that leaves the file `installed` when it runs. Returns its URL and its checksum.
fn packed_program(world: &World) -> [String; 2] {
    let script = r#"
        mkdir pack pack/sitectl-target
        program=$(command -v sitectl)
        printf '#!/bin/sh\ntouch "$HOME/installed"\nexec %s "$@"\n' "$program" > pack/sitectl-target/sitectl
        chmod +x pack/sitectl-target/sitectl
        tar -czf pack/program.tar.gz -C pack sitectl-target
        sha256sum < pack/program.tar.gz | cut -d ' ' -f 1
    "#;
    let packed = run_script(world, script);
    assert_eq!(packed.code, 0, "{}", packed.transcript());
    let archive = world.path("pack/program.tar.gz");
    let url = format!("file://{}", archive.to_str().unwrap());
    [url, packed.stdout.trim().into()]
}

/// Runs a step of a job, with the directories on the path that earlier steps have added to it.
fn run_step(world: &World, script: &str) -> Run {
    let added = r#"if [ -e "$GITHUB_PATH" ]; then PATH="$(cat "$GITHUB_PATH"):$PATH"; fi"#;
    run_script(world, &format!("{added}\n{script}"))
}

/// Returns the script of each job that can be retried.
fn scripts_with_key() -> Vec<String> {
    let mut scripts = jobs().concat();
    scripts.retain(|script| script.contains("--idempotency-key"));
    assert_eq!(scripts.len(), 3);
    scripts
}

#[test]
fn the_jobs_install_sitectl_restore_and_wait() {
    if !installed("curl") {
        return;
    }
    let jobs = jobs();
    assert_eq!(jobs.len(), 4);
    for scripts in jobs {
        let server = Server::start("--restore-time 500ms");
        let world = first_attempt(&server);
        let [url, checksum] = packed_program(&world);
        let world = world
            .with("SITECTL_ARCHIVE", &url)
            .with("SITECTL_SHA256", &checksum);
        let mut stdout = String::new();
        for script in &scripts {
            let run = run_step(&world, script);
            assert_eq!(run.code, 0, "{script}\n{}", run.transcript());
            stdout += &run.stdout;
        }
        assert!(stdout.contains("succeeded"), "{stdout}");
        // The step in the README installs nothing.
        let is_step = scripts.len() == 1;
        assert_eq!(world.path("installed").exists(), !is_step, "{scripts:#?}");
    }
}

#[test]
fn the_jobs_refuse_an_archive_with_another_checksum() {
    if !installed("curl") {
        return;
    }
    let mut scripts = jobs().concat();
    scripts.retain(|script| script.contains("SITECTL_ARCHIVE"));
    assert_eq!(scripts.len(), 3);
    for script in scripts {
        for checksum in ["", &"0".repeat(64)] {
            let world = World::empty();
            let [url, _] = packed_program(&world);
            let world = world
                .with("SITECTL_ARCHIVE", &url)
                .with("SITECTL_SHA256", checksum);
            let run = run_step(&world, &script);
            assert_eq!(run.code, 1, "{}", run.transcript());
            assert!(!world.path("sitectl-bin").exists());
        }
    }
}

#[test]
fn the_lines_of_the_crontab_import_clients_and_check_sites() {
    let server = Server::start("");
    let [import, check] = blocks("crontab")[..] else {
        panic!("other lines");
    };
    let command = import.strip_prefix("0 3 * * * /usr/local/bin/").unwrap();
    let world = World::empty().with_config(&format!(
        "[profiles.live]\nbase_url = \"{}\"\ntoken = \"sandbox-token\"\n",
        server.base_url
    ));
    let clients = "email,first_name\nada@example.com,Ada\n";
    std::fs::write(world.path("clients.csv"), clients).unwrap();
    let run = run_script(&world, &command.replace("/srv/", ""));
    assert_eq!(run.code, 0, "{}", run.transcript());
    assert!(run.stdout.contains("created    1"), "{}", run.transcript());
    let command = check.strip_prefix("0 7 * * * /usr/local/bin/").unwrap();
    let run = run_script(&world, command);
    assert_eq!(run.code, 14, "{}", run.transcript());
}

#[test]
fn a_retried_job_reports_the_run_of_the_first_attempt() {
    for script in scripts_with_key() {
        let server = Server::start("--restore-time 500ms");
        let mut world = first_attempt(&server);
        for number in 0..3 {
            world = in_attempt(world, number);
            let run = run_script(&world, &script);
            assert_eq!(run.code, 0, "{}", run.transcript());
            let shown = run.stdout.lines().nth(1).unwrap_or_default();
            let row: Vec<&str> = shown.split_whitespace().take(2).collect();
            assert_eq!(
                row,
                ["https://site-0003.example.com", "succeeded"],
                "{}",
                run.transcript()
            );
        }
        let count = world.run("restore history --jq length").stdout;
        assert_eq!(count, "1\n");
    }
}

#[test]
fn a_retried_job_without_the_journal_of_the_last_attempt_sends_nothing() {
    let mut scripts = scripts_with_key();
    // In Jenkins, the journal stays in the workspace.
    scripts.retain(|script| !script.contains("BUILD_TAG"));
    for script in scripts {
        let server = Server::start("--restore-time 500ms");
        let mut world = in_attempt(first_attempt(&server), 1);
        let no_journal = run_script(&world, &script);
        assert_eq!(no_journal.code, 1, "{}", no_journal.transcript());

        // The state of the first attempt is older than what the second one may have sent.
        std::fs::create_dir_all(world.path("state")).unwrap();
        let first = if script.contains("GITHUB") { "1" } else { "0" };
        std::fs::write(world.path("state/attempt"), first).unwrap();
        world = in_attempt(world, 2);
        let old_journal = run_script(&world, &script);
        assert_eq!(old_journal.code, 1, "{}", old_journal.transcript());
        assert!(!world.path("state/restores.ndjson").exists());

        world = in_attempt(world, 1);
        let has_journal = run_script(&world, &script);
        assert_eq!(has_journal.code, 0, "{}", has_journal.transcript());
    }
}
