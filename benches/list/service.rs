//! A service with clients of the usual size. The pages are prepared before the first request, so that only the reader is
//! measured.

use flate2::{Compression, write::GzEncoder};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How responses reach the reader. By default, at once and as they are.
#[derive(Clone, Copy, Default)]
pub struct Line {
    /// The time before each response.
    pub latency: Duration,
    /// What all connections together transfer; None without a limit.
    pub bytes_per_second: Option<u32>,
    /// Whether responses are compressed.
    pub gzip: bool,
}

/// A list of clients in pages.
pub struct Service {
    pub address: SocketAddr,
    pub clients: usize,
    pub rows: usize,
    /// Bytes of all pages together.
    pub bytes: usize,
}

impl Service {
    /// Serves this many clients in pages of `rows`.
    pub fn start(clients: usize, rows: usize, line: Line) -> Self {
        Self::of(client, clients, rows, line)
    }

    /// Serves clients that `record` returns by their number.
    pub fn of(record: impl Fn(usize) -> String, clients: usize, rows: usize, line: Line) -> Self {
        let pages = (0..clients / rows).map(|page| {
            let records = (page * rows..(page + 1) * rows).map(&record);
            body(records.collect(), clients, rows, page)
        });
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let mut bytes = 0;
        let responses = pages.map(|page| {
            bytes += page.len();
            response(page, line.gzip)
        });
        let responses: Arc<Vec<Vec<u8>>> = Arc::new(responses.collect());
        std::thread::spawn(move || {
            let sender = Arc::new(Sender {
                line,
                free_at: Mutex::new(Instant::now()),
            });
            for stream in listener.incoming() {
                let (responses, sender) = (responses.clone(), sender.clone());
                let stream = stream.unwrap();
                std::thread::spawn(move || converse(stream, &responses, rows, &sender));
            }
        });
        Self {
            address,
            clients,
            rows,
            bytes,
        }
    }

    pub fn pages(&self) -> usize {
        self.clients / self.rows
    }

    pub fn base_url(&self) -> String {
        format!("http://{}/api/v6", self.address)
    }

    /// Returns the URL of all pages in curl's syntax.
    pub fn glob(&self) -> String {
        format!(
            "{}/clients?page=[1-{}]&perPage={}",
            self.base_url(),
            self.pages(),
            self.rows
        )
    }

    /// Reads and discards every page over one connection: the fastest that this service can be read.
    pub fn read_bare(&self) {
        let mut reader = BufReader::new(TcpStream::connect(self.address).unwrap());
        let mut body = Vec::new();
        for page in 1..=self.pages() {
            let request = format!(
                "GET /api/v6/clients?page={page}&perPage={} HTTP/1.1\r\n\r\n",
                self.rows
            );
            reader.get_mut().write_all(request.as_bytes()).unwrap();
            body.resize(content_length(&mut reader), 0);
            reader.read_exact(&mut body).unwrap();
        }
    }
}

/// Skips the head of a response.
fn content_length(reader: &mut impl BufRead) -> usize {
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        match line.trim_end().strip_prefix("content-length: ") {
            Some(value) => length = value.parse().unwrap(),
            None if line == "\r\n" => return length,
            None => {}
        }
    }
}

/// Sends the responses of all connections.
struct Sender {
    line: Line,
    /// When the line will have transferred what was sent.
    free_at: Mutex<Instant>,
}

impl Sender {
    fn send(&self, stream: &mut TcpStream, response: &[u8]) -> std::io::Result<()> {
        sleep(self.line.latency);
        let Some(bytes_per_second) = self.line.bytes_per_second else {
            return stream.write_all(response);
        };
        for part in response.chunks(4096) {
            let time = Duration::from_secs_f64(part.len() as f64 / f64::from(bytes_per_second));
            let transferred = {
                let mut free_at = self.free_at.lock().unwrap();
                *free_at = Instant::now().max(*free_at) + time;
                *free_at
            };
            sleep(transferred.saturating_duration_since(Instant::now()));
            stream.write_all(part)?;
        }
        Ok(())
    }
}

