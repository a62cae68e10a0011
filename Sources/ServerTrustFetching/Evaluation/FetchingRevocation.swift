// SPDX-License-Identifier: Apache-2.0

import ServerTrust

// Revocation data for certificates that are validated and whose status is open: the resources that they point to are
// fetched, phase by phase, until their status is known or nothing is left to try. Answers that turn out to be no
// evidence are removed, or they would block the true answer for as long as they claim to be valid.

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

    /// Removes answers that were no evidence for the certificates that they were fetched for. If an answer came from
    /// memory or cache, or if the one that it had replaced is back, the resource is asked for once more.
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

    /// Returns the reason why a fetched answer is wrong for all certificates that it was fetched for; nil if it isn't,
    /// or if their status is known.
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
            // Other evidence may say that the signer's certificate is revoked.
            let obstacles = own.status == .good ? finding.obstacles.filter { $0 == .signerRevoked } : own.obstacles
            guard let obstacle = obstacles.first(where: { $0.disproves(resource.kind) }) else { return nil }
            first = first ?? obstacle
        }
        return first
    }

    /// Evaluates an answer apart from all other evidence: a finding has the obstacles of all evidence together, without
    /// their origin.
    /// - Returns: nil for a delta CRL, which is no evidence by itself, and after too many such evaluations.
    private mutating func findings(
        _ answer: TrustResourceAnswer, _ kind: TrustResource.Kind, _ trust: Trust, _ verdict: TrustVerdict
    ) -> [RevocationFinding]? {
        var data = RevocationData()
        data.add(answer.contents)
        // The path of a verdict against which nothing but revocation stands.
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

    /// Adds the failures of fetches to the findings of certificates whose status is still open.
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
    /// Returns whether this obstacle means that an answer is wrong in itself, for all certificates, and not just of
    /// another date or about another certificate.
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
