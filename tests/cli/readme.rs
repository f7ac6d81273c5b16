//! Runs the shell scripts of the CI jobs in the README and in `docs/ci.md`.

use crate::common::{Server, World};
use crate::examples::run_script;

const PAGES: [&str; 2] = [
    include_str!("../../README.md"),
    include_str!("../../docs/ci.md"),
];

/// Returns the scripts of a job: the lines below each `|` that are indented deeper.
fn scripts(job: &str) -> Vec<String> {
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

/// Returns the scripts of all jobs with scripts.
fn jobs() -> Vec<Vec<String>> {
    let blocks = PAGES
        .iter()
        .flat_map(|page| page.split("```yaml\n").skip(1));
    let mut jobs: Vec<Vec<String>> = blocks
        .filter_map(|rest| rest.split("```").next())
        .map(scripts)
        .collect();
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
    let state = world.path("state").to_str().unwrap().to_string();
    let world = world
        .with("SITE", "https://site-0003.example.com")
        .with("SITECTL_STATE_DIR", &state)
        .with("GITHUB_RUN_ID", "4711")
        .with("CI_PIPELINE_ID", "4711");
    in_attempt(world, 0)
}

/// Returns the jobs that can be retried.
fn jobs_with_key() -> Vec<Vec<String>> {
    let mut jobs = jobs();
    jobs.retain(|scripts| scripts[0].contains("--idempotency-key"));
    assert_eq!(jobs.len(), 2);
    jobs
}

#[test]
fn the_jobs_restore_and_wait() {
    let jobs = jobs();
    assert_eq!(jobs.len(), 3);
    for scripts in jobs {
        let server = Server::start(&["--restore-time", "500ms"]);
        let world = first_attempt(&server);
        let mut stdout = String::new();
        for script in &scripts {
            let run = run_script(&world, script);
            assert_eq!(run.code, 0, "{script}\n{}", run.transcript());
            stdout += &run.stdout;
        }
        assert!(
            stdout.contains("CI job") && stdout.contains("succeeded"),
            "{stdout}"
        );
    }
}

#[test]
fn a_retried_job_reports_the_run_of_the_first_attempt() {
    for scripts in jobs_with_key() {
        let server = Server::start(&["--restore-time", "500ms"]);
        let mut world = first_attempt(&server);
        for number in 0..3 {
            world = in_attempt(world, number);
            let run = run_script(&world, &scripts[0]);
            assert_eq!(run.code, 0, "{}", run.transcript());
            assert!(
                run.stdout.contains("site-0003  succeeded"),
                "{}",
                run.transcript()
            );
        }
        let count = world.run(&["restore", "history", "--jq", "length"]).stdout;
        assert_eq!(count, "1\n");
    }
}

#[test]
fn a_retried_job_without_the_journal_of_the_last_attempt_sends_nothing() {
    for scripts in jobs_with_key() {
        let server = Server::start(&["--restore-time", "500ms"]);
        let mut world = in_attempt(first_attempt(&server), 1);
        let no_journal = run_script(&world, &scripts[0]);
        assert_eq!(no_journal.code, 1, "{}", no_journal.transcript());

        // The state of the first attempt is older than what the second one may have sent.
        std::fs::create_dir_all(world.path("state")).unwrap();
        let first = if scripts[0].contains("GITHUB") {
            "1"
        } else {
            "0"
        };
        std::fs::write(world.path("state/attempt"), first).unwrap();
        world = in_attempt(world, 2);
        let old_journal = run_script(&world, &scripts[0]);
        assert_eq!(old_journal.code, 1, "{}", old_journal.transcript());
        assert!(!world.path("state/restores.ndjson").exists());

        world = in_attempt(world, 1);
        let has_journal = run_script(&world, &scripts[0]);
        assert_eq!(has_journal.code, 0, "{}", has_journal.transcript());
    }
}
