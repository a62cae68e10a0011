// SPDX-License-Identifier: Apache-2.0

extension FailureGuides {
    static let pins: [FailureGuide] = [pinNotMatched, pinsExpired, certificateNotPinned, authorityNotMatched]

    private static let compare =
        "First compare two networks: run `servertrust pins make HOST` over a mobile connection and over the connection that fails. A difference means interception."

    private static let pinNotMatched = FailureGuide(
        .pinNotMatched,
        meaning:
            "The path is valid, but this program pins none of its keys. Either an interceptor uses a trusted CA, or the server has a new key or CA that the pins don't include.",
        sign: "`servertrust check HOST --pins FILE` prints the found and expected keys. The path is otherwise trusted.",
        causes: [
            "The renewal created a new key, as ACME clients do by default, and the pin was for the leaf's key.",
            "The CA changed its intermediate, and the intermediate's key was the only pin.",
            "A company's proxy, a virus scanner or a debugging tool intercepts with a CA that the machine trusts.",
            "A year-old app connects to a server whose pins have been rotated twice since then.",
        ],
        serverRemedies: [
            compare,
            "Put the pinned key back into service until clients have the new pin: have a certificate issued for it (`certbot certonly --csr request.pem`).",
            "From then on, keep the key at renewal (`certbot renew --reuse-key`), and publish the pin of a backup key in advance.",
        ],
        customization: .change(
            "Renew pins with an app update or a signed list, and always include a backup key. Users can't agree to an exception for this failure.",
            .pinsWithBackup),
        never: [
            "Adding the key from the failing connection before you know that it is the server's.",
            "Falling back to an unpinned connection when no pin matches: this is what an interceptor wants.",
        ])

    private static let pinsExpired = FailureGuide(
        .pinsExpired,
        meaning:
            "The host's pins expired, and their configuration refuses the host after that date.",
        sign:
            "`servertrust pins lint FILE` reports the date. In the verdict, it is the expected value, and the verify date is the found one.",
        causes: [
            "The app hasn't been updated since its pins expired.",
            "The signed pin list is no longer renewed, or the client can't reach its address.",
            "The device's clock is ahead.",
        ],
        serverRemedies: [
            "Nothing is wrong on the server. Publish new pins, with an app update or a signed list with a later date.",
            "Lint pins in CI, so that you learn of the expiry in time: `servertrust pins lint FILE --format sarif`.",
        ],
        customization: .change("Give the host current pins and a backup key.", .pinsWithBackup),
        never: [
            "Setting the device's clock or the verify date back.",
            "Removing the date: old pins then lock users out forever.",
        ])

    private static let certificateNotPinned = FailureGuide(
        .certificateNotPinned,
        meaning:
            "The path is valid, but it contains none of the certificates that this program pins byte for byte.",
        sign:
            "The SHA-256 of each certificate (`openssl x509 -noout -fingerprint -sha256 -in cert.pem`) differs from the pinned ones.",
        causes: [
            "The server's certificate was renewed, as happens every 90 days and soon every 47, but the app pins the old one.",
            "Only one node has the new certificate.",
            "An interceptor uses a CA that the machine trusts.",
        ],
        serverRemedies: [
            compare,
            "While the pinned certificate is valid, put it back into service. Ship the next one to clients before the next renewal.",
            "Move clients to key pins, which survive renewals that keep the key.",
        ],
        customization: .change(
            "Pin both the current and the renewed certificate during the change, or pin a key instead of certificates.",
            .renewedCertificate),
        never: [
            "Pinning the certificate from the failing connection without checking it.",
            "Removing the pin for good: pin a key instead.",
        ])

    private static let authorityNotMatched = FailureGuide(
        .authorityNotMatched,
        meaning: "The path is valid, but it contains none of the CAs that this program requires for the host.",
        sign: "`servertrust check HOST` shows the path. Its issuers differ from the required ones.",
        causes: [
            "The server moved to another CA, or its hosting provider or CDN did.",
            "The CA issues from a new intermediate, but the program requires the old intermediate instead of the root.",
            "The ACME client fell back to its second CA.",
            "An interceptor uses a CA that the machine trusts.",
        ],
        serverRemedies: [
            compare,
            "Have the certificate issued by the required CA again until clients know the new one.",
            "Publish a CAA record, so that no other CA issues by accident. `dig +short HOST CAA` shows it.",
        ],
        customization: .change(
            "While the server moves, require one of two CAs: the current one and the next one.", .twoAuthorities),
        never: ["Requiring no CA at all for the host: announce the change to clients instead."])
}
