//! Requests that a person writes by hand, to the areas of the service that no command knows. What only reads and what
//! changes something are told apart by type: a change takes consent, as everywhere.

mod place;

pub use place::Place;

use super::pages::Typed;
use super::{Api, Found, Listing, Request, Wanted};
use crate::client::request::Consent;
use crate::error::Result;
use crate::resources::UNKNOWN;
use reqwest::Method;

/// A way to ask that changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// The whole answer.
    Get,
    /// Its headers alone.
    Head,
}

/// A way to ask that may change something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Changing {
    /// `POST`
    Post,
    /// `PUT`
    Put,
    /// `PATCH`
    Patch,
    /// `DELETE`
    Delete,
}

impl Api {
    /// Reads what is there; none where the answer has no body.
    ///
    /// # Errors
    /// By the error table of the spec; `Unavailable` for an answer that is not JSON.
    pub async fn read_by_hand(&self, reading: Reading, place: &Place, wanted: &Wanted) -> Result<Option<Found>> {
        let method = match reading {
            Reading::Get => Method::GET,
            Reading::Head => Method::HEAD,
        };
        let request = Request::read(method, place.target());
        self.transport.call(&request, async |body| found(body, wanted).await).await
    }

    /// Sends a change, to which somebody has consented.
    ///
    /// # Errors
    /// As for reading, and `UnknownOutcome` where the answer was lost or is not JSON.
    pub async fn change_by_hand(
        &self,
        consent: &Consent,
        changing: Changing,
        place: &Place,
        body: Option<String>,
        wanted: &Wanted,
    ) -> Result<Option<Found>> {
        let method = match changing {
            Changing::Post => Method::POST,
            Changing::Put => Method::PUT,
            Changing::Patch => Method::PATCH,
            Changing::Delete => Method::DELETE,
        };
        let request = Request::change(method, place.target(), body, consent);
        self.transport.call(&request, async |body| found(body, wanted).await).await
    }

    /// The list at this place, whatever its records are.
    pub fn list_by_hand(&self, place: &Place, wanted: Wanted) -> Listing {
        Listing { typed: Some(Typed { pairs: place.pairs().to_vec(), wanted }), ..Listing::new(&UNKNOWN, place.path()) }
    }
}

async fn found(body: Vec<u8>, wanted: &Wanted) -> Result<Option<Found>, String> {
    if body.trim_ascii().is_empty() { Ok(None) } else { Found::read(body, wanted).await.map(Some) }
}
