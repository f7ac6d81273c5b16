//! Machines with problems: full disks, and directories that cannot be used.

use crate::common::{Run, Server, World};
use predicates::str::{contains, is_empty};
use rusqlite::Connection;

/// A process that can't write files larger than this many blocks of 512 bytes, as on a full disk.
fn run_with_room(world: &World, blocks: u32, args: &str) -> Run {
    let command = format!("trap '' XFSZ; ulimit -f {blocks}; exec sitectl {args}");
    world.run_script(&command)
}

#[test]
fn on_a_full_disk_no_restore_starts() {
    let (_server, world) = Server::on_file("");
    let run = run_with_room(
        &world,
        0,
        "restore start site-0001 snap-0001-1 --full --yes",
    );
    run.assert_stderr(1, contains("could not write the journal"));
    let database = Connection::open(world.path("sandbox.db")).unwrap();
    assert_eq!(
        database.query_row("SELECT count(*) FROM tasks", (), |row| row.get(0)),
        Ok(0)
    );
    assert_eq!(world.journal(), "");
}

/// The request is on disk before it is sent, so a restore whose task could not be recorded blocks
/// the next one.
#[test]
fn a_disk_that_fills_up_after_the_request_leaves_the_restore_unknown() {
    let (_server, world) = Server::start("").world_kept();
    let start = format!(
        "restore start site-0001 snap-0001-1 --full --yes --json --request-timeout 2s --reason {}",
        "x".repeat(400)
    );
    // The run and the request fit into two blocks, but not the response.
    let run = run_with_room(&world, 2, &start);
    run.assert_stderr(1, contains("could not write the journal"));
    assert!(run.json()["task_id"].is_string());
    // No response is due any more.
    std::thread::sleep(std::time::Duration::from_secs(2));
    assert_eq!(
        world.run("restore history --json").json()[0]["outcome"],
        "unknown"
    );
    assert_eq!(
        world
            .run("restore start site-0001 snap-0001-1 --full --yes")
            .code,
        6
    );
}

#[test]
fn an_unusable_state_directory_does_not_prevent_reads() {
    let server = Server::start("");
    for directory in ["/proc/missing", "/dev/null/state"] {
        let world = server.world().with("SITECTL_STATE_DIR", directory);
        let run = world.run("clients list -o ids");
        run.assert_stderr(0, is_empty());
        let run = world.run("restore start site-0001 snap-0001-1 --full --yes");
        run.assert_stderr(1, contains("SITECTL_STATE_DIR"));
    }
}
