//! `sitectl sandbox` and `--sandbox`.

use crate::common::{Server, World};
use snapbox::{assert_data_eq, str};

#[test]
fn reset_restores_the_first_data_and_deletes_the_journal() {
    let world = World::sandbox();
    world.run("clients delete client-0001 client-0002 --yes");
    world.run("restore start site-0001 latest --full --yes");
    assert_data_eq!(
        world.run("sandbox reset").transcript(),
        str![[r#"
[stderr]
Reset the sandbox in HOME/.local/state/sitectl/sandbox/sandbox.db
exit 0

"#]]
    );
    assert_eq!(world.run("clients list -o ids").stdout.lines().count(), 60);
    assert_eq!(
        world
            .run("restore start site-0001 latest --full --yes")
            .code,
        0
    );
}

#[test]
fn serve_and_sandbox_share_a_database() {
    let world = World::empty();
    let server = Server::of(world.command("sandbox serve --listen 127.0.0.1:0"));
    world.run("--sandbox clients delete client-0001 --yes");
    let served = World::on(&server.base_url);
    assert_eq!(served.run("clients show client-0001").code, 4);
}
