//! Managed accounts (spec, "Managed accounts").

use super::envelope::{self, Envelope, REPORTS_FAILURE};
use super::{Api, Path, Request, Response};
use crate::error::Result;
use crate::resources::{MANAGED_ACCOUNTS, Record};

impl Api {
    /// Returns one managed account. It has an envelope or none, because the spec does not show the
    /// response.
    ///
    /// # Errors
    /// `NotFound` if the account has no managed account with this id.
    pub async fn managed_account(&self, id: &str) -> Result<Record> {
        let request = Request::get(&Path::new("/managed-accounts/{id}").fill("id", id)?, &[]);
        let decode = async |Response { body, .. }| {
            let account = envelope::single_object(&body, "managed_account", Envelope::Optional)?;
            if envelope::reports_failure(&account.members()) {
                return Err(REPORTS_FAILURE.into());
            }
            Ok(account)
        };
        let account = self.transport.call(&request, decode).await;
        account
            .inspect(|account| {
                self.report_records(
                    &self.top_level_listing(&MANAGED_ACCOUNTS),
                    std::slice::from_ref(account),
                )
            })
            .map_err(|error| error.with_missing_record("managed account", id))
    }
}
