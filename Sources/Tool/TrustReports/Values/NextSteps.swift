// SPDX-License-Identifier: Apache-2.0

import Explanations
import PKIX
import ServerTrust

/// The measures for a verdict, the first to try first.
struct NextSteps {
    let steps: [TrustReport.NextStep]

    /// The maximum number of measures in a report.
    private static let maximumCount = 32

    init(_ verdict: TrustVerdict, presented: PresentedChain) {
        var steps: [TrustReport.NextStep] = []
        // About this very chain, so they come before advice about the code.
        for advice in verdict.serverAdvice(presented: presented) {
            var code: String?
            if case .failure(let failed) = advice.subject { code = failed.name }
            steps.append(TrustReport.NextStep(.server, code: code, advice.text))
        }
        for code in TrustReport.Explanation.codes(of: verdict) {
            let name = code.name
            guard let guide = FailureGuide.of(code) else { continue }
            steps += guide.serverRemedies.map { TrustReport.NextStep(.server, code: name, $0) }
            switch guide.customization {
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
