// SPDX-License-Identifier: Apache-2.0

import PKIX

// The portable part of evaluation by the operating system instead of the engine. A `SystemEvaluator` evaluates a trust
// object if the anchors are the system's. Evaluators and pins then apply to the path that the system validated. On
// every platform, the engine still handles anchors that the caller names, and certificates that are excused because
// they are pinned. For these, the rule contains everything that decides, and a `SecTrust` that was changed for one rule
// would keep the change for the next.
//
// The system refuses with a single value, an OSStatus. The engine then evaluates the same certificates, but only to
// describe the refusal. It can add failures to a refusal. It never turns a refusal into trust, except through a user's
// exception (`trustedByException(_:_:)`).

// MARK: - Evaluating

extension Trust {
    /// The evaluator that replaces the engine, or nil for the engine itself.
    var systemInPlaceOfEngine: (any SystemEvaluator)? {
        settings.anchors.isSystem && exemption == .none ? settings.systemEvaluator : nil
    }

    /// A setting that a system's evaluator doesn't support, or nil if it supports every setting. Ignoring such a
    /// setting would weaken the evaluation.
    fileprivate var settingBeyondSystem: String? {
        if settings.policy != ValidationPolicy() {
            return "it applies its own rules instead of the requested validation policy"
        }
        if SystemAnchors.overlayFile() != nil {
            return "it doesn't support root lists, but \(SystemAnchors.overlayVariable) names one"
        }
        if settings.revocationData != RevocationData() { return "it accepts no revocation data from this package" }
        guard settings.revocation.mode != .off else { return nil }
        let policy = settings.revocation
        if !policy.usesOCSP && !policy.usesCRLs { return "it needs OCSP or CRLs to check revocation" }
        let defaults = RevocationPolicy(policy.mode)
        if policy.futureTolerance != defaults.futureTolerance
            || policy.maximumAgeWithoutNextUpdate != defaults.maximumAgeWithoutNextUpdate
            || policy.maximumAge != defaults.maximumAge
        {
            return "it has its own rules for the dates of revocation data"
        }
        return nil
    }

    /// The settings that a system's evaluator lacks and whose absence can only refuse more servers, one line each.
    /// Empty if the engine evaluates.
    ///
    /// You could create a `SecTrust` from the presented certificates and ``TrustSettings/intermediates``. But it would
    /// lack the original's anchors, exceptions and restrictions, some of which can't be read. It could therefore trust
    /// a server that the original refuses.
    var warningsForSystem: [String] {
        guard systemInPlaceOfEngine != nil else { return [] }
        var warnings: [String] = []
        if !settings.intermediates.isEmpty {
            warnings.append(
                "the system's evaluator accepts no intermediates from this package: \(settings.intermediates.count) left out"
            )
        }
        if settings.revocation.mode != .off, settings.revocation.scope == .leaf {
            warnings.append(
                "the system's evaluator can't check the revocation of only the leaf: it checks the whole path")
        }
        return warnings
    }
}

extension Evaluation {
    /// Returns the verdict of the system's evaluator. The trust evaluator's checks apply to the path that the system
    /// validated.
    func decide(on leaf: Certificate, by system: any SystemEvaluator) -> TrustVerdict {
        if let setting = trust.settingBeyondSystem { return unavailable(setting, leaf) }
        let request = SystemEvaluationRequest(
            name: trust.referenceName, date: time, revocation: SystemRevocation(trust.settings.revocation))
        switch system.evaluate(request) {
        case .unavailable(let reason): return unavailable(reason, leaf)
        case .trusted(let finding): return trusted(leaf, finding)
        case .refused(let finding, let status): return refused(leaf, finding, status)
        }
    }

    private func unavailable(_ reason: String, _ leaf: Certificate) -> TrustVerdict {
        rejected([TrustFailure(.systemEvaluationUnavailable, found: .text(reason))], path: [leaf])
    }

