//! Plays a case: applies the file with events, and then again without events until nothing changes.

use crate::case::{ApplyCase, Event};
use crate::common::{World, start, wait};
use crate::file::{FileRow, csv, file_rows, json};
use crate::gateway::Gateway;
use crate::model::Finished;

/// A row that the service does not keep is sent in each run.
const MAX_CLEAN_RUNS: usize = 3;

pub fn play(gateway: &Gateway, case: &ApplyCase) {
    let ids = gateway.set_clients(&case.clients);
    let rows = file_rows(case, &ids);
    let world = World::on(gateway.base_url());
    let (name, text) = if case.is_csv {
        ("clients.csv", csv(&rows))
    } else {
        ("clients.json", json(&rows))
    };
    std::fs::write(world.path(name), text).unwrap();
    let apply = |events| run(gateway, &world, case, &rows, name, events);
    apply(&case.events).check();
    for _ in 0..MAX_CLEAN_RUNS {
        let finished = apply(&[]);
        finished.check();
        if finished.changed_nothing() {
            return finished.check_end();
        }
    }
    panic!("the runs do not end: {case:#?}");
}

fn run<'c>(
    gateway: &Gateway,
    world: &World,
    case: &'c ApplyCase,
    rows: &'c [FileRow],
    file: &str,
    events: &[(u64, Event)],
) -> Finished<'c> {
    let token = gateway.begin_run(events, case);
    let before = gateway.account();
    let args = [
        &["clients", "apply", file, "--yes", "--json"][..],
        &["--concurrency", case.concurrency, "--retries", case.retries],
        if case.prunes { &["--prune"][..] } else { &[] },
    ]
    .concat();
    let child = start(world.command(&args).env("SITECTL_TOKEN", token));
    gateway.set_process(child.id());
    let run = wait(child);
    Finished {
        case,
        rows,
        is_clean: events.is_empty(),
        log: gateway.exchanges(),
        after: gateway.account(),
        before,
        run,
    }
}
