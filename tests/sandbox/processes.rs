//! Several processes on one database file, crashes, resets and other files.

use crate::common::Run;
use crate::support::{FIRST, Served, World, client, signal};
use rusqlite::Connection;
use serde_json::json;
use std::path::Path;
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};

fn reset(file: &Path) -> Run {
    World::empty().run(&["sandbox", "reset", "-q", "--db", file.to_str().unwrap()])
}

fn serve(file: &Path) -> Run {
    World::empty().run(&["sandbox", "serve", "--listen", "127.0.0.1:0", "--db", file.to_str().unwrap()])
}

#[test]
fn the_first_data_is_inserted_once_and_shared() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("new.db");
    let servers: Vec<_> = std::thread::scope(|scope| {
        let starts: Vec<_> = (0..8).map(|_| scope.spawn(|| Served::on(&file, &[]))).collect();
        starts.into_iter().map(|start| start.join().unwrap()).collect()
    });
    std::thread::scope(|scope| {
        for (nth, server) in servers.iter().enumerate() {
            let create = move |count| {
                server.post("/clients", &client(&format!("p{nth}-{count}@example.net"), &[])).expect(201);
            };
            scope.spawn(move || (0..10).for_each(create));
        }
    });
    for server in &servers {
        assert_eq!((server.all("/clients").len(), server.all("/sites").len()), (140, 40));
    }
}

#[test]
fn a_killed_process_keeps_all_acknowledged_changes() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("killed.db");
    let sandbox = Served::on(&file, &[]);
    let acknowledged = AtomicUsize::new(0);
    let email = |nth: usize| format!("d{nth}@example.net");
    let write = |thread: usize| {
        let created = |nth: &usize| {
            let body = client(&email(*nth), &[]).to_string();
            let reply = sandbox.try_post_as(FIRST, "/clients", body.as_bytes());
            let created = reply.is_ok_and(|reply| reply.status == 201);
            acknowledged.fetch_add(usize::from(created), Ordering::Relaxed);
            created
        };
        (thread * 100_000..).take_while(created).map(email).collect::<Vec<_>>()
    };
    let kept = std::thread::scope(|scope| {
        let write = &write;
        let writers: Vec<_> = (0..4).map(|thread| scope.spawn(move || write(thread))).collect();
        while acknowledged.load(Ordering::Relaxed) < 200 {
            std::thread::yield_now();
        }
        signal("-9", sandbox.id());
        writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect::<Vec<_>>()
    });
    let found = Served::on(&file, &[]).all("/clients?filters[email:contains]=@example.net");
    let found: Vec<_> = found.iter().map(|client| client["email"].as_str().unwrap()).collect();
    assert!(kept.len() >= 200 && kept.iter().all(|email| found.contains(&email.as_str())));
    assert!(found.len() <= kept.len() + 4, "at most the requests in flight were processed too");
}

/// Runs `act` in 16 threads on two servers that share a file. Returns one server and the sorted statuses.
fn race(act: impl Fn(&Served, usize) -> u16 + Sync) -> (Served, Vec<u16>) {
    let directory = tempfile::tempdir().unwrap();
    let mut servers = Vec::from([(); 2].map(|()| Served::on(&directory.path().join("shared.db"), &[])));
    let barrier = Barrier::new(16);
    let run = |nth: usize| {
        barrier.wait();
        act(&servers[nth / 2 % 2], nth)
    };
    let mut statuses: Vec<u16> = std::thread::scope(|scope| {
        let run = &run;
        let threads: Vec<_> = (0..16).map(|nth| scope.spawn(move || run(nth))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    statuses.sort_unstable();
    (servers.remove(0), statuses)
}

#[test]
fn one_of_several_conflicting_requests_succeeds() {
    let create = |server: &Served, nth: usize| {
        server.post("/clients", &client(["Same@example.net", "same@EXAMPLE.net"][nth % 2], &[])).status
    };
    let (server, statuses) = race(create);
    assert!(statuses[0] == 201 && statuses[1..] == [422; 15], "{statuses:?}");
    assert_eq!(server.all("/clients").len(), 61);
    let claim = |server: &Served, nth: usize| {
        let update = json!({ "client": { "site_ids": ["site-0040"] } });
        let create = client(&format!("c{nth}@example.net"), &["site-0040"]);
        let path = format!("/clients/client-{:04}/update", nth + 40);
        if nth.is_multiple_of(2) { server.post("/clients", &create).status } else { server.post(&path, &update).status }
    };
    let (_, statuses) = race(claim);
    assert!(statuses[0] < 300 && statuses[1..] == [422; 15], "{statuses:?}");
    let (_, statuses) = race(|server, nth| server.restore(7, u32::try_from(nth).unwrap() % 3 + 1).status);
    assert!(statuses[0] == 201 && statuses[1..] == [409; 15], "{statuses:?}");
}

#[test]
fn a_reset_restores_the_first_data_under_running_servers() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("a/b/reset.db");
    assert!(reset(&file).code == 0, "it makes a file that does not exist");
    let sandbox = Served::on(&file, &[]);
    let first = sandbox.all("/clients");
    sandbox.post("/clients/delete", &json!({ "ids": ["client-0001", "client-0002"] })).expect(200);
    let task = sandbox.restore(1, 1).expect(201);
    assert_eq!(reset(&file).transcript(), "exit 0\n");
    assert_eq!(sandbox.all("/clients"), first);
    assert_eq!(sandbox.get(&format!("/tasks/{}", task["task"]["id"].as_str().unwrap())).status, 404);
}

#[test]
fn other_files_are_refused_and_unchanged() {
    let directory = tempfile::tempdir().unwrap();
    let (text, database) = (directory.path().join("notes.txt"), directory.path().join("other.db"));
    std::fs::write(&text, "these are my notes, and they are longer than the header of a database is. ".repeat(3))
        .unwrap();
    Connection::open(&database).unwrap().execute_batch("CREATE TABLE mine (a); INSERT INTO mine VALUES (1);").unwrap();
    for file in [&text, &database] {
        let before = std::fs::read(file).unwrap();
        for run in [serve(file), reset(file)] {
            let is_named = run.stderr.contains(file.file_name().unwrap().to_str().unwrap());
            assert!(run.code == 1 && is_named && run.stderr.contains("not a"), "{}", run.transcript());
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
    Connection::open(&file).unwrap().execute_batch(change).unwrap();
    let said = serve(&file).stderr;
    assert!(said.contains("another version") && said.contains("`sitectl sandbox reset`"), "{said}");
    assert!(reset(&file).code == 0);
    let sandbox = Served::on(&file, &[]);
    assert_eq!(sandbox.all("/clients").len(), 60);
    sandbox.restore(1, 1).expect(201);
}
