// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension ForeignMessages {
    /// The errors of Go's certificate parser and signature checks. They end a handshake before Go builds a path.
    static let goParser: [ForeignMessage] = [
        parser(
            "x509: negative serial number", .strictSerialNumber, .certificateMalformed,
            note:
                "Go 1.23 and later refuse the certificate. RFC 5280 § 4.1.2.2 requires a positive number. A CA that uses random bytes must clear the first bit."
        ),
        parser(
            "x509: malformed …", .certificateMalformed, .strictEncoding,
            note: "The words after it name the field. `servertrust inspect FILE` shows the byte."),
        parser("x509: invalid …", .certificateMalformed, .strictEncoding),
        parser(
            "x509: invalid signature: parent certificate cannot sign this kind of certificate",
            .notCertificateAuthority,
            .keyUsageLacksCertSign),
        parser("x509: trailing data", .certificateMalformed),
        parser("x509: certificate contains duplicate extension", .certificateMalformed),
        parser("x509: SAN … is malformed", .certificateMalformed, .strictAlternativeName),
        parser("x509: cannot parse …", .certificateMalformed, .strictAlternativeName),
        parser(
            "x509: inner and outer signature algorithm identifiers don't match", .signatureAlgorithmMismatch),
        parser(
            "x509: IP constraint contained …", .nameConstraintUndecidable, .certificateMalformed,
            note:
                "In a CA's name constraints, an address range has 8 bytes for IPv4 and 32 for IPv6: the address and its mask. The certificate may also be an intermediate or a root."
        ),
        parser(
            "x509: failed to parse … constraint", .nameConstraintUndecidable, .strictNameConstraints),
        parser("x509: empty name constraints extension", .strictNameConstraints, .nameConstraintUndecidable),
        parser("x509: unsupported elliptic curve", .keyUsesUnsupportedCurve, .keyUsesExplicitCurve),
        parser("x509: RSA key missing NULL parameters", .keyMalformed, .certificateMalformed),
        parser("x509: RSA modulus is not a positive number", .keyMalformed),
        parser(
            "x509: cannot verify signature: insecure algorithm …", .signatureUsesSHA1, .signatureUsesMD5,
            note:
                "Go 1.18 and later refuse SHA-1. Go doesn't verify the root's own signature, so the root isn't the cause."
        ),
        parser(
            "x509: certificate signed by unknown authority (possibly because of … cannot verify signature: insecure algorithm … while trying to verify candidate authority certificate",
            .signatureUsesSHA1, .signatureUsesMD5),
        parser("x509: cannot verify signature: algorithm unimplemented", .signatureAlgorithmUnsupported),
        parser(
            "x509: a root or intermediate certificate is not authorized to sign in this domain", .nameNotPermitted,
            .nameExcluded, note: "Go 1.9 and earlier print this message."),
    ]

    private static func parser(_ text: String, _ codes: TrustFailure.Code..., note: String? = nil) -> ForeignMessage {
        ForeignMessage(
            "Go", [text], codes, source: "Go: crypto/x509/parser.go, x509.go (golang/go; public reports)", note: note)
    }
}
