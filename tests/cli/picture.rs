//! `docs/restore.svg`, the picture in the README, is what a terminal shows now. Where it is not, one command mends it:
//!
//!     SITECTL_REGENERATE=1 cargo test --test cli picture

use crate::screen::{Terminal, settled};
use crate::support::World;
use crate::svg;
use regex::Regex;
use std::path::Path;

const MEND: &str = "run: SITECTL_REGENERATE=1 cargo test --test cli picture";

/// Of the picture; a reader who does not see it hears this.
const TITLE: &str = "A restore in a terminal";
const DESCRIPTION: &str = "sitectl restore start says which snapshot is the latest and what would be lost, asks for the \
                           site's id, and shows the progress of the restore as a bar.";

/// A person restores a site from a shell; the bar has come to the middle.
fn story() -> vt100::Screen {
    let world = World::sandbox().with("PS1", "\x1b[32m$\x1b[m ");
    let shell = Terminal::start(world.shell(&["-i"]), 112, 20);
    shell.wait_for("$");
    shell.press("sitectl restore start site-0001 latest --full --watch\r");
    shell.wait_for("to go on");
    shell.press("site-0001\r");
    let middle = Regex::new(r"\b[4-8]\d%").unwrap();
    shell.wait_until("the bar in the middle", |text| middle.is_match(text))
}

/// The picture as it is whatever the clock says: without geometry, and with how far the bar has come by its name.
fn steady(svg: &str) -> String {
    let rules = [
        (r#" (x|y|width|height|viewBox|textLength)="[^"]*""#, ""),
        (r"[━╸─]+ +\d+%", "BAR"),
        (r"prepare|restore_files|restore_database|finish", "STEP"),
        (r"\d of \d", "N of N"),
    ];
    rules
        .iter()
        .fold(settled(svg), |svg, (pattern, name)| Regex::new(pattern).unwrap().replace_all(&svg, *name).into_owned())
}

#[test]
fn the_picture_is_what_a_terminal_shows() {
    let drawn = svg::draw(&story(), TITLE, DESCRIPTION);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/restore.svg");
    if std::env::var_os("SITECTL_REGENERATE").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &drawn).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("{} is missing; {MEND}", path.display()));
    let (kept, drawn) = (steady(&kept), steady(&drawn));
    let stale = drawn.lines().find(|line| !kept.lines().any(|known| known == *line));
    assert!(kept == drawn, "docs/restore.svg is stale, as it lacks {stale:?}; {MEND}");
    assert!(include_str!("../../README.md").contains("](docs/restore.svg)"), "the README shows no picture");
}
