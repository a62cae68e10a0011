// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The guide to a failure code: its meaning, its usual causes, and the measures on the server and in the client.
///
/// ```swift
/// for remedy in FailureGuide.of(failure.code)?.serverRemedies ?? [] { print(remedy) }
/// ```
/// Texts are for people and may change. They are plain text of whole sentences without line breaks; commands stand between backquotes, as in
/// `nginx -s reload`. A page has to escape them like any other text. Every code in `TrustFailure.Code.all` has a guide.
package struct FailureGuide: Sendable, Hashable {
    /// The code.
    package let code: TrustFailure.Code

    /// The meaning of the code: one or two sentences.
    package let meaning: String

    /// The observation that proves this code and no similar one: one sentence.
    package let sign: String

    /// The ways in which servers and clients get into this state, the most frequent first.
    package let causes: [String]

    /// The measures that end the failure, for the administrator of the server; where the server is in order, the sentence that says so, and
    /// the measure elsewhere. The most frequent first.
    package let serverRemedies: [String]

    /// The narrowest change of the client's trust, for a server that can't be mended.
    package let customization: Customization

    /// The measures that end the failure and the protection as well.
    package let never: [String]

    /// The narrowest change of the client's trust, or the reason why none may exist.
    package enum Customization: Sendable, Hashable {
        /// A change: a sentence about its effect and its limits, and its code.
        case change(String, GuideSnippet)
        /// No change: the reason.
        case none(because: String)
    }

    /// Creates a guide.
    package init(
        _ code: TrustFailure.Code, meaning: String, sign: String, causes: [String], serverRemedies: [String],
        customization: Customization, never: [String]
    ) {
        self.code = code
        self.meaning = meaning
        self.sign = sign
        self.causes = causes
        self.serverRemedies = serverRemedies
        self.customization = customization
        self.never = never
    }

    /// Returns the guide to a code of the library; nil for codes of other evaluators.
    package static func of(_ code: TrustFailure.Code) -> FailureGuide? { FailureGuides.byName[code.name] }
}

/// The guides to all codes of the library.
package enum FailureGuides {
    /// All guides, in the order of `TrustFailure.Code.all`.
    package static let all: [FailureGuide] = TrustFailure.Code.all.compactMap { byName[$0.name] }

    static let byName = Dictionary(
        groups.joined().map { ($0.code.name, $0) }, uniquingKeysWith: { first, _ in first })

    /// The groups of guides, one for each file.
    static let groups: [[FailureGuide]] = [
        dates, names, search, signatures, keys, authorities, constraints, revocation, publication, pins, requirements,
        handshakes, system, budgets, strict,
    ]
}
