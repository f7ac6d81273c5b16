//! Input that nobody sends by mistake: always a 4xx in JSON, never a 5xx, and the server goes on.

use crate::support::Served;
use serde_json::Value;

const HEAD: &str = "Host: localhost:HERE\r\nConnection: close\r\nAuthorization: Bearer sandbox-token\r\n";

/// The status and JSON of the answer to these bytes.
#[track_caller]
fn send(sandbox: &Served, bytes: &[u8]) -> (u16, Value) {
    let answer = sandbox.raw(bytes);
    let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(80)]);
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer to {shown}"));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap();
    let json = serde_json::from_str(body).unwrap_or_else(|_| panic!("{shown} got {answer}"));
    assert!(head.to_lowercase().contains("content-type: application/json"));
    (status, json)
}

#[track_caller]
fn refused(sandbox: &Served, bytes: &[u8], wanted: u16) {
    let (status, json) = send(sandbox, bytes);
    let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(80)]);
    assert_eq!(status, wanted, "{shown}: {json}");
    assert_eq!(json["error"]["status"], wanted);
    if wanted == 400 {
        assert_eq!(json["error"]["message"], "Invalid parameters.", "{shown}");
        assert!(json["error"]["details"].as_array().is_some_and(|details| !details.is_empty()), "{shown}");
    }
    assert!(
        json["error"]["code"].is_string()
            && json["error"]["message"].is_string()
            && json["error"]["details"].is_array()
    );
}

