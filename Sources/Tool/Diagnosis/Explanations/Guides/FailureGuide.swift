// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The guide to a failure code: its meaning, its usual causes, and what to do on the server and in the client.
///
/// ```swift
/// for remedy in FailureGuide.of(failure.code)?.serverRemedies ?? [] { print(remedy) }
/// ```
/// The texts are for people and may change. They are plain text in full sentences without line breaks. Commands are in
/// backquotes, as in `nginx -s reload`. Escape the texts like any other text on a web page. Every code in
/// `TrustFailure.Code.all` has a guide.
package struct FailureGuide: Sendable, Hashable {
    /// The code.
    package let code: TrustFailure.Code

    /// The meaning of the code: one or two sentences.
    package let meaning: String

    /// The observation that identifies this code and no similar one: one to three sentences.
    package let sign: String

    /// The reasons why servers and clients get into this state, the most frequent first.
    package let causes: [String]

    /// The administrator's ways to fix the failure, the most frequent first. If the server isn't at
    /// fault, the first text says so and the others say what to fix instead.
    package let serverRemedies: [String]

    /// The narrowest change of the client's trust, for a server that you can't fix.
    package let customization: Customization

    /// Measures that silence the failure but also remove the protection.
    package let never: [String]

    /// The narrowest change of the client's trust, or the reason why no change helps.
    package enum Customization: Sendable, Hashable {
        /// A change: a sentence about its effect and its limits, and the code for it.
        case change(String, GuideSnippet)
        /// No change, with the reason.
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

    /// Returns the guide to a code of the library, or nil for codes of other evaluators.
    package static func of(_ code: TrustFailure.Code) -> FailureGuide? { FailureGuides.byName[code.name] }
}

/// The guides to all codes of the library.
enum FailureGuides {
    /// All guides, in the order of `TrustFailure.Code.all`.
    static let all: [FailureGuide] = TrustFailure.Code.all.compactMap { byName[$0.name] }

    static let byName = Dictionary(
        groups.joined().map { ($0.code.name, $0) }, uniquingKeysWith: { first, _ in first })

    /// The groups of guides, one for each file.
    static let groups: [[FailureGuide]] = [
        dates, names, search, signatures, keys, authorities, constraints, revocation, publication, pins, requirements,
        handshakes, system, budgets, strict,
    ]
}
