//! Each outcome of a restore, in each command: exit code, output, words and hints.

use crate::common::{World, in_parallel, regex};
use crate::resume::run_id;
use crate::service::{Reply, Service, site_reply};
use snapbox::{assert_data_eq, str};

/// What becomes of the restore of s1: the reply to its request, and to the polls of its task. The
/// restore of s2 succeeds.
fn service(name: &str, started: Reply, polled: Reply) -> Service {
    // A token is refused for both.
    let other = match name {
        "token refused while watching" => polled.clone(),
        _ => Reply::task("t2", "succeeded"),
    };
    Service::start(move |request| match request.line.as_str() {
        "POST /api/v6/sites/s1/backups/p/restore" => started.clone(),
        "POST /api/v6/sites/s2/backups/p/restore" => Reply::task("t2", "queued"),
        "GET /api/v6/tasks/t1" => polled.clone(),
        "GET /api/v6/tasks/t2" => other.clone(),
        line => site_reply(&[("s1", "p"), ("s2", "p")], line).unwrap_or(Reply::status(404)),
    })
}

fn scenarios() -> Vec<(&'static str, Reply, Reply)> {
    let json = |status, body: &str| Reply::Json(status, body.into());
    let running = || Reply::task("t1", "running");
    let failed = r#"{"task":{"id":"t1","status":"failed","error":{"message":"disk full"}}}"#;
    let path = r#"{"error":{"status":422,"code":"unprocessable_entity","message":"No.","details":[
        {"code":"invalid_path","param":"restore.scope.paths[0]","message":"Must begin with ./"}]}}"#;
    let unlisted =
        r#"{"task":{"id":"t1","status":"partial","finished_at":"2026-11-21T02:00:00Z"}}"#;
    let other = r#"{"task":{"id":"t1","status":"succeeded","site_id":"s5"}}"#;
    let at_once = r#"{"task":{"id":"t1","status":"rejected","message":"Site is locked"}}"#;
    let mut scenarios = vec![
        ("succeeded", running(), Reply::task("t1", "succeeded")),
        ("failed", running(), json(200, failed)),
        ("failed at once", json(201, at_once), json(200, at_once)),
        ("running", running(), running()),
        ("response lost", Reply::Drop, Reply::status(404)),
        ("state in no list", running(), json(200, unlisted)),
        ("task of another site", running(), json(200, other)),
        (
            "token refused while watching",
            running(),
            Reply::status(401),
        ),
        ("rejected", json(422, path), Reply::status(404)),
    ];
    for (name, status) in [("token refused", 401), ("site busy", 409)] {
        scenarios.push((name, Reply::status(status), Reply::status(404)));
    }
    scenarios
}

const OPTIONS: &str = "--interval 10ms --timeout 3s -o csv --no-header";

/// Runs the commands, and returns what they printed. Each new start has an empty journal.
fn transcripts((name, started, polled): (&str, Reply, Reply)) -> String {
    let service = service(name, started, polled);
    let new_world = || {
        let world = service.world();
        std::fs::write(world.path("plan.txt"), "site_id,snapshot_id\ns1,p\ns2,p\n").unwrap();
        world
    };
    let fields = "--fields site_id,outcome,task_id";
    let mut text = format!("# {name}\n");
    let mut show = |world: &World, line: &str, options: &str| {
        let run = world.run(format!("{line} {fields} {options}"));
        let printed = settled(&run.transcript());
        text += &format!("$ {line}\n{printed}");
        printed
    };
    let poll = format!("{OPTIONS} --retries 0");
    let read = "-o csv --no-header";
    let start = "restore start s1 p --full --yes";
    let plan = "restore start --plan plan.txt --full --yes --concurrency 1";
    show(&new_world(), &format!("{start} --watch"), &poll);
    show(&new_world(), &format!("{plan} --watch"), &poll);
    let world = new_world();
    show(&world, plan, &format!("{read} --retries 0"));
    show(&world, "restore watch s1 s2", &poll);
    let run = run_id(&world.run("restore history --json"));
    let resume = format!("{run} {read} --retries 0");
    let resumed = show(&world, "restore resume --yes", &resume);
    show(&world, "restore history", read);
    // The second command with a key reports its run as `restore resume` does.
    let world = new_world();
    let keyed = format!("{plan} --idempotency-key k {fields} {read} --retries 0");
    world.run(&*keyed);
    let keyed = keyed.replace("--concurrency 1", "");
    let repeated = settled(&world.run(keyed).transcript());
    let announcement = "run RUN of TIME has this key\n";
    assert!(repeated.contains(announcement), "{repeated}");
    assert_eq!(repeated.replace(announcement, ""), resumed, "{name}");
    text
}

