//! An edit leaves the rest of the file unchanged, whatever its form.

use super::*;

const FILE: &str = r#"# My services.

# which one
current_profile = "live" # the real one

[profiles.live] # header
# where
base_url = "https://live/api/v6" # trailing
# secret
token = "abc" # from Ada
# end of live

[profiles.test]
token_command = [
  "pass", # the program
  "show",
]
endpoints.task = "/jobs/{task_id}"
# last line"#;

fn edited(text: &str, edit: impl FnOnce(&mut Draft)) -> String {
    let mut draft =
        Draft::parse(text).unwrap_or_else(|error| unreachable!("{text:?}: {}", error.message));
    edit(&mut draft);
    draft.text()
}

/// Asserts that these lines change, and nothing else.
fn assert_changed(edit: impl FnOnce(&mut Draft), changes: &[(&str, &str)]) {
    let expected = changes.iter().fold(FILE.to_string(), |text, (old, new)| {
        assert!(text.contains(old), "{old}");
        text.replacen(old, new, 1)
    });
    assert_eq!(edited(FILE, edit), expected);
}

#[test]
fn everything_else_stays() {
    const NONE: Option<&str> = None;
    assert_changed(
        |file| file.set("live", "token", Some("n\"ew")),
        &[("\"abc\"", "'n\"ew'")],
    );
    assert_changed(
        |file| file.set("live", "token", NONE),
        &[("# secret\ntoken = \"abc\" # from Ada\n", "")],
    );
    assert_changed(
        |file| {
            file.set("test", "token_command", NONE);
            file.set("test", "token", Some("t"));
        },
        &[
            (
                "token_command = [\n  \"pass\", # the program\n  \"show\",\n]\n",
                "",
            ),
            (
                "\"/jobs/{task_id}\"\n",
                "\"/jobs/{task_id}\"\ntoken = \"t\"\n",
            ),
        ],
    );
    assert_changed(
        |file| file.set_current(Some("test")),
        &[("\"live\" #", "\"test\" #")],
    );
    assert_changed(
        |file| file.set_current(None),
        &[(
            "# which one\ncurrent_profile = \"live\" # the real one\n",
            "",
        )],
    );
    let live =
        &FILE[FILE.find("\n[profiles.live]").unwrap_or(0)..FILE.find("# end of live").unwrap_or(0)];
    assert_changed(|file| file.remove_profile("live"), &[(live, "")]);
    assert_changed(
        |file| file.set("new.one", "base_url", Some("x")),
        &[(
            "# last line",
            "\n[profiles.\"new.one\"]\nbase_url = \"x\"\n# last line",
        )],
    );
}
