// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension ForeignMessages {
    /// The messages of libraries that compare pins.
    static let pinning: [ForeignMessage] = [
        ForeignMessage(
            "TrustKit", ["SSL Pin not found for …"], [.pinNotMatched], source: "TrustKit: ssl_pin_verifier.m",
            note: "The chain is valid, but the app pins none of its keys. The preceding lines list the keys."),
        ForeignMessage(
            "TrustKit", ["TrustKit: Pin validation failed for …"], [.pinNotMatched, .unknownIssuer],
            source: "TrustKit: TSKPinningValidator.m (public reports)",
            note:
                "TrustKit prints this for pins that don't match and for invalid chains. The preceding line names the reason."
        ),
        ForeignMessage(
            "TrustKit",
            ["TrustKit was initialized with less than 2 pins", "Less than two pins were supplied for domain …"],
            [.pinNotMatched],
            source: "TrustKit: parse_configuration.m, TrustKit-Android: DomainPinningPolicy.java (public reports)",
            note:
                "TrustKit requires a backup pin for the domain, and made no connection. `servertrust explain pinSetWithoutBackup` says how to create one."
        ),
        ForeignMessage(
            "TrustKit", ["TrustKit was initialized with an invalid Pin"], [.pinNotMatched],
            source: "TrustKit: parse_configuration.m (public reports)",
            note:
                "A pin isn't base64 of 32 bytes, so TrustKit made no connection. `servertrust explain pinNotBase64` has more information."
        ),
        ForeignMessage(
            "TrustKit", ["Certificate validation failed for …"], [.pinNotMatched, .unknownIssuer],
            source: "TrustKit-Android: PinningTrustManager.java (public reports)"),
        alamofire(
            "No certificates were found or provided for evaluation", "noCertificatesFound", .certificateNotPinned,
            note:
                "Alamofire compared nothing, because the app's bundle has no DER certificate. A `.cer` file with PEM text doesn't count. See `servertrust explain evaluatorCertificatesMissing`."
        ),
        alamofire(
            "No public keys were found or provided for evaluation", "noPublicKeysFound", .pinNotMatched,
            note:
                "Alamofire compared nothing, because the app's bundle has no DER certificate. See `servertrust explain evaluatorKeysMissing`."
        ),
        alamofire(
            "A ServerTrustEvaluating value is required for host … but none was found", "noRequiredEvaluator",
            .hostNotListed),
        alamofire("Certificate pinning failed for host …", "certificatePinningFailed", .certificateNotPinned),
        alamofire("Public key pinning failed for host …", "publicKeyPinningFailed", .pinNotMatched),
        alamofire("Host validation failed for host …", "hostValidationFailed", .hostMismatch),
        alamofire(
            "Revocation check failed for host …", "revocationCheckFailed", .certificateRevoked,
            .revocationUnavailable),
        alamofire(
            "Default evaluation failed for host …", "defaultEvaluationFailed", .unknownIssuer, .untrustedRoot,
            .selfSignedLeaf, .certificateExpired),
        ForeignMessage(
            "Flutter",
            [
                "CONNECTION_NOT_SECURE", "Connection is not secure, Fingerprint doesn't match",
                "CertificateNotVerifiedException",
            ],
            [.certificateNotPinned, .unknownIssuer], source: "http_certificate_pinning (public reports)",
            note:
                "The package compares the fingerprint of the server's certificate, which changes with every renewal. It also prints this for every other failure of the connection."
        ),
        ForeignMessage(
            "OkHttp", ["Failed to find a trusted cert that signed …"], [.unknownIssuer, .untrustedRoot],
            source: "OkHttp: BasicCertificateChainCleaner.kt",
            note:
                "OkHttp builds the chain again to compare pins. The trust manager that the app passed to sslSocketFactory doesn't have the root."
        ),
    ]

    private static func alamofire(
        _ text: String, _ name: String, _ codes: TrustFailure.Code..., note: String? = nil
    ) -> ForeignMessage {
        ForeignMessage("Alamofire", [text, name], codes, source: "Alamofire 5: AFError.swift", note: note)
    }
}
