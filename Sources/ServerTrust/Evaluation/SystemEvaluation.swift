// SPDX-License-Identifier: Apache-2.0

import PKIX

// The operating system evaluates in the place of the engine: the portable part. A trust object that carries a `SystemEvaluator`
// is judged by it wherever trust ends in the system's own anchors; what the system has validated is the path that evaluators
// check and pins are compared with. Anchors that are named, and certificates that are excused because they are pinned, are the
// engine's on every platform: all that decides about them is in the rule, and a `SecTrust` that was changed for one rule would
// keep the change for the next.
//
// The system says one thing when it refuses, an OSStatus. The engine then looks at the same certificates, for words alone: it
// can add failures to a refusal and never turns one into trust. The one exception is an exception: see `agreed(_:_:)`.

// MARK: - Evaluating

extension Trust {
    /// Who evaluates in the engine's place; nil for the engine itself.
    var systemInPlaceOfEngine: (any SystemEvaluator)? {
        settings.anchors.isSystem && exemption == .none ? settings.systemEvaluator : nil
    }

    /// What was asked for and a system's evaluator can't do. Passing over it would weaken the answer.
    fileprivate var settingBeyondSystem: String? {
        if settings.policy != ValidationPolicy() {
            return "it has its own rules, not the validation policy that was asked for"
        }
        if settings.revocationData != RevocationData() { return "it takes no revocation data from this package" }
        return nil
    }
}

extension Evaluation {
    /// The verdict by the system's evaluator, with what the evaluator asks of the path that the system has validated.
    func verdict(on leaf: Certificate, by system: any SystemEvaluator) -> TrustVerdict {
        if let setting = trust.settingBeyondSystem { return unavailable(setting, leaf) }
        let question = SystemQuestion(name: trust.referenceName, date: time, revocation: trust.settings.revocation)
        switch system.evaluate(question) {
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
            return unavailable("it trusts, and its result is number \(finding.resultType)", leaf)
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
        var found = outcome.failures
        if trust.settings.revocation == .required, !finding.checked.contains(.revocation) {
            found.append(
                TrustFailure(.revocationUnavailable, found: .text("the system's evaluator did not check it")))
        }
        if let failure = stapleFailure(of: path) { found.append(failure) }
        let exceptions = exceptions
        let excused = found.filter { exceptions?.covers($0, of: certificates.certificate(of: $0)) == true }
        guard found.count == excused.count else {
            var verdict = rejected(found.filter { !excused.contains($0) }, path: path.certificates)
            verdict.reachesAnchor = gap == nil
            verdict.rejectedPaths = [
                RejectedPath(
                    certificates: verdict.path, reachesAnchor: verdict.reachesAnchor, failures: verdict.failures)
            ]
            return verdict.noting(finding)
        }
        var verdict = trusted(path, excused: excused, pin: outcome.matchedPin)
        if finding.result == .proceed { verdict.result = .proceed }
        if let gap {
            verdict.reachesAnchor = false
            // The dates of what can't be read bound the verdict as well.
            (verdict.validFrom, verdict.validUntil) = (time, time)
            verdict.warnings.append(
                "the system's path is cut off: certificate \(gap.index) of \(finding.path.count) can not be read: \(gap.error)"
            )
        }
        return verdict.noting(finding)
    }

    /// Whether nothing is asked of a path, so that one that can't be read to its end will do.
    private var evaluatorAcceptsAnyPath: Bool { evaluator?.acceptsAnyPath ?? true }
}

extension TrustVerdict {
    /// The same with what the system alone knows.
    fileprivate func noting(_ finding: SystemFinding) -> TrustVerdict {
        var verdict = self
        verdict.checked += finding.checked.filter { !checked.contains($0) }
        verdict.notChecked.removeAll { finding.checked.contains($0) }
        return verdict
    }
}

// MARK: - Refusals

/// Why the system refuses, in the package's words.
private struct SystemRefusal {
    /// As far as the engine could follow the certificates, leaf first.
    let path: [Certificate]
    /// Most specific first; never empty.
    let failures: [TrustFailure]
    /// Whether it is (also) for want of an anchor.
    let lacksTrust: Bool

