//! `sitectl sandbox` and `--sandbox`.

use crate::support::{Server, World};
use snapbox::{assert_data_eq, str};

#[test]
fn several_commands_at_once_share_one_database() {
    let world = World::sandbox();
    let email = |number: i32| format!("parallel-{number}@example.com");
    let mut running: Vec<_> = (0..8)
        .map(|number| {
            world
                .command(&["clients", "create", "--first-name", "P", "--email", &email(number), "-q"])
                .stdout(std::process::Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    assert!(running.iter_mut().all(|child| child.wait().unwrap().success()));
    assert_eq!(world.run(&["clients", "list", "-o", "ids"]).stdout.lines().count(), 68);
}

#[test]
fn reset_puts_the_first_data_back_and_forgets_its_restores() {
    let world = World::sandbox();
    world.run(&["clients", "delete", "client-0001", "client-0002", "--yes"]);
    world.run(&["restore", "start", "site-0001", "latest", "--full", "--yes"]);
    assert_data_eq!(
        world.run(&["sandbox", "reset"]).transcript(),
        str![[r#"
[stderr]
the sandbox in HOME/.local/state/sitectl/sandbox/sandbox.db has its first data again
exit 0

"#]]
    );
    assert_eq!(world.run(&["clients", "list", "-o", "ids"]).stdout.lines().count(), 60);
    assert_eq!(world.run(&["restore", "start", "site-0001", "latest", "--full", "--yes"]).code, 0);
}

#[test]
fn serve_and_the_flag_share_the_database_in_the_state_directory() {
    let world = World::empty();
    let server = Server::of(world.command(&["sandbox", "serve", "--listen", "127.0.0.1:0"]));
    world.run(&["--sandbox", "clients", "delete", "client-0001", "--yes"]);
    let served = World::on(&server.base_url);
    assert_eq!(served.run(&["clients", "show", "client-0001"]).code, 4);
}

#[test]
fn a_port_that_is_taken_is_reported() {
    let server = Server::start(&[]);
    let address = server.base_url.trim_start_matches("http://").trim_end_matches("/api/v6");
    let run = World::empty().run(&["sandbox", "serve", "--listen", address, "--db", ":memory:"]);
    assert!(run.code == 1 && run.stderr.contains("Address already in use"), "{}", run.transcript());
}
