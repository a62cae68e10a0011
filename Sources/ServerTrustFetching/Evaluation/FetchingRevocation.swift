// SPDX-License-Identifier: Apache-2.0

import ServerTrust

// Revocation data of certificates that are validated and open: what they point to is fetched, phase by phase, until they are
// answered for or nothing is left to try. What turns out to be no evidence is got rid of, or it would stand in the way of the true
// answer for as long as it says it holds.

extension FetchingEvaluation {
    mutating func findRevocation(_ trust: inout Trust, _ verdict: inout TrustVerdict) async {
        while true {
            var wanted: [TrustResource] = []
            var networkless: Set<TrustResource> = []
            for need in needs(trust, verdict) {
                let plan = plans[need.certificate] ?? RevocationPlan(need)
                plans[need.certificate] = plan
                for resource in plan.next(after: outcomes) where !wanted.contains(resource) {
                    wanted.append(resource)
                    if !plan.usesNetwork { networkless.insert(resource) }
                }
            }
            let room = remainingFetches
            let answers = await fetch(wanted, withoutNetwork: networkless)
            guard remainingFetches < room else { break }
            for (_, answer) in answers { trust.settings.revocationData.add(answer.contents) }
            guard !answers.isEmpty else { continue }
            verdict = evaluate(trust)
            await rejectUseless(answers, &trust, verdict)
        }
        noteFailures(&verdict)
    }

    /// Gets rid of what was no evidence for the certificates that it was fetched for. If it wasn't fetched just now, or if what
    /// it had taken the place of is back, that is asked for once more.
    private mutating func rejectUseless(
        _ answers: [(TrustResource, TrustResourceAnswer)], _ trust: inout Trust, _ verdict: TrustVerdict
    ) async {
        for (resource, answer) in answers {
            let asked = verdict.revocation.filter { finding in
                guard verdict.path.indices.contains(finding.certificate) else { return false }
                return plans[verdict.path[finding.certificate]]?.resources.contains(resource) ?? false
            }
            guard let obstacle = useless(answer, resource, asked, trust, verdict) else { continue }
            refusals[resource] = obstacle
            trust.settings.revocationData.remove(answer.contents)
            let isPutBack = await self.resources.reject(answer, for: resource, because: obstacle.name)
            if isPutBack || answer.source != .network { outcomes[resource] = nil }
        }
    }

    /// Why what was fetched is wrong for all the certificates that it was fetched for; nil if it isn't, or if they are answered for.
    private mutating func useless(
        _ answer: TrustResourceAnswer, _ resource: TrustResource, _ asked: [RevocationFinding], _ trust: Trust,
        _ verdict: TrustVerdict
    ) -> RevocationObstacle? {
        let open = asked.flatMap(\.obstacles)
        guard !open.isEmpty else { return nil }
        guard let alone = findings(answer, resource.kind, trust, verdict) else {
            return open.first { $0.disproves(resource.kind) }
        }
        var first: RevocationObstacle?
        for finding in asked {
            guard let own = alone.first(where: { $0.certificate == finding.certificate }) else { return nil }
            // Other evidence may say that whoever signed it must not be believed any more.
            let obstacles = own.status == .good ? finding.obstacles.filter { $0 == .signerRevoked } : own.obstacles
            guard let obstacle = obstacles.first(where: { $0.disproves(resource.kind) }) else { return nil }
            first = first ?? obstacle
        }
        return first
    }

    /// What an answer says by itself: the obstacles of all evidence lie in one heap, from which nobody can tell whose they are.
    /// - Returns: nil if it can't be told: for a delta CRL, which says nothing by itself, and if it was asked too often.
    private mutating func findings(
        _ answer: TrustResourceAnswer, _ kind: TrustResource.Kind, _ trust: Trust, _ verdict: TrustVerdict
    ) -> [RevocationFinding]? {
        var data = RevocationData()
        data.add(answer.contents)
        // The verdict's, which nothing but revocation stands against.
        guard remainingSeparateChecks > 0, !data.lists.contains(where: \.isDelta),
            let path = ValidatedPath(validatedBySystem: verdict.path)
        else { return nil }
        remainingSeparateChecks -= 1
        var rules = trust.settings.revocationRules
        (rules.usesOCSP, rules.usesCRLs, rules.scope) = (true, true, .path)
        return RevocationEvaluation(
            .bestEffort, staple: nil, data, rules,
            certificates: trust.presentedChain.others + trust.settings.intermediates,
            at: trust.settings.verifyDate.time, memory: trust.settings.signatureMemory
        ).findings(for: path)
    }

    /// Says of each certificate that is still open what stood in the way of fetching.
    private func noteFailures(_ verdict: inout TrustVerdict) {
        for index in verdict.revocation.indices {
            let finding = verdict.revocation[index]
            guard case .unobtainable(var obstacles) = finding.status,
                verdict.path.indices.contains(finding.certificate),
                let plan = plans[verdict.path[finding.certificate]]
            else { continue }
            for resource in plan.resources {
                if let refusal = refusals[resource], !obstacles.contains(refusal) { obstacles.append(refusal) }
                guard case .failure(let error) = outcomes[resource] else { continue }
                let obstacle = RevocationObstacle(name: error.reason.name)
                if !obstacles.contains(obstacle) { obstacles.append(obstacle) }
            }
            if obstacles.count > 1 { obstacles.removeAll { $0 == .noEvidence } }
            verdict.revocation[index].status = .unobtainable(obstacles)
        }
    }
}

extension RevocationFinding {
    fileprivate var obstacles: [RevocationObstacle] {
        if case .unobtainable(let obstacles) = status { obstacles } else { [] }
    }
}

extension RevocationObstacle {
    /// Whether it says that what was fetched is wrong in itself, and not just of another date or about another thing: then it
    /// would be wrong for everybody.
    fileprivate func disproves(_ kind: TrustResource.Kind) -> Bool {
        switch kind {
        case .issuer: false
        case .ocsp:
            [
                .noEvidence, .ocspUnknown, .ocspResponderNotAuthorized, .ocspSignatureInvalid, .ocspCriticalExtension,
                .signerRevoked,
            ].contains(self)
        case .crl:
            [
                .noEvidence, .crlSignerNotFound, .crlSignatureInvalid, .crlCriticalExtension, .crlNumberMalformed,
                .crlScopeMismatch, .signerRevoked,
            ].contains(self)
        }
    }
}

// MARK: - Fetched evidence

extension RevocationData {
    mutating func add(_ contents: ResourceContents?) {
        switch contents {
        case .issuers, nil: break
        case .ocsp(let response): if !responses.contains(response) { responses.append(response) }
        case .crl(let list):
            guard !lists.contains(list) else { return }
            lists.append(list)
            fetchedListBytes += list.size
        }
    }

    fileprivate mutating func remove(_ contents: ResourceContents?) {
        switch contents {
        case .issuers, nil: break
        case .ocsp(let response): responses.removeAll { $0 == response }
        case .crl(let list):
            let count = lists.count
            lists.removeAll { $0 == list }
            fetchedListBytes = max(0, fetchedListBytes - (count - lists.count) * list.size)
        }
    }
}
