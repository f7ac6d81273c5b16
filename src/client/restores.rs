//! Starts restores (spec, "Site restore") and syncs, whose requests are never retried after a lost
//! response.

use super::evidence::{ExpectedTask, SiteNames, read_evidence};
use super::{Api, Consent, Method, Path, Request, Response, SendStep, Task};
use crate::error::{Error, Kind, Result};
use crate::resources::name_assumed_path;
use serde_json::value::RawValue;

impl Api {
    /// Returns the path that starts the restore of a snapshot.
    ///
    /// # Errors
    /// `Usage` if no path can contain an id; `Unavailable` if an id contains the token, because the
    /// journal would store it.
    pub fn restore_path(&self, site_id: &str, snapshot_id: &str) -> Result<Path> {
        if self.contains_token(site_id) || self.contains_token(snapshot_id) {
            return Err(Error::new(
                Kind::Unavailable,
                "the id of the site or the snapshot contains the API token; no request was sent",
            ));
        }
        Path::new("/sites/{site_id}/backups/{snapshot_id}/restore")
            .fill("site_id", site_id)?
            .fill("snapshot_id", snapshot_id)
    }

    /// Starts the restore at this path and returns the task that performs it. `record` receives
    /// each step, and can prevent it.
    ///
    /// # Errors
    /// `NotFound`, `Conflict`, `Invalid` if the service rejects the restore; `UnknownOutcome` if
    /// the response was lost or shows no task; the error of `record`.
    pub async fn start_restore(
        &self,
        consent: &Consent,
        path: Path,
        site: &SiteNames,
        scope: &RawValue,
        record: impl AsyncFn(SendStep) -> Result<()>,
    ) -> Result<Task> {
        let body = format!(r#"{{"restore":{{"scope":{}}}}}"#, scope.get());
        let request = Request {
            waits_after_signal: true,
            ..Request::post(path, body, consent)
        };
        self.start_task(&request, site, record).await
    }

    /// Starts a sync of a site, which backs it up, and returns the task that performs it.
    ///
    /// # Errors
    /// `NotFound`, `Conflict` if the service rejects the sync; `UnknownOutcome` if the response was
    /// lost or shows no task.
    pub async fn start_sync(&self, consent: &Consent, site: &SiteNames) -> Result<Task> {
        let path = Path::new(&self.endpoints.sync).fill("site_id", &site.id)?;
        let request = Request::change(Method::POST, path.clone(), None, consent);
        let task = self.start_task(&request, site, async |_| Ok(())).await;
        task.map_err(|error| name_assumed_path(error, "sync", path.as_str()))
    }

    /// Sends the request that starts a task of a site.
    async fn start_task(
        &self,
        request: &Request,
        site: &SiteNames,
        record: impl AsyncFn(SendStep) -> Result<()>,
    ) -> Result<Task> {
        let expected = ExpectedTask::Started { site };
        let decode = |response: Response| {
            let evidence = read_evidence(&response.body, expected, &self.task_states)?;
            if self.contains_token(&evidence.id) {
                return Err("the id of the task contains the API token".into());
            }
            Ok(evidence)
        };
        let call = self.transport.call_recorded(request, record, decode);
        Ok(self.task_from(call.await?))
    }
}
