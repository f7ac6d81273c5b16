//! Managed accounts (spec, "Managed accounts").

use super::envelope::{self, FAILURE, Wrapping};
use super::{Api, Path, Request};
use crate::error::Result;
use crate::resources::{MANAGED_ACCOUNTS, Record};

impl Api {
    /// Returns one managed account, which comes under its name or bare: the spec does not show the response.
    ///
    /// # Errors
    /// `NotFound` if the account has no managed account with this id.
    pub async fn managed_account(&self, id: &str) -> Result<Record> {
        let request = Request::get(&Path::new("/managed-accounts/{id}").fill("id", id)?, &[]);
        let read = |body: &[u8]| {
            let account = envelope::object(body, "managed_account", Wrapping::Either)?;
            if envelope::reports_failure(&account.members()) {
                Err(FAILURE.into())
            } else {
                Ok(account)
            }
        };
        let account = self
            .transport
            .call(&request, async |response| read(&response.body))
            .await;
        account
            .inspect(|account| {
                self.report_records(
                    &self.listing_of(&MANAGED_ACCOUNTS),
                    std::slice::from_ref(account),
                )
            })
            .map_err(|error| error.with_missing_record("managed account", id))
    }
}
