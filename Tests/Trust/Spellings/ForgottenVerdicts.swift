// SPDX-License-Identifier: Apache-2.0

// Calls whose verdict is never read. The compiler warns for `evaluate`. `requireTrust` throws, so it needs no further
// check.

import ServerTrust

func forgotten(_ trust: Trust, _ manager: ServerTrustManager) throws {
    trust.evaluate()
    manager.evaluate(trust)
    DefaultTrustEvaluator().evaluate(trust)
    try trust.requireTrust()
    try manager.requireTrust(trust)
    try DefaultTrustEvaluator().requireTrust(trust)
    try trust.evaluate().requireTrust()
}

func forgotten(_ trust: Trust, _ manager: ServerTrustManager, fetching source: some EvidenceSource) async throws {
    await trust.evaluate(fetching: source)
    await manager.evaluate(trust, fetching: source)
    await DefaultTrustEvaluator().evaluate(trust, fetching: source)
    try await manager.requireTrust(trust, fetching: source)
    try await DefaultTrustEvaluator().requireTrust(trust, fetching: source)
}

func forgotten(_ configuration: ServerTrustConfiguration, _ chain: PresentedChain, _ host: Hostname) async {
    await configuration.evaluate(chain, host: host)
    configuration.denial(of: host)
}

func forgotten(_ source: VerdictSource, _ chain: PresentedChain, _ host: Hostname) async {
    await source.evaluate(chain, host: host)
}

func forgotten(_ source: some EvidenceSource, _ trust: Trust, _ steps: EvaluationSteps) async {
    await source.evaluate(trust, by: steps)
}

func withoutTry(_ trust: Trust, _ manager: ServerTrustManager) {
    trust.requireTrust()
    manager.requireTrust(trust)
    trust.evaluate().requireTrust()
}
