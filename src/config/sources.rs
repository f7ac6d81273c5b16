//! What the settings in use are and where each is from, in words: for whoever wonders why.

use super::settings::{Origin, named_profile, saved_format};
use super::{ConfigFile, Environment, Flags, Settings, Target, Token};
use crate::duration;
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
    let of_profile = named.map_or("default".into(), |(name, _)| format!("profile {name}"));
    let saved = named.and_then(|(name, _)| file.profiles.get(name));
    // The first of these that is so is where the value is from.
    let setting = |name, value: Option<String>, places: &[(&str, bool)]| {
        let unsaid = if value.is_some() { "default" } else { UNSET };
        let place = places.iter().find(|(_, is_so)| *is_so).map_or(unsaid, |(place, _)| place);
        Setting { name, value, source: place.into() }
    };
    let format = settings.format.to_possible_value().map(|value| value.get_name().to_string());
    let exported = saved_format(env.output.as_ref()) == Some(settings.format);
    let profile_output = saved.and_then(|profile| profile.output.as_ref());
    let has = |is_so: fn(&super::Profile) -> bool| saved.is_some_and(is_so);
    let mut found = vec![setting(
        "sandbox",
        Some(sandbox.to_string()),
        &[("--sandbox", flags.sandbox), ("SITECTL_SANDBOX", env.sandbox.is_some())],
    )];
    if let Target::Service { base_url, token } = &settings.target {
        let url = base_url.as_ref();
        found.push(setting(
            "profile",
            named.map(|(name, _)| name.into()),
            &[(named.map_or("", |(_, place)| place), named.is_some())],
        ));
        let origin =
            |origin: &Origin| if *origin == Origin::Profile { of_profile.clone() } else { origin.name().into() };
        found.push(Setting {
            name: "base_url",
            value: url.map(|(url, _)| url.clone()),
            source: url.map_or(UNSET.into(), |(_, found)| origin(found)),
        });
        let place = token.as_ref().map(|token| match token {
            Token::Environment(_) => "SITECTL_TOKEN".into(),
            Token::Profile(_) => of_profile.clone(),
            Token::Command(_) => format!("token_command of {of_profile}"),
        });
        found.push(Setting {
            name: "token",
            value: token.as_ref().map(|_| "***".into()),
            source: place.unwrap_or(UNSET.into()),
        });
    }
    let profile = of_profile.as_str();
    found.extend([
        setting(
            "output",
            format,
            &[
                ("--json", flags.json),
                ("--output", flags.output.is_some()),
                ("SITECTL_OUTPUT", exported),
                (profile, env.output.is_none() && saved_format(profile_output) == Some(settings.format)),
                ("--jq", flags.jq.is_some()),
            ],
        ),
        setting(
            "per_page",
            settings.per_page.map(|rows| rows.to_string()),
            &[(profile, has(|it| it.per_page.is_some()))],
        ),
        setting(
            "ca_cert",
            settings.ca_cert.as_ref().map(|named| named.path.display().to_string()),
            &[
                ("--ca-cert", flags.ca_cert.is_some()),
                ("SSL_CERT_FILE", env.ca_cert.is_some()),
                (profile, has(|it| it.ca_cert.is_some())),
            ],
        ),
        setting(
            "request_timeout",
            Some(duration::describe(settings.request_timeout)),
            &[("--request-timeout", flags.request_timeout.is_some())],
        ),
        setting("retries", Some(settings.retries.to_string()), &[("--retries", flags.retries.is_some())]),
    ]);
    found
}
