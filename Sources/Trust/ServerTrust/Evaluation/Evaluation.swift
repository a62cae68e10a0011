// SPDX-License-Identifier: Apache-2.0

import PKIX

/// One evaluation of a trust object: the engine's search, the evaluator's checks of a path, and the exceptions.
struct Evaluation {
    let trust: Trust
    /// The evaluator. It checks every path that passes all other checks.
    let evaluator: (any TrustEvaluator)?
    let time: Time
    /// The revocation evaluation, or nil if revocation is off and there is no evidence.
    let revocation: RevocationEvaluation?
    /// The transparency check, or nil if the settings don't ask for it.
    let transparency: TransparencyEvaluation?
    /// The evaluation of the staple for a leaf that requires one, otherwise nil. All paths share it and its budget.
    let requiredStaple: RevocationEvaluation?
    /// The certificates that the root lists distrust.
    let distrusted: [DistrustedCertificates]
    /// Whether a root list exists but can't be read.
    let hasUnreadableList: Bool
    /// The denied and distrusted certificates, which are compared with all paths. nil for none.
    let deniedCertificates: DenialMemory?

    init(trust: Trust, evaluator: (any TrustEvaluator)?) {
        self.time = trust.settings.verifyDate.time
        // Evaluators that read the date again get the same date.
        var trust = trust
        trust.settings.verifyDate = .at(time)
        self.trust = trust
        self.evaluator = evaluator
        self.revocation = trust.revocationEvaluation(at: time)
        self.transparency = trust.transparencyEvaluation(at: time)
        self.requiredStaple = trust.requiredStapleEvaluation(at: time)
        let distrusted = try? trust.settings.anchors.distrusted()
        self.distrusted = distrusted ?? []
        self.hasUnreadableList = distrusted == nil
        self.deniedCertificates = DenialMemory(
            .union(trust.settings.denied, evaluator?.deniedList), self.distrusted, on: trust)
    }

    /// The ways to reach a verdict.
    private enum Route {
        /// The presented chain has no readable leaf.
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

    /// Returns the verdict without using a memory of verdicts.
    func decide() -> TrustVerdict {
        let verdict =
            switch route {
            case .withoutLeaf: withoutLeaf()
            case .pinnedLeaf(let leaf): decide(onPinned: leaf)
            case .system(let system, let leaf): decide(on: leaf, by: system)
            case .engine(let leaf): decideByEngine(on: leaf)
            }
        var decided = evaluator?.isDisabledEvaluator == true ? acceptingAnyServer(verdict) : verdict
        decided.staple = trust.presentedChain.leaf.flatMap { revocation?.staple(on: decided.path, leaf: $0) }
        return adding(interceptionWarnings(decided.path) + keyUsageWarnings(decided) + zoneWarnings, to: decided)
    }

    private func adding(_ warnings: [String], to given: TrustVerdict) -> TrustVerdict {
        var verdict = given
        verdict.warnings += warnings.filter { !verdict.warnings.contains($0) }
        return verdict
    }

    /// Returns a warning for a trusted leaf whose key usage fits no handshake of TLS 1.3 or with (EC)DHE (RFC 8446 §
    /// 4.4.2.2). TLS libraries such as BoringSSL refuse it. Others continue.
    private func keyUsageWarnings(_ verdict: TrustVerdict) -> [String] {
        guard verdict.isTrusted, trust.settings.policy.purpose != .any, let usage = verdict.path.first?.keyUsage,
            !usage.contains(.digitalSignature)
        else { return [] }
        return [
            "the leaf's key usage is \(usage.names.joined(separator: ", ")): without digitalSignature, clients such as Chrome refuse the leaf in TLS 1.3 and with forward secrecy"
        ]
    }

    /// A warning for an address with a zone. Certificates can't contain zones, so a certificate is valid for the
    /// address in every zone.
    private var zoneWarnings: [String] {
        guard let zone = (trust.referenceName ?? trust.host)?.zone else { return [] }
        return ["the zone \(zone) only selects the interface: the address is compared without it"]
    }

    private func decideByEngine(on leaf: Certificate) -> TrustVerdict {
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
        _ leaf: Certificate, anchors: AnchorStore, leafIsAnchor: Bool = false, _ checks: inout AdditionalChecks
    ) -> PathValidation {
        let exceptions = exceptions
        var last = AdditionalChecks()
        let validation = search(leaf, anchors: anchors, excepting: excuses) { path in
            // An exemption covers checks of the engine. Only a user's exception covers the additional checks.
            let outcome = additionalChecks(path)
            let found = outcome.failures + (leafIsAnchor ? failures(ofLeafAsAnchor: leaf) : [])
            let agreed = found.filter { failure in
                exceptions?.covers(failure, of: path.certificates.certificate(of: failure)) == true
            }
            last = AdditionalChecks(excused: agreed, matchedPin: outcome.matchedPin)
            return agreed.isEmpty ? found : found.filter { !agreed.contains($0) }
        }
        checks = last
        return validation
    }

