//! Several processes on one database file, resets and other files. The soak test kills them.

use crate::common::Run;
use crate::support::{Reply, Served, World, client};
use rusqlite::Connection;
use serde_json::json;
use std::path::Path;
use std::sync::Barrier;

fn reset(file: &Path) -> Run {
    World::empty().run(&["sandbox", "reset", "-q", "--db", file.to_str().unwrap()])
}

fn serve(file: &Path) -> Run {
    World::empty().run(&[
        "sandbox",
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--db",
        file.to_str().unwrap(),
    ])
}

/// Sends requests from 16 threads to the servers at once, and returns the sorted statuses.
fn race(servers: &[Served], send: impl Fn(&Served, usize) -> Reply + Sync) -> Vec<u16> {
    let (send, barrier) = (&send, &Barrier::new(16));
    let mut statuses: Vec<u16> = std::thread::scope(|scope| {
        let start = |nth: usize| {
            scope.spawn(move || {
                barrier.wait();
                send(&servers[nth % servers.len()], nth).status
            })
        };
        let threads: Vec<_> = (0..16).map(start).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    statuses.sort_unstable();
    statuses
}

#[test]
fn servers_share_a_file_and_one_of_several_conflicting_requests_succeeds() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("new.db");
    let servers: Vec<_> = std::thread::scope(|scope| {
        let starts: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| Served::on(&file, &[])))
            .collect();
        starts
            .into_iter()
            .map(|start| start.join().unwrap())
            .collect()
    });
    let create = |server: &Served, nth: usize| {
        server.post(
            "/clients",
            &client(["Same@example.net", "same@EXAMPLE.net"][nth / 8], &[]),
        )
    };
    assert_eq!(race(&servers, create), [&[201][..], &[422; 15]].concat());
    for server in &servers {
        assert_eq!(
            (server.all("/clients").len(), server.all("/sites").len()),
            (61, 40)
        );
    }
    let claim = |server: &Served, nth: usize| {
        let update = json!({ "client": { "site_ids": ["site-0040"] } });
        server.post(&format!("/clients/client-{:04}/update", nth + 40), &update)
    };
    assert_eq!(race(&servers, claim), [&[200][..], &[422; 15]].concat());
    let restore = |server: &Served, nth: usize| server.restore(7, nth % 3 + 1);
    assert_eq!(race(&servers, restore), [&[201][..], &[409; 15]].concat());
}

#[test]
fn a_reset_restores_the_first_data_under_running_servers() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("a/b/reset.db");
    assert!(
        reset(&file).code == 0,
        "it makes a file that does not exist"
    );
    let sandbox = Served::on(&file, &[]);
    let first = sandbox.all("/clients");
    sandbox
        .post(
            "/clients/delete",
            &json!({ "ids": ["client-0001", "client-0002"] }),
        )
        .expect(200);
    let task = sandbox.restore(1, 1).expect(201);
    assert_eq!(reset(&file).transcript(), "exit 0\n");
    assert_eq!(sandbox.all("/clients"), first);
    assert_eq!(
        sandbox
            .get(&format!("/tasks/{}", task["task"]["id"].as_str().unwrap()))
            .status,
        404
    );
}

#[test]
fn other_files_are_refused_and_unchanged() {
    let directory = tempfile::tempdir().unwrap();
    let (text, database) = (
        directory.path().join("notes.txt"),
        directory.path().join("other.db"),
    );
    std::fs::write(
        &text,
        "these are my notes, and they are longer than the header of a database is. ".repeat(3),
    )
    .unwrap();
    Connection::open(&database)
        .unwrap()
        .execute_batch("CREATE TABLE mine (a); INSERT INTO mine VALUES (1);")
        .unwrap();
    for file in [&text, &database] {
        let before = std::fs::read(file).unwrap();
        for run in [serve(file), reset(file)] {
            let is_named = run
                .stderr
                .contains(file.file_name().unwrap().to_str().unwrap());
            assert!(
                run.code == 1 && is_named && run.stderr.contains("not a"),
                "{}",
                run.transcript()
            );
        }
        assert_eq!(std::fs::read(file).unwrap(), before);
    }
}

#[test]
fn a_file_of_another_version_requires_a_reset() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("old.db");
    assert!(reset(&file).code == 0);
    let change = "PRAGMA user_version = 99; ALTER TABLE clients ADD COLUMN later TEXT; CREATE TABLE more (a);";
    Connection::open(&file)
        .unwrap()
        .execute_batch(change)
        .unwrap();
    let said = serve(&file).stderr;
    assert!(
        said.contains("another version") && said.contains("`sitectl sandbox reset`"),
        "{said}"
    );
    assert!(reset(&file).code == 0);
    let sandbox = Served::on(&file, &[]);
    assert_eq!(sandbox.all("/clients").len(), 60);
    sandbox.restore(1, 1).expect(201);
}
