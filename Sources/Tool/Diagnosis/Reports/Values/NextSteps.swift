// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The next steps for a verdict, in the order to try them.
struct NextSteps {
    let steps: [TrustReport.NextStep]

    /// The maximum number of steps in a report.
    private static let maximumCount = 32

    init(_ verdict: TrustVerdict, presented: PresentedChain, places: CertificatePlaces = CertificatePlaces()) {
        var steps: [TrustReport.NextStep] = []
        let isServer = verdict.purpose == .serverAuth
        let all = verdict.advice(presented: presented, places: places)
        // These steps concern this particular chain, so they come before general advice about a code.
        for advice in all {
            var code: String?
            if case .failure(let failed) = advice.subject { code = failed.name }
            steps.append(TrustReport.NextStep(advice.party.kind(isServer: isServer), code: code, advice.text))
        }
        for code in TrustReport.Explanation.codes(of: verdict) {
            let name = code.name
            guard let guide = Guides.of(code) else { continue }
            let parties = all.filter { $0.subject == .failure(code) }.map(\.party)
            // The guide covers only servers. It doesn't apply to a client's certificate, to a file or to a store.
            if isServer, parties.isEmpty || parties.contains(where: { $0.kind(isServer: true) == .server }) {
                steps += guide.remedies.map { TrustReport.NextStep(.server, code: name, $0) }
            }
            switch guide.customization {
            case _ where !isServer: break
            case .change(let text, let snippet):
                steps.append(TrustReport.NextStep(.client, code: name, text, snippet: snippet.code))
            case .none(let reason):
                steps.append(TrustReport.NextStep(.client, code: name, reason))
            }
            steps += guide.never.map { TrustReport.NextStep(.never, code: name, $0) }
        }
        self.steps = Array(steps.prefix(Self.maximumCount))
    }
}

extension Advice.Party {
    /// Returns the kind of step that this party takes.
    fileprivate func kind(isServer: Bool) -> TrustReport.NextStep.Kind {
        switch self {
        case .server, .client, .peer, .authority: isServer ? .server : .peer
        case .user, .machine, .program: .here
        }
    }
}

extension TrustReport {
    /// A step that the reader can take.
    public struct NextStep: Sendable, Hashable, Codable {
        /// The kinds of steps. Raw values are stable.
        package enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
            /// A change on the server, or by its CA.
            case server
            /// A change at a peer that isn't a server: by the owner of a client certificate, or by its CA.
            case peer
            /// A local change: to a file with certificates, to this machine's root store, or to the program's rule.
            case here
            /// A narrow change to the client's settings, for a server that can't be fixed.
            case client
            /// A wrong step to avoid: it looks like a remedy, but removes the protection.
            case never
        }

        /// The kind of step.
        let kind: Kind
        /// The code of the failure that the step fixes, or nil for a step without a failure.
        public let code: String?
        /// The step in a sentence or two. Commands are in backquotes.
        public let text: String
        /// Swift code for the step, if any.
        let snippet: String?

        /// Creates a step. The text is cut after 2,048 characters.
        init(_ kind: Kind, code: String? = nil, _ text: String, snippet: String? = nil) {
            self.kind = kind
            self.code = code
            self.text = ReportText.shown(text)
            self.snippet = snippet
        }
    }

    /// The meaning of a failure whose code has a guide.
    struct Explanation: Sendable, Hashable, Codable {
        /// The stable code.
        package let code: String
        /// The meaning in a sentence or two.
        let meaning: String
        /// The observation that proves this failure.
        let sign: String
        /// The usual causes, the most frequent first.
        let causes: [String]
    }
}

extension TrustReport.Explanation {
    /// The maximum number of explained codes.
    static let maximumCount = 3

    /// Returns the codes to explain, each once, the most specific first.
    static func codes(of verdict: TrustVerdict) -> [TrustFailure.Code] {
        var codes: [TrustFailure.Code] = []
        for code in verdict.failures.map(\.code) where !codes.contains(code) && codes.count < maximumCount {
            codes.append(code)
        }
        return codes
    }

    static func all(for verdict: TrustVerdict) -> [TrustReport.Explanation] {
        codes(of: verdict).compactMap(Guides.of).map { guide in
            TrustReport.Explanation(code: guide.name, meaning: guide.meaning, sign: guide.sign, causes: guide.causes)
        }
    }
}
