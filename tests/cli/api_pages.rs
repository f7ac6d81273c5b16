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
    assert!(!world.path(".local/state/sitectl/learned.json").exists(), "nothing is learned of lists by hand");
}

#[test]
fn what_is_not_whole_is_not_called_so() {
    let hidden = Quirks { hidden: Some("id-000007"), ..Quirks::default() };
    let service = Listing::start(numbered(9), Quirks { total_items: Some(10), ..hidden });
    let run = api(&service.world(), &["/clients", "--paginate", "--json"]);
    assert_eq!(run.code, 13, "{}", run.transcript());
    assert!(run.error()["message"].as_str().unwrap().contains("the list of records could not be read whole"));
    let bare = r#"[{"id":1},{"id":2}]"#;
    let service = Scripted::new((0..3).map(|_| ("GET", answer(200, "", bare))).collect());
    assert_data_eq!(
        api(&service.world(), &["/x", "--paginate", "-o", "ids", "--concurrency", "1"]).transcript(),
        str![[r#"
[stdout]
1
2
[stderr]
the service does not say how many records there are: that these are all of them is not proven
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
