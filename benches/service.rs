//! A service that takes little time: prepared pages of clients, sites with one snapshot each, and changes that succeed at
//! once.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

pub const SITES: usize = 100;
/// The records per page that sitectl requests.
pub const PER_PAGE: usize = 100;

/// Serves a list of this many clients. Returns the base URL.
pub fn serve(clients: usize) -> String {
    let numbers: Vec<usize> = (0..clients).collect();
    let pages = numbers
        .chunks(PER_PAGE)
        .zip(1..)
        .map(|(numbers, page)| list("clients", numbers.iter().map(client), page, clients));
    let pages: Arc<Vec<String>> = Arc::new(pages.collect());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let pages = pages.clone();
            std::thread::spawn(move || converse(stream?, &pages));
        }
    });
    format!("http://{address}/api/v6")
}

/// Responds to requests until the connection is closed.
fn converse(mut stream: TcpStream, pages: &[String]) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut request = String::new();
    while reader.read_line(&mut request)? > 0 {
        let (mut header, mut length) = (String::new(), 0);
        while reader.read_line(&mut header)? > 2 {
            if let Some(value) = header.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            header.clear();
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        let (status, response) = respond(&request, &String::from_utf8(body).unwrap(), pages);
        let length = response.len();
        let head = format!(
            "HTTP/1.1 {status} OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
        );
        stream.write_all((head + &response).as_bytes())?;
        request.clear();
    }
    Ok(())
}

/// Returns the status and the body of the response.
fn respond(request: &str, body: &str, pages: &[String]) -> (u16, String) {
    let target = request.split(' ').nth(1).unwrap();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let parts: Vec<&str> = path.split('/').skip(3).collect();
    match parts[..] {
        ["clients"] if body.is_empty() => {
            let page = query.split('&').find_map(|pair| pair.strip_prefix("page="));
            let page = page.map_or(1, |page| page.parse().unwrap());
            (200, pages[page - 1].clone())
        }
        ["clients"] => (201, body.replacen(":{", r#":{"id":"new","#, 1)),
        ["sites"] => {
            let site =
                |site| format!(r#"{{"id":"site-{site}","url":"https://site-{site}.example.com"}}"#);
            (200, list("sites", (0..SITES).map(site), 1, SITES))
        }
        ["sites", site, "snapshots"] => {
            let snapshot = format!(
                r#"{{"id":"snap-{site}","site_id":"{site}","status":"succeeded","created_at":"2025-01-01T00:00:00Z"}}"#
            );
            (200, list("snapshots", [snapshot].into_iter(), 1, 1))
        }
        // A restore is created with the id of its task.
        ["sites", id, ..] | ["tasks", id] => (
            200,
            format!(r#"{{"task":{{"id":"{id}","status":"succeeded","progress":100}}}}"#),
        ),
        _ => panic!("unexpected request: {request}"),
    }
}

/// Returns a page of a list.
fn list(name: &str, records: impl Iterator<Item = String>, page: usize, total: usize) -> String {
    let records = records.collect::<Vec<_>>().join(",");
    let pages = total.div_ceil(PER_PAGE);
    format!(
        r#"{{"{name}":[{records}],"meta":{{"pagination":{{"page":{page},"perPage":{PER_PAGE},"totalPages":{pages},"totalItems":{total}}}}}}}"#
    )
}

/// Returns a client of about 440 bytes, not all of them ASCII.
fn client(number: &usize) -> String {
    let first = ["Anna", "Björn", "Élise", "Farid"][number % 4];
    let last = ["Bergström", "García", "Kowalski", "Müller", "Petrov"][number % 5];
    let street = number % 200;
    let (month, day, minute) = (number % 12 + 1, number % 28 + 1, number % 60);
    format!(
        r#"{{"id":"client-{number:06}","first_name":"{first}","last_name":"{last}","email":"client{number}@example.com","company_name":"{last} & {first} GmbH","address":"Bahnhofstraße {street}, 80335 München, European Union","note":"Prefers email over phone. Invoice yearly in advance. Backups are kept for ninety days.","site_ids":["site-{number:06}","site-2{number:06}"],"created_at":"2024-{month:02}-{day:02}T08:{minute:02}:00Z","updated_at":"2025-{month:02}-{day:02}T09:{minute:02}:30Z"}}"#
    )
}
