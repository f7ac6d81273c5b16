//! Managed accounts (spec, "Managed accounts").

use super::envelope::{self, Envelope};
use super::{Api, Path, Request};
use crate::error::Result;
use crate::resources::Record;

impl Api {
    /// Returns one managed account. The envelope is optional because the spec does not show the
    /// response.
    ///
    /// # Errors
    /// `NotFound` if the account has no managed account with this id.
    pub async fn managed_account(&self, id: &str) -> Result<Record> {
        let request = Request::get(Path::new("/managed-accounts/{id}").fill("id", id)?);
        let decode = |body: &[u8]| {
            let account = envelope::single_object(body, "managed_account", Envelope::Optional)?;
            // A response without an envelope can report a failure, too.
            envelope::refuse_failure(&account.members())?;
            Ok(account)
        };
        self.one_record(&request, decode)
            .await
            .map_err(|error| error.name_record_if_not_found("managed account", id))
    }
}
