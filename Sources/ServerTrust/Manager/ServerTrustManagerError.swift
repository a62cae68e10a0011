// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Why there is no manager: everything that is wrong with its rules.
public struct ServerTrustManagerError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Problem: Sendable, Hashable, CustomStringConvertible {
        /// The text is no pattern.
        case pattern(HostPatternError)
        /// The pattern comes twice, perhaps written differently.
        case duplicate(HostPattern)
        /// The pattern's evaluator accepts anything, and nobody said that it may.
        case disabledEvaluator(HostPattern)
        /// More than 4 GiB of names.
        case tooLarge

        public var description: String {
            switch self {
            case .pattern(let error): error.description
            case .duplicate(let pattern): "host pattern \"\(pattern)\" comes twice, expected once"
            case .disabledEvaluator(let pattern):
                "the evaluator of \"\(pattern)\" accepts any certificate; expected one that checks, or the option allowsDisabledEvaluators"
            case .tooLarge: "the host patterns have more than 4 GiB of names"
            }
        }
    }

    /// Never empty.
    public let problems: [Problem]

    public var description: String { problems.map(\.description).joined(separator: "\n") }
}

extension ServerTrustManagerError {
    static func disabled(_ rules: [(HostPattern, HostRule)]) -> [Problem] {
        rules.filter { $0.1.evaluator?.containsDisabledEvaluator == true }.map { .disabledEvaluator($0.0) }
    }

    /// Each pattern that comes more than once, in order.
    static func duplicates(_ rules: [(HostPattern, HostRule)]) -> [Problem] {
        var seen: [HostPattern: Int] = [:]
        return rules.compactMap { pattern, _ in
            seen[pattern, default: 0] += 1
            return seen[pattern] == 2 ? .duplicate(pattern) : nil
        }
    }
}
