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

#[test]
fn the_jobs_install_sitectl_and_restore_once() {
    if !installed("curl") {
        return;
    }
    let jobs = jobs();
    assert_eq!(jobs.len(), 4);
    for scripts in jobs {
        let server = Server::start("--restore-time 500ms");
        let mut world = first_attempt(&server);
        let [url, checksum] = packed_program(&world);
        world = world.with("SITECTL_ARCHIVE", &url);
        let installing = scripts
            .iter()
            .find(|script| script.contains("SITECTL_SHA256"));
        // The step in the README installs nothing.
        assert_eq!(installing.is_none(), scripts.len() == 1, "{scripts:#?}");
        for (wrong, script) in ["", &"0".repeat(64)]
            .iter()
            .zip(installing.into_iter().cycle())
        {
            world = world.with("SITECTL_SHA256", wrong);
            assert_eq!(run_step(&world, script).code, 1, "{script}");
            assert!(!world.path("sitectl-bin").exists());
        }
        world = world.with("SITECTL_SHA256", &checksum);
        let mut stdout = String::new();
        for script in &scripts {
            let run = run_step(&world, script);
            assert_eq!(run.code, 0, "{script}\n{}", run.transcript());
            stdout += &run.stdout;
        }
        assert!(stdout.contains("succeeded"), "{stdout}");
        assert_eq!(world.path("installed").exists(), installing.is_some());
        world = in_attempt(world, 1);
        let retried = scripts
            .iter()
            .find(|script| script.contains("--idempotency-key"));
        if let Some(script) = retried {
            let run = run_step(&world, script);
            assert!(
                run.code == 0 && run.stdout.contains("succeeded"),
                "{}",
                run.transcript()
            );
        }
        assert_eq!(world.run("restore history --jq length").stdout, "1\n");
    }
}

#[test]
fn a_retried_job_without_the_journal_of_the_last_attempt_sends_nothing() {
    let mut scripts = jobs().concat();
    // In Jenkins, the journal stays in the workspace.
    scripts.retain(|script| script.contains("--idempotency-key") && !script.contains("BUILD_TAG"));
    assert_eq!(scripts.len(), 2);
    for script in scripts {
        let server = Server::start("");
        let world = in_attempt(first_attempt(&server), 2);
        assert_eq!(run_script(&world, &script).code, 1, "{script}");
        // The state of the first attempt is older than what the second one may have sent.
        std::fs::create_dir_all(world.path("state")).unwrap();
        let first = if script.contains("GITHUB") { "1" } else { "0" };
        std::fs::write(world.path("state/attempt"), first).unwrap();
        assert_eq!(run_script(&world, &script).code, 1, "{script}");
        assert!(!world.path("state/restores.ndjson").exists());
    }
}
