// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The checks of a report. A check counts as passed only if the evaluation can't have omitted it.
struct CheckList {
    let verdict: TrustVerdict
    let presented: PresentedChain
    private let groups: [CheckGroup: [TrustFailure]]
    private let excused: [CheckGroup: [TrustFailure]]

    init(_ verdict: TrustVerdict, _ presented: PresentedChain) {
        self.verdict = verdict
        self.presented = presented
        groups = Dictionary(grouping: verdict.failures) { CheckGroup($0.code) }
        excused = Dictionary(grouping: verdict.excused) { CheckGroup($0.code) }
    }

    var checks: [TrustReport.Check] { CheckGroup.allCases.compactMap(check) }

    private func check(_ group: CheckGroup) -> TrustReport.Check? {
        func check(_ status: TrustReport.Check.Status, _ detail: String, _ failures: [TrustFailure] = [])
            -> TrustReport.Check
        {
            TrustReport.Check(
                name: group.rawValue, title: title(of: group), status: status, detail: ReportText.shown(detail),
                failures: failures.prefix(TrustReport.Path.maximumFailures).map {
                    TrustReport.Failure($0, on: verdict.path, sentIn: presented)
                })
        }
        if let failures = groups[group] { return check(.failed, "", failures) }
        if let failures = excused[group] {
            return check(.excused, "accepted because of an agreed exception or a rule", failures)
        }
        // These checks are listed only if they failed, because a verdict doesn't say whether they were performed.
        guard let asked = group.check else { return nil }
        guard verdict.checked.contains(asked) else {
            guard verdict.notChecked.contains(asked) else { return nil }
            return check(.notChecked, unasked(group))
        }
        if group == .strict, !verdict.isStrict { return nil }
        if group == .transparency, let finding = verdict.transparency, finding.status != .complies {
            let reported = verdict.reported.filter { CheckGroup($0.code) == .transparency }
            return check(.excused, "reported only: \(finding.words)", reported)
        }
        if let reason = omission(of: group) { return check(.notChecked, reason) }
        guard isReached(group) else { return check(.notChecked, "not reached: earlier checks failed") }
        return check(.passed, evidence(of: group))
    }

    private func unasked(_ group: CheckGroup) -> String {
        switch group {
        case .identity: "no name was supplied for comparison"
        case .purpose: "any purpose was accepted"
        case .transparency: verdict.transparency?.words ?? "not requested: SCTs were not compared with a policy"
        case .revocation where !verdict.revocation.isEmpty:
            "some certificates have no revocation status; see revocation"
        case .revocation: "not requested, or not reached"
        default: "not part of this evaluation"
        }
    }

    private func title(of group: CheckGroup) -> String {
        guard group == .revocation, RevocationCount(verdict.revocation).isOfLeafAlone else { return group.title }
        return "The certificate has not been revoked"
    }

    /// Returns the reason why rules of a performed check weren't applied to this path, or nil if they were applied.
    private func omission(of group: CheckGroup) -> String? {
        switch group {
        // A leaf that is an anchor is trusted directly. Rules about issuers and chains don't apply.
        case .signatures, .authority, .length, .constraints, .policies:
            guard verdict.path.count == 1 else { return nil }
            return verdict.reachesAnchor ? "the certificate is itself an anchor" : "the path contains no issuer"
        case .anchor:
            return verdict.isTrusted && !verdict.reachesAnchor ? "the path to an anchor isn't known" : nil
        case .revocation:
            let count = RevocationCount(verdict.revocation)
            return count.isEmpty || count.good > 0 ? nil : "no certificate was checked, because of the rule's scope"
        default: return nil
        }
    }

    /// Whether the evaluation certainly reached a group that has no failures.
    private func isReached(_ group: CheckGroup) -> Bool {
        guard !verdict.isTrusted else { return true }
        let isUndecided = verdict.failures.contains { $0.code.severity == .undecided }
        let isBeforeSearch = [.presented, .rule].contains { groups[$0] != nil } || groups[.budget] != nil
        let isOfSystem = verdict.failures.contains { $0.code == .systemRefused }
        guard !verdict.path.isEmpty, !isUndecided, !isBeforeSearch, !isOfSystem else { return false }
        switch group {
        // The engine applies rules for single certificates on every path.
        case .algorithms, .validity, .authority, .extensions, .purpose, .identity: return true
        case .anchor: return verdict.reachesAnchor
        case .length, .constraints, .strict: return verdict.reachesAnchor
        // Signatures are verified from the leaf up to the first wrong signature or unknown algorithm.
        case .signatures: return verdict.reachesAnchor && groups[.algorithms] == nil
        // Policies are processed only on paths without any other failure.
        case .policies:
            return verdict.reachesAnchor && ![TrustCheck.path, .identity, .purpose].contains(where: hasFailure)
        // Revocation is listed as checked only if every certificate has a status.
        case .revocation: return !verdict.revocation.isEmpty
        case .transparency: return verdict.reachesAnchor
        case .staple, .pins, .authorities, .attributes, .deniedCertificates, .custom: return false
        case .presented, .rule, .handshake, .budget: return false
        }
    }

    private func hasFailure(of check: TrustCheck) -> Bool { groups.keys.contains { $0.check == check } }

    /// Returns a short description of why a check passed.
    func evidence(of group: CheckGroup) -> String {
        let path = verdict.path
        switch group {
        case .anchor: return path.last.map { "\($0.abridgedDescription(toBytes: 256)) is trusted" } ?? ""
        case .signatures:
            return "\(path.count - 1) of \(path.count - 1) verified"
        case .validity:
            let begin = path.map(\.notBefore).max()
            let end = verdict.firstNotAfter
            return "\(verdict.evaluationDate) is between \(begin?.description ?? "?") and \(end?.description ?? "?")"
        case .algorithms: return path.count == 1 ? "for the certificate" : "for all \(path.count) certificates"
        case .length: return counted(max(0, path.count - 2), "intermediate")
        case .authority: return "\(path.count - 1) of \(path.count - 1)"
        case .extensions: return path.count == 1 ? "in the certificate" : "in all \(path.count) certificates"
        case .constraints: return "no name constraint in the path forbids them"
        case .policies: return "as the certificates in the path require"
        case .deniedCertificates:
            return path.count == 1 ? "the certificate isn't on one" : "none of \(path.count) certificates"
        case .purpose: return verdict.purpose.rawValue
        case .identity: return verdict.referenceName.map { "it names \($0)" } ?? ""
        case .revocation:
            return RevocationCount(verdict.revocation).words
        case .pins:
            guard let pin = verdict.matchedPin else { return "" }
            return "\(pin.isBackup ? "the backup " : "")\(pin.words(on: verdict, sentIn: presented))"
        case .transparency: return verdict.transparency?.words ?? ""
        case .strict: return "rules that many verifiers relax"
        default: return ""
        }
    }
}