    /// Searches paths with the trust object's certificates and settings.
    func search(
        _ leaf: Certificate, anchors: AnchorStore, excepting exceptions: PathValidator.FailureException?,
        _ check: @escaping (ValidatedPath) -> [TrustFailure]
    ) -> PathValidation {
        PathValidator(
            anchors: anchors, policy: trust.settings.policy, memory: trust.settings.signatureMemory,
            distrusting: distrusted
        ).validate(
            leaf, presented: trust.presentedChain.others, intermediates: trust.settings.intermediates,
            host: trust.referenceName, at: time, insecurelyExcepting: exceptions,
            timestamps: transparency?.datesByIssuer, additionalChecks: check)
    }

    /// Runs the checks of a path beyond the engine's.
    func additionalChecks(_ path: ValidatedPath) -> EvaluatorOutcome {
        var outcome = evaluatorOutcome(of: path)
        let denied = denials.failures(of: path.certificates, reachesAnchor: true)
        if let revocation {
            // If the list denies a certificate, its revocation status doesn't have to be known.
            outcome.failures += revocation.failures(of: path).filter { failure in
                failure.code != .revocationUnavailable || !denied.contains { $0.certificate == failure.certificate }
            }
            if path.certificates.count == 1 { outcome.failures += revocationFailures(ofAnchor: path.certificates[0]) }
        }
        // An evaluator that has a list already found the entries itself.
        outcome.failures += denied.filter { !outcome.failures.contains($0) }
        if let failure = stapleFailure(of: path) { outcome.failures.append(failure) }
        if let failure = requiredTransparencyFailure(of: path) { outcome.failures.append(failure) }
        return outcome
    }

    /// The additional checks of the path that was accepted.
    struct AdditionalChecks {
        /// The failures that exceptions cover.
        var excused: [TrustFailure] = []
        var matchedPin: MatchedPin?
    }

    /// Returns the failures of a leaf that is its own anchor because a user agreed to it or a rule pins it. No CA
    /// vouches for the leaf, so requirements that need a CA's statement fail.
    private func failures(ofLeafAsAnchor leaf: Certificate) -> [TrustFailure] {
        var failures: [TrustFailure] = []
        if trust.settings.revocation.mode == .required {
            failures.append(
                TrustFailure(
                    .revocationUnavailable, certificate: 0, role: .leaf,
                    found: .list([RevocationObstacle.noEvidence.name])))
        }
        if let failure = stapleFailure(ofLeafAsAnchor: leaf) { failures.append(failure) }
        return failures
    }

    /// Returns the outcome of the evaluator's check of a path. Without an evaluator, every path is accepted.
    func evaluatorOutcome(of path: ValidatedPath) -> EvaluatorOutcome {
        evaluator?.outcome(of: path, for: trust) ?? EvaluatorOutcome()
    }
}

// MARK: - Exceptions

extension Evaluation {
    /// The exceptions that apply to this host, leaf and date.
    var exceptions: TrustExceptions? { trust.applicableExceptions }

    /// The failures that the engine may excuse, or nil for none.
    private var excuses: PathValidator.FailureException? {
        let exceptions = exceptions
        let exemption = trust.exemption
        guard exceptions != nil || exemption != .none else { return nil }
        return { failure, certificate in
            exemption.covers(failure) || exceptions?.covers(failure, of: certificate) == true
        }
    }

    /// Returns the verdict on a leaf without a path to an anchor if exceptions cover all failures of a path. The user
    /// trusts the leaf itself, so the leaf is evaluated again as its own anchor, with all other checks.
    private func trustedByException(_ leaf: Certificate, _ rejection: PathRejection) -> TrustVerdict? {
        // Certificate policies can't be processed for a leaf that is its own anchor.
        guard let exceptions, !trust.settings.policy.certificatePolicies.requireExplicit else { return nil }
        let agreed = rejection.paths.first { path in
            !path.reachesAnchor
                && path.failures.allSatisfy { failure in
                    failure.code.severity == .recoverable
                        && exceptions.covers(failure, of: path.certificates.certificate(of: failure))
                }
        }
        return agreed.map { decide(onAnchor: leaf, agreed: $0) }
    }

