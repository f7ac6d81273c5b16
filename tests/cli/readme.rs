//! What the README promises beside its shell blocks, which `documents` runs: the CI jobs, the whole of which is run here
//! but for what the CI does itself.

use crate::examples::run_script;
use crate::support::Server;

const README: &str = include_str!("../../README.md");

/// The shell lines of a job: those below a `|`, deeper than it.
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
    let jobs: Vec<&str> = README.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(jobs.len(), 2);
    for job in jobs {
        let script = script(job);
        let lines: Vec<&str> = script.lines().collect();
        assert!(lines.len() >= 2 && lines.iter().all(|line| line.starts_with("sitectl ")), "{script}");
        let server = Server::start(&["--restore-time", "500ms"]);
        let run = run_script(&server.world().with("SITE", "https://site-0003.example.com"), &script);
        assert_eq!(run.code, 0, "{script}\n{}", run.transcript());
        assert!(run.stdout.contains("started by hand") && run.stdout.contains("succeeded"), "{}", run.transcript());
    }
}