    /// - Parameter seen: what the engine has against the chain if it trusts nobody.
    init(status: Int32, result: TrustResultType, seen: RejectedPath) {
        let lacksTrust = Self.lackOfTrust.contains(status)
        // That the engine was given no anchor is no news.
        let seenFailures = seen.failures.filter { lacksTrust || $0.precedence != .trust }
        let named = seenFailures.filter { failure in
            let numbers = failure.code.appleErrorNumbers
            return numbers.securityStatus == status || numbers.asReported.securityStatus == status
                || lacksTrust && failure.precedence == .trust
        }
        // Apple names the first that applies in a fixed order (`AppleErrorNumbers.namedByApple`). From trust on, all that can
        // hide behind it are things that the engine sees as well: usage, name, dates. Before it, an unknown root could.
        let isUnderstood =
            !named.isEmpty && named.allSatisfy { $0.precedence.rawValue >= AppleErrorNumbers.Precedence.trust.rawValue }
        let text = TrustFailure.Value.text(Self.name(of: status))
        var failures = seenFailures
        if named.isEmpty, let code = Self.seenBySystemAlone[status].flatMap(TrustFailure.Code.named) {
            failures.append(TrustFailure(code, found: text))
        }
        if result == .otherError {
            failures.append(TrustFailure(.systemEvaluationUnavailable, found: text))
        } else if !isUnderstood || result != .recoverableFailure {
            failures.append(TrustFailure(.systemRefused, found: text))
        }
        self.path = seen.certificates
        self.failures = failures.sorted(by: TrustFailure.comesFirst)
        self.lacksTrust = lacksTrust
    }

    /// No anchor, and no way to one. Which of the two it is depends on what was presented.
    private static let lackOfTrust: Set<Int32> = [
        AppleErrorNumbers.Constant.errSecNotTrusted.number, AppleErrorNumbers.Constant.errSecCreateChainFailed.number,
    ]

    /// By the code's name: what the engine can't see in the certificates, where the status means one code alone.
    private static let seenBySystemAlone: [Int32: String] = [
        AppleErrorNumbers.Constant.errSecCertificateRevoked.number: "certificateRevoked",
        AppleErrorNumbers.Constant.errSecIncompleteCertRevocationCheck.number: "revocationUnavailable",
    ]

    private static let names: [Int32: String] = Dictionary(
        TrustFailure.Code.all.map { ($0.appleErrorNumbers.securityStatus, $0.appleErrorNumbers.securityName) },
        uniquingKeysWith: { first, _ in first })

    /// `errSecNotTrusted (-67843)`, or the number alone.
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
        let refusal = SystemRefusal(status: status, result: finding.result, seen: seen(leaf, others))
        if let verdict = trustedByException(leaf, refusal) { return verdict }
        var verdict = rejected(refusal.failures, path: refusal.path)
        if finding.result == .deny { verdict.result = .deny }
        return verdict
    }

    /// What the engine has against a chain if it trusts nobody: everything but signatures.
    private func seen(_ leaf: Certificate, _ others: [Certificate]) -> RejectedPath {
        let validator = PathValidator(
            anchors: .only([]), policy: trust.settings.policy, memory: trust.settings.signatureMemory)
        let validation = validator.validate(
            leaf, presented: others, intermediates: [], host: trust.referenceName, at: time)
        return validation.rejection?.best ?? RejectedPath(certificates: [leaf], reachesAnchor: false, failures: [])
    }

    /// A refusal whose every reason was agreed to is taken up by the engine, which checks everything else: below the system's
    /// anchor if the system has nothing against that, else with the leaf as its own anchor (the leaf is what was agreed to).
    private func trustedByException(_ leaf: Certificate, _ refusal: SystemRefusal) -> TrustVerdict? {
        guard let exceptions, let last = refusal.path.last,
            refusal.failures.allSatisfy({ exceptions.covers($0, of: refusal.path.certificate(of: $0)) })
        else { return nil }
        guard !refusal.lacksTrust else {
            let agreed = RejectedPath(
                certificates: refusal.path, reachesAnchor: false, failures: refusal.failures)
            return verdict(onAnchor: leaf, agreed: agreed)
        }
        var checks = AdditionalChecks()
        // Another path isn't the one that was agreed to.
        guard case .valid(let path) = validate(leaf, anchors: .only([last]), &checks),
            path.certificates == refusal.path
        else { return nil }
        return trusted(path, excused: refusal.failures + checks.excused, pin: checks.matchedPin)
    }
}