    /// Returns the failures if evidence revokes a leaf that is its own anchor and whose issuer isn't validated. The
    /// leaf itself is trusted, so the key that verifies its signature may revoke it.
    private func revocationFailures(ofAnchor leaf: Certificate) -> [TrustFailure] {
        guard let revocation else { return [] }
        // If a leaf is an anchor, its path ends there, even if its CA is an anchor too.
        let anchors = (try? trust.settings.anchors.store())?.anchors.map(\.certificate) ?? []
        func isNamed(_ issuer: Certificate) -> Bool { issuer != leaf && issuer.subject.der == leaf.issuer.der }
        // The server chooses how many certificates it presents. So the engine verifies at most 16 signatures for them.
        let presented = trust.presentedChain.others.lazy.filter(isNamed).prefix(16)
        let issuers = (trust.settings.intermediates + anchors).filter(isNamed) + presented
        for issuer in issuers where leaf.signatureStatus(by: issuer.subjectPublicKeyInfo) == .valid {
            guard let path = ValidatedPath(validatedBySystem: [leaf, issuer]) else { continue }
            let refusing = revocation.findings(for: path).filter { $0.isRevoked || $0.exceedsBudget }.map(\.certificate)
            let failures = revocation.failures(of: path).filter { refusing.contains($0.certificate ?? 0) }
            if !failures.isEmpty { return failures }
        }
        return []
    }

    /// Evaluates the leaf as its own anchor instead of a path whose failures are all excused. If the leaf is refused,
    /// the verdict also contains the path's failures, because they still apply.
    func decide(onAnchor leaf: Certificate, agreed: RejectedPath) -> TrustVerdict {
        // The replaced path isn't validated, so no evaluator checks it. Denied certificates on it and in the presented
        // chain must still refuse.
        let denied = denialFailures(in: agreed)
        guard denied.isEmpty else {
            return addingTransparency(
                to: rejected(
                    (denied + agreed.failures).inReportOrder(), path: agreed.certificates),
                on: agreed)
        }
        var checks = AdditionalChecks()
        let path: ValidatedPath
        switch validate(leaf, anchors: .only([leaf]), leafIsAnchor: true, &checks) {
        case .valid(let valid): path = valid
        case .rejected(let rejection):
            let further = rejection.revocationFirst.failures.filter { !agreed.failures.contains($0) }
            let failures = (further + agreed.failures).inReportOrder()
            return addingTransparency(to: rejected(failures, path: agreed.certificates), on: agreed)
        }
        // The leaf is the only certificate of the agreed path that is on the validated path.
        let failures = agreed.failures.map { failure in
            guard let index = failure.certificate, index > 0 else { return failure }
            return TrustFailure(failure.code, expected: failure.expected, found: failure.found)
        }
        var verdict = trusted(
            path, excused: failures + checks.excused.filter { !failures.contains($0) }, pin: checks.matchedPin)
        if trust.exemption == .none {
            // If another certificate expired, that would be a failure that no exception covers.
            let expired = Set(agreed.failures.filter { $0.code == .certificateExpired }.compactMap(\.certificate))
            let ends = agreed.certificates.indices.filter { !expired.contains($0) }
                .map { agreed.certificates[$0].notAfter }
            verdict.unchangedUntil = (ends + [verdict.unchangedUntil].compactMap { $0 }).min()
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
        if deniedCertificates != nil, !checked.contains(.deniedCertificates) { checked.append(.deniedCertificates) }
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
        verdict.anchor = AnchorFinding(path)
        verdict.excused = excused
        if excused.isEmpty {
            verdict.unchangedFrom = path.validFrom
            verdict.unchangedUntil = path.validUntil
        } else {
            verdict.unchangedFrom = Self.lastBeginning(of: path, excused: excused, exceptions)
            verdict.unchangedUntil = Self.firstEnd(of: path, excused: excused, exceptions)
        }
        verdict.matchedPin = pin
        for window in [stapleWindow(of: path), revocation?.window(of: path) ?? (from: nil, until: nil)] {
            if let from = window.from { verdict.unchangedFrom = max(verdict.unchangedFrom ?? from, from) }
            if let until = window.until { verdict.unchangedUntil = min(verdict.unchangedUntil ?? until, until) }
        }
        verdict.warnings += conditionWarnings(of: path)
        if trust.settings.policy.purpose == .serverAuth, let excess = path.validityExcess {
            verdict.warnings.append(
                "the leaf is valid for \(excess.days) days, but the CA/Browser baseline allows \(excess.allowed)")
        }
        return addingTransparency(to: addingRevocation(to: verdict), on: path)
    }

    /// Returns the verdict with the revocation findings for its path.
    func addingRevocation(to given: TrustVerdict) -> TrustVerdict {
        var verdict = given
        if leavesStapleUnchecked(verdict.path) {
            verdict.notChecked.append(.staple)
        } else if verdict.isTrusted, verdict.path.count > 1, verdict.path[0].requiresStaple {
            verdict.checked.append(.staple)
        }
        guard let revocation else { return verdict }
        verdict.revocation = denying(revocation.knownFindings(for: verdict.path), of: verdict)
        // With revocation off, evidence can refuse, but it doesn't replace the check.
        guard trust.settings.revocation.mode != .off else { return verdict }
        if verdict.revocation.isComplete {
            verdict.notChecked.removeAll { $0 == .revocation }
            if !verdict.checked.contains(.revocation) { verdict.checked.append(.revocation) }
        }
        return verdict.isTrusted ? verdict.noting(revocationGaps(of: verdict), sentIn: trust.presentedChain) : verdict
    }

    /// Returns the certificates of a trusted path that lack a revocation answer, and the reasons.
    private func revocationGaps(of verdict: TrustVerdict) -> [(gap: RevocationGap, certificate: Int)] {
        guard verdict.path.count > 1 else { return [(.noIssuer, 0)] }
        return verdict.revocation.compactMap { finding in
            guard case .unobtainable = finding.status, verdict.path.indices.contains(finding.certificate) else {
                return nil
            }
            let certificate = verdict.path[finding.certificate]
            guard RevocationNeed.hasAddress(certificate, trust.settings.revocation) else {
                return (.noAddress, finding.certificate)
            }
            guard trust.settings.revocation.fetching else { return (.fetchingNotAllowed, finding.certificate) }
            return (trust.isFetching ? .notObtained : .noSource, finding.certificate)
        }
    }

    /// Returns the end of the verdict's validity. Certificates whose date is excused don't limit it, but an exception's
    /// expiry does.
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
        verdict = verdict.naming(unreadableIssuers: trust.presentedChain.unreadable)
        return addingTransparency(to: addingRevocation(to: verdict), on: rejection.best)
    }

