// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension ForeignMessages {
    private static let anyName: [TrustFailure.Code] = [.hostMismatch, .subjectAlternativeNameMissing]
    private static let anyIssuer: [TrustFailure.Code] = [.unknownIssuer, .untrustedRoot, .selfSignedLeaf]

    private static func service(
        _ tool: String, _ forms: [String], _ codes: [TrustFailure.Code], note: String? = nil
    ) -> ForeignMessage {
        ForeignMessage(tool, forms, codes, source: "\(tool): strings of the program (public reports)", note: note)
    }

    /// The messages of servers, databases, VPNs and mail programs.
    static let services: [ForeignMessage] = [
        service(
            "OpenLDAP", ["TLS: peer cert untrusted or revoked (0x42)"], anyIssuer,
            note: "0x42 combines two GnuTLS flags: invalid (0x02) and unknown issuer (0x40)."),
        service("OpenLDAP", ["TLS: peer cert untrusted or revoked"], anyIssuer + [.certificateRevoked]),
        service(
            "OpenLDAP",
            [
                "TLS: hostname does not match CN in peer certificate",
                "TLS: hostname does not match name in peer certificate",
                "TLS: hostname does not match subjectAltName in peer certificate",
            ], anyName),
        service("OpenLDAP", ["TLS: unable to get CN from peer certificate"], [.subjectAlternativeNameMissing]),
        service(
            "Postfix", ["certificate verification failed for … untrusted issuer"], [.untrustedRoot, .unknownIssuer],
            note:
                "With smtp_tls_security_level = may, Postfix still delivers the mail. Name the roots in smtp_tls_CAfile or smtp_tls_CApath."
        ),
        service(
            "Postfix", ["Server certificate not trusted", "Untrusted TLS connection established to …"],
            [.untrustedRoot, .unknownIssuer, .selfSignedLeaf],
            note: "Without smtp_tls_CAfile or smtp_tls_CApath, Postfix has no roots and trusts no server."),
        service("Postfix", ["Server certificate not verified"], [.hostMismatch] + anyIssuer),
        service(
            "OpenVPN", ["VERIFY X509NAME ERROR"], [.attributeNotMatched, .hostMismatch],
            note:
                "verify-x509-name compares the subject or the common name, not the alternative names. The line contains both values."
        ),
        service("OpenVPN", ["VERIFY KU ERROR"], [.keyUsageNotForTLS]),
        service("OpenVPN", ["VERIFY EKU ERROR"], [.extendedKeyUsageNotAllowed]),
        service("OpenVPN", ["VERIFY nsCertType ERROR"], [.extendedKeyUsageNotAllowed]),
        service(
            "nginx", ["upstream SSL certificate does not match …"], anyName,
            note: "nginx compares the name in proxy_ssl_name. The default is the host of proxy_pass."),
        service(
            "HAProxy", ["Layer6 invalid response, info: SSL handshake failure", "Layer6 invalid response"],
            anyIssuer + [.hostMismatch, .presentedChainEmpty],
            note:
                "HAProxy's health check failed in the handshake, and HAProxy doesn't print why. Compare ca-file, verifyhost, and check-sni with the server's certificate."
        ),
        service(
            "Ansible", ["Failed to validate the SSL certificate for …"],
            anyIssuer + [.certificateExpired, .hostMismatch],
            note: "The reason comes last, after \"The exception msg was\". Pass it, too."),
        service("MongoDB", ["The server certificate does not match the host name"], anyName),
        service("Perl", ["hostname verification failed"], anyName),
        service("Mosquitto", ["host name verification failed"], anyName),
        service(
            "Mosquitto", ["A TLS error occurred"],
            anyIssuer + [.hostMismatch, .certificateExpired],
            note: "With -d, mosquitto_sub and mosquitto_pub print the reason in the lines before it."),
        service(
            "Erlang",
            [
                "Server authenticity is not verified since certificate path validation is not enabled",
                "Authenticity is not established by certificate path validation",
            ], [.systemAnchorsUnavailable],
            note:
                "This is a warning that the program verifies nothing. Give ssl the options {verify, verify_peer} and {cacerts, public_key:cacerts_get()}."
        ),
        service("Erlang", ["failed to load system certificates"], [.systemAnchorsUnavailable]),
        service("lftp", ["Not trusted: no issuer was found"], anyIssuer),
        service(
            "ACME", ["OCSP must-staple extension is no longer available"], [.stapleMissing, .tlsFeatureMissing],
            note:
                "The CA refused the order and issued no certificate. Remove must-staple from the request and from the ACME client's settings."
        ),
        bad("hostname_check_failed", .hostMismatch, .subjectAlternativeNameMissing),
        bad("invalid_ext_key_usage", .extendedKeyUsageNotAllowed),
        bad("invalid_key_usage", .keyUsageNotForTLS, .keyUsageLacksCertSign),
        bad("cert_expired", .certificateExpired, .certificateNotYetValid),
        bad("selfsigned_peer", .selfSignedLeaf),
        bad("unknown_ca", .unknownIssuer, .untrustedRoot),
        bad("invalid_issuer", .unknownIssuer),
        bad("invalid_signature", .signatureInvalid),
        bad("max_path_length_reached", .pathLengthExceeded, .maximumIntermediatesExceeded),
        bad("missing_basic_constraint", .basicConstraintsMissing, .notCertificateAuthority),
        bad("name_not_permitted", .nameNotPermitted, .nameExcluded),
        bad("unknown_critical_extension", .criticalExtensionUnhandled),
        bad("revoked", .certificateRevoked),
        bad("revocation_status_undetermined", .revocationUnavailable),
        zig("CertificateIssuerMismatch", .unknownIssuer),
        zig("CertificateIssuerNotFound", .unknownIssuer, .untrustedRoot, .selfSignedLeaf),
        zig("CertificateHostMismatch", .hostMismatch, .subjectAlternativeNameMissing),
        zig("CertificateSignatureInvalid", .signatureInvalid),
    ]

    /// A reason from Erlang/OTP, as RabbitMQ, EMQX and Elixir print it: `{bad_cert,hostname_check_failed}`.
    private static func bad(_ reason: String, _ codes: TrustFailure.Code...) -> ForeignMessage {
        ForeignMessage(
            "Erlang", ["bad_cert,\(reason)"], codes,
            source: "Erlang/OTP: public_key, ssl_handshake.erl (public reports)")
    }

    private static func zig(_ name: String, _ codes: TrustFailure.Code...) -> ForeignMessage {
        ForeignMessage("Zig", ["error.\(name)", name], codes, source: "Zig: std.crypto.Certificate (public reports)")
    }
}
