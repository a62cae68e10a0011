// SPDX-License-Identifier: Apache-2.0

import PinModel

extension PinLintRule {
    /// The rules for the changes that are ahead of a server whose certificates are known.
    package static let forecasts: [PinLintRule] = [
        forecastSurvives, forecastRenewal, forecastIssuer, forecastRoot,
    ]

    package static let forecastSurvives = PinLintRule(
        "forecast/survives", .note, "changes of the server's certificates that the pins survive",
        why: "Apps accept the server after these changes as they are.",
        fix: "nothing")

    package static let forecastRenewal = PinLintRule(
        "forecast/renewal", .warning, "the next certificate breaks the pins, unless its key is a pinned one",
        why: "The server's key alone meets the pins. A renewal with a new key locks every app out on that day.",
        fix: "renew with the same key, or ship the next key's pin first: servertrust pins make --with-backup")

    package static let forecastIssuer = PinLintRule(
        "forecast/issuer", .warning, "the CA's next intermediate breaks the pins",
        why:
            "CAs issue from several intermediates in turn and replace them without notice. A renewal is then enough to lock every app out.",
        fix: "pin the root above the intermediates, or keep your own key in reserve")

    package static let forecastRoot = PinLintRule(
        "forecast/root", .note, "the CA's next root breaks the pins",
        why: "Roots leave the stores some 15 years after they were made, and CAs move to the next one before.",
        fix: "also pin the CA's next root, or keep your own key in reserve")
}
