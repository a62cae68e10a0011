// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

/// A forecast of whether a rule's pins survive the expected changes to a server's certificates.
///
/// For each change, the forecast takes the valid paths that match the rule today and replaces their certificates,
/// starting with the server's. It then compares the pins with the certificates that stay and with the known successors:
/// the certificates of the CA's other issuers. The pins survive a change if one of the changed paths matches the rule.
/// The forecast doesn't include changes to the rule itself, its expiry, or a move to another CA, which is the
/// operator's decision.
///
/// ```swift
/// let forecast = PinForecast(
///     of: rule, host: host, paths: paths, successors: SuccessorIndex(certificates), at: .now())
/// let losses = forecast.events.filter { $0.outcome != .survives }
/// ```
package struct PinForecast: Sendable, Hashable {
    /// A change to a server's certificates. Each change includes the changes before it. Raw values are stable.
    package enum Change: String, Sendable, Hashable, CaseIterable {
        /// A new certificate for the server, from the same issuer.
        case renewal
        /// A new certificate from another issuer of the same CA.
        case nextIssuer
        /// A new certificate under another root of the same CA.
        case nextRoot
    }

    /// The effect of a change on clients that have the pins, from the mildest to the worst.
    package enum Outcome: Sendable, Hashable {
        /// Clients accept the server, whatever its new key is.
        case survives
        /// Clients accept the server if it keeps its key or uses one of these pinned keys.
        case keptKey(orReserve: [SPKIPin])
        /// Clients accept the server if the new path contains one of these pinned keys. None of them is known to be in
        /// use.
        case reserve([SPKIPin])
        /// Clients refuse the server.
        case breaks

        /// The stable name in reports.
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
        /// The subject, or the name from the table of known CAs.
        package let name: String
        package let key: SPKIPin
        package let outcome: Outcome
    }

    /// The time of a change.
    package struct Due: Sendable, Hashable {
        /// The earliest time, or nil if the change can happen at any time from now on.
        package var from: Time?
        /// The latest time.
        package var until: Time
        /// Whether the CA suggested the times (RFC 9773). Otherwise ``until`` is the expiry of a certificate.
        package var isSuggested = false
    }

    /// A key that a rule needs to survive a change.
    package struct Addition: Sendable, Hashable {
        /// The subject of the key's certificate.
        package let name: String
        package let key: SPKIPin
    }

    /// A change with its effect.
    package struct Event: Sendable, Hashable {
        package let change: Change
        /// The worst effect among the known successors, or the effect of a successor with unknown keys if none is
        /// known.
        package let outcome: Outcome
        /// The certificate that a move replaces. For a renewal, it is the server's.
        package let replaced: String
        package let due: Due
        /// The known successors, newest first.
        package let successors: [Successor]
        /// The effect of an unknown successor.
        let outcomeOfUnknown: Outcome
        /// The keys that make the pins survive the change. Empty if they already survive it, or if only a key of the
        /// server would help.
        package let additions: [Addition]
    }

    /// The host.
    package let host: Hostname
    /// The changes in the order of ``Change``. Empty if no path matches the rule today, or if the rule doesn't pin.
    package let events: [Event]
}
