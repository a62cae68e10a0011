// SPDX-License-Identifier: Apache-2.0

import Explanations
import PKIX
import ServerTrust

extension TrustReport {
    /// A measure to take.
    public struct NextStep: Sendable, Hashable, Codable {
        /// The kinds of measures; raw values are stable.
        package enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
            /// A change on the server, or by its CA.
            case server
            /// A change at a peer that isn't a server: the owner of a client's certificate, or its CA.
            case peer
            /// A change here: of a file with certificates, of this machine's store of roots, of the program's rule.
            case here
            /// A narrow change of the client's settings, for a server that can't be mended.
            case client
            /// A measure that is wrong: it looks like a remedy and removes the protection.
            case never
        }

        /// The kind of measure.
        package let kind: Kind
        /// The code of the failure that it is for; nil for measures without one.
        public let code: String?
        /// The measure in a sentence or two; commands stand between backquotes.
        public let text: String
        /// Swift code for the measure; nil for none.
        package let snippet: String?

        /// Creates a measure; the text is cut after 2,048 characters.
        package init(_ kind: Kind, code: String? = nil, _ text: String, snippet: String? = nil) {
            self.kind = kind
            self.code = code
            self.text = ReportText.shown(text)
            self.snippet = snippet
        }
    }

    /// The meaning of a failure.
    package struct Explanation: Sendable, Hashable, Codable {
        /// The stable code.
        package let code: String
        /// The meaning in a sentence or two.
        package let meaning: String
        /// The observation that proves this failure; nil if there is no guide to the code.
        package let sign: String?
        /// The usual causes, the most frequent first.
        package let causes: [String]
    }
}

extension TrustReport.Explanation {
    /// The maximum number of codes that are explained.
    static let maximumCount = 3

    /// Returns the codes that are explained, each once, the most specific first.
    static func codes(of verdict: TrustVerdict) -> [TrustFailure.Code] {
        var codes: [TrustFailure.Code] = []
        for code in verdict.failures.map(\.code) where !codes.contains(code) && codes.count < maximumCount {
            codes.append(code)
        }
        return codes
    }

    static func all(for verdict: TrustVerdict) -> [TrustReport.Explanation] {
        codes(of: verdict).map { code in
            let guide = FailureGuide.of(code)
            return TrustReport.Explanation(
                code: ReportText.shown(code.name, to: 64),
                meaning: ReportText.shown(guide?.meaning ?? code.explanation),
                sign: guide?.sign, causes: guide?.causes ?? [])
        }
    }
}
