// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension ForeignMessages {
    /// The messages of libraries that compare pins.
    static let pinning: [ForeignMessage] = [
        ForeignMessage(
            "TrustKit", ["SSL Pin not found for …"], [.pinNotMatched], source: "TrustKit: ssl_pin_verifier.m",
            note: "The chain was valid, and none of its keys is pinned. The lines before it list the keys."),
        ForeignMessage(
            "TrustKit", ["TrustKit: Pin validation failed for …"], [.pinNotMatched, .unknownIssuer],
            source: "TrustKit: TSKPinningValidator.m (public reports)",
            note: "TrustKit writes it for missed pins and for chains that aren't valid; the line before says which."),
        ForeignMessage(
            "TrustKit",
            ["TrustKit was initialized with less than 2 pins", "Less than two pins were supplied for domain …"],
            [.pinNotMatched],
            source: "TrustKit: parse_configuration.m; TrustKit-Android: DomainPinningPolicy.java (public reports)",
            note:
                "No connection was made: TrustKit requires a backup pin for the domain. `servertrust explain pinSetWithoutBackup` says how to make one."
        ),
        ForeignMessage(
            "TrustKit", ["TrustKit was initialized with an invalid Pin"], [.pinNotMatched],
            source: "TrustKit: parse_configuration.m (public reports)",
            note:
                "No connection was made: a pin isn't the base64 of 32 bytes. `servertrust explain pinNotBase64` says more."
        ),
        ForeignMessage(
            "TrustKit", ["Certificate validation failed for …"], [.pinNotMatched, .unknownIssuer],
            source: "TrustKit-Android: PinningTrustManager.java (public reports)"),
        alamofire(
            "No certificates were found or provided for evaluation", "noCertificatesFound", .certificateNotPinned,
            note:
                "Nothing was compared: the app's bundle has no certificate in DER. A `.cer` file with PEM text doesn't count. `servertrust explain evaluatorCertificatesMissing` says more."
        ),
        alamofire(
            "No public keys were found or provided for evaluation", "noPublicKeysFound", .pinNotMatched,
            note:
                "Nothing was compared: the app's bundle has no certificate in DER. `servertrust explain evaluatorKeysMissing` says more."
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
                "The package compares the fingerprint of the server's certificate, which changes with every renewal. It reports every other failure of the connection in the same way."
        ),
        ForeignMessage(
            "OkHttp", ["Failed to find a trusted cert that signed …"], [.unknownIssuer, .untrustedRoot],
            source: "OkHttp: BasicCertificateChainCleaner.kt",
            note:
                "OkHttp builds the chain again to compare pins. The trust manager that the app passes to sslSocketFactory doesn't know the root."
        ),
    ]

    private static func alamofire(
        _ text: String, _ name: String, _ codes: TrustFailure.Code..., note: String? = nil
    ) -> ForeignMessage {
        ForeignMessage("Alamofire", [text, name], codes, source: "Alamofire 5: AFError.swift", note: note)
    }
}
