// SPDX-License-Identifier: Apache-2.0

import PKIX

/// One evaluation of a trust object: the engine's search, what the evaluator asks of a path, and the exceptions.
struct Evaluation {
    let trust: Trust
    /// Asked about every path on which all else is right.
    let evaluator: (any TrustEvaluator)?
    let time: Time
    /// nil if it isn't asked whether certificates were withdrawn.
    let inquiry: RevocationEvaluation?

    init(trust: Trust, evaluator: (any TrustEvaluator)?) {
        self.time = trust.settings.verifyDate.time
        // Whoever looks at the date again sees the same one.
        var trust = trust
        trust.settings.verifyDate = .at(time)
        self.trust = trust
        self.evaluator = evaluator
        self.inquiry = trust.revocationInquiry(at: time)
    }

    /// The ways to a verdict.
    private enum Route {
        /// No leaf was presented that can be read.
        case withoutLeaf
        /// An evaluator pins the leaf, and exempts it from checks of the engine.
        case pinnedLeaf(Certificate)
        /// The operating system evaluates.
        case system(any SystemEvaluator, Certificate)
        /// The package's engine evaluates.
        case engine(Certificate)
    }

    private var route: Route {
        guard let leaf = trust.presentedChain.leaf else { return .withoutLeaf }
        if trust.exemption != .none { return .pinnedLeaf(leaf) }
        return trust.systemInPlaceOfEngine.map { .system($0, leaf) } ?? .engine(leaf)
    }

    func verdict() -> TrustVerdict {
        let verdict =
            switch route {
            case .withoutLeaf: withoutLeaf()
            case .pinnedLeaf(let leaf): verdict(onPinned: leaf)
            case .system(let system, let leaf): verdict(on: leaf, by: system)
            case .engine(let leaf): verdict(byEngineOn: leaf)
            }
        return evaluator?.isDisabledEvaluator == true ? acceptingAnyServer(verdict) : verdict
    }

    private func verdict(byEngineOn leaf: Certificate) -> TrustVerdict {
        let store: AnchorStore
        do throws(SystemAnchorsError) { store = try trust.settings.anchors.store() } catch {
            return rejected(
                [TrustFailure(.systemAnchorsUnavailable, found: .text(error.description))], path: [leaf])
        }
        var checks = AdditionalChecks()
        let validation = validate(leaf, anchors: store, &checks)
        switch validation {
        case .valid(let path): return trusted(path, excused: path.excused + checks.excused, pin: checks.matchedPin)
        case .rejected(let rejection):
            return trustedByException(leaf, rejection) ?? rejected(rejection.revocationFirst)
        }
    }

    func validate(
        _ leaf: Certificate, anchors: AnchorStore, standsIn: Bool = false, _ checks: inout AdditionalChecks
    ) -> PathValidation {
        let excuses = excuses
        let exceptions = exceptions
        var last = AdditionalChecks()
        let validator = PathValidator(
            anchors: anchors, policy: trust.settings.policy, memory: trust.settings.signatureMemory)
        let hasDemands =
            evaluator != nil || inquiry != nil || standsIn || (leaf.requiresStaple && trust.settings.staple != .unknown)
        let validation = withoutActuallyEscaping(demands) { demands in
            validator.validate(
                leaf, presented: trust.presentedChain.others, intermediates: trust.settings.intermediates,
                host: trust.referenceName, at: time, insecurelyExcepting: excuses,
                additionalChecks: hasDemands
                    ? { path in
                        // An exemption is from what the engine checks; what is asked for beyond it can be agreed to alone.
                        let outcome = demands(path)
                        let found = outcome.failures + (standsIn ? demandsOnStandIn(leaf) : [])
                        let agreed = found.filter { failure in
                            exceptions?.covers(failure, of: path.certificates.certificate(of: failure)) == true
                        }
                        last = AdditionalChecks(excused: agreed, matchedPin: outcome.matchedPin)
                        return agreed.isEmpty ? found : found.filter { !agreed.contains($0) }
                    } : nil)
        }
        checks = last
        return validation
    }

