//! `sitectl api --paginate`: a list of any area, whole and proven so, or said not to be.

use crate::api::answer;
use crate::listing::{Largest, Listing, Quirks, numbered};
use crate::scripted::{Reply, Scripted, page};
use crate::support::{Run, World};
use snapbox::{assert_data_eq, str};

fn api(world: &World, args: &[&str]) -> Run {
    world.run(&[&["api"], args].concat())
}

#[test]
fn all_pages_are_joined() {
    let service = Listing::start(numbered(2500), Quirks::default());
    let run = api(&service.world(), &["/clients", "--paginate", "-f", "x=y z", "--filter", "a:eq=b", "-o", "ids"]);
    assert!(run.code == 0 && run.stdout.lines().eq(service.ids()) && run.stderr.is_empty(), "{}", run.stderr);
    let mut lines = service.lines();
    lines.sort();
    let wanted =
        (1..=3).map(|page| format!("GET /api/v6/clients?page={page}&perPage=1000&filters%5Ba:eq%5D=b&x=y%20z"));
    assert!(lines.iter().cloned().eq(wanted), "{lines:#?}");
    let json = api(&service.world(), &["/clients", "--paginate", "--json"]).json();
    assert_eq!(json.as_array().map(Vec::len), Some(2500));
    assert_eq!(api(&service.world(), &["/clients", "--paginate", "--jq", "length"]).stdout, "2500\n");
    let lines = api(&service.world(), &["/clients", "--paginate", "-o", "ndjson", "--fields", "id"]).stdout;
    assert_eq!(lines.lines().count(), 2500);
}

#[test]
fn rows_and_limits_are_as_typed() {
    for (args, first) in [
        (&["/clients?perPage=7", "--limit", "9"][..], "?page=1&perPage=7"),
        (&["/clients", "--per-page", "7", "--limit", "9"], "?page=1&perPage=7"),
        (&["/clients?perPage=7", "--per-page", "7", "--limit", "9"], "?page=1&perPage=7"),
        (&["/clients", "--limit", "9"], "?page=1&perPage=9"),
        (&["/clients", "-f", "perPage=5", "--limit", "9", "--concurrency", "1"], "?page=1&perPage=5"),
    ] {
        let service = Listing::start(numbered(60), Quirks::default());
        let run = api(&service.world(), &[args, &["--paginate", "-o", "ids"]].concat());
        assert_eq!((run.code, run.stdout.lines().count()), (0, 9), "{args:?}\n{}", run.transcript());
        assert_eq!(run.stderr, "the first 9 of 60 records\n");
        assert!(service.lines()[0].ends_with(first), "{args:?}: {:?}", service.lines());
    }
    let world = World::on("http://127.0.0.1:1/api/v6");
    for args in [
        &["/x?page=2"][..],
        &["/x", "-f", "page=2"],
        &["/x?perPage=7", "--per-page", "8"],
        &["/x?perPage=0"],
        &["/x?perPage=many"],
        &["/x", "--verify", "--limit", "3"],
    ] {
        let run = api(&world, &[args, &["--paginate"]].concat());
        assert_eq!(run.code, 2, "{args:?}\n{}", run.transcript());
    }
}

#[test]
fn a_list_that_refuses_so_many_rows_is_asked_for_its_own() {
    let service = Listing::start(numbered(60), Quirks { largest: Some(Largest::Refused(50)), ..Quirks::default() });
    let world = service.world();
    let run = api(&world, &["/clients", "--paginate", "-o", "ids"]);
    assert_eq!((run.code, run.stdout.lines().count()), (0, 60), "{}", run.transcript());
}

