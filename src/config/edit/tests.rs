//! Any sequence of changes leaves the rest of a file as it was.

use super::*;
use proptest::prelude::*;

const FILE: &str = r#"# My services.
# Ask Ada.

# which one
current_profile = "live" # the real one

[profiles.live] # header
# where
base_url = "https://live/api/v6" # trailing

# secret
token = "abc" # from Ada
output = 'json'
# end of live

# the other
[profiles.test]
token_command = [
  "pass", # the program
  "show",
]
endpoints.task = "/jobs/{task_id}"
# paths
[profiles.test.task_states]
failed = ["broken"]
# last line"#;

fn text(value: &str) -> Option<Value> {
    Some(Value::String(value.into()))
}

fn apply(text: &str, edits: &[Edit]) -> String {
    let edited = edits.iter().try_fold(text.to_string(), |text, edit| edit.apply(&text));
    edited.unwrap_or_else(|()| unreachable!("not changed:\n{text}"))
}

/// The same but for these lines, each with what has taken its place.
fn assert_changed(edits: &[Edit], changes: &[(&str, &str)]) {
    let mut wanted = FILE.to_string();
    for (old, new) in changes {
        assert!(wanted.contains(old), "{old}");
        wanted = wanted.replacen(old, new, 1);
    }
    assert_eq!(apply(FILE, edits), wanted);
    // The same in a file from Windows.
    assert_eq!(apply(&FILE.replace('\n', "\r\n"), edits), wanted.replace('\n', "\r\n"));
}

#[test]
fn only_what_is_meant_changes() {
    let key = |name: &str, key, value| Edit::Key(name.into(), key, value);
    assert_changed(&[key("live", "token", text("n\"ew"))], &[("\"abc\"", "'n\"ew'")]);
    assert_changed(&[key("live", "token", None)], &[("token = \"abc\" # from Ada\n", "")]);
    assert_changed(
        &[key("live", "ca_cert", text("/x.pem"))],
        &[("output = 'json'\n", "output = 'json'\nca_cert = \"/x.pem\"\n")],
    );
    assert_changed(
        &[key("test", "token_command", None), key("test", "token", text("t"))],
        &[
            ("token_command = [\n  \"pass\", # the program\n  \"show\",\n]\n", ""),
            ("\"/jobs/{task_id}\"\n", "\"/jobs/{task_id}\"\ntoken = \"t\"\n"),
        ],
    );
    assert_changed(
        &[Edit::Current(text("test").and_then(|v| v.as_str().map(Into::into)))],
        &[("\"live\" #", "\"test\" #")],
    );
    assert_changed(&[Edit::Current(None)], &[("current_profile = \"live\" # the real one\n", "")]);
    let live = &FILE[FILE.find("[profiles.live]").unwrap_or(0)..FILE.find("# end of live").unwrap_or(0)];
    assert_changed(&[Edit::Remove("live".into())], &[(live, "")]);
    assert_changed(
        &[key("new.one", "base_url", text("x")), key("new.one", "token", text("y"))],
        &[("# last line", "# last line\n\n[profiles.\"new.one\"]\nbase_url = \"x\"\ntoken = \"y\"\n")],
    );
}

/// Ways to write profiles.
const FILES: [&str; 18] = [
    "",
    "# only this",
    "\u{feff}# marked\n[profiles.a]\n",
    "profiles = {}\n",
    "profiles = { a = { token = 'x' }, b = { token = 'y', output = 'csv' } } # c\n",
    "[profiles]\na = { token_command = ['x'], base_url = 'y' }\nb.token = 'z'\n",
    "profiles.a.token = 'x'\nprofiles . a . \"base_url\" = 'y'\n",
    "[profiles.b.endpoints]\ntask = 'x'\n[profiles.a]\n[profiles.b]\ntoken = 'y'\n",
    "[profiles]\n  [profiles.a]\n    token = 'x'",
    "[profiles.a]\ntoken = '''\n[profiles.b]\n'''\n\n",
    "[profiles.a.endpoints]\ntask = 'x'\n",
    "\u{feff}",
    "[profiles.\"a\"]\n\"token\" = 'x'\n[profiles.b]",
    "profiles = { a.token = 'x', b.output = 'ids' }\n",
    "profiles = {\n  a = { token = 'x' },\n  b = { output = 'ids' },\n} # c\n",
    "[profiles]\na.endpoints.task = 'x'\n",
    "# a\nprofiles.a.token = 'x'\n# b\nprofiles.b.output = 'y'\n# more of a\nprofiles.a.output = 'ids'\n",
    " [profiles.a]\n\ttoken = 'x' \t\n\n\n# c\n [ profiles . \"b\" ]\n\n\n",
];

