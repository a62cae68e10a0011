// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The problems of a manager's rules.
public struct ServerTrustManagerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A problem of the rules.
    package enum Problem: Sendable, Hashable, CustomStringConvertible {
        /// The text is no pattern.
        case pattern(HostPatternError)
        /// The pattern occurs twice, perhaps in different notations.
        case duplicate(HostPattern)
        /// The pattern's evaluator accepts any server, and ``ServerTrustManager/InsecureOptions/allowsDisabledEvaluators`` is not set.
        case disabledEvaluator(HostPattern)

        /// One line for people; its wording may change.
        package var description: String {
            switch self {
            case .pattern(let error): error.description
            case .duplicate(let pattern): "host pattern \"\(pattern)\" occurs twice, expected once"
            case .disabledEvaluator(let pattern):
                "the evaluator of \"\(pattern)\" accepts any certificate; expected one that checks, or the option allowsDisabledEvaluators"
            }
        }
    }

    /// The problems; at least one.
    package let problems: [Problem]

    /// One line for people for each problem; the wording may change.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}

extension ServerTrustManagerError {
    static func disabled(_ rules: [(HostPattern, HostRule)]) -> [Problem] {
        rules.filter { $0.1.evaluator?.containsDisabledEvaluator == true }.map { .disabledEvaluator($0.0) }
    }

    /// Returns a problem for each pattern that occurs more than once, in order.
    static func duplicates(_ rules: [(HostPattern, HostRule)]) -> [Problem] {
        var seen: [HostPattern: Int] = [:]
        return rules.compactMap { pattern, _ in
            seen[pattern, default: 0] += 1
            return seen[pattern] == 2 ? .duplicate(pattern) : nil
        }
    }
}
