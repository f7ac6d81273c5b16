//! A service that throws the caller's own token about, in every way that a service can, and looks for it in the process
//! list while the caller waits for the answer.

use crate::scripted::read_request;
use std::io::{BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// What it answers; the token is in all of it.
#[derive(Debug, Clone, Copy)]
pub enum Trouble {
    /// This status, with the error body of the interface and the token in each of its parts.
    Status(u16),
    /// This status, with the token escaped as only few write it.
    Escaped(u16),
    /// This status, with a page for people.
    Page(u16),
    /// A redirect to an address that tells the token.
    Redirect(u16),
    /// This body under status 200; TOKEN stands for the token in JSON, ESCAPED for each of its characters as an escape.
    Body(&'static str),
    /// A body that breaks off.
    BreaksOff,
    /// No HTTP.
    Garbage,
    /// The connection closes.
    Closes,
    /// Nothing comes.
    Silence,
}

const BODIES: &[&str] = &[
    "TOKEN",
    "{TOKEN",
    "{\"clients\":TOKEN,\"client\":TOKEN,\"task\":TOKEN,\"sites\":TOKEN,\"snapshots\":TOKEN,\"managed_accounts\":TOKEN}",
    "{\"clients\":[TOKEN],\"client\":[TOKEN],\"task\":[TOKEN],\"sites\":[TOKEN],\"snapshots\":[TOKEN],\"managed_accounts\":[TOKEN]}",
    "{\"clients\":[],\"sites\":[],\"snapshots\":[],\"meta\":{\"pagination\":{\"page\":TOKEN,\"perPage\":ESCAPED,\"totalPages\":TOKEN,\"totalItems\":TOKEN}}}",
    "{\"clients\":[{\"id\":\"client-1\",\"email\":TOKEN,\"site_ids\":[TOKEN]}],\"sites\":[{\"id\":\"site-1\",\"url\":TOKEN}],\
     \"snapshots\":[{\"id\":TOKEN,\"status\":\"succeeded\",\"created_at\":TOKEN}],\"meta\":{\"pagination\":{\"page\":1,\
     \"perPage\":25,\"totalPages\":1,\"totalItems\":1}},\"task\":{\"id\":\"task-1\",\"status\":TOKEN,\"progress\":TOKEN,\
     \"steps\":[{\"name\":TOKEN,\"status\":\"failed\"}]},\"client\":{\"id\":\"client-1\",\"email\":TOKEN,\"note\":ESCAPED}}",
    "{\"delete\":{\"ids\":TOKEN,\"errors\":[{\"id\":TOKEN,\"code\":TOKEN,\"message\":ESCAPED}]},\"meta\":TOKEN}",
];

impl Trouble {
    pub fn all() -> Vec<Self> {
        let mut all = vec![Self::BreaksOff, Self::Garbage, Self::Closes, Self::Silence];
        all.extend([400, 401, 404, 409, 429, 500].map(Self::Status));
        all.extend([422].map(Self::Escaped));
        all.extend([500].map(Self::Page));
        all.extend([302].map(Self::Redirect));
        all.extend(BODIES.iter().copied().map(Self::Body));
        all
    }
}

/// The service.
pub struct Hostile {
    pub base_url: String,
    address: SocketAddr,
    seen: Arc<Seen>,
}

#[derive(Default)]
struct Seen {
    asked: AtomicUsize,
    in_process_list: AtomicBool,
    over: AtomicBool,
}

impl Hostile {
    pub fn start(token: &str, trouble: Trouble) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (seen, token) = (Arc::new(Seen::default()), token.to_string());
        let shared = seen.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().map(Result::unwrap) {
                if shared.over.load(Ordering::Relaxed) {
                    return;
                }
                let (seen, token) = (shared.clone(), token.clone());
                std::thread::spawn(move || converse(stream, &token, trouble, &seen));
            }
        });
        Self { base_url: format!("http://{address}/api/v6"), address, seen }
    }

    /// Requests that came with the token.
    pub fn asked(&self) -> usize {
        self.seen.asked.load(Ordering::Relaxed)
    }

    /// Whether any process that was there during a request told the token by its arguments.
    pub fn saw_token_in_process_list(&self) -> bool {
        self.seen.in_process_list.load(Ordering::Relaxed)
    }
}

impl Drop for Hostile {
    fn drop(&mut self) {
        self.seen.over.store(true, Ordering::Relaxed);
        let _ = TcpStream::connect(self.address);
    }
}

fn converse(mut stream: TcpStream, token: &str, trouble: Trouble, seen: &Seen) {
    let Some(request) = read_request(&mut BufReader::new(stream.try_clone().unwrap())) else { return };
    if request.headers.iter().any(|header| header.contains(token)) {
        seen.asked.fetch_add(1, Ordering::Relaxed);
    }
    if told_by_process_list(token) {
        seen.in_process_list.store(true, Ordering::Relaxed);
    }
    let _ = stream.write_all(&answer(token, trouble));
    if matches!(trouble, Trouble::Silence) {
        std::thread::sleep(Duration::from_secs(1));
    }
}

/// Looks at the arguments of all processes, where the system shows them.
fn told_by_process_list(token: &str) -> bool {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let told = |path: std::path::PathBuf| {
        std::fs::read(path).is_ok_and(|line| line.windows(token.len()).any(|window| window == token.as_bytes()))
    };
    processes.map(|process| process.path().join("cmdline")).any(told)
}

fn answer(token: &str, trouble: Trouble) -> Vec<u8> {
    let in_json = serde_json::json!(token).to_string();
    let escaped: String = token.chars().map(|c| format!("\\u{:04x}", c as u32)).collect();
    let percent: String = token.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let error = |status: u16, token: &str| {
        format!(
            "{{\"error\":{{\"status\":{status},\"code\":{token},\"message\":{token},\"details\":[{{\"code\":{token},\
             \"param\":{token},\"message\":{token}}},{token},{{\"message\":\"/x?token={percent}\"}}]}},{token}:{token}}}"
        )
    };
    match trouble {
        Trouble::Status(status) => reply(status, token, "", &error(status, &in_json)),
        Trouble::Escaped(status) => reply(status, token, "", &error(status, &format!("\"{escaped}\""))),
        Trouble::Page(status) => reply(status, token, "", &format!("<html>{token} {escaped} {percent}</html>")),
        Trouble::Redirect(status) => {
            let location = format!("location: https://u:{percent}@other.example/{percent}?token={percent}\r\n");
            reply(status, token, &location, "")
        }
        Trouble::Body(body) => {
            let body = body.replace("ESCAPED", &format!("\"{escaped}\"")).replace("TOKEN", &in_json);
            reply(200, token, "", &body)
        }
        Trouble::BreaksOff => {
            let whole = reply(200, token, "", &format!("{{\"clients\":[{in_json},{in_json}]}}"));
            whole[..whole.len() - 5].to_vec()
        }
        Trouble::Garbage => format!("HTTP/1.1 {token}\r\n{token}: {token}\r\n\r\n{token}").into_bytes(),
        Trouble::Closes | Trouble::Silence => Vec::new(),
    }
}

fn reply(status: u16, token: &str, more: &str, body: &str) -> Vec<u8> {
    let echoes =
        format!("x-echo: Bearer {token}\r\nset-cookie: session={token}\r\nwww-authenticate: Bearer {token}\r\n");
    let head = format!("HTTP/1.1 {status} {token}\r\n{echoes}{more}content-length: {}\r\n", body.len());
    format!("{head}connection: close\r\n\r\n{body}").into_bytes()
}
