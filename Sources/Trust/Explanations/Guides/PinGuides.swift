// SPDX-License-Identifier: Apache-2.0

extension FailureGuides {
    static let pins: [FailureGuide] = [pinNotMatched, pinsExpired, certificateNotPinned, authorityNotMatched]

    private static let compare =
        "First compare two networks: run `servertrust pins make HOST` over a mobile connection and over the one that fails. A difference means interception."

    private static let pinNotMatched = FailureGuide(
        .pinNotMatched,
        meaning:
            "The path is valid, and none of its keys is pinned by this program: interception with a trusted CA, or a change of key or CA that the pins don't know.",
        sign: "`servertrust check HOST --pins FILE` prints found and expected keys; the path is otherwise trusted.",
        causes: [
            "The renewal made a new key: ACME clients do so by default, and the pin was the leaf's.",
            "The CA changed its intermediate, and that was the only pin.",
            "A company's proxy, a virus scanner or a debugging tool intercepts with a CA that the machine trusts.",
            "An app of last year meets a server whose pins were rotated twice since.",
        ],
        serverRemedies: [
            compare,
            "Put the pinned key back into service: have a certificate issued for it (`certbot certonly --csr request.pem`), until clients have the new pin.",
            "From then on keep the key at renewal (`certbot renew --reuse-key`), and publish a backup key's pin ahead.",
        ],
        customization: .change(
            "Pins are renewed by an update of the app or by a signed list, always with a key in reserve. There is no exception for a user to agree to.",
            .pinsWithBackup),
        never: [
            "Adding the key that the failing connection shows, before it is known to be the server's.",
            "Falling back to an unpinned connection when the pin misses: an interceptor wants nothing else.",
        ])

    private static let pinsExpired = FailureGuide(
        .pinsExpired,
        meaning:
            "The host's pins have an end date that has passed, and their configuration refuses the host from then on.",
        sign:
            "`servertrust pins lint FILE` reports the date; the verdict has it as expected and the verify date as found.",
        causes: [
            "The app wasn't updated since the date that its pins were made for.",
            "The signed list of pins isn't renewed any more, or the client can't reach its address.",
            "The device's clock runs ahead.",
        ],
        serverRemedies: [
            "Nothing is wrong on the server: publish new pins, by an app update or by a signed list with a later date.",
            "Lint pins in CI, so that you hear of the end in time: `servertrust pins lint FILE --format sarif`.",
        ],
        customization: .change("Give the host current pins with a key in reserve.", .pinsWithBackup),
        never: [
            "Setting the device's clock or the verify date back.",
            "Removing the date, so that old pins lock users out for ever.",
        ])

    private static let certificateNotPinned = FailureGuide(
        .certificateNotPinned,
        meaning:
            "The path is valid, and none of its certificates is one that this program pins, byte for byte.",
        sign:
            "The SHA-256 of each certificate (`openssl x509 -noout -fingerprint -sha256 -in cert.pem`) differs from the pinned ones.",
        causes: [
            "The server's certificate was renewed, as happens every 90 days and soon every 47, and the app has the old one.",
            "Only one node has the new certificate.",
            "The connection is intercepted with a CA that the machine trusts.",
        ],
        serverRemedies: [
            compare,
            "Put the pinned certificate back into service while it is valid, and ship the next one to clients before the next renewal.",
            "Move clients to pins of keys, which survive renewals that keep the key.",
        ],
        customization: .change(
            "Pin the current and the renewed certificate for the time of the change, or a key in place of certificates.",
            .renewedCertificate),
        never: [
            "Pinning the certificate that the failing connection shows, unseen.",
            "Dropping the pin for good: change its kind.",
        ])

    private static let authorityNotMatched = FailureGuide(
        .authorityNotMatched,
        meaning: "The path is valid, and goes through none of the CAs that this program requires for the host.",
        sign: "`servertrust check HOST` shows the path; its issuers are others than the required ones.",
        causes: [
            "The server moved to another CA, or its hoster or CDN did.",
            "The CA issues from a new intermediate, and the old intermediate is required in place of the root.",
            "The ACME client fell back to its second CA.",
            "The connection is intercepted with a CA that the machine trusts.",
        ],
        serverRemedies: [
            compare,
            "Have the certificate issued by the required CA again, until clients know the new one.",
            "Publish a CAA record, so that no other CA issues by accident: `dig +short HOST CAA`.",
        ],
        customization: .change(
            "Require one of two CAs while the server moves: the one in use and the next.", .twoAuthorities),
        never: ["Requiring no CA at all for the host, where an announced change would have done."])
}
