// SPDX-License-Identifier: Apache-2.0

import ServerTrustPins

extension PinLintRule {
    /// The rules for expected changes to a server whose certificates are known.
    static let forecasts: [PinLintRule] = [
        forecastSurvives, forecastRenewal, forecastIssuer, forecastRoot,
    ]

    static let forecastSurvives = PinLintRule(
        "forecast/survives", .note, "changes to the server's certificates that the pins survive",
        why: "After these changes, apps accept the server without an update.",
        fix: "nothing")

    static let forecastRenewal = PinLintRule(
        "forecast/renewal", .warning, "the next certificate breaks the pins unless its key is pinned",
        why: "Only the server's key matches the pins. A renewal with a new key locks every app out on that day.",
        fix: "renew with the same key, or ship the next key's pin first: servertrust pins make --with-backup")

    static let forecastIssuer = PinLintRule(
        "forecast/issuer", .warning, "the CA's next intermediate breaks the pins",
        why:
            "CAs alternate between several intermediates and replace them without notice. Any renewal can then lock every app out.",
        fix: "pin the root above the intermediates, or keep your own key in reserve")

    static let forecastRoot = PinLintRule(
        "forecast/root", .note, "the CA's next root breaks the pins",
        why: "Roots leave the stores about 15 years after their creation, and CAs move to the next root before that.",
        fix: "also pin the CA's next root, or keep your own key in reserve")
}