    func rejected(_ failures: [TrustFailure], path: [Certificate]) -> TrustVerdict {
        var verdict = blank(TrustResultType(failures: failures))
        verdict.path = path
        verdict.failures = failures
        verdict.rejectedPaths = [verdict.asRejectedPath]
        return verdict
    }

    /// Returns the verdict of ``DisabledTrustEvaluator``: trusted, with every failure excused.
    private func acceptingAnyServer(_ found: TrustVerdict) -> TrustVerdict {
        // Without a readable leaf there is no server to trust.
        guard trust.presentedChain.leaf != nil, found.result != .deny else { return found }
        // An unreadable list might distrust any of the certificates.
        guard !hasUnreadableList else { return found }
        if let denial = denial(inSpiteOf: found) { return denial }
        var verdict = found
        verdict.result = .proceed
        verdict.excused += verdict.failures
        verdict.failures = []
        verdict.rejectedPaths = []
        verdict.notChecked = verdict.checked.filter { $0 != .deniedCertificates } + verdict.notChecked
        verdict.checked.removeAll { $0 != .deniedCertificates }
        verdict.unchangedFrom = nil
        verdict.unchangedUntil = nil
        verdict.warnings.append("evaluation is disabled: any certificate is accepted")
        for failure in found.failures where failure.code == .certificateRevoked {
            verdict.warnings.append("evaluation is disabled: a revoked certificate is accepted: \(failure.message)")
        }
        return verdict
    }

    /// Returns the verdict on a chain without a readable leaf.
    private func withoutLeaf() -> TrustVerdict {
        guard let unreadable = trust.presentedChain.unreadable.first(where: { $0.index == 0 }) else {
            return rejected([TrustFailure(.presentedChainEmpty)], path: [])
        }
        let failure = TrustFailure(
            .certificateMalformed, certificate: 0, role: .leaf, found: .text(unreadable.error.description))
        return rejected([failure], path: [])
    }

    private func warnings() -> [String] {
        // An honest server doesn't send more than this.
        trust.presentedChain.unreadable.prefix(16).map { "\($0.place) left out: \($0.error)" }
            + [trust.presentedChain.evidenceGap, transparency?.warning].compactMap { $0 } + (revocation?.warnings ?? [])
            + (evaluator?.warnings ?? []) + trust.warningsForSystem
    }
}

extension Trust {
    /// Returns the revocation evaluation, or nil if revocation is off and there is no evidence.
    func revocationEvaluation(at time: Time) -> RevocationEvaluation? {
        var staple: [UInt8]?
        if case .given(let der) = presentedChain.staple { staple = der }
        guard settings.revocation.mode != .off || staple != nil || !settings.revocationData.isEmpty else { return nil }
        return RevocationEvaluation(
            settings.revocation, staple: staple, settings.revocationData,
            // The caller's certificates come first, so that presented certificates can't exhaust the budget for them.
            certificates: settings.intermediates + presentedChain.others, at: time, memory: settings.signatureMemory)
    }
}
