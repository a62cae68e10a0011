// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The checks of a report. A check is passed only if the evaluation can't have omitted it.
struct CheckList {
    private let verdict: TrustVerdict
    private let groups: [CheckGroup: [TrustFailure]]
    private let excused: [CheckGroup: [TrustFailure]]

    init(_ verdict: TrustVerdict) {
        self.verdict = verdict
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
                failures: failures.prefix(TrustReport.Path.maximumFailures).map(TrustReport.Failure.init))
        }
        if let failures = groups[group] { return check(.failed, "", failures) }
        if let failures = excused[group] {
            return check(.excused, "accepted by an agreed exception or by a rule", failures)
        }
        // Listed where they failed alone: a verdict doesn't say that they were performed.
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
        guard isReached(group) else { return check(.notChecked, "not reached: other failures came before") }
        return check(.passed, CheckEvidence(verdict).text(of: group))
    }

    private func unasked(_ group: CheckGroup) -> String {
        switch group {
        case .identity: "no name was given to compare with"
        case .purpose: "any purpose was accepted"
        case .transparency: verdict.transparency?.words ?? "not asked for: SCTs were not compared with a policy"
        case .revocation where !verdict.revocation.isEmpty: "not every certificate has an answer; see revocation"
        case .revocation: "not asked for, or not reached"
        default: "not part of this evaluation"
        }
    }

    private func title(of group: CheckGroup) -> String {
        guard group == .revocation, RevocationCount(verdict.revocation).isOfLeafAlone else { return group.title }
        return "The certificate has not been revoked"
    }

    /// Returns the reason why rules of a performed check were not applied to this path; nil if they were.
    private func omission(of group: CheckGroup) -> String? {
        switch group {
        // An anchor in the place of the leaf is trusted by itself: rules about issuers and chains aren't applied.
        case .signatures, .authority, .length, .constraints, .policies:
            guard verdict.path.count == 1 else { return nil }
            return verdict.reachesAnchor ? "the certificate is itself an anchor" : "the path has no issuer"
        case .anchor:
            return verdict.isTrusted && !verdict.reachesAnchor ? "the path isn't known up to an anchor" : nil
        case .revocation:
            let count = RevocationCount(verdict.revocation)
            return count.isEmpty || count.good > 0 ? nil : "no certificate was checked, by the rule's scope"
        default: return nil
        }
    }

    /// Returns whether the evaluation surely came to a group without failures.
    private func isReached(_ group: CheckGroup) -> Bool {
        guard !verdict.isTrusted else { return true }
        let isUndecided = verdict.failures.contains { $0.code.severity == .undecided }
        let isBeforeSearch = [.presented, .rule].contains { groups[$0] != nil } || groups[.budget] != nil
        let isOfSystem = verdict.failures.contains { $0.code == .systemRefused }
        guard !verdict.path.isEmpty, !isUndecided, !isBeforeSearch, !isOfSystem else { return false }
        switch group {
        // Rules for single certificates are applied on every path.
        case .algorithms, .validity, .authority, .extensions, .purpose, .identity: return true
        case .anchor: return verdict.reachesAnchor
        case .length, .constraints, .strict: return verdict.reachesAnchor
        // Verified from the leaf up to the first that is wrong, or whose algorithm isn't known.
        case .signatures: return verdict.reachesAnchor && groups[.algorithms] == nil
        // Processed on paths without any other failure.
        case .policies:
            return verdict.reachesAnchor && ![TrustCheck.path, .identity, .purpose].contains(where: hasFailure)
        // Listed as checked only if every certificate has an answer.
        case .revocation: return !verdict.revocation.isEmpty
        case .transparency: return verdict.reachesAnchor
        case .staple, .pins, .authorities, .attributes, .deniedCertificates, .custom: return false
        case .presented, .rule, .handshake, .budget: return false
        }
    }

    private func hasFailure(of check: TrustCheck) -> Bool { groups.keys.contains { $0.check == check } }
}
