//! `sitectl api --dry-run`: the request that would be sent, without the token.

use crate::support::{Run, World};
use snapbox::{assert_data_eq, str};

fn dry(world: &World, args: &[&str], stdin: &str) -> Run {
    world.run_with(&[&["api"], args, &["--dry-run"]].concat(), stdin)
}

#[test]
fn it_prints_the_method_the_url_and_the_body() {
    let world =
        World::empty().with("SITECTL_BASE_URL", "https://service.example/api/v6").with("SITECTL_TOKEN", "s3cret-token");
    assert_data_eq!(
        dry(&world, &["/tags?page=2"], "").transcript(),
        str![[r#"
[stdout]
GET https://service.example/api/v6/tags?page=2
[stderr]
nothing was sent
exit 0

"#]]
    );
    assert_data_eq!(
        dry(&world, &["POST", "/tags", "-f", "name=it's $HOME `x`"], "").transcript(),
        str![[r#"
[stdout]
POST https://service.example/api/v6/tags

{"name":"it's $HOME `x`"}
[stderr]
nothing was sent
exit 0

"#]]
    );
    assert_data_eq!(
        dry(&world, &["DELETE", "/tags", "-f", "a=s3cret-token"], "").transcript(),
        str![[r#"
[stdout]
DELETE https://service.example/api/v6/tags

{"a":"***"}
[stderr]
nothing was sent
*** in the body stands for the token
exit 0

"#]]
    );
    let input = dry(&world, &["PUT", "/tags/1", "--input", "-", "--json"], "{\"n\": 1e400}\n");
    assert_data_eq!(
        input.transcript(),
        str![[r#"
[stdout]
{
  "method": "PUT",
  "url": "https://service.example/api/v6/tags/1",
  "body": {
    "n": 1e400
  }
}
[stderr]
nothing was sent
exit 0

"#]]
    );
    assert_data_eq!(
        dry(&world, &["HEAD", "/tags", "-o", "yaml"], "").transcript(),
        str![[r#"
[stdout]
method: HEAD
url: https://service.example/api/v6/tags
body: null
[stderr]
nothing was sent
exit 0

"#]]
    );
}

#[test]
fn it_needs_no_token_and_starts_nothing() {
    let world = World::sandbox();
    assert_data_eq!(
        dry(&world, &["/sites", "--paginate", "--limit", "7"], "").transcript(),
        str![[r#"
[stdout]
GET http://127.0.0.1:PORT/api/v6/sites?page=1&perPage=7
[stderr]
nothing was sent; --paginate sends this for page 1, and the same for each page after it
exit 0

"#]]
    );
    assert!(!world.path(".local").exists());
}

#[test]
fn it_refuses_what_the_request_would_be_refused_for() {
    let world = World::on("http://127.0.0.1:1/api/v6").with("SITECTL_TOKEN", "s3cret-token");
    for args in [&["/x/s3cret-token"][..], &["/x?t=s3cret%2Dtoken"], &["/x", "-f", "t=s3cret-token"]] {
        let run = dry(&world, args, "");
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{}", run.transcript());
        assert!(run.stderr.contains("the path or query holds the token"), "{}", run.transcript());
    }
}
