//! A service that sends the caller's own token in every part of a response, and looks for it in the process list during
//! each request.

use crate::service::{Reply, Service};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The response. Every part contains the token.
#[derive(Debug, Clone, Copy)]
pub enum Trouble {
    /// This status, with the error body of the API and the token in each of its parts.
    Status(u16),
    /// The same with 422 and the token after so long a text that error messages cut the token.
    Late,
    /// A redirect to a URL that contains the token.
    Redirect,
    /// This body under status 200; TOKEN stands for the token in JSON, and LONG for the token after so long a text that error
    /// messages cut the token.
    Body(&'static str),
    /// A response that is not HTTP.
    Garbage,
}

const BODIES: &[&str] = &[
    "TOKEN",
    "{TOKEN",
    "{\"clients\":TOKEN,\"client\":TOKEN,\"task\":TOKEN,\"sites\":TOKEN,\"snapshots\":TOKEN,\"managed_accounts\":TOKEN}",
    "{\"clients\":[TOKEN],\"client\":[TOKEN],\"task\":[TOKEN],\"sites\":[TOKEN],\"snapshots\":[TOKEN],\"managed_accounts\":[TOKEN]}",
    "{\"clients\":[],\"sites\":[],\"snapshots\":[],\"meta\":{\"pagination\":{\"page\":TOKEN,\"perPage\":TOKEN,\"totalPages\":TOKEN,\"totalItems\":TOKEN}}}",
    "{\"clients\":[{\"id\":\"client-1\",\"email\":TOKEN,\"site_ids\":[TOKEN]}],\"sites\":[{\"id\":\"site-1\",\"url\":TOKEN}],\
     \"snapshots\":[{\"id\":TOKEN,\"status\":\"succeeded\",\"created_at\":TOKEN}],\"meta\":{\"pagination\":{\"page\":1,\
     \"perPage\":25,\"totalPages\":1,\"totalItems\":1}},\"task\":{\"id\":\"task-1\",\"status\":TOKEN,\"progress\":TOKEN,\
     \"steps\":[{\"name\":TOKEN,\"status\":\"failed\"}]},\"client\":{\"id\":\"client-1\",\"email\":TOKEN,\"note\":TOKEN}}",
    "{\"delete\":{\"ids\":TOKEN,\"errors\":[{\"id\":TOKEN,\"code\":TOKEN,\"message\":LONG}]},\"meta\":TOKEN}",
];

impl Trouble {
    pub fn all() -> Vec<Self> {
        let others = [Self::Garbage, Self::Late, Self::Redirect];
        let statuses = [400, 401, 404, 409, 429, 500].map(Self::Status);
        others
            .into_iter()
            .chain(statuses)
            .chain(BODIES.iter().copied().map(Self::Body))
            .collect()
    }
}

/// The service.
pub struct Hostile {
    pub base_url: String,
    _service: Service,
    asked: Arc<AtomicUsize>,
    in_process_list: Arc<AtomicBool>,
}

impl Hostile {
    pub fn start(token: &str, trouble: Trouble) -> Self {
        let (asked, in_process_list) =
            (Arc::<AtomicUsize>::default(), Arc::<AtomicBool>::default());
        let (count, shown, token) = (
            Arc::clone(&asked),
            Arc::clone(&in_process_list),
            token.to_string(),
        );
        let service = Service::start(move |request| {
            let has_token = request.headers.iter().any(|header| header.contains(&token));
            count.fetch_add(usize::from(has_token), Ordering::Relaxed);
            shown.fetch_or(is_in_process_list(&token), Ordering::Relaxed);
            answer(&token, trouble)
        });
        Self {
            base_url: service.base_url.clone(),
            _service: service,
            asked,
            in_process_list,
        }
    }

    /// Returns the number of requests with the token.
    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }

    /// Whether any process that ran during a request showed the token in its arguments.
    pub fn saw_token_in_process_list(&self) -> bool {
        self.in_process_list.load(Ordering::Relaxed)
    }
}

/// Whether the arguments of any process contain the token.
fn is_in_process_list(token: &str) -> bool {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let shown = |path: std::path::PathBuf| {
        std::fs::read(path).is_ok_and(|line| {
            line.windows(token.len())
                .any(|window| window == token.as_bytes())
        })
    };
    processes
        .map(|process| process.path().join("cmdline"))
        .any(shown)
}

fn answer(token: &str, trouble: Trouble) -> Reply {
    let in_json = format!("\"{token}\"");
    let long = format!("\"{}{token}\"", "x".repeat(180));
    let error = |status: u16, token: &str| {
        format!(
            "{{\"error\":{{\"status\":{status},\"code\":{token},\"message\":{token},\"details\":[{{\"code\":{token},\
             \"param\":{token},\"message\":{token}}},{token}]}},{token}:{token}}}"
        )
    };
    match trouble {
        Trouble::Status(status) => reply(status, token, "", &error(status, &in_json)),
        Trouble::Late => reply(422, token, "", &error(422, &long)),
        Trouble::Redirect => {
            let location =
                format!("location: https://u:{token}@other.example/{token}?token={token}\r\n");
            reply(302, token, &location, "")
        }
        Trouble::Body(body) => {
            let body = body.replace("LONG", &long).replace("TOKEN", &in_json);
            reply(200, token, "", &body)
        }
        Trouble::Garbage => {
            Reply::Raw(format!("HTTP/1.1 {token}\r\n{token}: {token}\r\n\r\n{token}").into_bytes())
        }
    }
}

fn reply(status: u16, token: &str, more: &str, body: &str) -> Reply {
    Reply::Raw(text(status, token, more, body).into_bytes())
}

fn text(status: u16, token: &str, more: &str, body: &str) -> String {
    let echoes = format!(
        "x-echo: Bearer {token}\r\nset-cookie: session={token}\r\nwww-authenticate: Bearer {token}\r\n"
    );
    let head = format!(
        "HTTP/1.1 {status} {token}\r\n{echoes}{more}content-length: {}\r\n",
        body.len()
    );
    format!("{head}connection: close\r\n\r\n{body}")
}
