//! Problems that only the service knows are printed with the flag, or the file, line and column, that they came from (spec,
//! "Detail codes for 422").

use crate::common::Server;

#[test]
fn a_422_is_reported_with_its_flag_or_place() {
    let server = Server::start("--max-clients 60");
    let world = server.world();
    let create = "create --first-name A --email EMAIL --site SITE";
    let update = "update client-0009 --email EMAIL --add-site SITE";
    let taken = "amara.okafor@okafor-interiors.example";
    let new = "a@example.com";
    let line = "clients.csv line 2";
    for (email, site, code, abouts) in [
        (
            "owner@example.com",
            "site-0040",
            "owner_email",
            ["--email", "--email", &format!("{line}, column email (")],
        ),
        (
            taken,
            "site-0040",
            "already_exists",
            ["--email", "--email", &format!("{line}, column email (")],
        ),
        (
            new,
            "site-9999",
            "invalid_id",
            [
                "--site",
                "--add-site",
                &format!("{line}, column site_ids ("),
            ],
        ),
        (
            new,
            "site-0001",
            "already_assigned",
            [
                "--site",
                "--add-site",
                &format!("{line}, column site_ids ("),
            ],
        ),
        (
            new,
            "site-0040",
            "max_quota",
            ["base", "", &format!("{line} (a@example.com)")],
        ),
    ] {
        let id = if code == "max_quota" {
            ""
        } else {
            "client-0009"
        };
        let rows = format!("id,first_name,email,site_ids\n{id},A,{email},{site}\n");
        std::fs::write(world.path("clients.csv"), rows).unwrap();
        for (command, about) in [create, update, "apply clients.csv --yes"]
            .iter()
            .zip(abouts)
        {
            let command = command.replace("EMAIL", email).replace("SITE", site);
            let is_about = |line: &str| {
                line.starts_with(&format!("  {about}")) && line.ends_with(&format!(" ({code})"))
            };
            if about.is_empty() {
                continue;
            }
            let run = world.run(format!("clients {command}"));
            assert!(
                run.code == 5 && run.stderr.lines().any(is_about),
                "{about} {code}: {}",
                run.transcript()
            );
        }
    }
}
