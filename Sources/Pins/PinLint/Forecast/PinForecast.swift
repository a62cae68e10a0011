// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

/// The effect of the changes that are expected of a server's certificates on the pins of a rule.
///
/// For each change the certificates of the valid paths that meet the rule today are replaced from the server's upwards, and the pins are
/// compared with what is left and with what is known to follow: the certificates of the CA's other issuers. A change is survived if one
/// of the changed paths meets the rule. What isn't forecast: a change of the rule itself, its expiry, and a move to another CA, which
/// is the operator's decision.
///
/// ```swift
/// let forecast = PinForecast(
///     of: rule, host: host, paths: paths, successors: SuccessorIndex(certificates), at: .now())
/// let losses = forecast.events.filter { $0.outcome != .survives }
/// ```
package struct PinForecast: Sendable, Hashable {
    /// A change of a server's certificates. Each includes the ones before it; raw values are stable.
    package enum Change: String, Sendable, Hashable, CaseIterable {
        /// A new certificate for the server, from the same issuer.
        case renewal
        /// A new certificate from another issuer of the same CA.
        case nextIssuer
        /// A new certificate under another root of the same CA.
        case nextRoot
    }

    /// The effect of a change on clients with the pins, the mildest first.
    package enum Outcome: Sendable, Hashable {
        /// They accept the server, whatever its new key is.
        case survives
        /// They accept it if the server keeps its key, or takes one of these pinned ones.
        case keptKey(orReserve: [SPKIPin])
        /// They accept it if one of these pinned keys, none of which is known to be in use, is in the new path.
        case reserve([SPKIPin])
        /// They refuse it.
        case breaks

        /// The name in reports; stable.
        package var name: String {
            switch self {
            case .survives: "survives"
            case .keptKey: "ifKeyIsKept"
            case .reserve: "withReserve"
            case .breaks: "breaks"
            }
        }

        private var weight: Int {
            switch self {
            case .survives: 0
            case .keptKey: 1
            case .reserve: 2
            case .breaks: 3
            }
        }

        func isMilder(than other: Outcome) -> Bool { weight < other.weight }
    }

    /// An issuer or root that may follow, with the effect of a move to it.
    package struct Successor: Sendable, Hashable {
        /// The subject, or the name that the table of known CAs has.
        package let name: String
        package let key: SPKIPin
        package let outcome: Outcome
    }

    /// The time of a change.
    package struct Due: Sendable, Hashable {
        /// The earliest time; nil for any time from now on.
        package var from: Time?
        /// The latest time.
        package var until: Time
        /// Whether the CA suggested the times (RFC 9773); otherwise ``until`` is the end of a certificate.
        package var isSuggested = false
    }

    /// A key that a rule needs for a change.
    package struct Addition: Sendable, Hashable {
        /// The subject of the key's certificate.
        package let name: String
        package let key: SPKIPin
    }

    /// A change with its effect.
    package struct Event: Sendable, Hashable {
        package let change: Change
        /// The worst effect among the known successors; without any, that of one with unknown keys.
        package let outcome: Outcome
        /// The certificate that a move leaves; the server's for a renewal.
        package let replaced: String
        package let due: Due
        /// The known successors, the newest first.
        package let successors: [Successor]
        /// The effect of a successor that isn't known.
        package let outcomeOfUnknown: Outcome
        /// The keys with which the change is survived; empty if it is, or if only a key of the server's own helps.
        package let additions: [Addition]
    }

    /// The host.
    package let host: Hostname
    /// The changes in the order of ``Change``; empty if no path meets the rule today, or if the rule doesn't pin.
    package let events: [Event]
}
