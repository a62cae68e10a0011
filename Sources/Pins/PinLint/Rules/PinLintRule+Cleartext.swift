// SPDX-License-Identifier: Apache-2.0

// The rules for connections without TLS, to which pins don't apply.

extension PinLintRule {
    /// The rules for connections without TLS.
    package static let cleartext: [PinLintRule] = [cleartextBesidePins, cleartextByDefault, cleartextHost]

    package static let cleartextBesidePins = PinLintRule(
        "cleartext/pinned-host", .warning, "connections without TLS are permitted to a pinned host",
        why: "A request to http:// meets no pin, so an attacker on the way reads and answers it.",
        fix: "forbid it for the host: cleartextTrafficPermitted=\"false\", or no NSExceptionAllowsInsecureHTTPLoads")

    package static let cleartextByDefault = PinLintRule(
        "cleartext/by-default", .warning, "connections without TLS are permitted to all other hosts",
        why: "Requests and responses over http:// can be read and replaced on the way.",
        fix: "forbid it in base-config or App Transport Security, and permit it for single hosts that need it")

    package static let cleartextHost = PinLintRule(
        "cleartext/host", .note, "connections without TLS are permitted to a host",
        why: "Requests to it and its responses over http:// can be read and replaced on the way.",
        fix: "use https, unless the responses are signed, as CRLs and OCSP responses are")
}
