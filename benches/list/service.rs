//! A service with clients of the usual size. The pages are prepared before the first request, so that only the reader is
//! measured.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

/// A list of clients in pages.
pub struct Service {
    pub address: SocketAddr,
    pub clients: usize,
    pub rows: usize,
    /// Bytes of all pages together.
    pub bytes: usize,
}

impl Service {
    /// Serves this many clients in pages of `rows`, each response after `latency`.
    pub fn start(clients: usize, rows: usize, latency: Duration) -> Self {
        let records: Vec<String> = (0..clients).map(client).collect();
        Self::of_records(&records, rows, latency)
    }

    /// Serves these clients.
    pub fn of_records(records: &[String], rows: usize, latency: Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let clients = records.len();
        let pages: Vec<String> = records
            .chunks(rows)
            .enumerate()
            .map(|(page, records)| body(records, clients, rows, page))
            .collect();
        let bytes = pages.iter().map(String::len).sum();
        let responses: Arc<Vec<Vec<u8>>> = Arc::new(pages.into_iter().map(response).collect());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (responses, stream) = (responses.clone(), stream.unwrap());
                std::thread::spawn(move || converse(stream, &responses, rows, latency));
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

fn converse(mut stream: TcpStream, responses: &[Vec<u8>], rows: usize, latency: Duration) {
    stream.set_nodelay(true).unwrap();
    let mut lines = BufReader::new(stream.try_clone().unwrap())
        .lines()
        .map_while(Result::ok);
    while let Some(line) = lines.next() {
        while lines.next().is_some_and(|header| !header.is_empty()) {}
        if !latency.is_zero() {
            std::thread::sleep(latency);
        }
        let page = parameter(&line, "page").unwrap();
        assert_eq!(parameter(&line, "perPage"), Some(rows), "{line}");
        if stream.write_all(&responses[page - 1]).is_err() {
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
fn response(body: String) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}").into_bytes()
}

fn body(records: &[String], clients: usize, rows: usize, page: usize) -> String {
    format!(
        r#"{{"clients":[{}],"meta":{{"pagination":{{"page":{},"perPage":{rows},"totalPages":{},"totalItems":{clients}}}}}}}"#,
        records.join(","),
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