fn post(path: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("POST /api/v6{path} HTTP/1.1\r\n{HEAD}Content-Length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

#[test]
fn what_is_not_http_is_400() {
    let sandbox = Served::start(&[]);
    let cases: &[&[u8]] = &[
        b"nonsense\r\n\r\n",
        b"\0\0\0\0\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET /api/v6/clients\r\n\r\n",
        b"GET /api/v6/clients HTTP/9.9\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 a TLS hello\r\n\r\n",
        b"G\xffT /api/v6/clients HTTP/1.1\r\n\r\n",
        b"GET /api/v6/cl\0ients HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /api/v6/clients HTTP/1.1\r\nbad header\r\n\r\n",
        b"GET /api/v6/clients HTTP/1.1\r\nX: a\0b\r\n\r\n",
        b"POST /api/v6/clients HTTP/1.1\r\nContent-Length: ten\r\n\r\n",
        b"POST /api/v6/clients HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"POST /api/v6/clients HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n",
        b"GET /api/v6/clients\xff\xfe HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /api/v6/clients?\xc3\x28=1 HTTP/1.1\r\nHost: a\r\n\r\n",
    ];
    for case in cases {
        refused(&sandbox, case, 400);
    }
    assert_eq!(sandbox.all("/clients").len(), 60);
}

#[test]
fn what_a_web_page_could_send_is_403() {
    let sandbox = Served::start(&[]);
    let port = sandbox.address().rsplit(':').next().unwrap();
    let get = |path: &str, hosts: &str| {
        let token = "Authorization: Bearer sandbox-token";
        format!("GET /api/v6{path} HTTP/1.1\r\nConnection: close\r\n{token}\r\n{hosts}\r\n").into_bytes()
    };
    for host in ["localhost", "LocalHost.", "127.0.0.1", "[::1]"] {
        assert_eq!(send(&sandbox, &get("/clients", &format!("Host: {host}:{port}\r\n"))).0, 200, "{host}");
    }
    let own = format!("Host: 127.0.0.1:{port}\r\n");
    let others = ["page.example", "localhost.page.example", "127.0.0.1.page.example", "0.0.0.0", "192.168.0.1", "[::]"];
    let mut refusals: Vec<String> = others.iter().map(|host| format!("Host: {host}:{port}\r\n")).collect();
    refusals.extend(["", "Host: \r\n", "Host: 127.0.0.1\r\n", "Host: localhost:1\r\n"].map(String::from));
    refusals.push(format!("{own}{own}"));
    for origin in ["https://page.example", "null", &format!("http://127.0.0.1:{port}"), ""] {
        refusals.push(format!("{own}Origin: {origin}\r\n"));
    }
    for headers in &refusals {
        for path in ["/clients", "/openapi.json", "/nowhere"] {
            refused(&sandbox, &get(path, headers), 403);
        }
    }
}

#[test]
fn strange_addresses_are_4xx() {
    let sandbox = Served::start(&[]);
    for (address, wanted) in [
        ("/clients/%ff%fe", 404),
        ("/clients/%00", 404),
        ("/clients/%", 404),
        ("/clients/%zz", 404),
        ("/clients/%c0%ae", 404),
        ("/%ff/%ff", 404),
        ("/clients/%F0%9F%A6%80", 404),
        ("/clients?page=%ff", 400),
        ("/clients?%ff", 400),
        ("/clients?%", 400),
        ("/clients?page=%0", 400),
        ("/clients?filters[search:contains]=%C3%28", 400),
        ("/clients?filters%5Bsearch%3Acontains%5D=%", 400),
        ("/clients?filters[%00:%00]=%00", 400),
        ("/clients?sort=%00,%00", 400),
        ("/clients?=", 400),
        ("/clients?=&=", 400),
        ("/clients?page=1;perPage=2", 400),
        ("/clients?sort=email%2Casc'--", 400),
        ("/clients?filters[email)%20OR%201=1--:contains]=a", 400),
    ] {
        refused(&sandbox, format!("GET /api/v6{address} HTTP/1.1\r\n{HEAD}\r\n").as_bytes(), wanted);
    }
    // These are strange, but they are strings like any other.
    for value in ["%00", "%27%3B%20DROP%20TABLE%20clients--", "%F0%9F%A6%80", "%E2%80%AE", "%25%5F%5C"] {
        let (status, json) = send(
            &sandbox,
            format!("GET /api/v6/clients?filters[search:contains]={value} HTTP/1.1\r\n{HEAD}\r\n").as_bytes(),
        );
        assert_eq!((status, &json["meta"]["pagination"]["totalItems"]), (200, &Value::from(0)), "{value}");
    }
}

#[test]
fn long_addresses_and_headers_are_refused_or_fine() {
    let sandbox = Served::start(&[]);
    let get = |address: &str, more: &str| format!("GET /api/v6{address} HTTP/1.1\r\n{HEAD}{more}\r\n").into_bytes();
    refused(&sandbox, &get(&format!("/clients/{}", "a".repeat(60_000)), ""), 404);
    refused(&sandbox, &get(&format!("/clients?{}", "a".repeat(60_000)), ""), 400);
    refused(&sandbox, &get(&format!("/clients?filters[role:in]={}", "a,".repeat(30_000)), ""), 400);
    refused(&sandbox, &get(&format!("/clients/{}", "a".repeat(70_000)), ""), 414);
    refused(&sandbox, &get("/clients", &format!("X: {}\r\n", "a".repeat(2_000_000))), 431);
    refused(&sandbox, &get("/clients", &"X: a\r\n".repeat(500)), 431);
    let roles = format!("/managed-accounts?filters[role:in]={}", vec!["co_owner"; 7000].join(","));
    assert_eq!(send(&sandbox, &get(&roles, "")).0, 200);
    assert_eq!(send(&sandbox, &get("/clients", &format!("X: {}\r\nY: \u{ff}\u{fe}\r\n", "a".repeat(100_000)))).0, 200);
}

#[test]
fn strange_bodies_are_400() {
    let sandbox = Served::start(&[]);
    let deep = |open: &str, close: &str| [open.repeat(50_000), close.repeat(50_000)].concat().into_bytes();
    let bodies: Vec<Vec<u8>> = vec![
        b"\xff\xfe".to_vec(),
        b"{\"client\":{\"first_name\":\"\xc3\x28\",\"email\":\"a@example.net\"}}".to_vec(),
        b"\0".to_vec(),
        b"\xef\xbb\xbf{}".to_vec(),
        b"{\"client\":\0}".to_vec(),
        deep("[", "]"),
        deep("{\"client\":", "}"),
        b"{\"client\":1e999}".to_vec(),
        br#"{"client":{"first_name":"\ud800","email":"a@example.net"}}"#.to_vec(),
        b"{\"ids\":[1e999]}".to_vec(),
        b"{\"client\":{\"first_name\":\"a\",}}".to_vec(),
        b"{'client':{}}".to_vec(),
        b"NaN".to_vec(),
        vec![b'['; 1 << 20],
        vec![b'9'; 1 << 20],
    ];
    for body in &bodies {
        for path in [
            "/clients",
            "/clients/delete",
            "/clients/client-0001/update",
            "/sites/site-0001/backups/snap-0001-1/restore",
        ] {
            refused(&sandbox, &post(path, body), 400);
        }
    }
}

#[test]
fn huge_bodies_are_413() {
    let sandbox = Served::start(&[]);
    let chunk = "a".repeat(1 << 20);
    let chunked = format!(
        "POST /api/v6/clients HTTP/1.1\r\n{HEAD}Transfer-Encoding: chunked\r\n\r\n{}0\r\n\r\n",
        format!("100000\r\n{chunk}\r\n").repeat(3)
    );
    refused(&sandbox, chunked.as_bytes(), 413);
    refused(&sandbox, &post("/clients", &vec![b' '; (1 << 20) + 1]), 413);
    refused(&sandbox, &post("/clients", &vec![b'{'; 50 << 20]), 413);
    refused(&sandbox, &post("/clients/client-0001/update", &vec![b' '; 2 << 20]), 413);
    // As much as is allowed is read: it is blank, so it changes nothing.
    assert_eq!(send(&sandbox, &post("/clients/client-0001/update", &vec![b' '; 1 << 20])).0, 200);
}

#[test]
fn bodies_that_break_off_or_are_malformed_do_nothing() {
    let sandbox = Served::start(&[]);
    let head = format!("POST /api/v6/clients HTTP/1.1\r\n{HEAD}");
    refused(&sandbox, format!("{head}Transfer-Encoding: chunked\r\n\r\nnot a length\r\n").as_bytes(), 400);
    {
        use std::io::Write;
        let body = r#"{"client":{"first_name":"A","email":"a@example.net"}}"#;
        let mut stream = std::net::TcpStream::connect(sandbox.address()).unwrap();
        write!(stream, "{head}Content-Length: 1000\r\n\r\n{body}").unwrap();
    }
    assert_eq!(sandbox.all("/clients").len(), 60);
}

#[test]
fn a_length_in_two_ways_is_400() {
    let sandbox = Served::start(&[]);
    let head = format!("POST /api/v6/clients/client-0001/update HTTP/1.1\r\n{HEAD}");
    for both in [
        "Content-Length: 2\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nContent-Length: 7",
        "content-length: 2\r\nX: a\r\nTRANSFER-ENCODING: chunked",
    ] {
        refused(&sandbox, format!("{head}{both}\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n").as_bytes(), 400);
    }
    // On a connection that has served before, too; and one alone is fine.
    let first = head.replace("Connection: close\r\n", "").replace("localhost:HERE", sandbox.address());
    let one = format!("{first}Transfer-Encoding: chunked\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n");
    let mut stream = std::net::TcpStream::connect(sandbox.address()).unwrap();
    let mut answer = vec![0; 8192];
    std::io::Write::write_all(&mut stream, one.as_bytes()).unwrap();
    let length = std::io::Read::read(&mut stream, &mut answer).unwrap();
    assert!(answer[..length].starts_with(b"HTTP/1.1 200"));
    let both = one.replace("Transfer", "Content-Length: 2\r\nTransfer");
    std::io::Write::write_all(&mut stream, both.as_bytes()).unwrap();
    let length = std::io::Read::read(&mut stream, &mut answer).unwrap();
    assert!(answer[..length].starts_with(b"HTTP/1.1 400"));
}

#[test]
fn encoded_bodies_are_415() {
    let sandbox = Served::start(&[]);
    for path in
        ["/clients", "/clients/delete", "/clients/client-0001/update", "/sites/site-0001/backups/snap-0001-1/restore"]
    {
        for encoding in ["gzip", "br", "identity, gzip", "x", ""] {
            let encoded = format!("{HEAD}Content-Encoding: {encoding}\r\nContent-Length: 2\r\n\r\n{{}}");
            refused(&sandbox, format!("POST /api/v6{path} HTTP/1.1\r\n{encoded}").as_bytes(), 415);
        }
    }
    let plain = format!("{HEAD}Content-Encoding: Identity\r\nContent-Length: 2\r\n\r\n{{}}");
    let update = "/api/v6/clients/client-0001/update";
    assert_eq!(send(&sandbox, format!("POST {update} HTTP/1.1\r\n{plain}").as_bytes()).0, 200);
}

#[test]
fn lists_of_many_strange_ids_are_answered() {
    let sandbox = Served::start(&[]);
    let ids: Vec<_> = (0..40_000).map(|nth| format!("x{nth}")).collect();
    let deleted = sandbox.post("/clients/delete", &serde_json::json!({ "ids": ids })).expect(200);
    assert_eq!(deleted["meta"]["failed"], 40_000);
    let client = serde_json::json!({ "client": { "first_name": "A", "email": "a@example.net", "site_ids": ids } });
    assert_eq!(sandbox.post("/clients", &client).refused(422).len(), 40_000);
}

#[test]
fn keys_that_repeat_or_are_odd_do_no_harm() {
    let sandbox = Served::start(&[]);
    let body = br#"{"client":1,"client":{"first_name":"A","first_name":"B","email":"b@example.net","":{"a":[]},"__proto__":null}}"#;
    assert_eq!(sandbox.post_bytes("/clients", body).expect(201)["client"]["first_name"], "B");
}
