//! A service with tasks that finish at given times. It reports a rate limit and records the time of each request.

use crate::common::World;
use crate::service::{Reply, Service};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The rate limit in the headers of each response.
pub const LIMIT: usize = 200;
pub const WINDOW: Duration = Duration::from_secs(3);
const HEADERS: &str =
    "x-ratelimit-limit: 200\r\nx-ratelimit-remaining: 199\r\nx-ratelimit-reset: 3\r\n";

/// A task.
#[derive(Clone)]
pub struct Task {
    pub id: String,
    /// The time of its end, after the start of the service.
    pub ends: Duration,
    /// Its last status; none if its requests get no response.
    pub end: Option<&'static str>,
}

/// The service of one test.
pub struct TaskService {
    service: Service,
    polls: Arc<Mutex<Vec<(Instant, String)>>>,
}

impl TaskService {
    pub fn start(tasks: Vec<Task>) -> Self {
        let (started, polls) = (Instant::now(), Arc::<Mutex<Vec<_>>>::default());
        let kept = Arc::clone(&polls);
        let service = Service::start(move |request| {
            let id = request.line.rsplit('/').next().unwrap();
            kept.lock().unwrap().push((Instant::now(), id.into()));
            let task = tasks.iter().find(|task| task.id == id).unwrap();
            let Some(end) = task.end else {
                return Reply::Silence;
            };
            let (status, progress) = if started.elapsed() >= task.ends {
                (end, 100)
            } else {
                ("running", 0)
            };
            let body =
                format!(r#"{{"task":{{"id":"{id}","status":"{status}","progress":{progress}}}}}"#);
            Reply::KeepAlive(200, HEADERS.into(), body)
        });
        Self { service, polls }
    }

    pub fn world(&self) -> World {
        self.service.world()
    }

    /// Returns the times of all requests, and the tasks that they ask for.
    pub fn polls(&self) -> Vec<(Instant, String)> {
        self.polls.lock().unwrap().clone()
    }
}