#[test]
fn every_way_to_write_a_profile_can_be_changed() {
    let key = |name: &str, key, value| Edit::Key(name.into(), key, value);
    for file in FILES {
        let edits = [
            key("a", "token_command", None),
            key("a", "base_url", text("https://a")),
            key("a", "token", text("s")),
            Edit::Current(Some("a".into())),
            key("b", "token", None),
            key("b", "token_command", Some(Value::Array(vec!["p".into(), "\u{7}\\".into()]))),
            Edit::Remove("a".into()),
            key("a", "token", text("again")),
            Edit::Remove("b".into()),
            Edit::Current(None),
        ];
        let mut now = file.to_string();
        for (number, edit) in edits.iter().enumerate() {
            now = edit.apply(&now).unwrap_or_else(|()| unreachable!("{number} of {file:?}: {now:?}"));
        }
        let comments = |text: &str| text.matches('#').count();
        assert_eq!(comments(&now), comments(file), "{file:?}: {now:?}");
    }
}

/// The order of keys says nothing in TOML, and a dotted table is written in one place.
#[test]
fn dotted_keys_of_a_table_come_together_with_their_comments() {
    let file = "# 1\nprofiles.a.token = 'x' # 2\n# 3\nprofiles.b.token = 'y'\n# 4\nprofiles.a.output = 'ids'";
    let wanted = "# 1\nprofiles.a.token = 'x' # 2\n# 4\nprofiles.a.output = 'csv'\n# 3\nprofiles.b.token = 'y'\n";
    assert_eq!(apply(file, &[Edit::text("a", "output", "csv")]).replace('"', "'"), wanted);
    assert_eq!(apply(file, &[Edit::without("a", "base_url")]), file);
}

#[test]
fn a_table_in_braces_stays_on_its_lines() {
    let file = "profiles = { a = { token = 'x' } } # c\n";
    let more = apply(file, &[Edit::text("a", "output", "csv"), Edit::text("b", "token", "y")]);
    assert_eq!(more, "profiles = { a = { token = 'x', output = \"csv\" }, b = { token = \"y\" } } # c\n");
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("a".into()),
        Just("b".into()),
        Just("live".into()),
        Just("test".into()),
        Just("a.b".into()),
        Just("new".into())
    ]
}

fn edit() -> impl Strategy<Value = Edit> {
    let keys = prop_oneof![Just("base_url"), Just("token"), Just("ca_cert")];
    let values = proptest::option::of(".{0,8}".prop_map(Value::String));
    prop_oneof![
        proptest::option::of(name()).prop_map(Edit::Current),
        (name(), keys, values).prop_map(|(name, key, value)| Edit::Key(name, key, value)),
        name().prop_map(Edit::Remove),
    ]
}

/// The lines that are comments and stand outside of what a change may take away: between a header and the last key of
/// its table they go with it.
fn comments(text: &str) -> Vec<&str> {
    let inside = ["# where", "# secret"];
    let lines = text.lines().filter(|line| line.starts_with('#'));
    lines.filter(|line| !inside.contains(line)).collect()
}

proptest! {
    #[test]
    fn no_sequence_of_changes_loses_a_comment_or_another_s_key(edits in proptest::collection::vec(edit(), 0..12)) {
        let mut now = FILE.to_string();
        for edit in &edits {
            // What the text says after it is compared with what it should say by `apply` itself.
            now = edit.apply(&now).unwrap_or_else(|()| unreachable!("not changed:\n{now}"));
        }
        prop_assert_eq!(comments(&now), comments(FILE));
        let removed = |name: &str| edits.contains(&Edit::Remove(name.into()));
        prop_assert!(removed("live") || now.contains("output = 'json'\n") && now.contains("# where\n"));
        prop_assert!(removed("test") || now.contains("  \"pass\", # the program\n") && now.contains("failed = [\"broken\"]\n"));
    }

    #[test]
    fn no_way_to_write_profiles_is_in_the_way(place in 0..FILES.len(), edits in proptest::collection::vec(edit(), 0..12)) {
        for end in ["\n", "\r\n"] {
            let mut now = FILES[place].replace('\n', end);
            for edit in &edits {
                now = edit.apply(&now).unwrap_or_else(|()| unreachable!("{edit:?} of:\n{now}"));
            }
            prop_assert_eq!(now.starts_with('\u{feff}'), FILES[place].starts_with('\u{feff}'));
        }
    }
}
