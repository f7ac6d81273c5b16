//! Several processes on one database file: the first data, resets, and files that are not the sandbox's.

use crate::support::{Served, program};
use rusqlite::Connection;
use serde_json::json;
use std::path::Path;
use std::process::Output;

fn reset(file: &Path) -> Output {
    program().args(["sandbox", "reset", "-q", "--db"]).arg(file).output().unwrap()
}

fn serve(file: &Path) -> Output {
    program().args(["sandbox", "serve", "--listen", "127.0.0.1:0", "--db"]).arg(file).output().unwrap()
}

fn stderr(output: &Output) -> String {
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn a_new_file_is_filled_once_however_many_begin() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("new.db");
    let servers: Vec<_> = std::thread::scope(|scope| {
        let starts: Vec<_> = (0..8).map(|_| scope.spawn(|| Served::on(&file, &[]))).collect();
        starts.into_iter().map(|start| start.join().unwrap()).collect()
    });
    for server in &servers {
        assert_eq!((server.all("/clients").len(), server.all("/sites").len()), (60, 40));
    }
}

#[test]
fn what_one_process_writes_all_others_read() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("shared.db");
    let servers: Vec<_> = (0..4).map(|_| Served::on(&file, &[])).collect();
    std::thread::scope(|scope| {
        for (nth, server) in servers.iter().enumerate() {
            scope.spawn(move || {
                for count in 0..25 {
                    let client =
                        json!({ "client": { "first_name": "A", "email": format!("p{nth}-{count}@example.net") } });
                    server.post("/clients", &client).expect(201);
                }
            });
        }
    });
    for server in &servers {
        assert_eq!(server.all("/clients").len(), 160);
    }
}

#[test]
fn a_reset_brings_the_first_data_back_under_running_servers() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("reset.db");
    let sandbox = Served::on(&file, &[]);
    let first = sandbox.all("/clients");
    for _ in 0..3 {
        sandbox.post("/clients/delete", &json!({ "ids": ["client-0001", "client-0002"] })).expect(200);
        sandbox.post("/clients", &json!({ "client": { "first_name": "A", "email": "a@example.net" } })).expect(201);
        let scope = json!({ "restore": { "scope": { "include_files": true, "include_database": true } } });
        let task = sandbox.post("/sites/site-0001/backups/snap-0001-1/restore", &scope).expect(201);
        let output = reset(&file);
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
        assert_eq!(sandbox.all("/clients"), first);
        assert_eq!(sandbox.get(&format!("/tasks/{}", task["task"]["id"].as_str().unwrap())).status, 404);
    }
}

#[test]
fn a_reset_makes_a_file_that_is_not_there() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("a/b/new.db");
    assert!(reset(&file).status.success());
    assert_eq!(Served::on(&file, &[]).all("/clients").len(), 60);
}

#[cfg(unix)]
#[test]
fn directories_are_made_for_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    drop(Served::on(&directory.path().join("state/sandbox/sandbox.db"), &[]));
    for made in ["state", "state/sandbox"] {
        assert_eq!(directory.path().join(made).metadata().unwrap().permissions().mode() & 0o777, 0o700);
    }
}

#[test]
fn a_foreign_file_is_refused_and_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let (text, database) = (directory.path().join("notes.txt"), directory.path().join("other.db"));
    std::fs::write(
        &text,
        "these are my notes, and they are longer than a database's header would be, so they can't be taken for one",
    )
    .unwrap();
    Connection::open(&database).unwrap().execute_batch("CREATE TABLE mine (a); INSERT INTO mine VALUES (1);").unwrap();
    for file in [&text, &database] {
        let before = std::fs::read(file).unwrap();
        for output in [serve(file), reset(file)] {
            assert_ne!(output.status.code(), Some(0));
            let said = stderr(&output);
            assert!(said.contains("not a") && said.contains(file.file_name().unwrap().to_str().unwrap()), "{said}");
        }
        assert_eq!(std::fs::read(file).unwrap(), before);
    }
}

#[test]
fn another_version_is_named_and_a_reset_replaces_it() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("old.db");
    assert!(reset(&file).status.success());
    Connection::open(&file)
        .unwrap()
        .execute_batch("PRAGMA user_version = 99; ALTER TABLE clients ADD COLUMN later TEXT; CREATE TABLE more (a);")
        .unwrap();
    let output = serve(&file);
    let said = stderr(&output);
    assert!(said.contains("another version") && said.contains("`sitectl sandbox reset`"), "{said}");
    assert!(reset(&file).status.success());
    assert_eq!(Served::on(&file, &[]).all("/clients").len(), 60);
}
