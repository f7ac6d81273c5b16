//! What was acknowledged is there, however the server ended.

#[cfg(unix)]
use crate::support::FIRST;
use crate::support::Served;
use serde_json::json;
use std::collections::HashSet;
#[cfg(unix)]
use std::sync::atomic::{AtomicUsize, Ordering};

fn client(nth: usize) -> Vec<u8> {
    json!({ "client": { "first_name": "A", "email": format!("d{nth}@example.net") } }).to_string().into_bytes()
}

fn emails(sandbox: &Served) -> HashSet<String> {
    let mut found = HashSet::new();
    for page in 1..=3 {
        let answer =
            sandbox.get(&format!("/clients?perPage=1000&page={page}&filters[email:contains]=@example.net")).expect(200);
        found.extend(
            answer["clients"].as_array().unwrap().iter().map(|client| client["email"].as_str().unwrap().to_owned()),
        );
    }
    found
}

#[cfg(unix)]
#[test]
fn a_kill_in_the_middle_loses_nothing_that_was_acknowledged() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("killed.db");
    let sandbox = Served::on(&file, &[]);
    let (pid, acknowledged) = (sandbox.id().to_string(), AtomicUsize::new(0));
    let kept = std::thread::scope(|scope| {
        let writer = |thread: usize| {
            let (sandbox, acknowledged) = (&sandbox, &acknowledged);
            scope.spawn(move || {
                let answered = |nth: &usize| {
                    sandbox.try_post_as(FIRST, "/clients", &client(*nth)).is_ok_and(|reply| reply.status == 201)
                };
                let mine = (0..).map(|nth| thread * 100_000 + nth).take_while(answered);
                mine.inspect(|_| {
                    acknowledged.fetch_add(1, Ordering::Relaxed);
                })
                .collect::<Vec<_>>()
            })
        };
        let writers: Vec<_> = (0..4).map(writer).collect();
        while acknowledged.load(Ordering::Relaxed) < 200 {
            std::thread::yield_now();
        }
        crate::support::signal("-9", &pid);
        writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect::<Vec<_>>()
    });
    let there = emails(&Served::on(&file, &[]));
    assert!(kept.len() >= 200);
    assert!(kept.iter().all(|nth| there.contains(&format!("d{nth}@example.net"))));
    assert!(there.len() <= kept.len() + 4, "at most what was on its way is there besides");
}
