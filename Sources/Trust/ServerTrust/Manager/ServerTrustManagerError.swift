// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The problems of a manager's rules.
public struct ServerTrustManagerError: TrustError, Hashable {
    /// A problem of one rule.
    public struct Problem: TrustError, Hashable {
        /// The code of a `HostPatternError`, `ErrorCode.hostPatternRepeated` or `ErrorCode.hostRuleAcceptsAnyServer`.
        public let code: ErrorCode
        /// The pattern. As passed by the caller if it is malformed, otherwise in its usual notation.
        public let pattern: String
        public let message: String

        static func pattern(_ error: HostPatternError) -> Problem {
            Problem(code: error.code, pattern: error.text, message: error.message)
        }

        package static func duplicate(_ pattern: HostPattern) -> Problem {
            Problem(
                code: .hostPatternRepeated, pattern: pattern.description,
                message: "host pattern \"\(pattern)\" occurs twice, expected once")
        }

        package static func disabledEvaluator(_ pattern: HostPattern) -> Problem {
            Problem(
                code: .hostRuleAcceptsAnyServer, pattern: pattern.description,
                message:
                    "the evaluator of \"\(pattern)\" accepts any certificate; expected one that checks, or the allowsDisabledEvaluators option"
            )
        }
    }

    /// The problems. There is at least one.
    public let problems: [Problem]

    /// The code of the first problem.
    public var code: ErrorCode { problems.first?.code ?? .hostPatternRepeated }

    /// One line per problem.
    public var message: String { problems.map(\.message).joined(separator: "\n") }

    package init(_ problems: [Problem]) { self.problems = problems }
}

extension ErrorCode {
    /// Two rules have the same host pattern, perhaps in different notations.
    package static let hostPatternRepeated = ErrorCode("hostPatternRepeated")
    /// A rule's evaluator accepts any server, but ``ServerTrustManager/InsecureOptions/allowsDisabledEvaluators`` isn't
    /// set.
    package static let hostRuleAcceptsAnyServer = ErrorCode("hostRuleAcceptsAnyServer")
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