/// Returns the transcript without times, and with sorted lines before the error and the hints: tasks
/// are polled at the same time.
fn settled(transcript: &str) -> String {
    let time = regex("20..-[0-9T:-]+Z");
    let transcript = time.replace_all(transcript, "TIME");
    // How long a restore took depends on the machine.
    let transcript = regex(r" \(\ds\)\n").replace_all(&transcript, "\n");
    let lines: Vec<&str> = transcript.lines().collect();
    let is_last = |line: &&str| {
        let starts = ["error: ", "hint: ", "exit "];
        starts.iter().any(|start| line.starts_with(start))
    };
    let first = lines
        .iter()
        .position(|line| *line == "[stderr]")
        .unwrap_or(0);
    let last = lines.iter().position(is_last).unwrap();
    let mut lines: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
    if first > 0 {
        lines[first + 1..last].sort_unstable();
    }
    lines.concat()
}

#[test]
fn each_command_reports_each_outcome() {
    let texts = in_parallel(&scenarios(), |scenario| transcripts(scenario.clone()));
    assert_data_eq!(
        texts.concat(),
        str![[r#"
# succeeded
$ restore start s1 p --full --yes --watch
[stdout]
s1,succeeded,t1
[stderr]
restoring s1 from p: task t1
s1 (t1): succeeded
exit 0
$ restore start --plan plan.txt --full --yes --concurrency 1 --watch
[stdout]
s1,succeeded,t1
s2,succeeded,t2
[stderr]
restoring s1 from p: task t1
restoring s2 from p: task t2
s1 (t1): succeeded
s2 (t2): succeeded
exit 0
$ restore start --plan plan.txt --full --yes --concurrency 1
[stdout]
s1,running,t1
s2,running,t2
[stderr]
restoring s1 from p: task t1
restoring s2 from p: task t2
hint: watch the restore: sitectl restore watch t1 t2
exit 0
$ restore watch s1 s2
[stdout]
s1,succeeded,t1
s2,succeeded,t2
[stderr]
s1 (t1): succeeded
s2 (t2): succeeded
exit 0
$ restore resume --yes
[stdout]
s1,succeeded,t1
s2,succeeded,t2
[stderr]
run RUN of TIME: 2 restores, 0 unsent
exit 0
$ restore history
[stdout]
s2,succeeded,t2
s1,succeeded,t1
exit 0
# failed
$ restore start s1 p --full --yes --watch
[stdout]
s1,failed,t1
[stderr]
restoring s1 from p: task t1
s1 (t1): failed: disk full
error: the restore of s1 (t1) failed: disk full
hint: show the steps: sitectl tasks show t1
exit 10
$ restore start --plan plan.txt --full --yes --concurrency 1 --watch
[stdout]
s1,failed,t1
s2,succeeded,t2
[stderr]
restoring s1 from p: task t1
restoring s2 from p: task t2
s1 (t1): failed: disk full
s2 (t2): succeeded
error: 1 of 2 restores failed
  s1 (t1): failed: disk full (restore_failed)
hint: restore again what failed: sitectl restore history --run RUN --outcome failed,rejected -o csv | sitectl restore start --plan -
exit 10
$ restore start --plan plan.txt --full --yes --concurrency 1
[stdout]
s1,running,t1
s2,running,t2
[stderr]
restoring s1 from p: task t1
restoring s2 from p: task t2
hint: watch the restore: sitectl restore watch t1 t2
exit 0
$ restore watch s1 s2
[stdout]
s1,failed,t1
s2,succeeded,t2
[stderr]
s1 (t1): failed: disk full
s2 (t2): succeeded
error: 1 of 2 restores failed
  s1 (t1): failed: disk full (restore_failed)
hint: restore again what failed: sitectl restore history --run RUN --outcome failed,rejected -o csv | sitectl restore start --plan -
exit 10
$ restore resume --yes
[stdout]
s1,failed,t1
s2,succeeded,t2
[stderr]
run RUN of TIME: 2 restores, 0 unsent
error: 1 of 2 restores failed
  s1 (t1): failed: disk full (restore_failed)
hint: restore again what failed: sitectl restore history --run RUN --outcome failed,rejected -o csv | sitectl restore start --plan -
exit 10
$ restore history
[stdout]
s2,succeeded,t2
s1,failed,t1
exit 0
# failed at once
$ restore start s1 p --full --yes --watch
[stdout]
s1,failed,t1
[stderr]
restoring s1 from p: task t1
s1 (t1): rejected: Site is locked
error: the restore of s1 (t1) failed: Site is locked
hint: show the steps: sitectl tasks show t1
exit 10
$ restore start --plan plan.txt --full --yes --concurrency 1 --watch
[stdout]
s1,failed,t1
s2,succeeded,t2
[stderr]
restoring s1 from p: task t1
restoring s2 from p: task t2
s1 (t1): rejected: Site is locked
s2 (t2): succeeded
error: 1 of 2 restores failed
  s1 (t1): failed: Site is locked (restore_failed)
hint: restore again what failed: sitectl restore history --run RUN --outcome failed,rejected -o csv | sitectl restore start --plan -
exit 10
$ restore start --plan plan.txt --full --yes --concurrency 1
[stdout]
s1,failed,t1
s2,running,t2
[stderr]
restoring s1 from p: task t1
restoring s2 from p: task t2
error: 1 of 2 restores failed
  s1 (t1): failed: Site is locked (restore_failed)
hint: restore again what failed: sitectl restore history --run RUN --outcome failed,rejected -o csv | sitectl restore start --plan -
exit 10
$ restore watch s1 s2
[stdout]
s1,failed,t1
s2,succeeded,t2
[stderr]
s1 (t1): rejected: Site is locked
s2 (t2): succeeded
error: 1 of 2 restores failed
  s1 (t1): failed: Site is locked (restore_failed)
hint: restore again what failed: sitectl restore history --run RUN --outcome failed,rejected -o csv | sitectl restore start --plan -
exit 10
$ restore resume --yes
[stdout]
s1,failed,t1
s2,succeeded,t2
[stderr]
run RUN of TIME: 2 restores, 0 unsent
error: 1 of 2 restores failed
  s1 (t1): failed: Site is locked (restore_failed)
hint: restore again what failed: sitectl restore history --run RUN --outcome failed,rejected -o csv | sitectl restore start --plan -
exit 10
$ restore history
[stdout]
s2,succeeded,t2
s1,failed,t1
exit 0
# running
$ restore start s1 p --full --yes --watch
[stdout]
s1,running,t1
[stderr]
restoring s1 from p: task t1
error: no result within 3s: the restore of s1 (t1) was last seen running
hint: resume watching: sitectl restore watch t1
exit 11
$ restore start --plan plan.txt --full --yes --concurrency 1 --watch
[stdout]
s1,running,t1
s2,succeeded,t2
[stderr]
restoring s1 from p: task t1
restoring s2 from p: task t2
s2 (t2): succeeded
error: no result within 3s: 1 of 2 restores not finished
  s1: was last seen running (running)
hint: resume watching: sitectl restore watch t1
exit 11
$ restore start --plan plan.txt --full --yes --concurrency 1
[stdout]
s1,running,t1
s2,running,t2
[stderr]
restoring s1 from p: task t1
restoring s2 from p: task t2
hint: watch the restore: sitectl restore watch t1 t2
exit 0
$ restore watch s1 s2
[stdout]
s1,running,t1
s2,succeeded,t2
[stderr]
s1 (t1): running
s2 (t2): succeeded
error: no result within 3s: 1 of 2 restores not finished
  s1: was last seen running (running)
hint: resume watching: sitectl restore watch t1
exit 11
$ restore resume --yes
[stdout]
s1,running,t1
s2,succeeded,t2
[stderr]
run RUN of TIME: 2 restores, 0 unsent
hint: watch the restore: sitectl restore watch t1
exit 0
$ restore history
[stdout]
s2,succeeded,t2
s1,running,t1
exit 0
# response lost
$ restore start s1 p --full --yes --watch
[stdout]
s1,unknown,
[stderr]
s1: outcome unknown: the connection to http://127.0.0.1:PORT/api/v6 failed: connection closed before message completed
error: the restore of s1 has an unknown outcome: the connection to http://127.0.0.1:PORT/api/v6 failed: connection closed before message completed
hint: check the site; then see: sitectl explain unknown_outcome
exit 12
$ restore start --plan plan.txt --full --yes --concurrency 1 --watch
[stdout]
s1,unknown,
s2,succeeded,t2
[stderr]
restoring s2 from p: task t2
s1: outcome unknown: the connection to http://127.0.0.1:PORT/api/v6 failed: connection closed before message completed
s2 (t2): succeeded
error: 1 of 2 restores with an unknown outcome
  s1: has an unknown outcome: the connection to http://127.0.0.1:PORT/api/v6 failed: connection closed before message completed (unknown_outcome)
hint: check the site; then see: sitectl explain unknown_outcome
exit 12
$ restore start --plan plan.txt --full --yes --concurrency 1
[stdout]
s1,unknown,
s2,running,t2
[stderr]
restoring s2 from p: task t2
error: 1 of 2 restores with an unknown outcome
  s1: has an unknown outcome: the connection to http://127.0.0.1:PORT/api/v6 failed: connection closed before message completed (unknown_outcome)
hint: check the site; then see: sitectl explain unknown_outcome
exit 12
$ restore watch s1 s2
[stdout]
s1,unknown,
s2,succeeded,t2
[stderr]
s1: outcome unknown: the connection to http://127.0.0.1:PORT/api/v6 failed: connection closed before message completed
s2 (t2): succeeded
error: 1 of 2 restores with an unknown outcome
  s1: has an unknown outcome: the connection to http://127.0.0.1:PORT/api/v6 failed: connection closed before message completed (unknown_outcome)
hint: check the site; then see: sitectl explain unknown_outcome
exit 12
$ restore resume --yes
[stdout]
s1,unknown,
s2,succeeded,t2
[stderr]
run RUN of TIME: 2 restores, 0 unsent
error: 1 of 2 restores with an unknown outcome
  s1: has an unknown outcome: the connection to http://127.0.0.1:PORT/api/v6 failed: connection closed before message completed (unknown_outcome)
hint: check the site; then see: sitectl explain unknown_outcome
exit 12
$ restore history
[stdout]
s2,succeeded,t2
s1,unknown,
exit 0
# state in no list
$ restore start s1 p --full --yes --watch
[stdout]
s1,running,t1
[stderr]
restoring s1 from p: task t1
error: no result within 3s: the restore of s1 (t1) was last seen partial
hint: resume watching: sitectl restore watch t1
exit 11
$ restore start --plan plan.txt --full --yes --concurrency 1 --watch
[stdout]
s1,running,t1
s2,succeeded,t2
[stderr]
restoring s1 from p: task t1
restoring s2 from p: task t2
s2 (t2): succeeded
error: no result within 3s: 1 of 2 restores not finished
  s1: was last seen partial (running)
hint: resume watching: sitectl restore watch t1
exit 11
$ restore start --plan plan.txt --full --yes --concurrency 1
[stdout]
s1,running,t1
s2,running,t2
[stderr]
restoring s1 from p: task t1
restoring s2 from p: task t2
hint: watch the restore: sitectl restore watch t1 t2
exit 0
$ restore watch s1 s2
[stdout]
s1,running,t1
s2,succeeded,t2
[stderr]
s1 (t1): partial
s2 (t2): succeeded
error: no result within 3s: 1 of 2 restores not finished
  s1: was last seen partial (running)
hint: resume watching: sitectl restore watch t1
exit 11
$ restore resume --yes
[stdout]
s1,running,t1
s2,succeeded,t2
[stderr]
run RUN of TIME: 2 restores, 0 unsent
hint: watch the restore: sitectl restore watch t1
exit 0
$ restore history
[stdout]
s2,succeeded,t2
s1,running,t1
exit 0
# task of another site
$ restore start s1 p --full --yes --watch
[stdout]
s1,unknown,t1
[stderr]
restoring s1 from p: task t1
s1 (t1): outcome unknown: the response contradicts its state 'succeeded': site: s5
error: the restore of s1 (t1) has an unknown outcome: the response contradicts its state 'succeeded': site: s5
hint: check the site; then see: sitectl explain unknown_outcome
exit 12
$ restore start --plan plan.txt --full --yes --concurrency 1 --watch
[stdout]
s1,unknown,t1
s2,succeeded,t2
[stderr]
restoring s1 from p: task t1
restoring s2 from p: task t2
s1 (t1): outcome unknown: the response contradicts its state 'succeeded': site: s5
s2 (t2): succeeded
error: 1 of 2 restores with an unknown outcome
  s1 (t1): has an unknown outcome: the response contradicts its state 'succeeded': site: s5 (unknown_outcome)
hint: check the site; then see: sitectl explain unknown_outcome
exit 12
$ restore start --plan plan.txt --full --yes --concurrency 1
[stdout]
s1,running,t1
s2,running,t2
[stderr]
restoring s1 from p: task t1
restoring s2 from p: task t2
hint: watch the restore: sitectl restore watch t1 t2
exit 0
$ restore watch s1 s2
[stdout]
s1,unknown,t1
s2,succeeded,t2
[stderr]
s1 (t1): outcome unknown: the response contradicts its state 'succeeded': site: s5
s2 (t2): succeeded
error: 1 of 2 restores with an unknown outcome
  s1 (t1): has an unknown outcome: the response contradicts its state 'succeeded': site: s5 (unknown_outcome)
hint: check the site; then see: sitectl explain unknown_outcome
exit 12
$ restore resume --yes
[stdout]
s1,unknown,t1
s2,succeeded,t2
[stderr]
run RUN of TIME: 2 restores, 0 unsent
error: 1 of 2 restores with an unknown outcome
  s1 (t1): has an unknown outcome: the response contradicts its state 'succeeded': site: s5 (unknown_outcome)
hint: check the site; then see: sitectl explain unknown_outcome
exit 12
$ restore history
[stdout]
s2,succeeded,t2
s1,unknown,t1
exit 0
# token refused while watching
$ restore start s1 p --full --yes --watch
[stdout]
s1,running,t1
[stderr]
restoring s1 from p: task t1
error: the service rejected the token (401): the restore of s1 (t1) was last seen running
hint: set SITECTL_TOKEN to a valid token
hint: resume watching: sitectl restore watch t1
exit 11
$ restore start --plan plan.txt --full --yes --concurrency 1 --watch
[stdout]
s1,running,t1
s2,running,t2
[stderr]
restoring s1 from p: task t1
restoring s2 from p: task t2
error: the service rejected the token (401): 2 of 2 restores not finished
  s1: was last seen running (running)
  s2: was last seen queued (running)
hint: set SITECTL_TOKEN to a valid token
hint: resume watching: sitectl restore watch t1 t2
exit 11
$ restore start --plan plan.txt --full --yes --concurrency 1
[stdout]
s1,running,t1
s2,running,t2
[stderr]
restoring s1 from p: task t1
restoring s2 from p: task t2
hint: watch the restore: sitectl restore watch t1 t2
exit 0
$ restore watch s1 s2
[stdout]
s1,running,t1
s2,running,t2
[stderr]
error: the service rejected the token (401): 2 of 2 restores not finished
  s1: was last seen running (running)
  s2: was last seen queued (running)
hint: set SITECTL_TOKEN to a valid token
hint: resume watching: sitectl restore watch t1 t2
exit 11
$ restore resume --yes
[stderr]
run RUN of TIME: 2 restores, 0 unsent
error: the service rejected the token (401)
hint: set SITECTL_TOKEN to a valid token
exit 3
$ restore history
[stdout]
s2,running,t2
s1,running,t1
exit 0
# rejected
$ restore start s1 p --full --yes --watch
[stdout]
s1,rejected,
[stderr]
s1: rejected: the service rejected the request (422): No.; Must begin with ./
error: the restore of s1 was rejected: the service rejected the request (422): No.
  --path: Must begin with ./ (invalid_path)
hint: write paths relative to the root of the snapshot, such as ./wp-content/uploads/
hint: list the files: sitectl snapshots files s1 p
exit 5
$ restore start --plan plan.txt --full --yes --concurrency 1 --watch
[stdout]
s1,rejected,
s2,succeeded,t2
[stderr]
restoring s2 from p: task t2
s1: rejected: the service rejected the request (422): No.; Must begin with ./
s2 (t2): succeeded
error: 1 of 2 restores rejected
  s1, scope: Must begin with ./ (invalid_path)
hint: write paths relative to the root of the snapshot, such as ./wp-content/uploads/
hint: list the files: sitectl snapshots files s1 p
hint: restore again what failed: sitectl restore history --run RUN --outcome failed,rejected -o csv | sitectl restore start --plan -
exit 9
$ restore start --plan plan.txt --full --yes --concurrency 1
[stdout]
s1,rejected,
s2,running,t2
[stderr]
restoring s2 from p: task t2
error: 1 of 2 restores rejected
  s1, scope: Must begin with ./ (invalid_path)
hint: write paths relative to the root of the snapshot, such as ./wp-content/uploads/
hint: list the files: sitectl snapshots files s1 p
hint: restore again what failed: sitectl restore history --run RUN --outcome failed,rejected -o csv | sitectl restore start --plan -
exit 9
$ restore watch s1 s2
[stdout]
s1,rejected,
s2,succeeded,t2
[stderr]
s1: rejected: the service rejected the request (422): No.; Must begin with ./
s2 (t2): succeeded
error: 1 of 2 restores rejected
  s1: was rejected: the service rejected the request (422): No.; Must begin with ./ (invalid)
hint: restore again what failed: sitectl restore history --run RUN --outcome failed,rejected -o csv | sitectl restore start --plan -
exit 9
$ restore resume --yes
[stdout]
s1,rejected,
s2,succeeded,t2
[stderr]
run RUN of TIME: 2 restores, 0 unsent
error: 1 of 2 restores rejected
  s1: was rejected: the service rejected the request (422): No.; Must begin with ./ (invalid)
hint: restore again what failed: sitectl restore history --run RUN --outcome failed,rejected -o csv | sitectl restore start --plan -
exit 9
$ restore history
[stdout]
s2,succeeded,t2
s1,rejected,
exit 0
# token refused
$ restore start s1 p --full --yes --watch
[stdout]
s1,not_sent,
[stderr]
s1: not sent: the service rejected the token (401)
error: the restore of s1 was not sent: the service rejected the token (401)
hint: set SITECTL_TOKEN to a valid token
hint: resume the run: sitectl restore resume RUN
exit 3
$ restore start --plan plan.txt --full --yes --concurrency 1 --watch
[stdout]
s1,not_sent,
s2,not_sent,
[stderr]
s1: not sent: the service rejected the token (401)
s2: not sent: the service rejected the token (401)
error: 2 of 2 restores not sent
  s1: was not sent: the service rejected the token (401) (auth)
  s2: was not sent: the service rejected the token (401) (auth)
hint: resume the run: sitectl restore resume RUN
exit 3
$ restore start --plan plan.txt --full --yes --concurrency 1
[stdout]
s1,not_sent,
s2,not_sent,
[stderr]
error: 2 of 2 restores not sent
  s1: was not sent: the service rejected the token (401) (auth)
  s2: was not sent: the service rejected the token (401) (auth)
hint: resume the run: sitectl restore resume RUN
exit 3
$ restore watch s1 s2
[stdout]
s1,not_sent,
s2,not_sent,
[stderr]
s1: not sent: the service rejected the token (401)
s2: not sent: the service rejected the token (401)
error: 2 of 2 restores not sent
  s1: was not sent: the service rejected the token (401) (auth)
  s2: was not sent: the service rejected the token (401) (auth)
hint: resume the run: sitectl restore resume RUN
exit 3
$ restore resume --yes
[stdout]
s1,not_sent,
s2,running,t2
[stderr]
restoring s2 from p: task t2
run RUN of TIME: 2 restores, 2 unsent
error: 1 of 2 restores not sent
  s1: was not sent: the service rejected the token (401) (auth)
hint: set SITECTL_TOKEN to a valid token
hint: resume the run: sitectl restore resume RUN
exit 9
$ restore history
[stdout]
s2,running,t2
s1,not_sent,
exit 0
# site busy
$ restore start s1 p --full --yes --watch
[stdout]
s1,not_sent,
[stderr]
s1: not sent: conflict with other work (409)
error: the restore of s1 was not sent: conflict with other work (409)
hint: another task may be changing the site; wait until it has ended: sitectl tasks list
hint: if the restore is still needed then, resume the run: sitectl restore resume RUN
exit 6
$ restore start --plan plan.txt --full --yes --concurrency 1 --watch
[stdout]
s1,not_sent,
s2,succeeded,t2
[stderr]
restoring s2 from p: task t2
s1: not sent: conflict with other work (409)
s2 (t2): succeeded
error: 1 of 2 restores not sent
  s1: was not sent: conflict with other work (409) (conflict)
hint: another task may be changing the site; wait until it has ended: sitectl tasks list
hint: if the restore is still needed then, resume the run: sitectl restore resume RUN
exit 9
$ restore start --plan plan.txt --full --yes --concurrency 1
[stdout]
s1,not_sent,
s2,running,t2
[stderr]
restoring s2 from p: task t2
error: 1 of 2 restores not sent
  s1: was not sent: conflict with other work (409) (conflict)
hint: another task may be changing the site; wait until it has ended: sitectl tasks list
hint: if the restore is still needed then, resume the run: sitectl restore resume RUN
exit 9
$ restore watch s1 s2
[stdout]
s1,not_sent,
s2,succeeded,t2
[stderr]
s1: not sent: conflict with other work (409)
s2 (t2): succeeded
error: 1 of 2 restores not sent
  s1: was not sent: conflict with other work (409) (conflict)
hint: another task may be changing the site; wait until it has ended: sitectl tasks list
hint: if the restore is still needed then, resume the run: sitectl restore resume RUN
exit 9
$ restore resume --yes
[stdout]
s1,not_sent,
s2,succeeded,t2
[stderr]
run RUN of TIME: 2 restores, 1 unsent
error: 1 of 2 restores not sent
  s1: was not sent: conflict with other work (409) (conflict)
hint: another task may be changing the site; wait until it has ended: sitectl tasks list
hint: if the restore is still needed then, resume the run: sitectl restore resume RUN
exit 9
$ restore history
[stdout]
s2,succeeded,t2
s1,not_sent,
exit 0

"#]]
    );
}
