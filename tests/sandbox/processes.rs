//! Several processes on one database file, resets and other files.

use crate::common::Run;
use crate::support::{Response, Sandbox, World, client_body};
use rusqlite::Connection;
use serde_json::json;
use std::path::Path;
use std::sync::Barrier;

fn run_reset(file: &Path) -> Run {
    World::empty().run(&["sandbox", "reset", "-q", "--db", file.to_str().unwrap()])
}

fn run_serve(file: &Path) -> Run {
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
fn race(servers: &[Sandbox], send: impl Fn(&Sandbox, usize) -> Response + Sync) -> Vec<u16> {
    let send = &send;
    let barrier = &Barrier::new(16);
    let mut statuses = std::thread::scope(|scope| {
        let mut threads = Vec::new();
        for index in 0..16 {
            let server = &servers[index % servers.len()];
            threads.push(scope.spawn(move || {
                barrier.wait();
                send(server, index).status
            }));
        }
        let statuses = threads.into_iter().map(|thread| thread.join().unwrap());
        statuses.collect::<Vec<u16>>()
    });
    statuses.sort_unstable();
    statuses
}

#[test]
fn one_of_conflicting_requests_to_servers_on_one_file_succeeds() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("new.db");
    let servers: Vec<_> = std::thread::scope(|scope| {
        let starts: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| Sandbox::on_file(&file, &[])))
            .collect();
        starts
            .into_iter()
            .map(|start| start.join().unwrap())
            .collect()
    });
    let create = |server: &Sandbox, index: usize| {
        let email = ["Same@example.net", "same@EXAMPLE.net"][index / 8];
        server.post("/clients", &client_body(email, &[]))
    };
    assert_eq!(race(&servers, create), [&[201][..], &[422; 15]].concat());
    for server in &servers {
        assert_eq!(server.all_records("/clients").len(), 61);
        assert_eq!(server.all_records("/sites").len(), 40);
    }
    let restore = |server: &Sandbox, index: usize| server.start_restore(7, index % 3 + 1);
    assert_eq!(race(&servers, restore), [&[201][..], &[409; 15]].concat());
}

#[test]
fn a_reset_restores_the_first_data_under_running_servers() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("a/b/reset.db");
    assert!(run_reset(&file).code == 0, "reset creates a missing file");
    let sandbox = Sandbox::on_file(&file, &[]);
    let first = sandbox.all_records("/clients");
    sandbox
        .post(
            "/clients/delete",
            &json!({ "ids": ["client-0001", "client-0002"] }),
        )
        .expect_status(200);
    let created = sandbox.start_restore(1, 1).expect_status(201);
    let task = format!("/tasks/{}", created["task"]["id"].as_str().unwrap());
    assert_eq!(run_reset(&file).transcript(), "exit 0\n");
    assert_eq!(sandbox.all_records("/clients"), first);
    assert_eq!(sandbox.get(&task).status, 404);
}

#[test]
fn files_of_other_programs_are_refused_and_unchanged() {
    let directory = tempfile::tempdir().unwrap();
    let text = directory.path().join("notes.txt");
    let database = directory.path().join("other.db");
    let longer_than_a_header = "these are my notes. ".repeat(10);
    std::fs::write(&text, longer_than_a_header).unwrap();
    Connection::open(&database)
        .unwrap()
        .execute_batch("CREATE TABLE mine (a); INSERT INTO mine VALUES (1);")
        .unwrap();
    for file in [&text, &database] {
        let before = std::fs::read(file).unwrap();
        for run in [run_serve(file), run_reset(file)] {
            let name = file.file_name().unwrap().to_str().unwrap();
            assert!(
                run.code == 1 && run.stderr.contains(name) && run.stderr.contains("not a"),
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
    assert!(run_reset(&file).code == 0);
    let database = Connection::open(&file).unwrap();
    database.execute_batch("PRAGMA user_version = 99").unwrap();
    let stderr = run_serve(&file).stderr;
    assert!(
        stderr.contains("another version") && stderr.contains("`sitectl sandbox reset`"),
        "{stderr}"
    );
    assert!(run_reset(&file).code == 0);
    let sandbox = Sandbox::on_file(&file, &[]);
    assert_eq!(sandbox.all_records("/clients").len(), 60);
}