    /// What is asked of a path beyond the engine's checks.
    func demands(_ path: ValidatedPath) -> EvaluatorOutcome {
        var outcome = evaluatorOutcome(of: path)
        if let inquiry { outcome.failures += inquiry.failures(of: path) }
        if let failure = stapleFailure(of: path) { outcome.failures.append(failure) }
        return outcome
    }

    /// The additional checks of the path that was accepted.
    struct AdditionalChecks {
        /// The failures that exceptions cover.
        var excused: [TrustFailure] = []
        var matchedPin: MatchedPin?
    }

    /// Refusals of a leaf that stands in for its own anchor, because a user agreed to that or a rule pins it: without a CA nothing
    /// can vouch for it, so what needs a CA's word is refused.
    private func demandsOnStandIn(_ leaf: Certificate) -> [TrustFailure] {
        var failures: [TrustFailure] = []
        if trust.settings.revocation == .required {
            failures.append(
                TrustFailure(
                    .revocationUnavailable, certificate: 0, role: .leaf,
                    found: .list([RevocationObstacle.noEvidence.name])))
        }
        if let failure = stapleFailure(ofStandIn: leaf) { failures.append(failure) }
        return failures
    }

    /// The evaluator's check of a path; without an evaluator every path is accepted.
    func evaluatorOutcome(of path: ValidatedPath) -> EvaluatorOutcome {
        evaluator?.outcome(of: path, for: trust) ?? EvaluatorOutcome()
    }
}

// MARK: - Exceptions

extension Evaluation {
    /// The exceptions that hold for this host, leaf and date.
    var exceptions: TrustExceptions? { trust.applicableExceptions }

    /// What the engine may let pass; nil for nothing.
    private var excuses: PathValidator.FailureException? {
        let exceptions = exceptions
        let exemption = trust.exemption
        guard exceptions != nil || exemption != .none else { return nil }
        return { failure, certificate in
            exemption.covers(failure) || exceptions?.covers(failure, of: certificate) == true
        }
    }

    /// A leaf without a path to an anchor whose failures were all agreed to: by that the leaf itself is what is trusted, so it is
    /// evaluated again as its own anchor, with everything else that is asked of it.
    private func trustedByException(_ leaf: Certificate, _ rejection: PathRejection) -> TrustVerdict? {
        // A leaf that is its own anchor has no policies to process.
        guard let exceptions, !trust.settings.policy.certificatePolicies.requireExplicit else { return nil }
        let agreed = rejection.paths.first { path in
            !path.reachesAnchor
                && path.failures.allSatisfy { failure in
                    failure.code.severity == .recoverable
                        && exceptions.covers(failure, of: path.certificates.certificate(of: failure))
                }
        }
        guard let agreed else { return nil }
        var verdict = verdict(onAnchor: leaf, agreed: agreed)
        if !verdict.isTrusted { verdict.rejectedPaths += rejection.paths.filter { $0 != agreed } }
        return verdict
    }

