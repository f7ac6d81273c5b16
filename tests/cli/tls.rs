//! TLS: which certificates are trusted, and how a rejected certificate is reported.

use crate::common::{Run, World};
use crate::tls_service::{Ca, Identity, TOKEN, TlsService, VALID};
use predicates::str::{contains, starts_with};
use snapbox::{assert_data_eq, str};

const SHOW: [&str; 3] = ["clients", "show", "c1"];
/// Runs a command with a file of certificates, and checks that the token is not printed.
fn run(world: &World, pem: Option<&str>, args: &[&str]) -> Run {
    let mut args = args.to_vec();
    if let Some(pem) = pem {
        std::fs::write(world.path("ca.pem"), pem).unwrap();
        args.extend(["--ca-cert", "ca.pem"]);
    }
    let run = world.run(&args);
    assert!(
        !format!("{}{}", run.stdout, run.stderr).contains(TOKEN),
        "{}",
        run.transcript()
    );
    run
}

/// Asserts that a command on this service fails with this error and sends nothing.
#[track_caller]
fn assert_refused(service: &TlsService, pem: Option<&str>, why: &str) {
    let run = run(&service.world(), pem, &SHOW);
    let error = format!(
        "error: could not connect to https://localhost:{}/api/v6: {why}",
        service.port
    );
    run.assert_stderr(8, starts_with(&error));
    assert_eq!(service.requests().len(), 0, "{}", run.transcript());
}

#[test]
fn a_self_signed_certificate_is_trusted_if_it_is_specified() {
    let identity = Identity::self_signed("localhost", VALID);
    let service = TlsService::start(&identity);
    let why = "its certificate is self-signed, or signed by a CA that this system does not trust (unknown issuer)\n\
               hint: trust the certificates of a private CA: sitectl clients list --ca-cert FILE\n";
    assert_refused(&service, None, why);
    let trusted = run(&service.world(), Some(&identity.pem), &SHOW);
    assert_eq!(
        (trusted.code, service.requests().len()),
        (0, 1),
        "{}",
        trusted.transcript()
    );
}

#[test]
fn a_certificate_of_a_ca_is_refused_with_advice() {
    let identity = Identity::self_signed_ca("localhost");
    let why = "its certificate is the certificate of a CA (CaUsedAsEndEntity)\n\
               hint: make the certificate of the server with -addext basicConstraints=CA:FALSE,";
    assert_refused(&TlsService::start(&identity), Some(&identity.pem), why);
}

#[test]
fn a_system_without_certificates_is_reported() {
    let service = TlsService::start(&Identity::self_signed("localhost", VALID));
    let world = service.world();
    let empty_directory = world.path("certs");
    std::fs::create_dir(&empty_directory).unwrap();
    let failed = world
        .with("SSL_CERT_DIR", empty_directory.to_str().unwrap())
        .run(&SHOW);
    assert_data_eq!(
        failed.transcript(),
        str![[r#"
[stderr]
error: could not set up HTTPS: unexpected error: No CA certificates were loaded from the system
hint: install the system's CA certificates (apt install ca-certificates), or specify a file: sitectl clients list --ca-cert FILE
exit 8

"#]]
    );
}

#[test]
fn a_private_ca_is_trusted_if_it_is_specified() {
    let (ours, theirs) = (Ca::new("same name"), Ca::new("same name"));
    let identity = ours.issue("localhost", VALID);
    let service = TlsService::start(&identity);
    assert_refused(
        &service,
        None,
        "its certificate is self-signed, or signed by a CA that this system does not trust",
    );
    assert_refused(
        &service,
        Some(&theirs.pem),
        "its certificate is self-signed, or signed by a CA that is not in --ca-cert ca.pem",
    );
    let both = format!("{}{}", theirs.pem, ours.pem);
    for pem in [both, ours.pem.replace('\n', "\r\n")] {
        let trusted = run(&service.world(), Some(&pem), &SHOW);
        assert_eq!(trusted.code, 0, "{}", trusted.transcript());
    }
    assert_eq!(service.requests().len(), 2);
}

#[test]
fn the_certificates_come_from_a_flag_the_profile_or_the_environment() {
    let identity = Identity::self_signed("localhost", VALID);
    let service = TlsService::start(&identity);
    let world = service.world().with("SSL_CERT_FILE", "right.pem");
    std::fs::write(world.path("right.pem"), &identity.pem).unwrap();
    std::fs::write(world.path("wrong.pem"), Ca::new("theirs").pem).unwrap();
    assert_eq!(run(&world, None, &SHOW).code, 0);
    assert_eq!(
        run(
            &world,
            None,
            &[&SHOW[..], &["--ca-cert", "wrong.pem"]].concat()
        )
        .code,
        8
    );
    let world = world.with("SSL_CERT_FILE", "wrong.pem");
    let refused = run(&world, None, &SHOW);
    refused.assert_stderr(8, contains("SSL_CERT_FILE wrong.pem"));
    assert_eq!(
        run(
            &world,
            None,
            &[&SHOW[..], &["--ca-cert", "right.pem"]].concat()
        )
        .code,
        0
    );

    let config = World::empty();
    std::fs::create_dir(config.path("settings")).unwrap();
    std::fs::write(config.path("settings/right.pem"), &identity.pem).unwrap();
    let profile = format!(
        "[profiles.p]\nbase_url = \"{}\"\ntoken = \"{TOKEN}\"\nca_cert = \"right.pem\"\n",
        service.base_url("localhost")
    );
    std::fs::write(config.path("settings/config.toml"), profile).unwrap();
    std::fs::write(config.path("wrong.pem"), Ca::new("theirs").pem).unwrap();
    // The variable must not replace a pinned certificate.
    let config = config
        .with("SITECTL_CONFIG", "settings/config.toml")
        .with("SITECTL_PROFILE", "p");
    let config = config.with("SSL_CERT_FILE", "wrong.pem");
    let shown = run(&config, None, &SHOW);
    assert_eq!(shown.code, 0, "{}", shown.transcript());
}

#[test]
fn an_unusable_certificate_file_is_reported_before_any_request() {
    let service = TlsService::start(&Identity::self_signed("localhost", VALID));
    let world = service.world().with("SSL_CERT_FILE", "no.pem");
    let missing = run(&world, None, &SHOW);
    assert!(
        missing.code == 2
            && missing
                .stderr
                .contains("SSL_CERT_FILE no.pem: could not read the file: ")
    );
    let broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    for (pem, why) in [
        (broken, "certificate 1 is invalid"),
        ("hello", "contains no certificate"),
    ] {
        let refused = run(&world, Some(pem), &SHOW);
        refused.assert_stderr(2, contains(why));
    }
    assert_eq!(service.connections(), 0);
}
