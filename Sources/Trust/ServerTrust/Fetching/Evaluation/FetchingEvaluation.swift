// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An evaluation that may fetch missing issuers and revocation data.
///
/// It evaluates, fetches, and evaluates again as if the caller had supplied the fetched data from the start. So fetched
/// data has no more effect than supplied data.
struct FetchingEvaluation {
    let resources: TrustFetchCoordinator
    private let steps: EvaluationSteps
    private let deadline: ContinuousClock.Instant
    /// The results of all fetches so far.
    var outcomes: RevocationPlan.Outcomes = [:]
    /// The plans, one for each certificate, in the order they were started.
    var plans: [RevocationPlan] = []
    /// Fetched answers that contain no usable evidence, with the reason.
    var refusals: [TrustResource: RevocationObstacle] = [:]
    /// The number of answers that may still be evaluated separately from all other evidence.
    var remainingSeparateChecks = 16
    /// The number of resources that may still be fetched.
    private(set) var remainingFetches: Int
    private var records: [TrustFetchRecord] = []
    private var cacheFailures: [TrustResourceCacheError] = []

    init(_ resources: TrustFetchCoordinator, _ steps: EvaluationSteps) {
        self.resources = resources
        self.steps = steps
        self.remainingFetches = resources.limits.maximumFetchesPerEvaluation
        self.deadline = .now.advanced(by: resources.limits.evaluationTimeout)
    }

    func evaluate(_ trust: Trust) -> TrustVerdict { steps.evaluate(trust) }

    func needs(_ trust: Trust, _ verdict: TrustVerdict) -> [RevocationNeed] { steps.needs(trust, verdict) }

    mutating func evaluateFetching(_ trust: Trust) async -> TrustVerdict {
        var trust = trust
        trust.isFetching = true
        var verdict = evaluate(trust)
        await findIssuers(&trust, &verdict)
        await findRevocation(&trust, &verdict)
        verdict.fetched = records
        verdict.warnings += cacheFailures.map { "the cache of fetched data can't be used: \($0)" }
        return verdict
    }

    /// Fetches issuers, one round per missing level, until there is a path or a round returns nothing new.
    private mutating func findIssuers(_ trust: inout Trust, _ verdict: inout TrustVerdict) async {
        let limits = resources.limits
        var known = Set(trust.presentedChain.certificates + trust.settings.intermediates)
        var room = limits.maximumFetchedIssuers
        for _ in 0..<limits.maximumIssuerRounds {
            let wanted = MissingIssuers.addresses(for: verdict).map { TrustResource(.issuer, url: $0) }
            let answers = await fetch(wanted)
            var found: [Certificate] = []
            for (_, answer) in answers {
                guard case .issuers(let certificates) = answer.contents else { continue }
                found += certificates.filter { known.insert($0).inserted }
            }
            found = Array(found.prefix(room))
            guard !found.isEmpty else { return }
            room -= found.count
            trust.settings.intermediates += found
            verdict = evaluate(trust)
        }
    }

    /// Fetches resources concurrently and within the limits. Skips resources that were fetched before.
    mutating func fetch(
        _ wanted: [TrustResource], withoutNetwork: Set<TrustResource> = []
    ) async -> [(TrustResource, TrustResourceAnswer)] {
        let next = wanted.filter { outcomes[$0] == nil }.prefix(remainingFetches)
        guard !next.isEmpty, !Task.isCancelled, .now < deadline else { return [] }
        remainingFetches -= next.count
        let results = await Self.results(of: Array(next), withoutNetwork, resources, deadline)
        var answers: [(TrustResource, TrustResourceAnswer)] = []
        for (resource, result) in results {
            outcomes[resource] = result
            records.append(TrustFetchRecord(resource, result))
            guard case .success(let answer) = result else { continue }
            answers.append((resource, answer))
            if let failure = answer.cacheFailure, !cacheFailures.contains(failure) { cacheFailures.append(failure) }
        }
        return answers
    }

    private typealias Outcome = TrustFetchCoordinator.Outcome

    /// Returns the outcomes in the order of the resources.
    private static func results(
        of wanted: [TrustResource], _ withoutNetwork: Set<TrustResource>, _ resources: TrustFetchCoordinator,
        _ deadline: ContinuousClock.Instant
    ) async -> [(TrustResource, Outcome)] {
        @Sendable func result(_ resource: TrustResource) async -> Outcome {
            await resources.outcome(for: resource, usingNetwork: !withoutNetwork.contains(resource), by: deadline)
        }
        // A single resource, the most frequent case, needs no task, which would cost more than the wait.
        if wanted.count == 1 {
            let outcome = await result(wanted[0])
            return [(wanted[0], outcome)]
        }
        return await withTaskGroup(of: (Int, Outcome).self) { group in
            for (index, resource) in wanted.enumerated() {
                group.addTask {
                    let outcome = await result(resource)
                    return (index, outcome)
                }
            }
            var outcomes: [(Int, Outcome)] = []
            for await outcome in group { outcomes.append(outcome) }
            return outcomes.sorted { $0.0 < $1.0 }.map { (wanted[$0.0], $0.1) }
        }
    }
}

extension TrustFetchCoordinator: EvidenceSource {
    public nonisolated func evaluate(_ trust: Trust, by steps: EvaluationSteps) async -> TrustVerdict {
        var evaluation = FetchingEvaluation(self, steps)
        return await evaluation.evaluateFetching(trust)
    }
}

extension TrustFetchRecord {
    fileprivate init(_ resource: TrustResource, _ result: Result<TrustResourceAnswer, TrustFetchError>) {
        switch result {
        case .success(let answer):
            self.init(resource.kind, url: resource.url, source: answer.source, failure: answer.refreshFailure)
        case .failure(let error): self.init(resource.kind, url: resource.url, source: nil, failure: error)
        }
    }
}