    private func trusted(_ leaf: Certificate, _ finding: SystemFinding) -> TrustVerdict {
        let chain = PresentedChain(der: finding.path)
        guard finding.result.isTrusted else {
            return unavailable("it trusts the certificates, but its result is number \(finding.resultType)", leaf)
        }
        guard chain.leaf == leaf else { return unavailable("its path starts with another certificate", leaf) }
        let gap = chain.unreadable.first
        let certificates = Array(chain.certificates.prefix(gap?.index ?? .max))
        if let gap, !evaluatorAcceptsAnyPath {
            let isAnchor = gap.index == finding.path.count - 1
            return rejected(
                [
                    TrustFailure(
                        .certificateMalformed, certificate: gap.index, role: isAnchor ? .anchor : .intermediate,
                        found: .text(gap.error.description))
                ], path: certificates)
        }
        guard let path = ValidatedPath(validatedBySystem: certificates) else { return unavailable("no path", leaf) }
        let outcome = evaluatorOutcome(of: path)
        var found = outcome.failures + deniedCertificateFailures(of: path, besides: outcome.failures)
        if trust.settings.revocation.mode == .required, !finding.checked.contains(.revocation) {
            found.append(
                TrustFailure(.revocationUnavailable, found: .text("the system's evaluator didn't check it")))
        }
        // The system evaluates without the handshake's staple, but a staple that revokes a certificate still counts.
        if case .given = trust.presentedChain.staple, let revocation {
            found += revocation.failures(of: path).filter { $0.code == .certificateRevoked }
        }
        if let failure = stapleFailure(of: path) { found.append(failure) }
        if let failure = requiredTransparencyFailure(of: path) { found.append(failure) }
        let exceptions = exceptions
        let excused = found.filter { exceptions?.covers($0, of: certificates.certificate(of: $0)) == true }
        guard found.count == excused.count else {
            var verdict = rejected(found.filter { !excused.contains($0) }, path: path.certificates)
            verdict.reachesAnchor = gap == nil
            verdict.rejectedPaths = [verdict.asRejectedPath]
            return verdict.adding(transparency: transparency?.finding(on: path)).adding(finding)
        }
        // The engine knows only the readable part of the path, and hasn't checked revocation.
        var verdict = trusted(path, excused: excused, pin: outcome.matchedPin).withoutRevocationGaps
        if finding.result == .proceed { verdict.result = .proceed }
        if let gap {
            verdict.reachesAnchor = false
            // The validity of the unreadable certificates limits the verdict too.
            (verdict.unchangedFrom, verdict.unchangedUntil) = (time, time)
            verdict.warnings.append(
                "the system's path is incomplete: certificate \(gap.index) of \(finding.path.count) can't be read: \(gap.error)"
            )
        }
        if trust.settings.revocation.mode != .off, !finding.checked.contains(.revocation) {
            verdict = verdict.noting([(.notCheckedBySystem, 0)], sentIn: trust.presentedChain)
        }
        return verdict.adding(finding)
    }

    /// Whether every path is accepted. A path whose end can't be read is then acceptable.
    private var evaluatorAcceptsAnyPath: Bool {
        (evaluator?.acceptsAnyPath ?? true) && deniedCertificates == nil
    }
}

extension TrustVerdict {
    /// Returns the verdict with the checks that only the system reports.
    fileprivate func adding(_ finding: SystemFinding) -> TrustVerdict {
        var verdict = self
        verdict.checked += finding.checked.filter { !checked.contains($0) }
        verdict.notChecked.removeAll { finding.checked.contains($0) }
        return verdict
    }
}

// MARK: - Refusals

/// A refusal by the system, as failures of this package.
private struct SystemRefusal {
    /// The part of the path that the engine could build, leaf first.
    let path: [Certificate]
    /// The failures, most specific first. Never empty.
    let failures: [TrustFailure]
    /// Whether an anchor is missing. Other failures are possible in addition.
    let lacksTrust: Bool

    /// Creates the failures of a refusal.
    /// - Parameter engine: the engine's result without any anchor.
    init(status: Int32, result: TrustResultType, engine: RejectedPath) {
        let lacksTrust = Self.lackOfTrust.contains(status)
        // Without an anchor, the engine always reports a missing one.
        let engineFailures = engine.failures.filter { lacksTrust || $0.precedence != .trust }
        let named = engineFailures.filter { failure in
            let numbers = failure.code.appleErrorNumbers
            return numbers.securityStatus == status || numbers.asReported.securityStatus == status
                || lacksTrust && failure.precedence == .trust
        }
        // Apple reports the first failure in a fixed order (`AppleErrorNumbers.namedByApple`). For "trust" and later
        // failures, the engine also finds everything that can follow in this order: usage, name, dates. An earlier
        // failure could hide an unknown root.
        let isUnderstood =
            !named.isEmpty && named.allSatisfy { $0.precedence.rawValue >= AppleErrorNumbers.Precedence.trust.rawValue }
        let text = TrustFailure.Value.text(Self.name(of: status))
        var failures = engineFailures
        if named.isEmpty, let code = Self.reportedBySystemAlone[status].flatMap(TrustFailure.Code.named) {
            failures.append(TrustFailure(code, found: text))
        }
        if result == .otherError {
            failures.append(TrustFailure(.systemEvaluationUnavailable, found: text))
        } else if !isUnderstood || result != .recoverableFailure {
            failures.append(TrustFailure(.systemRefused, found: text))
        }
        self.path = engine.certificates
        self.failures = failures.inReportOrder()
        self.lacksTrust = lacksTrust
    }

