//! The README's commands work as they are printed: each `sh` block is run as one script in a home of its own.

use crate::examples::run_script;
use crate::support::World;

/// The blocks of shell commands. What cargo itself does is not run again inside a test: `cargo run` becomes the built
/// program, and `cargo test` is what runs this.
fn blocks() -> Vec<String> {
    let text = include_str!("../../README.md");
    let blocks = text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks
        .filter(|block| *block != "cargo test\n")
        .map(|block| block.replace("cargo run --release --", "sitectl"))
        .collect()
}

#[test]
fn every_block_runs() {
    let blocks = blocks();
    assert!(blocks.len() >= 3);
    for block in blocks {
        let run = run_script(&World::empty(), &block);
        assert_eq!(run.code, 0, "{block}\n{}", run.transcript());
    }
}

#[test]
fn the_table_of_exit_codes_is_the_program_s() {
    let run = World::empty().run(&["--help"]);
    let rows = include_str!("../../README.md")
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(" | ").next()?.parse::<u32>().ok());
    for code in rows {
        assert!(run.stdout.contains(&format!(" {code} ")), "{code}");
    }
}