    /// The leaf as its own anchor, in the place of a path on which everything that is wrong may be overlooked. If it is refused
    /// all the same, what was to be overlooked is told as well: it is still wrong.
    func verdict(onAnchor leaf: Certificate, agreed: RejectedPath) -> TrustVerdict {
        // The path that this leaf stands in for isn't validated, so no evaluator is asked about it; a denied key is looked for all the
        // same, there and in what was presented.
        let denied = deniedKeyFailures(in: agreed)
        guard denied.isEmpty else {
            return rejected(
                (denied + agreed.failures).sorted(by: TrustFailure.comesFirst), path: agreed.certificates)
        }
        var checks = AdditionalChecks()
        let path: ValidatedPath
        switch validate(leaf, anchors: .only([leaf]), standsIn: true, &checks) {
        case .valid(let valid): path = valid
        case .rejected(let rejection):
            let further = rejection.failures.filter { !agreed.failures.contains($0) }
            let failures = (further + agreed.failures).sorted(by: TrustFailure.comesFirst)
            return rejected(failures, path: agreed.certificates)
        }
        // Of the certificates that were agreed to the leaf alone is in the path.
        let failures = agreed.failures.map { failure in
            guard let index = failure.certificate, index > 0 else { return failure }
            return TrustFailure(failure.code, expected: failure.expected, found: failure.found)
        }
        var verdict = trusted(
            path, excused: failures + checks.excused.filter { !failures.contains($0) }, pin: checks.matchedPin)
        if trust.exemption == .none {
            // When another of them runs out, something is wrong that nobody has agreed to.
            let expired = Set(agreed.failures.filter { $0.code == .certificateExpired }.compactMap(\.certificate))
            let ends = agreed.certificates.indices.filter { !expired.contains($0) }
                .map { agreed.certificates[$0].notAfter }
            verdict.validUntil = (ends + [verdict.validUntil].compactMap { $0 }).min()
        }
        verdict.checked.removeAll { $0 == .path }
        verdict.notChecked.insert(.path, at: 0)
        return verdict
    }
}

// MARK: - Verdicts

extension Evaluation {
    private func blank(_ result: TrustResultType) -> TrustVerdict {
        let identity = trust.referenceName == nil ? TrustCheck.identity : nil
        let purpose = trust.settings.policy.purpose == .any ? TrustCheck.purpose : nil
        var checked: [TrustCheck] = [.path]
        if identity == nil { checked.append(.identity) }
        if purpose == nil { checked.append(.purpose) }
        checked += evaluator?.checks ?? []
        var notChecked: [TrustCheck] = []
        if let identity { notChecked.append(identity) }
        if let purpose { notChecked.append(purpose) }
        notChecked += [.revocation, .certificateTransparency]
        return TrustVerdict(
            result: result, host: trust.host, referenceName: trust.referenceName,
            profile: trust.settings.policy.profile,
            purpose: trust.settings.policy.purpose, isStrict: trust.settings.policy.isStrict, evaluationDate: time,
            path: [],
            reachesAnchor: false, failures: [], rejectedPaths: [], checked: checked, notChecked: notChecked,
            warnings: warnings())
    }

    func trusted(_ path: ValidatedPath, excused: [TrustFailure], pin: MatchedPin?) -> TrustVerdict {
        var verdict = blank(excused.isEmpty ? .unspecified : .proceed)
        verdict.path = path.certificates
        verdict.reachesAnchor = true
        verdict.excused = excused
        if excused.isEmpty {
            verdict.validFrom = path.validFrom
            verdict.validUntil = path.validUntil
        } else {
            verdict.validFrom = Self.lastBeginning(of: path, excused: excused, exceptions)
            verdict.validUntil = Self.firstEnd(of: path, excused: excused, exceptions)
        }
        verdict.matchedPin = pin
        for window in [stapleWindow(of: path), inquiry?.window ?? (from: nil, until: nil)] {
            if let from = window.from { verdict.validFrom = max(verdict.validFrom ?? from, from) }
            if let until = window.until { verdict.validUntil = min(verdict.validUntil ?? until, until) }
        }
        return noting(verdict)
    }

    /// The verdict with what was found out about revocation for its path.
    func noting(_ given: TrustVerdict) -> TrustVerdict {
        var verdict = given
        if leavesStapleUnchecked(verdict.path) {
            verdict.notChecked.append(.staple)
        } else if verdict.isTrusted, verdict.path.count > 1, verdict.path[0].requiresStaple {
            verdict.checked.append(.staple)
        }
        guard let inquiry else { return verdict }
        verdict.revocation = inquiry.knownFindings(for: verdict.path)
        if verdict.revocation.isComplete {
            verdict.notChecked.removeAll { $0 == .revocation }
            if !verdict.checked.contains(.revocation) { verdict.checked.append(.revocation) }
        }
        return verdict
    }