    /// The statuses for a missing anchor or an incomplete path. The presented chain determines which of the two it is.
    private static let lackOfTrust: Set<Int32> = [
        AppleErrorNumbers.Constant.errSecNotTrusted.number, AppleErrorNumbers.Constant.errSecCreateChainFailed.number,
    ]

    /// The names of codes for statuses that mean one specific failure that the engine can't find in the certificates.
    private static let reportedBySystemAlone: [Int32: String] = [
        AppleErrorNumbers.Constant.errSecCertificateRevoked.number: "certificateRevoked",
        AppleErrorNumbers.Constant.errSecIncompleteCertRevocationCheck.number: "revocationUnavailable",
    ]

    private static let names: [Int32: String] = Dictionary(
        TrustFailure.Code.all.map { ($0.appleErrorNumbers.securityStatus, $0.appleErrorNumbers.securityName) },
        uniquingKeysWith: { first, _ in first })

    /// Returns `errSecNotTrusted (-67843)`, or only the number.
    private static func name(of status: Int32) -> String {
        names[status].map { "\($0) (\(status))" } ?? "OSStatus \(status)"
    }
}

extension TrustFailure {
    fileprivate var precedence: AppleErrorNumbers.Precedence { AppleErrorNumbers.row(of: code).precedence }
}

extension Evaluation {
    private func refused(_ leaf: Certificate, _ finding: SystemFinding, _ status: Int32) -> TrustVerdict {
        let chain = PresentedChain(der: finding.path)
        let others = chain.leaf == leaf ? chain.others : trust.presentedChain.others
        let refusal = SystemRefusal(
            status: status, result: finding.result, engine: engineResult(leaf, others))
        if let verdict = trustedByException(leaf, refusal) { return verdict }
        // The system doesn't know the denials. If a certificate is denied, the user can't agree to the other failures
        // either.
        let denied = denials.failures(of: refusal.path, reachesAnchor: false)
        let failures = (denied + refusal.failures).inReportOrder()
        var verdict = rejected(denied.isEmpty ? refusal.failures : failures, path: refusal.path)
        if finding.result == .deny { verdict.result = .deny }
        return verdict
    }

    /// Returns the engine's result for a chain without any anchor: all checks except those of signatures.
    private func engineResult(_ leaf: Certificate, _ others: [Certificate]) -> RejectedPath {
        let validator = PathValidator(
            anchors: .only([]), policy: trust.settings.policy, memory: trust.settings.signatureMemory,
            distrusting: distrusted)
        let validation = validator.validate(
            leaf, presented: others, intermediates: [], host: trust.referenceName, at: time)
        return validation.rejection?.best ?? RejectedPath(certificates: [leaf], reachesAnchor: false, failures: [])
    }

    /// Returns the engine's verdict if exceptions cover every failure of a refusal. The engine performs all other
    /// checks. If the system accepts the path's anchor, the path ends there. Otherwise the leaf, which the user agreed
    /// to, is its own anchor.
    private func trustedByException(_ leaf: Certificate, _ refusal: SystemRefusal) -> TrustVerdict? {
        guard let exceptions, let last = refusal.path.last,
            refusal.failures.allSatisfy({ exceptions.covers($0, of: refusal.path.certificate(of: $0)) })
        else { return nil }
        guard !refusal.lacksTrust else {
            let agreed = RejectedPath(
                certificates: refusal.path, reachesAnchor: false, failures: refusal.failures)
            return decide(onAnchor: leaf, agreed: agreed)
        }
        var checks = AdditionalChecks()
        // The exception is for this path, so no other path is accepted. The system's anchors are public.
        let anchors = AnchorStore([TrustAnchor(last, conditions: [], isPublic: true)])
        guard case .valid(let path) = validate(leaf, anchors: anchors, &checks),
            path.certificates == refusal.path
        else { return nil }
        return trusted(path, excused: refusal.failures + checks.excused, pin: checks.matchedPin)
    }
}
