//! A service of tasks that end when a test says so: it answers on as many connections as it is asked on, refuses what is
//! above its rate, and writes down when each request came and what it was told.

use crate::service::{Reply, Service, Window};
use crate::support::World;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A task, and what becomes of it.
#[derive(Clone)]
pub struct Task {
    pub id: String,
    /// So long after the service was started.
    pub ends: Duration,
    /// Its last status; none where its requests are never answered.
    pub end: Option<&'static str>,
}

/// So many requests in a window that begins with one.
#[derive(Clone, Copy)]
pub struct Rate {
    pub requests: usize,
    pub window: Duration,
}

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Poll {
    pub at: Instant,
    /// Whether it was refused for its rate.
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

    /// All requests, in the order in which they came.
    pub fn polls(&self) -> Vec<Poll> {
        self.polls.lock().unwrap().clone()
    }
}
