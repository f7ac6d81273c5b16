//! What a login is to save, checked before anything is asked: all that is wrong with it at once.

use super::login::Args;
use super::not_sandboxed;
use crate::commands::invocation::Given;
use crate::commands::token_command::MOST_BYTES;
use crate::config::edit::Edit;
use crate::config::{BaseUrl, CaCert, ConfigFile, Origin, Profile, Secret, find_address};
use crate::error::{Error, Kind, Result};
use crate::terminal::{Ui, beside};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The longest name of a profile.
const LONGEST_NAME: usize = 64;

/// Where a token comes from that is piped in.
const PIPE: &str = "pipe the token in alone, as in: sitectl auth login --with-token < token.txt";

/// A login that nothing is known to be wrong with.
pub struct Wanted {
    /// The profile's name.
    pub name: String,
    /// The address and where it was found; without it, a person is asked.
    base_url: Option<(BaseUrl, Origin)>,
    /// The program that prints the token.
    command: Option<Vec<String>>,
    ca_cert: Option<String>,
    with_token: bool,
}

impl Wanted {
    /// Checks what was typed and what there is.
    ///
    /// # Errors
    /// `Usage`, with everything that is wrong or missing.
    pub fn new(given: &Given, file: &ConfigFile, args: &Args) -> Result<Self> {
        not_sandboxed(given, "needs no login", "log in to")?;
        let mut problems = Vec::new();
        let mut keep = |problem: Option<Error>| problems.extend(problem);
        let name = given.profile(file).unwrap_or("default").to_string();
        keep(name_problem(&name, file));
        keep(stray_problem(args));
        keep(other_problem(given, file, &name));
        let base_url = base_url(given, file.profiles.get(&name)).map_err(|error| keep(Some(error)));
        let command = args.token_command.as_deref().map(words).transpose().map_err(|error| keep(Some(error)));
        keep(nobody_to_ask(&given.ui, args));
        let ca_cert = given.flags.ca_cert.as_deref().map(absolute).transpose().map_err(|error| keep(Some(error)));
        match (base_url, command, ca_cert, Error::all(problems)) {
            (Ok(base_url), Ok(command), Ok(ca_cert), None) => {
                Ok(Self { name, base_url, command, ca_cert, with_token: args.with_token })
            }
            (.., problem) => Err(problem.unwrap_or_else(|| Error::usage("the login is not complete"))),
        }
    }

    /// The profile that is to be saved: what it was, with the address and token of this login. Asks for what nobody
    /// has said.
    ///
    /// # Errors
    /// `Usage` or `Auth` where what is answered cannot be right; `Interrupted` where the person gives up.
    pub async fn profile(&self, ui: &Ui, before: Profile) -> Result<Profile> {
        let base_url = match &self.base_url {
            Some((url, _)) => url.clone(),
            None => ui.ask("The service's address, ends in /api/v6", false, BaseUrl::typed).await?,
        };
        self.tell(ui, &before, &base_url);
        let token = if self.command.is_some() { None } else { Some(self.token(ui).await?) };
        token.iter().for_each(|token| ui.keep_secret(token));
        Ok(Profile {
            base_url: Some(base_url.as_str().into()),
            token,
            token_command: self.command.clone(),
            ca_cert: self.ca_cert.as_ref().map(PathBuf::from).or(before.ca_cert),
            ..before
        })
    }

    /// Where the token is about to be sent, before it is asked for: an address that nobody has typed may be forgotten.
    fn tell(&self, ui: &Ui, before: &Profile, base_url: &BaseUrl) {
        let (name, new) = (&self.name, base_url.as_str());
        if let Some((_, origin)) = self.base_url.as_ref().filter(|(_, origin)| *origin != Origin::Flag) {
            ui.note(&format!("logging in to {new} ({})", origin.name()));
        }
        if let Some(old) = before.base_url.as_deref().map(BaseUrl::in_words).filter(|old| old != new) {
            ui.note(&format!("the address of profile '{name}' is {old}, and would become {new}"));
        }
    }

    /// What saves it: the values of this login, and nothing else.
    pub fn edits(&self, profile: &Profile) -> Vec<Edit> {
        let name = &self.name;
        let mut edits: Vec<Edit> = profile.base_url.iter().map(|url| Edit::text(name, "base_url", url)).collect();
        edits.extend(match (&profile.token, &profile.token_command) {
            (Some(token), _) => [Edit::without(name, "token_command"), Edit::text(name, "token", token.expose())],
            (None, command) => {
                let command = command.as_deref().unwrap_or_default();
                [Edit::without(name, "token"), Edit::list(name, "token_command", command)]
            }
        });
        edits.extend(self.ca_cert.iter().map(|path| Edit::text(name, "ca_cert", path)));
        edits
    }

