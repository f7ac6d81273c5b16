//! The commands in hints, for the user's shell.

/// Shows the free space.
pub const SHOW_FREE_SPACE: &str = match SYNTAX {
    Syntax::Posix => "df",
    Syntax::PowerShell => "Get-PSDrive",
};

/// Shows the variables that specify proxies.
pub const SHOW_PROXIES: &str = match SYNTAX {
    Syntax::Posix => "env | grep -i proxy",
    Syntax::PowerShell => "Get-ChildItem Env:*_PROXY",
};

/// The syntax of the system's usual shell.
const SYNTAX: Syntax = if cfg!(windows) {
    Syntax::PowerShell
} else {
    Syntax::Posix
};

#[derive(Clone, Copy)]
enum Syntax {
    Posix,
    PowerShell,
}

/// Returns the command that sets an environment variable.
pub fn set_variable(name: &str, value: &str) -> String {
    SYNTAX.set_variable(name, value)
}

/// Returns the command that removes an environment variable.
pub fn unset_variable(name: &str) -> String {
    SYNTAX.unset_variable(name)
}

/// Refuses a path with a drive letter, which a shell on Windows has made of a path that begins with
/// a slash.
///
/// # Errors
/// The problem, with the form that shells leave unchanged.
pub fn refuse_rewritten_path(path: &str) -> Result<(), &'static str> {
    match path.as_bytes() {
        [drive, b':', b'/' | b'\\', ..] if drive.is_ascii_alphabetic() => Err(
            "has a drive letter, because the shell has rewritten it; omit the slash at its start",
        ),
        _ => Ok(()),
    }
}

/// Returns ids as arguments of a command that can be pasted as is, after `--` if an id begins with
/// a dash.
pub fn shell_arguments(ids: &[&str]) -> String {
    let quoted: Vec<String> = ids.iter().map(|id| shell_quoted(id)).collect();
    let arguments = quoted.join(" ");
    if ids.iter().any(|id| id.starts_with('-')) {
        format!("-- {arguments}")
    } else {
        arguments
    }
}

/// Returns ids and options of a command that can be pasted as is.
pub fn shell_arguments_with(ids: &[&str], options: &str) -> String {
    let arguments = shell_arguments(ids);
    if arguments.starts_with("-- ") {
        // All that follows `--` is an id.
        format!("{options} {arguments}")
    } else {
        format!("{arguments} {options}")
    }
}

/// Returns an option with its value, which may begin with a dash.
pub fn shell_option(name: &str, value: &str) -> String {
    let separator = if value.starts_with('-') { "=" } else { " " };
    format!("{name}{separator}{}", shell_quoted(value))
}

/// Quotes a text so that the shell reads it as one word.
pub fn shell_quoted(text: &str) -> String {
    SYNTAX.quoted(text)
}

impl Syntax {
    fn set_variable(self, name: &str, value: &str) -> String {
        match self {
            Self::Posix => format!("export {name}={}", self.quoted(value)),
            // Unquoted, the value would be a command.
            Self::PowerShell => format!("$env:{name} = {}", self.in_quotes(value)),
        }
    }

    fn unset_variable(self, name: &str) -> String {
        match self {
            Self::Posix => format!("unset {name}"),
            Self::PowerShell => format!("Remove-Item Env:{name}"),
        }
    }

    fn quoted(self, text: &str) -> String {
        let is_plain = |c: char| {
            c.is_ascii_alphanumeric()
                || matches!(c, '-' | '_' | '.' | ':' | '/' | '=')
                || match self {
                    Self::Posix => matches!(c, '@' | ','),
                    Self::PowerShell => c == '\\',
                }
        };
        // zsh replaces a word that starts with `=`.
        if !text.is_empty() && !text.starts_with('=') && text.chars().all(is_plain) {
            text.into()
        } else {
            self.in_quotes(text)
        }
    }

    fn in_quotes(self, text: &str) -> String {
        let mut quoted = String::from("'");
        for c in text.chars() {
            match (self, c) {
                (Self::Posix, '\'') => quoted.push_str(r"'\''"),
                // PowerShell treats typographic quotes like straight ones.
                (Self::PowerShell, '\'' | '‘' | '’' | '‚' | '‛') => quoted.extend([c, c]),
                _ => quoted.push(c),
            }
        }
        quoted + "'"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_quoted_for_a_posix_shell() {
        for (id, quoted) in [
            ("task-1:a/b", "task-1:a/b"),
            ("a b", "'a b'"),
            ("$(x)", "'$(x)'"),
            ("it's", r"'it'\''s'"),
            ("", "''"),
            ("=ls", "'=ls'"),
        ] {
            assert_eq!(Syntax::Posix.quoted(id), quoted);
        }
    }

    #[test]
    fn an_id_that_begins_with_a_dash_is_no_option() {
        assert_eq!(shell_arguments(&["a", "-b", "c d"]), "-- a -b 'c d'");
        assert_eq!(shell_arguments_with(&["a", "b"], "--full"), "a b --full");
        assert_eq!(
            shell_arguments_with(&["-a", "b"], "--full"),
            "--full -- -a b"
        );
        assert_eq!(shell_option("--profile", "my x"), "--profile 'my x'");
        assert_eq!(shell_option("--profile", "-x"), "--profile=-x");
    }

    #[test]
    fn texts_are_quoted_for_powershell() {
        for (text, quoted) in [
            (r"C:\state\a-b_c.d", r"C:\state\a-b_c.d"),
            ("a b", "'a b'"),
            ("a,b", "'a,b'"),
            ("@a", "'@a'"),
            ("$(x)", "'$(x)'"),
            ("it's", "'it''s'"),
            ("it’s", "'it’’s'"),
            ("", "''"),
        ] {
            assert_eq!(Syntax::PowerShell.quoted(text), quoted);
        }
    }

    #[test]
    fn a_variable_is_set_and_removed_in_each_shell() {
        for (shell, set, unset) in [
            (Syntax::Posix, "export A=FILE", "unset A"),
            (Syntax::PowerShell, "$env:A = 'FILE'", "Remove-Item Env:A"),
        ] {
            assert_eq!(shell.set_variable("A", "FILE"), set);
            assert_eq!(shell.unset_variable("A"), unset);
        }
    }
}