#[test]
fn what_is_not_whole_is_not_called_so() {
    let hidden = Quirks { hidden: Some("id-000007"), ..Quirks::default() };
    let service = Listing::start(numbered(9), Quirks { total_items: Some(10), ..hidden });
    let run = api(&service.world(), &["/clients", "--paginate", "--json"]);
    assert_eq!(run.code, 13, "{}", run.transcript());
    assert!(run.error()["message"].as_str().unwrap().contains("the list of records could not be read whole"));
    let bare = r#"[{"id":1},{"id":2}]"#;
    let service = Scripted::new((0..2).map(|_| ("GET", answer(200, "", bare))).collect());
    assert_data_eq!(
        api(&service.world(), &["/x", "--paginate", "-o", "ids", "--concurrency", "1"]).transcript(),
        str![[r#"
[stdout]
1
2
exit 0

"#]]
    );
    service.requests();
}

#[test]
fn what_is_no_list_is_refused_at_once() {
    for (body, why) in [
        (r#"{"a":[],"b":[],"meta":{}}"#, "it holds 2 lists, and which one is meant cannot be told: a, b"),
        (r#"{"tag":{"id":1}}"#, "it holds none"),
        (r#"{"id":1,"sites":[]}"#, "it is one record, of which 'sites' is a field"),
        ("7", "it holds none"),
    ] {
        let service = Scripted::new(vec![("GET", answer(200, "", body))]);
        let run = api(&service.world(), &["/x", "--paginate"]);
        assert_eq!((run.code, run.stdout.as_str()), (8, ""), "{}", run.transcript());
        assert!(run.stderr.contains(&format!("error: the answer is no list: {why}")), "{}", run.transcript());
        service.requests();
    }
}

#[test]
fn a_table_knows_its_columns_by_the_name_of_the_list() {
    let service = Scripted::new(vec![("GET", page(&["a", "b"], 1, 2, 4)), ("GET", page(&["c", "d"], 2, 2, 4))]);
    let run = api(&service.world(), &["/x", "--paginate", "-i"]);
    assert_eq!(run.code, 0, "{}", run.transcript());
    assert!(run.stdout.starts_with("ID  FIRST NAME  LAST NAME  EMAIL"), "{}", run.transcript());
    assert_eq!(run.stderr.matches("HTTP 200 OK\n").count(), 2, "{}", run.transcript());
    service.requests();
}

#[test]
fn a_refusal_says_that_pages_may_be_the_reason() {
    let refused = || ("GET", Reply::Json(400, r#"{"error":{"message":"Unknown parameter."}}"#.into()));
    let service = Scripted::new(vec![refused(), refused()]);
    let run = api(&service.world(), &["/x", "--paginate"]);
    assert_eq!(run.code, 5, "{}", run.transcript());
    assert!(run.stderr.contains("hint: --paginate asks for page and perPage"), "{}", run.transcript());
    service.requests();
}

/// A page of a list whose rows are these, of so many.
fn rows(rows: &str, page: u64, pages: u64, total: u64) -> Reply {
    let pagination = format!(r#"{{"page":{page},"perPage":3,"totalPages":{pages},"totalItems":{total}}}"#);
    answer(200, "", &format!(r#"{{"tags":[{rows}],"meta":{{"pagination":{pagination}}}}}"#))
}

/// Reads a list that the service answers with these pages, each as often as there are readings.
fn reading(pages: &[&str], total: u64, readings: usize) -> Run {
    let of_all =
        || pages.iter().enumerate().map(|(place, text)| rows(text, place as u64 + 1, pages.len() as u64, total));
    let script = (0..readings).flat_map(|_| of_all()).map(|reply| ("GET", reply)).collect();
    let service = Scripted::new(script);
    let run = api(&service.world(), &["/x", "--paginate", "-o", "ndjson", "--concurrency", "1"]);
    service.requests();
    run
}

#[test]
fn what_stands_twice_in_one_page_are_two_rows() {
    for (page, rows) in [
        (r#"{"id":1,"a":1},{"id":1,"a":2},{"id":2}"#, 3),
        (r#"{"a":1},{"a":1},{"a":2}"#, 3),
        ("1,1,2", 3),
        (r#"{"id":1,"a":1},{"id":1,"a":1}"#, 2),
    ] {
        let run = reading(&[page], rows, 1);
        let printed = run.stdout.lines().collect::<Vec<_>>().join(",");
        assert_eq!((run.code, printed.as_str(), run.stderr.as_str()), (0, page, ""), "{}", run.transcript());
        let bare = || ("GET", answer(200, "", &format!("[{page}]")));
        let service = Scripted::new(vec![bare(), bare()]);
        let run = api(&service.world(), &["/x", "--paginate", "-o", "ndjson"]);
        let printed = run.stdout.lines().collect::<Vec<_>>().join(",");
        assert_eq!((run.code, printed.as_str()), (0, page), "{}", run.transcript());
        service.requests();
    }
    let run = reading(&[r#"{"id":1,"a":1},{"id":1,"a":2}"#, r#"{"id":2},{"id":3}"#], 4, 1);
    assert_eq!((run.code, run.stdout.lines().count()), (0, 4), "{}", run.transcript());
}

#[test]
fn what_stands_on_two_pages_is_never_left_out_in_silence() {
    for (pages, total) in [
        ([r#"{"id":1,"a":1},{"id":2}"#, r#"{"id":1,"a":2},{"id":3}"#], 4),
        ([r#"{"a":1},{"a":2}"#, r#"{"a":1},{"a":3}"#], 4),
        (["1,2", "1,3"], 4),
    ] {
        // A third page is asked for, since the total promises more.
        let script =
            (0..5).flat_map(|_| [rows(pages[0], 1, 2, total), rows(pages[1], 2, 2, total), rows("", 3, 2, total)]);
        let service = Scripted::new(script.map(|reply| ("GET", reply)).collect());
        let run = api(&service.world(), &["/x", "--paginate", "-o", "ndjson", "--concurrency", "1"]);
        service.requests();
        assert_eq!(run.code, 13, "{}", run.transcript());
        assert!(
            run.stderr.contains("rows that came on more than one page (1 of them) count once"),
            "{}",
            run.transcript()
        );
    }
    // Nothing says how many there are: what came again beside what is new may have been a record of its own.
    let script = (0..5).flat_map(|_| ["[1,2]", "[1,3]", "[]"].map(|body| ("GET", answer(200, "", body))));
    let service = Scripted::new(script.collect());
    let run = api(&service.world(), &["/x", "--paginate", "-o", "ndjson"]);
    service.requests();
    assert_eq!((run.code, run.stdout.as_str()), (13, "1\n2\n3\n"), "{}", run.transcript());
    assert!(run.stderr.contains("does not say how many there are; rows that came on more"), "{}", run.transcript());
}

#[test]
fn a_list_that_tells_its_page_is_one() {
    let pagination =
        |total: u64| format!(r#""meta":{{"pagination":{{"page":1,"perPage":9,"totalPages":1,"totalItems":{total}}}}}"#);
    for (body, printed) in [
        (format!(r#"{{"id":"query-7","tags":[{{"id":"a"}}],{}}}"#, pagination(1)), "a\n"),
        (format!(r#"{{"tags":null,{}}}"#, pagination(0)), ""),
    ] {
        for args in [&["/x", "-o", "ids"][..], &["/x", "-o", "ids", "--paginate"]] {
            let service = Scripted::new(vec![("GET", answer(200, "", &body))]);
            let run = api(&service.world(), args);
            service.requests();
            assert_eq!((run.code, run.stdout.as_str()), (0, printed), "{}", run.transcript());
        }
    }
}

#[test]
fn the_list_that_is_meant_can_be_named() {
    let body = |name: &str, page: u64| {
        let pagination = format!(r#"{{"page":{page},"perPage":1,"totalPages":2,"totalItems":2}}"#);
        format!(
            r#"{{"data":{{"team_members":[{{"id":"{name}"}}],"links":[]}},"old":[],"new":[],"meta":{{"pagination":{pagination}}}}}"#
        )
    };
    let both = || vec![("GET", answer(200, "", &body("a", 1))), ("GET", answer(200, "", &body("b", 2)))];
    let service = Scripted::new(both());
    let run = api(&service.world(), &["/x", "--paginate", "--list", "data.team_members", "-o", "ids"]);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (0, "a\nb\n", ""), "{}", run.transcript());
    service.requests();
    let one = |args: &[&str]| {
        let service = Scripted::new(vec![("GET", answer(200, "", &body("a", 1)))]);
        let run = api(&service.world(), &[&["/x"], args].concat());
        service.requests();
        run
    };
    let note = "page 1 of 2: 1 of 2 records; --paginate --list data.team_members reads all\n";
    for (args, printed) in [
        (&["-o", "ids"][..], "a\n"),
        (&["-o", "csv"], "id\na\n"),
        (&["--jq", "length"], "1\n"),
        (&["--json"], "[\n{\"id\":\"a\"}\n]\n"),
    ] {
        let run = one(&[args, &["--list", "data.team_members"]].concat());
        assert_eq!((run.stdout.as_str(), run.stderr.as_str()), (printed, note), "{}", run.transcript());
    }
    assert_data_eq!(
        one(&["--paginate"]).transcript(),
        str![[r#"
[stderr]
error: the answer is no list: it holds 4 lists, and which one is meant cannot be told: data.team_members, data.links, old, new
hint: --list says which one is meant, such as --list data.team_members
exit 8

"#]]
    );
    assert_data_eq!(
        one(&["--list", "data.members", "-o", "ids"]).transcript(),
        str![[r#"
[stderr]
error: the answer has no list 'data.members'; there are: data.team_members, data.links, old, new
hint: --list says which one is meant, such as --list data.team_members
exit 8

"#]]
    );
}

#[test]
fn what_is_told_of_pages_in_other_spellings_counts() {
    let page = |pagination: &str, id: u64| {
        answer(200, "", &format!(r#"{{"tags":[{{"id":{id}}}],"meta":{{"pagination":{pagination}}}}}"#))
    };
    for pagination in [
        r#"{"page":"1","perPage":"1","totalPages":"2","totalItems":"2"}"#,
        r#"{"page":1.0,"perPage":1.0,"totalPages":2.0,"totalItems":2.0}"#,
        r#"{"page":1,"per_page":1,"total_pages":2,"total_items":2}"#,
        r#"{"totalItems":2,"totalPages":2}"#,
        r#"{"totalItems":2}"#,
    ] {
        let service = Scripted::new(vec![("GET", page(pagination, 1)), ("GET", page(pagination, 2))]);
        let run = api(&service.world(), &["/x", "--paginate", "-o", "ids"]);
        assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (0, "1\n2\n", ""), "{}", run.transcript());
        service.requests();
    }
    // Two pages are announced, and the second one is the first again.
    let odd = || ("GET", page(r#"{"pages":2}"#, 1));
    let service = Scripted::new(vec![odd(), odd()]);
    let run = api(&service.world(), &["/x", "--paginate", "-o", "ids"]);
    assert!(run.code == 13 && run.stderr.contains("reports more records than the 1"), "{}", run.transcript());
    service.requests();
}
