//! Whether others may read or change what holds tokens.

#[cfg(unix)]
use crate::terminal::arguments;
use std::path::Path;

/// A line for each of the config file and its directory that lets others in. A directory that is not sitectl's own may
/// be looked into, as long as nobody else can put another file there.
#[cfg(unix)]
pub fn warnings(file: &Path, own_directory: bool) -> Vec<String> {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &Path| std::fs::metadata(path).ok().map(|found| found.permissions().mode() & 0o7777);
    let warning = |path: &Path, mode: u32, right: &str, what: &str| {
        let path = path.display().to_string();
        format!("others may {what} {path} (mode {mode:04o}); mend it with: chmod {right} {}", arguments(&[&path]))
    };
    // A device is everybody's, and holds no token.
    let Some(of_file) = mode(file).filter(|_| file.is_file()) else { return Vec::new() };
    let mut found = Vec::new();
    if of_file & 0o077 != 0 {
        let what = if of_file & 0o022 != 0 { "read or change" } else { "read" };
        found.push(warning(file, of_file, "600", what));
    }
    let directory = file.parent().map(|parent| if parent.as_os_str().is_empty() { Path::new(".") } else { parent });
    let Some((directory, mode)) = directory.and_then(|directory| Some((directory, mode(directory)?))) else {
        return found;
    };
    let sticky = mode & 0o1000 != 0;
    if own_directory && mode & 0o077 != 0 {
        found.push(warning(directory, mode, "700", "look into"));
    } else if !own_directory && mode & 0o022 != 0 && !sticky {
        found.push(warning(directory, mode, "go-w", "put files into"));
    }
    found
}

/// Other systems have no modes.
#[cfg(not(unix))]
pub fn warnings(_file: &Path, _own_directory: bool) -> Vec<String> {
    Vec::new()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn looser_modes_are_told_with_what_mends_them() {
        let home = tempfile::tempdir().unwrap_or_else(|error| unreachable!("{error}"));
        let file = home.path().join("config.toml");
        let set = |path: &Path, mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode));
        assert_eq!(warnings(&file, true).len(), 0, "there is no file");
        assert_eq!(warnings(Path::new("/dev/null"), false).len(), 0, "it is no file");
        let _ = std::fs::write(&file, "");
        for (of_file, of_directory, own, told) in [
            (0o600, 0o700, true, &[][..]),
            (0o400, 0o500, true, &[]),
            (0o640, 0o700, true, &["others may read /"]),
            (0o602, 0o700, true, &["others may read or change /"]),
            (0o600, 0o750, true, &["others may look into /"]),
            (0o644, 0o755, true, &["chmod 600 /", "chmod 700 /"]),
            (0o600, 0o755, false, &[]),
            (0o600, 0o775, false, &["chmod go-w /"]),
            (0o600, 0o1777, false, &[]),
        ] {
            assert!(set(home.path(), of_directory).and_then(|()| set(&file, of_file)).is_ok());
            let found = warnings(&file, own);
            let as_told = found.iter().zip(told).all(|(warning, part)| warning.contains(part));
            assert!(found.len() == told.len() && as_told, "{of_file:o} {of_directory:o}: {found:?}");
        }
        let _ = set(home.path(), 0o700);
    }
}
