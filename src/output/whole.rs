//! An answer as it came, to the last byte; on a terminal, with escapes for what could drive it.

use super::{Shape, record, write};
use crate::error::{Error, Kind, Result};
use crate::resources::Record;

/// Prints an answer to the last byte, ended by a line break, or what `--jq` makes of it.
///
/// # Errors
/// As [`super::Rows::finish`].
pub async fn whole(answer: &Record, shape: &Shape) -> Result<()> {
    if shape.filter.is_some() {
        return record(answer, shape);
    }
    let (answer, escape) = (answer.clone(), shape.escape());
    // Beside all else: whoever reads it may be slow, and Ctrl-C is heard meanwhile.
    let writing = tokio::task::spawn_blocking(move || {
        let text = escape(answer.json());
        write(&text).and_then(|()| if text.ends_with('\n') { Ok(()) } else { write("\n") })
    });
    writing.await.map_err(|error| Error::new(Kind::Error, "the answer could not be printed").source(error))?
}
