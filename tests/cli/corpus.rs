//! Each directory in `tests/corpus/` is a case: `case.md` has a promise, and `console` blocks with commands and their output,
//! as in documents, but with exit codes. The commands run in the sandbox, in a home directory with the other files of the case. A bug report
//! becomes a new directory. `cargo regenerate` writes the current output.

use crate::common::{World, in_parallel};
use crate::documents::refreshed;
use crate::fresh::check_file;
use crate::session::Session;
use std::path::Path;

/// Starts a session with the files of a case.
fn session(case: &Path) -> Session {
    Session::of(|_| {
        let world = World::sandbox();
        for file in std::fs::read_dir(case).unwrap().map(Result::unwrap) {
            std::fs::copy(file.path(), world.path(file.file_name().to_str().unwrap())).unwrap();
        }
        world
    })
}

#[test]
fn cases_print_the_written_output() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let cases: Vec<_> = std::fs::read_dir(directory).unwrap().collect();
    in_parallel(&cases, |case| {
        let case = case.as_ref().unwrap().path();
        let page = case.join("case.md");
        let written = std::fs::read_to_string(&page).unwrap();
        let name = page.to_str().unwrap();
        check_file(&page, &refreshed(name, &written, true, &|| session(&case)));
    });
}
