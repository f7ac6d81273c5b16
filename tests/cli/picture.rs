//! Draws the pictures in `docs/`:
//!
//!     cargo test --test cli -- --ignored picture

use crate::common::World;
use crate::screen::Terminal;
use regex::{Captures, Regex};

/// The commands and keys before a picture is taken.
struct Scenario {
    /// The name of its file in `docs/`.
    name: &'static str,
    /// The description, for screen readers.
    description: &'static str,
    columns: u16,
    rows: u16,
    /// The content of `plan.csv`.
    plan: &'static str,
    /// The text that is typed, each after the pattern of the screen that it waits for.
    steps: [(&'static str, &'static str); 3],
    /// The text on the screen when the picture is taken.
    expected: &'static str,
}

const RESTORE: Scenario = Scenario {
    name: "restore",
    description: "sitectl sites list shows sites with their scanner status and the age of their backup. \
                  sitectl restore start shows the snapshot and how to undo the restore, and asks for the site's address. sitectl \
                  then backs the site up, watches the restore and reports that the restore succeeded.",
    // The snapshots that are passed over fit on one line.
    columns: 128,
    rows: 32,
    plan: "",
    steps: [
        (r"\$$", "sitectl --sandbox sites list --search caf"),
        (
            r"(?s)site-0008.*\n\$$",
            "sitectl --sandbox restore start site-0023 latest --full --backup-first",
        ),
        ("to confirm", "site-0023.example.com"),
    ],
    expected: r"(?s)OUTCOME.*\bsucceeded\b.*\$$",
};

const PLAN: Scenario = Scenario {
    name: "plan",
    description: "plan.csv has the site, the snapshot and the scope of four restores. sitectl restore start --plan shows the \
                  restores, and asks for their number. sitectl then shows a line for each finished restore, a bar for each running \
                  restore, and the total.",
    columns: 134,
    rows: 36,
    plan: r#"site_id,snapshot_id,scope
site-0010,snap-0010-3,"{""include_files"":true,""include_database"":true}"
site-0011,snap-0011-2,"{""include_files"":true,""paths"":[""./wp-content/themes/"",""./wp-content/plugins/""]}"
site-0012,snap-0012-3,"{""include_database"":true,""tables"":[""wp_posts"",""wp_options""]}"
site-0013,snap-0013-3,"{""include_files"":true,""include_database"":true}"
"#,
    steps: [
        (r"\$$", "cat plan.csv"),
        (
            r"(?s)site-0013.*\n\$$",
            "sitectl --sandbox restore start --plan plan.csv --watch",
        ),
        ("to confirm", "4"),
    ],
    // The failed task is polled early. The others finish together and are polled one after the other, every 600 ms.
    expected: r"\b[1-3] of 4 finished, 1 failed",
};

impl Scenario {
    /// Runs the scenario and returns the screen when the expected text appears.
    fn play(&self) -> vt100::Screen {
        let world = World::empty().with("PS1", "\x1b[32m$\x1b[m ");
        std::fs::write(world.path("plan.csv"), self.plan).unwrap();
        let shell = Terminal::start(world.shell(&["-i"]), self.columns, self.rows);
        let wait_until = |pattern: &str| {
            let pattern = Regex::new(pattern).unwrap();
            shell.wait_until(pattern.as_str(), |text| pattern.is_match(text))
        };
        for (shown, keys) in self.steps {
            wait_until(shown);
            shell.press(&format!("{keys}\r"));
        }
        wait_until(self.expected)
    }

    /// Draws the rows of the screen up to the last one that is not blank.
    fn draw(&self, screen: &vt100::Screen) -> String {
        let blanks = Regex::new("\x1b\\[(\\d*)C").unwrap();
        let spaces = |found: &Captures| " ".repeat(found[1].parse().unwrap_or(1));
        let row = |row: String| blanks.replace_all(&row, spaces).into_owned() + "\x1b[m\n";
        let rows: String = screen.rows_formatted(0, self.columns).map(row).collect();
        // Its colors have more contrast than those of the default palette.
        let terminal = anstyle_svg::Term::new().palette(anstyle_svg::WIN10_CONSOLE);
        let svg = terminal.render_svg(rows.trim_end_matches(['\n', '\x1b', '[', 'm']));
        let title = format!(" role=\"img\">\n  <title>{}</title>", self.description);
        svg.replacen('>', &title, 1)
    }
}

#[test]
#[ignore = "writes files in docs/"]
fn the_pictures_are_drawn() {
    for scenario in [RESTORE, PLAN] {
        let path = format!("{}/docs/{}.svg", env!("CARGO_MANIFEST_DIR"), scenario.name);
        std::fs::write(path, scenario.draw(&scenario.play())).unwrap();
    }
}
