// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The measures for a verdict, the first to try first.
struct NextSteps {
    let steps: [TrustReport.NextStep]

    /// The maximum number of measures in a report.
    private static let maximumCount = 24

    init(_ verdict: TrustVerdict, presented: PresentedChain) {
        var steps: [TrustReport.NextStep] = []
        for advice in verdict.serverAdvice(presented: presented) {
            var code: String?
            if case .failure(let failed) = advice.subject { code = failed.name }
            steps.append(TrustReport.NextStep(.server, code: code, advice.text))
        }
        if steps.isEmpty, let headline = verdict.headline {
            steps.append(TrustReport.NextStep(.server, code: headline.code.name, headline.code.explanation))
        }
        self.steps = Array(steps.prefix(Self.maximumCount))
    }
}
