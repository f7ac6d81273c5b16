//! An answer as it came, and the text of a command: what is printed to the last byte.

use super::{Shape, record, write};
use crate::error::{Error, Kind, Result};
use crate::resource::Record;

/// Prints an answer to the last byte, ended by a line break, or what `--jq` makes of it.
///
/// # Errors
/// As [`super::Rows::finish`].
pub async fn whole(answer: &Record, shape: &Shape) -> Result<()> {
    if shape.filter.is_some() {
        return record(answer, shape);
    }
    let answer = answer.clone();
    // Beside all else: whoever reads it may be slow, and Ctrl-C is heard meanwhile.
    let writing = tokio::task::spawn_blocking(move || {
        write(answer.json()).and_then(|()| if answer.json().ends_with('\n') { Ok(()) } else { write("\n") })
    });
    writing.await.map_err(|error| Error::new(Kind::Error, "the answer could not be printed").source(error))?
}
