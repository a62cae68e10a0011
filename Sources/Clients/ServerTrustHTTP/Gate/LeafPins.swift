// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// Pins on leaves by host: rules that the leaf alone can decide, as it is all that an `HTTPClient` shows of a connection.
///
/// See `HTTPClient.Configuration.gate(by:)` for its limits.
public struct LeafPins: Sendable {
    private let pins: [Hostname: [SPKIPinSet]]

    /// - Parameter evaluators: exact hosts to evaluators: `SPKIPinsTrustEvaluator` with the scope `.leaf`, and
    ///   composites of those.
    /// - Throws: ``LeafPinsError`` with everything that the leaf alone can't decide.
    public init(_ evaluators: [String: any TrustEvaluator]) throws(LeafPinsError) {
        var pins: [Hostname: [SPKIPinSet]] = [:]
        var problems: [LeafPinsError.Problem] = []
        for (text, evaluator) in evaluators.sorted(by: { $0.key < $1.key }) {
            do throws(HostnameError) {
                let host = try Hostname.withoutZone(text)
                guard let sets = Self.leafPins(of: evaluator) else {
                    problems.append(.needsPath(text))
                    continue
                }
                if pins.updateValue(sets, forKey: host) != nil { problems.append(.duplicate(host)) }
            } catch {
                problems.append(.host(error))
            }
        }
        if evaluators.isEmpty { problems.append(.empty) }
        guard problems.isEmpty else { throw LeafPinsError(problems: problems) }
        self.pins = pins
    }

    /// nil if it asks for more than pins of the leaf.
    private static func leafPins(of evaluator: any TrustEvaluator) -> [SPKIPinSet]? {
        switch evaluator {
        case let evaluator as SPKIPinsTrustEvaluator: return evaluator.scope == .leaf ? [evaluator.pins] : nil
        case let composite as CompositeTrustEvaluator:
            var all: [SPKIPinSet] = []
            for member in composite.evaluators {
                guard let sets = leafPins(of: member) else { return nil }
                all += sets
            }
            return all
        default: return nil
        }
    }

    /// Checks a leaf that a TLS library has verified.
    /// - Throws: ``LeafRefusal`` unless it is valid for one of the hosts and has a pin of each of that host's sets.
    func check(_ leaf: Certificate) throws(LeafRefusal) {
        let named = pins.filter { leaf.names($0.key) }
        let pin = SPKIPin(leaf)
        guard !named.isEmpty else {
            throw LeafRefusal(
                TrustFailure(
                    .hostMismatch, certificate: 0, role: .leaf, expected: .list(pins.keys.map(\.description).sorted()),
                    found: .text(leaf.description)), leaf)
        }
        // Which of them the connection is for can't be seen; with the pins of any of them it is at least one of ours.
        if named.contains(where: { $0.value.allSatisfy { $0.contains(pin) } }) { return }
        throw LeafRefusal(
            .pinNotMatched(
                isOfLeaf: true,
                expected: named.values.flatMap { $0 }.flatMap { $0.pins + $0.backup }.map(\.description).sorted(),
                found: [pin.description]), leaf)
    }
}

/// The problems of the rules of a gate, all of them.
public struct LeafPinsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A problem of the rules.
    package enum Problem: Sendable, Hashable, CustomStringConvertible {
        /// No rule at all.
        case empty
        /// The text is no host. Patterns aren't hosts: which host a connection is for can't be seen.
        case host(HostnameError)
        /// The host comes twice, perhaps written differently.
        case duplicate(Hostname)
        /// The host's evaluator needs more than the leaf's key, which the gate can't show it.
        case needsPath(String)

        package var description: String {
            switch self {
            case .empty: "no host, expected at least one"
            case .host(let error): error.description
            case .duplicate(let host): "host \"\(host)\" comes twice, expected once"
            case .needsPath(let host):
                "the evaluator of \"\(host)\" needs the validated path, and a gate sees the leaf alone; expected SPKIPinsTrustEvaluator with the scope .leaf, or use TrustedHTTPClient"
            }
        }
    }

    /// Never empty.
    package let problems: [Problem]

    public var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// A server that a gate refused. There is no verdict: the path wasn't evaluated.
public struct LeafRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// The failure of the leaf.
    public let failure: TrustFailure
    /// nil if there was none: no TLS, or nothing that can be read.
    public let leaf: Certificate?

    init(_ failure: TrustFailure, _ leaf: Certificate? = nil) {
        self.failure = failure
        self.leaf = leaf
    }

    public var description: String { failure.message }
}
