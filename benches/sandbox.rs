//! Measures the response time of the sandbox, compared with a server that only sends the same bytes:
//!
//!     cargo bench --bench sandbox

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints, and fails by panicking"
)]

use sitectl::sandbox::{Options, Sandbox, TOKEN};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

const CLIENTS: usize = 2000;
const ROUNDS: usize = 60;

/// A keep-alive connection to an address.
struct Connection(BufReader<TcpStream>, String);

impl Connection {
    fn open(address: &str) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        Self(BufReader::new(stream), address.to_string())
    }

    /// Sends a request and reads the complete response.
    fn ask(&mut self, method: &str, path: &str, body: &str) -> Vec<u8> {
        let head = format!(
            "{method} /api/v6{path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {TOKEN}\r\n",
            self.1
        );
        let length = body.len();
        let request = format!(
            "{head}content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
        );
        self.0.get_mut().write_all(request.as_bytes()).unwrap();
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.0.read_line(&mut line).unwrap();
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut response = vec![0; length];
        self.0.read_exact(&mut response).unwrap();
        response
    }
}

/// Starts a server that responds to every request with these bytes, and returns its address.
fn serve_bytes(body: Vec<u8>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        let mut connection =
            Connection(BufReader::new(listener.accept().unwrap().0), String::new());
        let response = [
            format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len()).as_bytes(),
            &body,
        ]
        .concat();
        loop {
            let mut line = String::new();
            if connection.0.read_line(&mut line).unwrap() == 0 {
                return;
            }
            if line == "\r\n" {
                connection.0.get_mut().write_all(&response).unwrap();
            }
        }
    });
    address
}

fn times(connection: &mut Connection, path: &str) -> Vec<Duration> {
    let once = || {
        let start = Instant::now();
        connection.ask("GET", path, "");
        start.elapsed()
    };
    let mut times: Vec<Duration> = std::iter::repeat_with(once).take(ROUNDS).collect();
    times.sort();
    times
}

fn main() {
    let sandbox = Sandbox::bind(Options {
        rate_limit: u32::MAX,
        max_per_page: 1000,
        ..Options::default()
    })
    .unwrap();
    let address = sandbox
        .base_url()
        .trim_start_matches("http://")
        .trim_end_matches("/api/v6")
        .to_string();
    sandbox.spawn().unwrap();
    let mut connection = Connection::open(&address);
    for number in 0..CLIENTS {
        let client = format!(
            r#"{{"client":{{"first_name":"Ada {number}","last_name":"Lovelace","email":"ada{number}@example.com","company_name":"Engines","address":"1 Analytical Row, London","note":"{}"}}}}"#,
            "a note of usual length ".repeat(4)
        );
        connection.ask("POST", "/clients", &client);
    }
    assert!(
        String::from_utf8(connection.ask("GET", "/clients?perPage=1", ""))
            .unwrap()
            .contains("\"totalItems\":2060}")
    );
    println!(
        "{CLIENTS} clients, one connection, {ROUNDS} rounds; milliseconds from request to complete response"
    );
    println!(
        "{:<42} {:>9} {:>8} {:>8} {:>8} {:>8}",
        "request", "bytes", "min", "median", "max", "x floor"
    );
    for path in [
        "/clients?perPage=1000",
        "/clients?perPage=1000&page=2",
        "/clients?perPage=1000&sort=email,asc",
        "/clients?perPage=25",
        "/clients/client-0001",
    ] {
        let body = connection.ask("GET", path, "");
        let floor = times(&mut Connection::open(&serve_bytes(body.clone())), path);
        let times = times(&mut connection, path);
        let ms = |time: Duration| time.as_secs_f64() * 1000.0;
        let (min, median, max) = (ms(times[0]), ms(times[ROUNDS / 2]), ms(times[ROUNDS - 1]));
        let ratio = median / ms(floor[ROUNDS / 2]);
        println!(
            "{path:<42} {:>9} {min:>8.2} {median:>8.2} {max:>8.2} {ratio:>8.1}",
            body.len()
        );
    }
}
