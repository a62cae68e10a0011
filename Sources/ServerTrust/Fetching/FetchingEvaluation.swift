// SPDX-License-Identifier: Apache-2.0

import PKIX

/// One evaluation that may fetch what is missing. It asks, fetches, and asks again with what came, as if the caller had had it
/// from the start; so nothing that is fetched can do more than what a caller supplies.
struct FetchingEvaluation {
    let resources: TrustResources
    let evaluate: @Sendable (Trust) -> TrustVerdict
    /// What could be fetched about revocation after a verdict.
    let needs: @Sendable (Trust, TrustVerdict) -> [RevocationNeed]
    private let deadline: ContinuousClock.Instant
    /// What was asked for, and what came of it.
    var outcomes: RevocationPlan.Outcomes = [:]
    var plans: [Certificate: RevocationPlan] = [:]
    /// What came and was no evidence, and why.
    var refusals: [TrustResource: RevocationObstacle] = [:]
    /// How many more answers are judged by themselves.
    var roomForJudgements = 16
    /// How much more may be asked for.
    private(set) var roomForFetches: Int
    private var records: [TrustFetchRecord] = []
    private var cacheFailures: [TrustResourceCacheError] = []

    init(
        _ resources: TrustResources, needs: @escaping @Sendable (Trust, TrustVerdict) -> [RevocationNeed],
        evaluate: @escaping @Sendable (Trust) -> TrustVerdict
    ) {
        self.resources = resources
        self.evaluate = evaluate
        self.needs = needs
        self.roomForFetches = resources.limits.maximumFetchesPerEvaluation
        self.deadline = .now.advanced(by: resources.limits.evaluationTimeout)
    }

    mutating func verdict(on trust: Trust) async -> TrustVerdict {
        var trust = trust
        var verdict = evaluate(trust)
        await findIssuers(&trust, &verdict)
        await findRevocation(&trust, &verdict)
        verdict.fetched = records
        verdict.warnings += cacheFailures.map { "cache of what was fetched is of no use: \($0)" }
        return verdict
    }

    /// Fetches issuers, a round for each level that is missing, until there is a path or nothing new comes.
    private mutating func findIssuers(_ trust: inout Trust, _ verdict: inout TrustVerdict) async {
        let limits = resources.limits
        var known = Set(trust.presentedChain.certificates + trust.intermediates)
        var room = limits.maximumFetchedIssuers
        for _ in 0..<limits.maximumIssuerRounds {
            let wanted = MissingIssuers.addresses(for: verdict).map { TrustResource(.issuer, url: $0) }
            let answers = await fetch(wanted)
            var found: [Certificate] = []
            for (_, answer) in answers {
                // The reader has read it before, so that this doesn't fail.
                let certificates = (try? CertificateCollection(der: answer.bytes).certificates) ?? []
                found += certificates.filter { known.insert($0).inserted }
            }
            found = Array(found.prefix(room))
            guard !found.isEmpty else { return }
            room -= found.count
            trust.intermediates += found
            verdict = evaluate(trust)
        }
    }

    /// What wasn't asked for before, at the same time, as far as the limits go.
    mutating func fetch(
        _ wanted: [TrustResource], withoutNetwork: Set<TrustResource> = []
    ) async -> [(TrustResource, TrustResourceAnswer)] {
        let next = wanted.filter { outcomes[$0] == nil }.prefix(roomForFetches)
        guard !next.isEmpty, !Task.isCancelled, .now < deadline else { return [] }
        roomForFetches -= next.count
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

    private typealias Outcome = Result<TrustResourceAnswer, TrustResourceError>

    /// In the order of the resources.
    private static func results(
        of wanted: [TrustResource], _ withoutNetwork: Set<TrustResource>, _ resources: TrustResources,
        _ deadline: ContinuousClock.Instant
    ) async -> [(TrustResource, Outcome)] {
        @Sendable func result(_ resource: TrustResource) async -> Outcome {
            do throws(TrustResourceError) {
                return .success(
                    try await resources.answer(
                        for: resource, usingNetwork: !withoutNetwork.contains(resource), by: deadline))
            } catch {
                return .failure(error)
            }
        }
        // Most often it is one, and a task of its own would cost more than all the rest of the waiting.
        if wanted.count == 1 { return [(wanted[0], await result(wanted[0]))] }
        return await withTaskGroup(of: (Int, Outcome).self) { group in
            for (index, resource) in wanted.enumerated() { group.addTask { (index, await result(resource)) } }
            var outcomes: [(Int, Outcome)] = []
            for await outcome in group { outcomes.append(outcome) }
            return outcomes.sorted { $0.0 < $1.0 }.map { (wanted[$0.0], $0.1) }
        }
    }
}

// MARK: - For callers

extension Trust {
    /// Evaluates, and gets what is missing over the network: issuers that the server forgot to send and, if ``revocation`` asks
    /// for it, what certificates say about where OCSP responders and CRLs are. Staples and ``revocationData`` go first.
    ///
    /// Without a need nothing is fetched. Ends within ``TrustResourceLimits/evaluationTimeout``, and soon after the task is cancelled; the
    /// verdict is then what it is without the rest. ``TrustVerdict/fetched`` tells what was asked for.
    public func evaluate(fetching resources: TrustResources) async -> TrustVerdict {
        var evaluation = FetchingEvaluation(
            resources, needs: { trust, verdict in trust.revocationNeeds(after: verdict) }, evaluate: { $0.evaluate() })
        return await evaluation.verdict(on: self)
    }
}

extension TrustEvaluator {
    /// Evaluates with this evaluator's demands, and gets what is missing over the network; see ``Trust/evaluate(fetching:)``.
    public func verdict(on trust: Trust, fetching resources: TrustResources) async -> TrustVerdict {
        var evaluation = FetchingEvaluation(
            resources, needs: { trust, verdict in revocationNeeds(of: trust, after: verdict) },
            evaluate: { verdict(on: $0) })
        return await evaluation.verdict(on: trust)
    }
}

extension ServerTrustManager {
    /// Evaluates by the rule for the host, gets what is missing over the network, and tells what happened, once; see
    /// ``Trust/evaluate(fetching:)``. For a host that is denied or not listed nothing is fetched.
    public func verdict(on trust: Trust, fetching resources: TrustResources) async -> TrustVerdict {
        var evaluation = FetchingEvaluation(
            resources, needs: { trust, verdict in self.revocationNeeds(of: trust, after: verdict) },
            evaluate: { self.silentVerdict(on: $0) })
        let verdict = await evaluation.verdict(on: trust)
        tell(verdict, on: trust)
        return verdict
    }

    /// The verdict, which says that the server is to be trusted.
    /// - Throws: ``TrustRefusal`` with the verdict otherwise.
    @discardableResult
    public func evaluate(_ trust: Trust, fetching resources: TrustResources) async throws(TrustRefusal) -> TrustVerdict
    {
        let verdict = await verdict(on: trust, fetching: resources)
        guard verdict.isTrusted else { throw TrustRefusal(verdict) }
        return verdict
    }
}
