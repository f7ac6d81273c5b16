//! A service with tasks that finish at given times. It enforces a rate limit and records the time of each request.

use crate::service::{Reply, Service, Window};
use crate::support::World;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A task.
#[derive(Clone)]
pub struct Task {
    pub id: String,
    /// The time of its end, after the start of the service.
    pub ends: Duration,
    /// Its last status; none if its requests get no response.
    pub end: Option<&'static str>,
}

/// A rate limit; a window begins with a request.
#[derive(Clone, Copy)]
pub struct Rate {
    pub requests: usize,
    pub window: Duration,
}

/// A request.
#[derive(Clone, Debug)]
pub struct Poll {
    pub at: Instant,
    /// Whether the rate limit refused it.
    pub refused: bool,
}

/// The service of one test.
pub struct TaskService {
    service: Service,
    polls: Arc<Mutex<Vec<Poll>>>,
}

impl TaskService {
    pub fn start(tasks: Vec<Task>, rate: Rate) -> Self {
        let (started, mut window) = (Instant::now(), Window::new(rate.requests, rate.window));
        let polls = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&polls);
        let service = Service::start(move |request| {
            let id = request.line.rsplit('/').next().unwrap();
            let task = tasks.iter().find(|task| task.id == id).unwrap();
            let at = Instant::now();
            let (allowed, headers) = window.count();
            let ended = at - started >= task.ends;
            kept.lock().unwrap().push(Poll { at, refused: !allowed });
            let Some(end) = task.end else { return Reply::Silence };
            if !allowed {
                return Reply::KeepAlive(429, headers, "{}".into());
            }
            let (status, progress) = if ended { (end, 100) } else { ("running", 0) };
            let body = format!(r#"{{"task":{{"id":"{id}","status":"{status}","progress":{progress}}}}}"#);
            Reply::KeepAlive(200, headers, body)
        });
        Self { service, polls }
    }

    pub fn world(&self) -> World {
        self.service.world()
    }

    /// Returns all requests in their order.
    pub fn polls(&self) -> Vec<Poll> {
        self.polls.lock().unwrap().clone()
    }
}
