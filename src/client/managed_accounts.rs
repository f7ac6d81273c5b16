//! Managed accounts (spec, "Managed accounts").

use super::envelope::{self, FAILURE, Wrapping};
use super::{Api, Path, Request};
use crate::error::Result;
use crate::resources::{MANAGED_ACCOUNTS, Record};

/// Where the list is, below the base URL.
pub const PATH: &str = "/managed-accounts";

impl Api {
    /// One managed account. The spec does not show the answer: it may come under its name or bare.
    ///
    /// # Errors
    /// `NotFound` where there is none of this id.
    pub async fn managed_account(&self, id: &str) -> Result<Record> {
        let request = Request::get(&Path::new(PATH).id(id)?, &[]);
        let read = async |body: Vec<u8>| {
            let account = envelope::object(&body, "managed_account", Wrapping::Either)?;
            if envelope::reports_failure(&account.members()) { Err(FAILURE.into()) } else { Ok(account) }
        };
        let answer = self.transport.call(&request, read).await;
        let answer =
            answer.inspect(|account| self.saw(&self.listing_of(&MANAGED_ACCOUNTS), std::slice::from_ref(account)));
        answer.map_err(|error| error.about_missing("managed account", id, &self.listing("managed-accounts")))
    }
}