    async fn token(&self, ui: &Ui) -> Result<Secret> {
        if self.with_token && !ui.stdin_terminal() {
            return taken(&beside(piped).await??, "stdin");
        }
        ui.ask("The API token (it will not show)", true, |text| taken(text, "the answer")).await
    }
}

/// Who wrote the file by hand may have named a profile otherwise.
fn name_problem(name: &str, file: &ConfigFile) -> Option<Error> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let is_name =
        (1..=LONGEST_NAME).contains(&name.len()) && name.chars().all(allowed) && !name.starts_with(['-', '.']);
    let problem = || {
        Error::usage(format!("'{name}' cannot be the name of a profile")).hint(format!(
            "a name has letters, digits, '-', '_' and '.', up to {LONGEST_NAME}, and begins with none of '-' and '.'"
        ))
    };
    (!is_name && !file.profiles.contains_key(name)).then(problem)
}

/// What is wrong with the profile's other settings, which stay.
fn other_problem(given: &Given, file: &ConfigFile, name: &str) -> Option<Error> {
    let mut file = file.clone();
    file.profiles.entry(name.into()).or_default();
    given.naming(name).context(&file).err()
}

/// The address that every command would use; a profile that is named but has none yet takes the environment's.
fn base_url(given: &Given, before: Option<&Profile>) -> Result<Option<(BaseUrl, Origin)>> {
    let (flags, env) = (&given.flags, &given.env);
    let found = find_address(flags, env, before.unwrap_or(&Profile::default()));
    match found.or_else(|| Some((env.base_url.clone()?, Origin::Environment))) {
        Some((url, origin)) => BaseUrl::parse(&url, origin.name()).map(|url| Some((url, origin))),
        None if given.ui.may_prompt() => Ok(None),
        None => Err(Error::usage("there is no address, and no terminal to ask for it on")
            .hint("add --base-url, such as https://service.example/api/v6")),
    }
}

/// The words of a command line; what a shell would do with them is not done.
fn words(line: &str) -> Result<Vec<String>> {
    let refuse = |why: &str| {
        Err(Error::usage(format!("--token-command {why}"))
            .hint("it is a program and its arguments, as in 'pass show sitectl/live'"))
    };
    match shlex::split(line) {
        None => refuse("has a quote that is not closed, or a backslash at its end"),
        Some(words) if words.first().is_none_or(|program| program.trim().is_empty()) => refuse("names no program"),
        Some(words) => Ok(words),
    }
}

/// A word beside the options, which is not told.
fn stray_problem(args: &Args) -> Option<Error> {
    let problem = || {
        Error::usage("there is a word that belongs to no option")
            .hint("--with-token reads the token from stdin; as an argument it would show in the process list")
    };
    (!args.stray.is_empty()).then(problem)
}

/// The path of certificates that can be used, one that means the same from everywhere.
fn absolute(path: &Path) -> Result<String> {
    CaCert { path: path.into(), origin: Origin::Flag }.read(Path::new(""))?;
    let refuse = |why: &dyn std::fmt::Display| {
        Error::usage(format!("--ca-cert {}: {why}", path.display())).hint("name it by another path")
    };
    let path = std::path::absolute(path).map_err(|error| refuse(&error))?;
    path.to_str().map(str::to_string).ok_or_else(|| refuse(&"the config file cannot hold this path, which is no text"))
}

fn nobody_to_ask(ui: &Ui, args: &Args) -> Option<Error> {
    let told = args.token_command.is_some() || (args.with_token && !ui.stdin_terminal());
    let problem = || {
        Error::usage("there is no token, and no terminal to ask for it on").hint(
            "--with-token reads it from stdin, and --token-command names a program that prints it; there is no flag for the token, since a flag shows in the process list",
        )
    };
    (!told && !ui.may_prompt()).then(problem)
}

/// The token that was pasted or piped, which may have been copied from a header.
fn taken(text: &str, origin: &str) -> Result<Secret> {
    let is_header = text.split_whitespace().any(|word| word.eq_ignore_ascii_case("bearer"));
    Secret::new(text, origin).map_err(|error| match is_header {
        true => error.hint("the word Bearer is no part of the token; leave it away, and what stands before it"),
        false => error,
    })
}

/// All of stdin.
fn piped() -> Result<String> {
    let mut text = Vec::new();
    let read = std::io::stdin().lock().take(MOST_BYTES as u64 + 1).read_to_end(&mut text);
    read.map_err(|error| Error::new(Kind::Error, format!("could not read stdin: {error}")).hint(PIPE))?;
    if text.len() > MOST_BYTES {
        return Err(Error::new(Kind::Auth, "stdin holds more than 64 KiB: that is no token").hint(PIPE));
    }
    String::from_utf8(text).map_err(|_| Error::new(Kind::Auth, "stdin holds something that is no text").hint(PIPE))
}
