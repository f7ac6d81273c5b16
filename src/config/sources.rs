//! What the settings in use are and where each is from, in words: for whoever wonders why.

use super::settings::{Origin, named_profile, saved_format};
use super::{ConfigFile, Endpoints, Environment, Flags, Profile, Settings, Target, TaskStates, Token};
use crate::config::duration;
use clap::ValueEnum;
use serde::Serialize;

/// Where a setting is from that nobody has set.
const UNSET: &str = "not set";

/// A setting, what it is, and where that is from.
#[derive(Debug, Serialize)]
pub struct Setting {
    name: &'static str,
    value: Option<String>,
    source: String,
}

/// The settings that `settings` was decided to be.
pub fn sources(flags: &Flags, env: &Environment, file: &ConfigFile, settings: &Settings) -> Vec<Setting> {
    let sandbox = matches!(settings.target, Target::Sandbox);
    let named = named_profile(flags, env, file).filter(|_| !sandbox);
    let profile = named.and_then(|(name, _)| file.profiles.get(name));
    let places = Places { flags, env, named, profile: profile.cloned().unwrap_or_default(), settings };
    let mut found = vec![setting(
        "sandbox",
        Some(sandbox.to_string()),
        &[("--sandbox", flags.sandbox), ("SITECTL_SANDBOX", env.sandbox.is_some())],
    )];
    if let Target::Service { base_url, token, .. } = &settings.target {
        found.extend(places.service(base_url.as_ref(), token.as_ref()));
    }
    found.extend(places.ways());
    found.extend(places.interface());
    found
}

/// A setting is from the first of these places that is so.
fn setting(name: &'static str, value: Option<String>, places: &[(&str, bool)]) -> Setting {
    let unsaid = if value.is_some() { "default" } else { UNSET };
    let place = places.iter().find(|(_, is_so)| *is_so).map_or(unsaid, |(place, _)| place);
    Setting { name, value, source: place.into() }
}

/// Where settings can be from.
struct Places<'a> {
    flags: &'a Flags,
    env: &'a Environment,
    /// The profile that is named, and by what.
    named: Option<(&'a str, &'static str)>,
    profile: Profile,
    settings: &'a Settings,
}

impl Places<'_> {
    fn profile_in_words(&self) -> String {
        format!("profile {}", self.named.map_or("", |(name, _)| name))
    }

    /// What says which service, and who asks it.
    fn service(&self, url: Option<&(String, Origin)>, token: Option<&Token>) -> [Setting; 3] {
        let of_profile = self.profile_in_words();
        let command = format!("token_command of {of_profile}");
        let from = |origin: Origin| url.is_some_and(|(_, found)| *found == origin);
        let is = |source: &str| token.is_some_and(|token| token.source() == source);
        let origins = [Origin::Flag, Origin::Environment].map(|origin| (origin.name(), from(origin)));
        [
            setting(
                "profile",
                self.named.map(|(name, _)| name.into()),
                &[(self.named.map_or("", |(_, place)| place), self.named.is_some())],
            ),
            setting(
                "base_url",
                self.settings.target.address().ok().map(|url| url.as_str().into()),
                &[origins[0], origins[1], (&of_profile, from(Origin::Profile))],
            ),
            setting(
                "token",
                token.map(|_| "***".into()),
                &[("SITECTL_TOKEN", is("environment")), (&of_profile, is("profile")), (&command, is("token_command"))],
            ),
        ]
    }

    /// What says how it is asked, and how results are printed.
    fn ways(&self) -> [Setting; 5] {
        let (flags, settings) = (self.flags, self.settings);
        let of_profile = self.profile_in_words();
        let certificates = settings.ca_cert.as_ref().map(|named| named.path.display().to_string());
        [
            self.output(&of_profile),
            setting(
                "per_page",
                settings.per_page.map(|rows| rows.to_string()),
                &[(&of_profile, self.profile.per_page.is_some())],
            ),
            setting(
                "ca_cert",
                certificates,
                &[
                    ("--ca-cert", flags.ca_cert.is_some()),
                    (&of_profile, self.profile.ca_cert.is_some()),
                    ("SSL_CERT_FILE", self.env.ca_cert.is_some()),
                ],
            ),
            setting(
                "request_timeout",
                Some(duration::describe(settings.request_timeout)),
                &[("--request-timeout", flags.request_timeout.is_some())],
            ),
            setting("retries", Some(settings.retries.to_string()), &[("--retries", flags.retries.is_some())]),
        ]
    }

    /// Whether each change asks, and what the interface leaves open.
    fn interface(&self) -> [Setting; 6] {
        let Settings { protected_by, endpoints, task_states, .. } = self.settings;
        let (usual, usual_states) = (Endpoints::default(), TaskStates::default());
        let of_profile = self.profile_in_words();
        let open = |name, value: String, usual: String| {
            let is_own = value != usual;
            setting(name, Some(value), &[(&of_profile, is_own)])
        };
        let words = |words: &[String]| words.join(", ");
        let protecting = format!("profile {}", protected_by.as_deref().unwrap_or_default());
        [
            setting("protected", Some(protected_by.is_some().to_string()), &[(&protecting, protected_by.is_some())]),
            open("endpoints.task", endpoints.task.clone(), usual.task),
            open("endpoints.sites", endpoints.sites.clone(), usual.sites),
            open("endpoints.snapshots", endpoints.snapshots.clone(), usual.snapshots),
            open("task_states.succeeded", words(&task_states.succeeded), words(&usual_states.succeeded)),
            open("task_states.failed", words(&task_states.failed), words(&usual_states.failed)),
        ]
    }

    /// With `--jq`, a format that is not JSON gives way.
    fn output(&self, of_profile: &str) -> Setting {
        let (flags, env, format) = (self.flags, self.env, self.settings.format);
        let is = |saved: &Option<String>| saved_format(saved.as_ref()) == Some(format);
        setting(
            "output",
            format.to_possible_value().map(|value| value.get_name().to_string()),
            &[
                ("--json", flags.json),
                ("--output", flags.output.is_some()),
                ("SITECTL_OUTPUT", is(&env.output)),
                (of_profile, env.output.is_none() && is(&self.profile.output)),
                ("--jq", flags.jq.is_some()),
            ],
        )
    }
}
