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
