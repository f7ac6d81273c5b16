//! The rate limit as services of different minds keep it: with eight requests on their way none is refused, and little
//! time is lost.

use crate::listing::{Counting, Listing, Quirks, Rate, numbered};
use crate::support::{Run, Server, World};
use std::time::{Duration, Instant};

/// A list of a page for each row, and how long it took.
fn list(world: &World) -> (Run, Duration) {
    let start = Instant::now();
    let args = ["clients", "list", "--per-page", "1", "--concurrency", "8", "-o", "ids", "-v"];
    (world.run(&args), start.elapsed())
}

#[test]
fn the_sandbox_refuses_none() {
    let server = Server::start(&["--rate-limit", "10", "--rate-window", "2s"]);
    let total = World::sandbox().run(&["clients", "list", "-o", "ids"]).stdout.lines().count();
    let (run, took) = list(&server.world());
    assert_eq!((run.code, run.stdout.lines().count()), (0, total), "{}", run.transcript());
    assert!(!run.stderr.contains("-> 429"), "{}", run.stderr);
    // One request is held back, once.
    let windows = (total + 1).div_ceil(10) as u32;
    assert!(took < Duration::from_secs(2) * windows, "{took:?} for {windows} windows\n{}", run.stderr);
}

/// A service that counts like this refuses none, and a window of two seconds costs no more than `each`.
fn refuses_none(counting: Counting, each: Duration) {
    let rate = Rate { requests: 10, window: Duration::from_secs(2), announced: true, counting };
    let quirks = Quirks { rate: Some(rate), latency: Duration::from_millis(20), ..Quirks::default() };
    let service = Listing::start(numbered(40), quirks);
    let (run, took) = list(&service.world());
    assert!(run.code == 0 && run.stdout.lines().eq(service.ids()), "{}", run.transcript());
    assert!(service.asked().iter().all(|asked| asked.status == 200), "{:#?}", service.asked());
    assert!(took < each * 5, "{took:?}\n{}", run.stderr);
}

#[test]
fn windows_are_kept_to() {
    refuses_none(Counting::Windows, Duration::from_millis(2200));
}

#[test]
fn seconds_may_be_rounded_down() {
    refuses_none(Counting::RoundedDown, Duration::from_millis(2200));
}

#[test]
fn a_window_may_slide() {
    // Whole seconds leave it open for up to two when there is room.
    refuses_none(Counting::Sliding, Duration::from_secs(4));
}
