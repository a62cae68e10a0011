// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension ForeignMessages {
    /// The texts of QSslError. Qt programs such as ownCloud, KDE and Mumble show them.
    static let qt: [ForeignMessage] = [
        qt(
            "HostNameMismatch", "The host name did not match any of the valid hosts for this certificate", .hostMismatch
        ),
        qt("UnableToGetIssuerCertificate", "The issuer certificate could not be found", .unknownIssuer, .untrustedRoot),
        qt(
            "UnableToGetLocalIssuerCertificate",
            "The issuer certificate of a locally looked up certificate could not be found", .unknownIssuer,
            .untrustedRoot),
        qt("UnableToVerifyFirstCertificate", "No certificates could be verified", .unknownIssuer),
        qt("SelfSignedCertificate", "The certificate is self-signed, and untrusted", .selfSignedLeaf),
        qt(
            "SelfSignedCertificateInChain",
            "The root certificate of the certificate chain is self-signed, and untrusted", .untrustedRoot),
        qt("CertificateUntrusted", "The root CA certificate is not trusted for this purpose", .untrustedRoot),
        qt("CertificateRejected", "The root CA certificate is marked to reject the specified purpose", .untrustedRoot),
        qt("InvalidCaCertificate", "One of the CA certificates is invalid", .notCertificateAuthority),
        qt("PathLengthExceeded", "The basicConstraints path length parameter has been exceeded", .pathLengthExceeded),
        qt(
            "InvalidPurpose", "The supplied certificate is unsuitable for this purpose", .extendedKeyUsageNotAllowed,
            .keyUsageNotForTLS),
        qt("CertificateSignatureFailed", "The signature of the certificate is invalid", .signatureInvalid),
        qt("NoPeerCertificate", "The peer did not present any certificate", .presentedChainEmpty),
        qt("CertificateBlacklisted", "The peer certificate is blacklisted", .certificateDenied),
    ]

    private static func qt(_ name: String, _ text: String, _ codes: TrustFailure.Code...) -> ForeignMessage {
        ForeignMessage("Qt", [text, "QSslError::\(name)"], codes, source: "Qt: qsslerror.cpp (public reports)")
    }
}
