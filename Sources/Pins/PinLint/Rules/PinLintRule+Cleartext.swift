// SPDX-License-Identifier: Apache-2.0

// The rules for connections without TLS. Pins don't apply to these connections.

extension PinLintRule {
    /// The rules for connections without TLS.
    static let cleartext: [PinLintRule] = [cleartextBesidePins, cleartextByDefault, cleartextHost]

    static let cleartextBesidePins = PinLintRule(
        "cleartext/pinned-host", .warning, "connections without TLS are permitted to a pinned host",
        why: "Pins don't apply to a request to http://, so an attacker on the network can read and answer it.",
        fix: "forbid it for the host: cleartextTrafficPermitted=\"false\", or no NSExceptionAllowsInsecureHTTPLoads")

    static let cleartextByDefault = PinLintRule(
        "cleartext/by-default", .warning, "connections without TLS are permitted to all other hosts",
        why: "An attacker on the network can read and replace requests and responses over http://.",
        fix: "forbid it in base-config or App Transport Security, and permit it only for the hosts that need it")

    static let cleartextHost = PinLintRule(
        "cleartext/host", .note, "connections without TLS are permitted to a host",
        why: "An attacker on the network can read and replace its requests and responses over http://.",
        fix: "use https, unless the responses are signed, as CRLs and OCSP responses are")
}
