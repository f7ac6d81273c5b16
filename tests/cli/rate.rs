//! The rate limit as services of different minds keep it: with eight requests on their way none is refused. How little
//! time is lost is for `benches/apply.rs` to say, and for the simulation beside the budget.

use crate::listing::{Counting, Listing, Quirks, Rate, numbered};
use crate::support::{Run, Server, World};
use std::time::Duration;

/// A list of a page for each row.
fn list(world: &World) -> Run {
    world.run(&["clients", "list", "--per-page", "1", "--concurrency", "8", "-o", "ids", "-v"])
}

#[test]
fn the_sandbox_refuses_no_page() {
    let server = Server::start(&["--rate-limit", "20", "--rate-window", "2s"]);
    let total = World::sandbox().run(&["clients", "list", "-o", "ids"]).stdout.lines().count();
    let run = list(&server.world());
    assert_eq!((run.code, run.stdout.lines().count()), (0, total), "{}", run.transcript());
    assert!(run.stderr.contains("-> 200") && !run.stderr.contains("-> 429"), "{}", run.stderr);
}

#[test]
fn the_sandbox_refuses_no_change() {
    let server = Server::start(&["--rate-limit", "60", "--rate-window", "1s"]);
    let world = server.world();
    let rows: String = (0..300).map(|number| format!("n{number}@example.com,N\n")).collect();
    let run = world.run_with(&["clients", "apply", "-", "--yes", "--json", "-v"], &format!("email,first_name\n{rows}"));
    assert_eq!(run.json()["created"].as_array().map(Vec::len), Some(300), "{}", run.transcript());
    assert!(run.stderr.contains("-> 201") && !run.stderr.contains("-> 429"), "{}", run.stderr);
}

/// A service that counts like this refuses none.
fn refuses_none(counting: Counting) {
    let rate = Rate { requests: 10, window: Duration::from_secs(2), announced: true, counting };
    let quirks = Quirks { rate: Some(rate), latency: Duration::from_millis(20), ..Quirks::default() };
    let service = Listing::start(numbered(30), quirks);
    let run = list(&service.world());
    assert!(run.code == 0 && run.stdout.lines().eq(service.ids()), "{}", run.transcript());
    assert!(service.asked().iter().all(|asked| asked.status == 200), "{:#?}", service.asked());
}

#[test]
fn windows_are_kept_to() {
    refuses_none(Counting::Windows);
}

#[test]
fn seconds_may_be_rounded_down() {
    refuses_none(Counting::RoundedDown);
}

#[test]
fn a_window_may_slide() {
    refuses_none(Counting::Sliding);
}
