//! TLS: which certificates are trusted. Unit tests check the precedence of the settings, and files without certificates.

use crate::tls_service::{Ca, TlsService};
use predicates::str::contains;

const SHOW: &str = "clients show c1 --retries 0";

#[test]
fn only_the_certificates_of_the_specified_file_are_trusted() {
    let (ours, theirs) = (Ca::new("same name"), Ca::new("same name"));
    let service = TlsService::start(&ours.issue("localhost"));
    let world = service.world();
    let both = format!("{}{}", theirs.pem, ours.pem);
    let windows = ours.pem.replace('\n', "\r\n");
    let unknown = "its certificate is self-signed, or signed by a CA that";
    for (pem, options, code, said) in [
        (
            "",
            "",
            8,
            "this system does not trust (unknown issuer)\nhint: trust the certificates of a private CA: sitectl clients list --ca-cert FILE\n",
        ),
        (
            &theirs.pem,
            "--ca-cert ca.pem",
            8,
            "is not in --ca-cert ca.pem",
        ),
        (&both, "--ca-cert ca.pem", 0, ""),
        (&windows, "--ca-cert ca.pem", 0, ""),
    ] {
        std::fs::write(world.path("ca.pem"), pem).unwrap();
        let run = world.run(format!("{SHOW} {options}"));
        let said = format!("{unknown} {said}");
        run.assert_stderr(code, contains(if code == 0 { "" } else { &said }));
    }
    let run = world.with("SSL_CERT_FILE", "gone.pem").run(SHOW);
    run.assert_stderr(
        2,
        contains("SSL_CERT_FILE gone.pem: could not read the file: "),
    );
    assert_eq!(service.requests().len(), 2);
}

#[test]
fn a_system_without_certificates_is_reported() {
    let service = TlsService::start(&Ca::new("ours").issue("localhost"));
    let world = service.world();
    std::fs::create_dir(world.path("certs")).unwrap();
    let certs = world.path("certs").display().to_string();
    let run = world.with("SSL_CERT_DIR", &certs).run(SHOW);
    run.assert_stderr(8, contains("(apt install ca-certificates)"));
}
