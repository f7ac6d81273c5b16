//! Runs the shell lines of the CI jobs in the README and in `docs/ci.md`.

use crate::examples::run_script;
use crate::support::Server;

const PAGES: [&str; 2] = [
    include_str!("../../README.md"),
    include_str!("../../docs/ci.md"),
];

/// Returns the shell lines of a job: those below a `|` that are indented deeper.
fn script(job: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut script = String::new();
    let mut below = None;
    for line in job.lines() {
        match below {
            Some(mark) if indent(line) > mark => {
                script.push_str(line.trim_start());
                script.push('\n');
            }
            _ => below = line.trim_end().ends_with('|').then(|| indent(line)),
        }
    }
    script
}

#[test]
fn the_jobs_restore_and_wait() {
    let blocks = PAGES
        .iter()
        .flat_map(|page| page.split("```yaml\n").skip(1));
    let scripts = blocks
        .filter_map(|rest| rest.split("```").next())
        .map(script);
    let scripts: Vec<String> = scripts.filter(|script| !script.is_empty()).collect();
    assert_eq!(scripts.len(), 3);
    for script in scripts {
        assert!(
            script.lines().all(|line| line.starts_with("sitectl ")),
            "{script}"
        );
        let server = Server::start(&["--restore-time", "500ms"]);
        let run = run_script(
            &server.world().with("SITE", "https://site-0003.example.com"),
            &script,
        );
        assert_eq!(run.code, 0, "{script}\n{}", run.transcript());
        assert!(
            run.stdout.contains("CI job") && run.stdout.contains("succeeded"),
            "{}",
            run.transcript()
        );
    }
}
