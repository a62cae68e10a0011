// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An evaluation with everything that led to its verdict, for an observer that records it.
package struct ObservedEvaluation: Sendable {
    /// The verdict.
    let verdict: TrustVerdict
    /// The trust object of the last evaluation, with the fetched evidence and with the lists of the manager's rules.
    let trust: Trust
    /// The evaluator that decided. Default evaluation for a rule in report-only mode.
    let evaluator: any TrustEvaluator
    /// The pattern of the host's rule, or nil without a rule.
    let rule: HostPattern?
    /// The number of the manager's rules, which changes with every change of them, or nil without a manager.
    let ruleSet: Int?
    /// The names of decisions outside of the evaluation: `rule` for a denied host, `delegate` for a client's delegate.
    let otherDecisions: [String]

    package init(
        _ verdict: TrustVerdict, of trust: Trust, by evaluator: any TrustEvaluator, rule: HostPattern? = nil,
        ruleSet: Int? = nil, otherDecisions: [String] = []
    ) {
        self.verdict = verdict
        self.trust = trust
        self.evaluator = evaluator
        self.rule = rule
        self.ruleSet = ruleSet
        self.otherDecisions = otherDecisions
    }
}

/// An observer that receives whole evaluations in addition to events.
protocol EvaluationObserver: TrustEventObserver {
    /// Returns whether the observer wants the evaluation of a verdict. Called on the evaluating thread.
    func wants(_ verdict: TrustVerdict) -> Bool
    /// Receives an evaluation on the evaluating thread, before it returns its verdict. Return quickly.
    func observe(_ evaluation: ObservedEvaluation)
}

/// An evaluation in a form that other programs can repeat: one trust object and required keys.
package struct PlainEvaluation: Sendable {
    /// The trust object, with the settings that the evaluator requires.
    var trust: Trust
    /// The requirements on the path's keys. The path must meet all of them.
    var requirements: [KeyRequirement] = []
    /// The rule's own anchors, which ``trust`` has instead of the evaluation's. Nil for none.
    var ruleAnchors: TrustAnchors?
    /// Whether weaker validations were left out, because the trust object includes them.
    var isReduced = false
    /// The names of requirements that this form can't express. Empty if it expresses all.
    var others: [String]
}

extension ObservedEvaluation {
    /// The evaluation in its plain form.
    var plain: PlainEvaluation {
        var plain = PlainEvaluation(trust: trust, others: otherDecisions)
        let variants = evaluator.trustVariants(of: trust) ?? [trust]
        let strongest = variants.filter { variant in !variants.contains { variant.isWeaker(than: $0) } }
        if let first = strongest.first { plain.trust = first }
        if strongest.count > 1 { plain.others.append("several validations") }
        plain.isReduced = strongest.count < variants.count
        add(evaluator, to: &plain)
        if plain.trust.exemption != .none { plain.others.append("pinned leaf") }
        if plain.trust.settings.exceptions != nil { plain.others.append("exceptions") }
        if plain.trust.settings.systemEvaluator != nil { plain.others.append("system evaluator") }
        return plain
    }

    private func add(_ evaluator: any TrustEvaluator, to plain: inout PlainEvaluation) {
        switch evaluator {
        // These only change the trust object.
        case is DefaultTrustEvaluator, is RevocationTrustEvaluator, is TransparencyTrustEvaluator: break
        // Every path ends at one of these certificates.
        case let authorities as CertificateAuthorityTrustEvaluator where authorities.anchors != nil:
            plain.require(authorities.authorities, authorities.anchors)
        case let pinned as PinnedCertificatesTrustEvaluator
        where pinned.acceptSelfSigned || !pinned.performDefaultValidation && plain.trust.exemption == .none:
            plain.require(pinned.certificates, .only(pinned.certificates))
        case is PinnedCertificatesTrustEvaluator: plain.others.append("pinned certificates")
        case let composite as CompositeTrustEvaluator:
            for member in composite.evaluators { add(member, to: &plain) }
        case let denied as DeniedListTrustEvaluator:
            plain.trust.settings.denied = .union(plain.trust.settings.denied, denied.list)
        case let pinned as SPKIPinsTrustEvaluator:
            plain.requirements.append(KeyRequirement(pinned.pins.pins + pinned.pins.backup, scope: pinned.scope))
        case let pinned as PublicKeysTrustEvaluator:
            plain.requirements.append(KeyRequirement(pinned.keys.map { SPKIPin($0) }))
            // The evaluator made the presented CAs with a pinned key the only anchors.
            if !pinned.performDefaultValidation, plain.trust.exemption == .none {
                plain.ruleAnchors = plain.trust.settings.anchors
            }
        case let required as KeyRequirementsEvaluator: plain.requirements += required.requirements
        case let configured as ConfiguredTrustEvaluator:
            if let anchors = configured.anchors, !anchors.isSystem || !trust.settings.anchors.isSystem {
                plain.ruleAnchors = anchors
            }
            switch configured.keys {
            case .required(let requirements): plain.requirements += requirements
            case .other(let name): plain.others.append(name)
            }
        default: plain.others.append("\(type(of: evaluator))")
        }
    }
}

extension PlainEvaluation {
    /// The names in ``others`` that other pins replace.
    package static let pinNames: Set<String> = ["anchors that override pins", "pinned certificates", "pinned leaf"]

    /// Adds anchors that replace the evaluation's.
    fileprivate mutating func require(_ certificates: [Certificate], _ anchors: TrustAnchors?) {
        requirements.append(KeyRequirement(certificates.map { SPKIPin($0) }))
        ruleAnchors = anchors
    }
}

extension Trust {
    /// Whether another trust object requires all of this one's checks and more.
    fileprivate func isWeaker(than other: Trust) -> Bool {
        var completed = self
        if settings.revocation.mode == .off { completed.settings.revocation = other.settings.revocation }
        completed.settings.transparency = settings.transparency ?? other.settings.transparency
        return completed.isValidated(as: other) && !isValidated(as: other)
    }
}

extension TrustAnchors {
    /// The name of the store's kind: `system`, `system and added` or `only`.
    var kind: String { !includesSystem ? "only" : isSystem ? "system" : "system and added" }

    /// The certificates that no path may contain because a root program's list distrusts them. Nil if a list can't be
    /// read.
    var distrustedCertificates: [DistrustedCertificates]? { try? distrusted() }
}
