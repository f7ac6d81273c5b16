//! Connections on which nothing happens: they end, and they keep nobody else out.

#[cfg(unix)]
use crate::support::Served;
use crate::support::eventually;
use sitectl::sandbox::{Options, Sandbox, TOKEN, Waits};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

const SHORT: Duration = Duration::from_millis(300);
const NEVER: Duration = Duration::from_secs(3600);

/// The address of a sandbox with these waits.
fn serve(request: Duration, rest: Duration, latency: Duration) -> String {
    let waits = Waits { request, rest };
    let sandbox = Sandbox::bind(Options { waits, latency, ..Options::default() }).unwrap();
    let base = sandbox.base_url();
    sandbox.spawn().unwrap();
    base.strip_prefix("http://").unwrap().strip_suffix("/api/v6").unwrap().to_owned()
}

/// Connects and sends this; HERE stands for the port.
fn connect(address: &str, sent: &str) -> TcpStream {
    let sent = sent.replace("HERE", address.rsplit(':').next().unwrap());
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream.write_all(sent.as_bytes()).unwrap();
    stream
}

fn request(more: &str) -> String {
    format!(
        "GET /api/v6/clients/client-0001 HTTP/1.1\r\nHost: localhost:HERE\r\nAuthorization: Bearer {TOKEN}\r\n{more}\r\n"
    )
}

/// All that comes until the connection closes; a reset closes it too.
fn rest(mut stream: TcpStream) -> String {
    let mut all = Vec::new();
    if let Err(error) = stream.read_to_end(&mut all) {
        assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset);
    }
    String::from_utf8_lossy(&all).into_owned()
}

#[test]
fn a_request_that_does_not_come_ends_the_connection() {
    let address = serve(SHORT, NEVER, Duration::ZERO);
    let half = request("Content-Length: 10\r\n");
    let expecting = request("Content-Length: 10\r\nExpect: 100-continue\r\n");
    for sent in ["", "G", &expecting, &half[..half.len() - 2], &format!("{half}12345")] {
        let began = Instant::now();
        let answer = rest(connect(&address, sent));
        assert!(began.elapsed() >= SHORT && !answer.contains(" 200 "), "{sent:?}: {answer}");
    }
}

#[test]
fn a_request_that_trickles_wins_no_time() {
    let address = serve(SHORT, NEVER, Duration::ZERO);
    let mut stream = connect(&address, "GET /");
    let began = Instant::now();
    // The write fails once the connection is closed.
    eventually(|| stream.write_all(b"a").is_err().then_some(()));
    assert!(began.elapsed() >= SHORT);
}

#[test]
fn a_connection_rests_for_as_long_as_it_may() {
    let address = serve(NEVER, SHORT, Duration::ZERO);
    let began = Instant::now();
    let answer = rest(connect(&address, &[request(""), request("")].concat()));
    assert_eq!(answer.matches("HTTP/1.1 200").count(), 2, "{answer}");
    assert!(began.elapsed() >= SHORT);
}

#[test]
fn a_request_after_a_rest_has_the_time_of_a_request() {
    let address = serve(SHORT, NEVER, Duration::ZERO);
    let mut stream = connect(&address, &request(""));
    let mut some = [0; 4096];
    assert!(stream.read(&mut some).unwrap() > 0);
    stream.write_all(&request("").as_bytes()[..20]).unwrap();
    assert!(!rest(stream).contains("HTTP/1.1 200"));
}

#[test]
fn an_answer_may_take_longer_than_any_wait() {
    let address = serve(SHORT, SHORT, SHORT * 4);
    assert!(rest(connect(&address, &request(""))).starts_with("HTTP/1.1 200"));
}

#[cfg(unix)]
#[test]
fn no_more_file_descriptors_is_no_end() {
    let mut shell = std::process::Command::new("sh");
    let limited = "ulimit -n 40; exec \"$0\" sandbox serve --listen 127.0.0.1:0 --db :memory:";
    shell.args(["-c", limited, env!("CARGO_BIN_EXE_sitectl")]);
    let sandbox = Served::spawn(&mut shell);
    let idle: Vec<_> = (0..100).map(|_| TcpStream::connect(sandbox.address()).unwrap()).collect();
    drop(idle);
    assert_eq!(sandbox.get("/clients").status, 200);
}