fn converse(mut stream: TcpStream, responses: &[Vec<u8>], rows: usize, sender: &Sender) {
    stream.set_nodelay(true).unwrap();
    let mut lines = BufReader::new(stream.try_clone().unwrap())
        .lines()
        .map_while(Result::ok);
    while let Some(line) = lines.next() {
        while lines.next().is_some_and(|header| !header.is_empty()) {}
        let page = parameter(&line, "page").unwrap();
        assert_eq!(parameter(&line, "perPage"), Some(rows), "{line}");
        if sender.send(&mut stream, &responses[page - 1]).is_err() {
            return;
        }
    }
}

fn parameter(line: &str, name: &str) -> Option<usize> {
    let query = line.split([' ', '?']).nth(2)?;
    query
        .split('&')
        .find_map(|pair| pair.strip_prefix(name)?.strip_prefix('=')?.parse().ok())
}

/// Returns head and body in one piece, for one write.
fn response(body: String, gzip: bool) -> Vec<u8> {
    let (body, encoding) = if gzip {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(body.as_bytes()).unwrap();
        (encoder.finish().unwrap(), "content-encoding: gzip\r\n")
    } else {
        (body.into_bytes(), "")
    };
    let length = body.len();
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n{encoding}content-length: {length}\r\n\r\n"
    );
    [head.into_bytes(), body].concat()
}

fn body(records: Vec<String>, clients: usize, rows: usize, page: usize) -> String {
    let records = records.join(",");
    format!(
        r#"{{"clients":[{records}],"meta":{{"pagination":{{"page":{},"perPage":{rows},"totalPages":{},"totalItems":{clients}}}}}}}"#,
        page + 1,
        clients / rows
    )
}

/// A client of about 440 bytes, not all of them ASCII.
fn client(number: usize) -> String {
    const FIRST: [&str; 8] = [
        "Anna",
        "Björn",
        "Carla",
        "Élise",
        "Farid",
        "Katarzyna",
        "Renée",
        "Søren",
    ];
    const LAST: [&str; 8] = [
        "Andersson",
        "Bergström",
        "Conti",
        "García",
        "Kowalski",
        "Müller",
        "Petrov",
        "Virtanen",
    ];
    const KIND: [&str; 8] = [
        "Bakery AB",
        "Dental GmbH",
        "Studio SARL",
        "Legal Ltd",
        "Media S.L.",
        "Interiors AB",
        "Outdoors Ltd",
        "Plumbing",
    ];
    const CITY: [&str; 8] = [
        "Göteborg",
        "München",
        "Lyon",
        "Bologna",
        "Sevilla",
        "Manchester",
        "Odense",
        "Tampere",
    ];
    const NOTE: &str = "Prefers email over phone. Invoice yearly in advance. Staging copy before every update; call the \
                        shop owner first if checkout changes. Backups kept for ninety days by contract.";
    // Clients differ from each other, and are the same in each run.
    let mixed = number.wrapping_mul(2_654_435_761) >> 7;
    let pick = |words: &[&'static str; 8], turn: usize| words[(mixed >> (3 * turn)) % 8];
    let (first, last, kind, city) = (
        pick(&FIRST, 0),
        pick(&LAST, 1),
        pick(&KIND, 2),
        pick(&CITY, 3),
    );
    let note = &NOTE[mixed % 40..mixed % 40 + 88];
    let (month, day, hour, minute) = (mixed % 12 + 1, mixed % 28 + 1, mixed % 24, mixed % 60);
    let sites = [1, 2, 3]
        .map(|site| format!(r#""site-{:06}""#, (mixed + site * 7919) % 1_000_000))
        .join(",");
    format!(
        concat!(
            r#"{{"id":"client-{:06}","first_name":"{}","last_name":"{}","email":"client{}.{:06x}@example.com","#,
            r#""company_name":"{} {}","address":"Bahnhofstraße {}, floor {}, {} {}, European Union","note":"{}","#,
            r#""site_ids":[{}],"created_at":"2024-{:02}-{:02}T{:02}:{:02}:00Z","#,
            r#""updated_at":"2025-{:02}-{:02}T{:02}:{:02}:30Z"}}"#
        ),
        number,
        first,
        last,
        number,
        mixed % (1 << 24),
        last,
        kind,
        mixed % 200,
        mixed % 9,
        10_000 + mixed % 90_000,
        city,
        note,
        sites,
        month,
        day,
        hour,
        minute,
        month,
        day,
        minute % 24,
        hour
    )
}
