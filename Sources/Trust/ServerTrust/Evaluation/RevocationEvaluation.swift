// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The revocation part of one evaluation. Parses the evidence, determines the status of each path's certificates, and
/// derives the failures.
final class RevocationEvaluation {
    private let policy: RevocationPolicy
    private let time: Time
    private let evidence: RevocationEvidence
    private let checker: RevocationChecker
    /// The findings by path. Few paths reach this check.
    private var known: [(path: [Certificate], findings: [RevocationFinding], staple: StapleFinding?)] = []
    private let hasUnreadableStaple: Bool

    /// One line for each piece of evidence that couldn't be parsed. Empty if revocation is off.
    package private(set) var warnings: [String] = []

    private static let maximumWarnings = 16

    /// Whether a piece of evidence is larger than its reader accepts. It may revoke any certificate.
    private let hasOversized: Bool

    /// Creates the revocation part of an evaluation.
    /// - Parameters:
    ///   - policy: the policy. With ``RevocationPolicy/Mode/off``, the only effect of evidence is that it can revoke a
    ///     certificate.
    ///   - staple: the OCSP response of the handshake, in DER.
    ///   - data: additional evidence.
    ///   - certificates: candidates for CRL signers, in addition to the path.
    init(
        _ policy: RevocationPolicy, staple: [UInt8]?, _ data: RevocationData, certificates: [Certificate],
        at time: Time, memory: SignatureMemory?
    ) {
        self.policy = policy
        self.time = time
        var warnings: [String] = []
        var hasOversized = false
        func read<Value>(
            _ der: [UInt8], _ name: String, _ maximumSize: Int,
            _ parse: ([UInt8]) throws(DERError) -> Value
        ) -> Value? {
            do throws(DERError) { return try parse(der) } catch {
                if der.count > maximumSize { hasOversized = true }
                if warnings.count < Self.maximumWarnings { warnings.append("\(name) left out: \(error)") }
                return nil
            }
        }
        let memoryOfEvidence = RevocationMemory.shared
        var evidence = RevocationEvidence(
            staple: staple.flatMap { read($0, "staple", OCSPResponse.maximumSize, memoryOfEvidence.response(der:)) },
            ocspResponses: data.ocspResponses.enumerated().compactMap {
                read($1, "OCSP response \($0)", OCSPResponse.maximumSize, memoryOfEvidence.response(der:))
            } + data.responses,
            crls: data.crls.enumerated().compactMap {
                read($1, "CRL \($0)", CertificateRevocationList.maximumSize, memoryOfEvidence.list(der:))
            } + data.lists,
            certificates: certificates)
        evidence.filters = data.filters
        self.evidence = evidence
        self.hasUnreadableStaple = staple != nil && evidence.staple == nil
        self.warnings = policy.mode == .off ? [] : warnings
        self.hasOversized = hasOversized
        self.checker = RevocationChecker(evidence, policy: policy, at: time, memory: memory)
    }

    /// Returns a finding for every certificate of the path except the anchor.
    func findings(for path: ValidatedPath) -> [RevocationFinding] {
        if let known = known.first(where: { $0.path == path.certificates }) { return known.findings }
        var findings = checker.findings(for: path)
        if hasOversized {
            for index in findings.indices where !findings[index].isRevoked {
                findings[index] = RevocationFinding(
                    certificate: findings[index].certificate, status: .unobtainable([.budgetExceeded]))
            }
        }
        if !warnings.isEmpty {
            for index in findings.indices {
                guard case .unobtainable(let obstacles) = findings[index].status else { continue }
                findings[index].status = .unobtainable(obstacles + [.evidenceMalformed])
            }
        }
        // If the list is full, the newest path replaces the last one, because a verdict may be about the newest path.
        if known.count >= 64 { known.removeLast() }
        known.append((path.certificates, findings, checker.staple))
        return findings
    }

    /// Returns a finding for every certificate, except the anchor, of a path that an evaluation has reached. Empty for
    /// an empty path.
    func findings(onPathOf certificates: [Certificate]) -> [RevocationFinding] {
        ValidatedPath(validatedBySystem: certificates).map(findings(for:)) ?? []
    }

    /// Returns the signers of evidence about a path that aren't on the path and whose own status is open.
    func openSigners(of path: ValidatedPath) -> [OpenSigner] {
        _ = findings(for: path)
        return checker.openSigners
    }

    /// Returns the findings of an earlier call for a path, or an empty list if there wasn't one. If revocation is off,
    /// the list is empty unless a finding refuses the path. The other certificates are then unchecked.
    func knownFindings(for path: [Certificate]) -> [RevocationFinding] {
        let findings = known.first { $0.path == path }?.findings ?? []
        guard policy.mode == .off else { return findings }
        guard findings.contains(where: { $0.isRevoked || $0.exceedsBudget }) else { return [] }
        return findings.map { finding in
            finding.isRevoked || finding.exceedsBudget
                ? finding : RevocationFinding(certificate: finding.certificate, status: .unchecked)
        }
    }

    /// Returns the finding about the staple, or nil without a staple. No claim is verified unless this evaluation has
    /// the findings of the path.
    func staple(on path: [Certificate], leaf: Certificate) -> StapleFinding? {
        if hasUnreadableStaple { return .unreadable }
        return known.first { $0.path == path }?.staple
            ?? evidence.staple.map { StapleFinding(unexamined: $0, leaf: leaf) }
    }

    /// Returns the failures of a path: revoked certificates, certificates whose evidence takes more work than the
    /// budget permits, and, if the policy requires checks, certificates without an answer.
    func failures(of path: ValidatedPath) -> [TrustFailure] {
        findings(for: path).compactMap { finding in
            let index = finding.certificate
            let role: TrustFailure.Role = index == 0 ? .leaf : .intermediate
            switch finding.status {
            case .good, .exempt, .unchecked: return nil
            case .revoked(let date, let reason):
                return TrustFailure(
                    .certificateRevoked, certificate: index, role: role,
                    expected: date.map { .time($0) } ?? .text("on an unknown date"),
                    found: .text(reason?.name ?? "none given"))
            case .unobtainable(let obstacles):
                // An exhausted budget never leads to acceptance, because the unexamined evidence may contain the
                // revocation.
                guard policy.mode == .required || obstacles.contains(.budgetExceeded) else { return nil }
                return TrustFailure(
                    .revocationUnavailable, certificate: index, role: role, found: .list(obstacles.map(\.name)))
            }
        }
    }

    /// Returns the interval around the verify date in which the findings for a path can't change.
    func window(of path: ValidatedPath) -> (from: Time?, until: Time?) {
        var window = evidence.window(around: time, policy, limitsAge: policy.limitsAge(of: path))
        if let last = checker.nextRevocation?.advanced(by: -1) { window.until = min(window.until ?? last, last) }
        return window
    }

    /// The seconds around the verify date in which no piece of evidence becomes valid or expires, on any path.
    var evidenceWindow: (from: Time?, until: Time?) { evidence.window(around: time, policy, limitsAge: true) }
}
