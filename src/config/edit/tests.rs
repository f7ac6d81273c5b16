//! Changes leave the rest of a file as it was, however it is written.

use super::*;

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

/// The same but for these lines, each with what has taken its place.
fn assert_changed(edits: &[Edit], changes: &[(&str, &str)]) {
    let mut wanted = FILE.to_string();
    for (old, new) in changes {
        assert!(wanted.contains(old), "{old}");
        wanted = wanted.replacen(old, new, 1);
    }
    assert_eq!(edited(FILE, edits), Some(wanted.clone()));
    // The same in a file from Windows.
    assert_eq!(edited(&FILE.replace('\n', "\r\n"), edits), Some(wanted.replace('\n', "\r\n")));
}

#[test]
fn only_what_is_meant_changes() {
    assert_changed(&[Edit::text("live", "token", "n\"ew")], &[("\"abc\"", "'n\"ew'")]);
    assert_changed(&[Edit::without("live", "token")], &[("\n# secret\ntoken = \"abc\" # from Ada\n", "")]);
    assert_changed(&[Edit::without("live", "per_page"), Edit::without("no", "token"), Edit::Remove("no".into())], &[]);
    assert_changed(
        &[Edit::text("live", "ca_cert", "/x.pem")],
        &[("output = 'json'\n", "output = 'json'\nca_cert = \"/x.pem\"\n")],
    );
    assert_changed(
        &[Edit::without("test", "token_command"), Edit::text("test", "token", "t")],
        &[
            ("token_command = [\n  \"pass\", # the program\n  \"show\",\n]\n", ""),
            ("\"/jobs/{task_id}\"\n", "\"/jobs/{task_id}\"\ntoken = \"t\"\n"),
        ],
    );
    assert_changed(&[Edit::Current(Some("test".into()))], &[("\"live\" #", "\"test\" #")]);
    assert_changed(&[Edit::Current(None)], &[("# which one\ncurrent_profile = \"live\" # the real one\n", "")]);
    let live = &FILE[FILE.find("\n[profiles.live]").unwrap_or(0)..FILE.find("# end of live").unwrap_or(0)];
    assert_changed(&[Edit::Remove("live".into())], &[(live, "")]);
    assert_changed(
        &[Edit::text("new.one", "base_url", "x"), Edit::list("new.one", "token_command", &["y".into()])],
        &[("# last line", "\n[profiles.\"new.one\"]\nbase_url = \"x\"\ntoken_command = [\"y\"]\n# last line")],
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
    for text in FILES {
        let steps = [
            vec![Edit::Current(Some("a".into()))],
            vec![
                Edit::without("a", "token_command"),
                Edit::text("a", "base_url", "https://a"),
                Edit::text("a", "token", "s"),
            ],
            vec![Edit::without("b", "token"), Edit::list("b", "token_command", &["p".into(), "\u{7}\\".into()])],
            vec![Edit::text("c", "token", "new")],
        ];
        let now = steps.iter().try_fold(text.to_string(), |text, edits| edited(&text, edits));
        let now = now.unwrap_or_else(|| unreachable!("{text:?}"));
        let file = ConfigFile::parse(&now).unwrap_or_else(|error| unreachable!("{text:?}: {now:?}: {}", error.message));
        let of = |name: &str| file.profiles.get(name).cloned().unwrap_or_default();
        assert_eq!(file.current_profile.as_deref(), Some("a"), "{now}");
        assert_eq!(
            (of("a").base_url.as_deref(), of("a").token.map(|token| token.expose().into())),
            (Some("https://a"), Some("s".to_string())),
            "{now}"
        );
        assert_eq!((of("b").token, of("b").token_command), (None, Some(vec!["p".into(), "\u{7}\\".into()])), "{now}");
        assert!(of("c").token.is_some() && now.matches('#').count() == text.matches('#').count(), "{text:?}: {now}");
        let gone = [Edit::Remove("a".into()), Edit::Remove("b".into()), Edit::Remove("c".into()), Edit::Current(None)];
        let empty = edited(&now, &gone).and_then(|text| ConfigFile::parse(&text).ok());
        assert_eq!(empty, Some(ConfigFile::default()), "{now}");
    }
}