    /// What was excused for its date doesn't bound the verdict; an exception that runs out does.
    private static func firstEnd(
        of path: ValidatedPath, excused: [TrustFailure], _ exceptions: TrustExceptions?
    ) -> Time? {
        let expired = Set(excused.filter { $0.code == .certificateExpired }.compactMap(\.certificate))
        let ends = path.certificates.indices.filter { !expired.contains($0) }.map { path.certificates[$0].notAfter }
        return (ends + [exceptions?.expires].compactMap { $0 }).min()
    }

    private static func lastBeginning(
        of path: ValidatedPath, excused: [TrustFailure], _ exceptions: TrustExceptions?
    ) -> Time? {
        let young = Set(excused.filter { $0.code == .certificateNotYetValid }.compactMap(\.certificate))
        let expired = excused.filter { $0.code == .certificateExpired }.compactMap { failure in
            path.certificates.certificate(of: failure)?.notAfter.advanced(by: 1)
        }
        let beginnings = path.certificates.indices.filter { !young.contains($0) }.map {
            path.certificates[$0].notBefore
        }
        return (beginnings + expired).max()
    }

    private func rejected(_ rejection: PathRejection) -> TrustVerdict {
        var verdict = blank(TrustResultType(rejection))
        verdict.path = rejection.best.certificates
        verdict.reachesAnchor = rejection.best.reachesAnchor
        verdict.failures = rejection.failures
        verdict.rejectedPaths = rejection.paths
        return noting(verdict)
    }

    func rejected(_ failures: [TrustFailure], path: [Certificate]) -> TrustVerdict {
        var verdict = blank(TrustResultType(failures: failures))
        verdict.path = path
        verdict.failures = failures
        verdict.rejectedPaths = [RejectedPath(certificates: path, reachesAnchor: false, failures: failures)]
        return verdict
    }

    /// The verdict of ``DisabledTrustEvaluator``: trusted, with every failure as excused.
    private func acceptingAnyServer(_ found: TrustVerdict) -> TrustVerdict {
        // Without a readable leaf there is no server to trust.
        guard trust.presentedChain.leaf != nil, found.result != .deny else { return found }
        var verdict = found
        verdict.result = .proceed
        verdict.excused += verdict.failures
        verdict.failures = []
        verdict.rejectedPaths = []
        verdict.notChecked = verdict.checked + verdict.notChecked
        verdict.checked = []
        verdict.validFrom = nil
        verdict.validUntil = nil
        verdict.warnings.append("evaluation is disabled: any certificate is accepted")
        return verdict
    }

    /// There is nothing to start from.
    private func withoutLeaf() -> TrustVerdict {
        guard let unreadable = trust.presentedChain.unreadable.first(where: { $0.index == 0 }) else {
            return rejected([TrustFailure(.presentedChainEmpty)], path: [])
        }
        let failure = TrustFailure(
            .certificateMalformed, certificate: 0, role: .leaf, found: .text(unreadable.error.description))
        return rejected([failure], path: [])
    }

    private func warnings() -> [String] {
        // No more than a server could have meant to send.
        trust.presentedChain.unreadable.prefix(16).map { "presented certificate \($0.index) left out: \($0.error)" }
            + (inquiry?.warnings ?? []) + (evaluator?.warnings ?? [])
    }
}

extension Trust {
    /// What is asked about revocation; nil for nothing, and where a system's evaluator does the asking.
    fileprivate func revocationInquiry(at time: Time) -> RevocationEvaluation? {
        guard settings.revocation != .off else { return nil }
        var staple: [UInt8]?
        if case .given(let der) = self.staple { staple = der }
        return RevocationEvaluation(
            settings.revocation, staple: staple, settings.revocationData, settings.revocationRules,
            // The caller's own first: a stranger's must not use up what is spent on looking at them.
            certificates: settings.intermediates + presentedChain.others, at: time, memory: settings.signatureMemory)
    }
}
