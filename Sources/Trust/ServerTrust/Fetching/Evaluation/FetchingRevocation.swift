// SPDX-License-Identifier: Apache-2.0

import PKIX

// Revocation data for validated certificates whose status is still open. The evaluation fetches the resources that they
// name, phase by phase, until it knows their status or nothing is left to try. It removes answers that contain no
// usable evidence, because they would block the true answer for as long as they claim to be valid.

extension FetchingEvaluation {
    mutating func findRevocation(_ trust: inout Trust, _ verdict: inout TrustVerdict) async {
        while true {
            var wanted: [TrustResource] = []
            var networkless: Set<TrustResource> = []
            for need in needs(trust, verdict) {
                for resource in next(for: need) where !wanted.contains(resource) {
                    wanted.append(resource)
                    if !need.usesNetwork { networkless.insert(resource) }
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

    /// Returns the resources to fetch next for a need, and adds the need to its certificate's plan.
    private mutating func next(for need: RevocationNeed) -> [TrustResource] {
        let latest = RevocationPlan(need)
        guard let known = plans.firstIndex(where: { $0.need.certificate == need.certificate }) else {
            plans.append(latest)
            return latest.next(after: outcomes)
        }
        plans[known].add(latest)
        return (need.isOpen ? plans[known] : latest).next(after: outcomes)
    }

    /// Removes answers that contain no evidence for the certificates they were fetched for. If an answer came from
    /// memory or cache, or if the answer that it had replaced is restored, the evaluation asks for the resource once
    /// more.
    private mutating func rejectUseless(
        _ answers: [(TrustResource, TrustResourceAnswer)], _ trust: inout Trust, _ verdict: TrustVerdict
    ) async {
        for (resource, answer) in answers {
            guard let obstacle = useless(answer, resource, trust, verdict) else { continue }
            refusals[resource] = obstacle
            trust.settings.revocationData.remove(answer.contents)
            let isPutBack = await self.resources.reject(answer, for: resource, because: obstacle.name)
            if isPutBack || answer.source != .network { outcomes[resource] = nil }
        }
    }

    /// Returns the reason why a fetched answer is wrong for all certificates that it was fetched for, or nil if it
    /// isn't or if their status is known.
    private mutating func useless(
        _ answer: TrustResourceAnswer, _ resource: TrustResource, _ trust: Trust, _ verdict: TrustVerdict
    ) -> RevocationObstacle? {
        var asked: [(path: [Certificate], finding: RevocationFinding)] = []
        for plan in plans where plan.resources.contains(resource) {
            if let finding = finding(for: plan, trust, verdict) { asked.append((plan.need.path, finding)) }
        }
        let open = asked.flatMap(\.finding.obstacles)
        guard !open.isEmpty else { return strangersDelta(answer, asked.map(\.finding)) }
        var first: RevocationObstacle?
        for (path, finding) in asked {
            guard let own = self.finding(by: answer, for: path, trust) else {
                return open.first { $0.disproves(resource.kind) }
            }
            // Other evidence may show that the signer's certificate is revoked.
            let obstacles = own.status == .good ? finding.obstacles.filter { $0 == .signerRevoked } : own.obstacles
            guard let obstacle = obstacles.first(where: { $0.disproves(resource.kind) }) else { return nil }
            first = first ?? obstacle
        }
        return first
    }

    /// Returns the obstacle of a delta CRL that no authorized key signed, for certificates whose status is good without
    /// it, or nil for other answers. If the delta were kept, the true one wouldn't be fetched for as long as the false
    /// one claims to be valid.
    private func strangersDelta(
        _ answer: TrustResourceAnswer, _ findings: [RevocationFinding]
    ) -> RevocationObstacle? {
        guard case .crl(let list) = answer.contents, list.isDelta, !list.isVerified, !findings.isEmpty,
            findings.allSatisfy({ $0.status == .good && $0.source == .crl })
        else { return nil }
        return .crlSignerNotFound
    }

    /// Returns the finding for a plan's certificate from all available evidence. Returns nil if there is no finding,
    /// and for signers after too many evaluations.
    private mutating func finding(
        for plan: RevocationPlan, _ trust: Trust, _ verdict: TrustVerdict
    ) -> RevocationFinding? {
        guard plan.need.isSigner else {
            return verdict.revocation.first { finding in
                verdict.path.indices.contains(finding.certificate)
                    && verdict.path[finding.certificate] == plan.need.certificate
            }
        }
        return finding(by: trust.settings.revocationData, for: plan.need.path, trust)
    }

    /// Evaluates an answer separately from all other evidence, because a finding combines the obstacles of all evidence
    /// without their origin.
    /// - Returns: the finding, or nil for a delta CRL, which is no evidence by itself, and after too many such
    ///   evaluations.
    private mutating func finding(
        by answer: TrustResourceAnswer, for path: [Certificate], _ trust: Trust
    ) -> RevocationFinding? {
        var data = RevocationData()
        data.add(answer.contents)
        guard !data.lists.contains(where: \.isDelta) else { return nil }
        return finding(by: data, for: path, trust)
    }

    /// Returns the finding for the first certificate of a path that has no other failures than revocation.
    private mutating func finding(
        by data: RevocationData, for certificates: [Certificate], _ trust: Trust
    ) -> RevocationFinding? {
        guard remainingSeparateChecks > 0, !certificates.isEmpty else { return nil }
        remainingSeparateChecks -= 1
        var policy = trust.settings.revocation
        (policy.mode, policy.sources, policy.scope) = (.bestEffort, .all, .leaf)
        return RevocationEvaluation(
            policy, staple: nil, data,
            certificates: trust.presentedChain.others + trust.settings.intermediates,
            at: trust.settings.verifyDate.time, memory: trust.settings.signatureMemory
        ).findings(onPathOf: certificates).first
    }

    /// Returns whether a plan belongs to a finding: it is for the finding's certificate, or for a signer of its
    /// evidence.
    private func concerns(_ plan: RevocationPlan, _ finding: RevocationFinding, _ verdict: TrustVerdict) -> Bool {
        plan.need.isSigner
            ? plan.need.index == finding.certificate : plan.need.certificate == verdict.path[finding.certificate]
    }

    /// Adds fetch failures to the findings of certificates whose status is still open.
    private func noteFailures(_ verdict: inout TrustVerdict) {
        for index in verdict.revocation.indices {
            let finding = verdict.revocation[index]
            guard case .unobtainable(var obstacles) = finding.status,
                verdict.path.indices.contains(finding.certificate)
            else { continue }
            for resource in plans.filter({ concerns($0, finding, verdict) }).flatMap(\.resources) {
                if let refusal = refusals[resource], !obstacles.contains(refusal) { obstacles.append(refusal) }
                guard case .failure(let error) = outcomes[resource] else { continue }
                let obstacle = RevocationObstacle(name: error.reportedName)
                let known = obstacles.firstIndex(of: obstacle)
                if known == nil { obstacles.append(obstacle) }
                let place = known ?? obstacles.count - 1
                obstacles[place] = obstacles[place].detailed(error.place)
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
    /// Returns whether this obstacle means that an answer is wrong in itself, for all certificates, and not just for
    /// another date or certificate.
    fileprivate func disproves(_ kind: TrustResource.Kind) -> Bool {
        switch kind {
        case .issuer: false
        case .ocsp:
            [
                .noEvidence, .ocspUnknown, .ocspResponderNotAuthorized, .ocspSignatureInvalid, .ocspCriticalExtension,
                .signerRevoked, .signatureWeak, .signatureUnsupported,
            ].contains(self)
        case .crl:
            [
                .noEvidence, .crlSignerNotFound, .crlSignatureInvalid, .crlCriticalExtension, .crlNumberMalformed,
                .crlScopeMismatch, .signerRevoked, .signatureUnsupported,
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
            fetchedLists.append(list)
        }
    }

    fileprivate mutating func remove(_ contents: ResourceContents?) {
        switch contents {
        case .issuers, nil: break
        case .ocsp(let response): responses.removeAll { $0 == response }
        case .crl(let list):
            lists.removeAll { $0 == list }
            fetchedLists.removeAll { $0 == list }
        }
    }
}
