// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The revocation part of one evaluation: parses the evidence, finds the status of each path's certificates, and derives the failures.
package final class RevocationEvaluation {
    private let policy: RevocationPolicy
    private let time: Time
    private let evidence: RevocationEvidence
    private let checker: RevocationChecker
    /// The findings by path. Few paths reach this check.
    private var known: [(path: [Certificate], findings: [RevocationFinding])] = []

    /// The evidence that could not be parsed, one line each; empty if revocation is off.
    package private(set) var warnings: [String] = []

    private static let maximumWarnings = 16

    /// Creates the revocation part of an evaluation.
    /// - Parameters:
    ///   - policy: the policy. With ``RevocationPolicy/Mode/off`` evidence revokes, and nothing else follows from it.
    ///   - staple: from the handshake, in DER.
    ///   - data: further evidence.
    ///   - certificates: candidates for CRL signers, beside the path.
    package init(
        _ policy: RevocationPolicy, staple: [UInt8]?, _ data: RevocationData, certificates: [Certificate],
        at time: Time, memory: SignatureMemory?
    ) {
        self.policy = policy
        self.time = time
        var warnings: [String] = []
        func read<Value>(_ der: [UInt8], _ name: String, _ parse: ([UInt8]) throws(DERError) -> Value) -> Value? {
            do throws(DERError) { return try parse(der) } catch {
                if warnings.count < Self.maximumWarnings { warnings.append("\(name) left out: \(error)") }
                return nil
            }
        }
        let memoryOfEvidence = RevocationMemory.shared
        var evidence = RevocationEvidence(
            staple: staple.flatMap { read($0, "staple", memoryOfEvidence.response(der:)) },
            ocspResponses: data.ocspResponses.enumerated().compactMap {
                read($1, "OCSP response \($0)", memoryOfEvidence.response(der:))
            } + data.responses,
            crls: data.crls.enumerated().compactMap { read($1, "CRL \($0)", memoryOfEvidence.list(der:)) }
                + data.lists,
            certificates: certificates)
        evidence.filters = data.filters
        self.evidence = evidence
        self.warnings = policy.mode == .off ? [] : warnings
        self.checker = RevocationChecker(evidence, policy: policy, at: time, memory: memory)
    }

    /// Returns a finding for every certificate of the path but the anchor.
    func findings(for path: ValidatedPath) -> [RevocationFinding] {
        if let known = known.first(where: { $0.path == path.certificates }) { return known.findings }
        var findings = checker.findings(for: path)
        if !warnings.isEmpty {
            for index in findings.indices {
                guard case .unobtainable(let obstacles) = findings[index].status else { continue }
                findings[index].status = .unobtainable(obstacles + [.evidenceMalformed])
            }
        }
        // The last path is the one that a verdict may be about.
        if known.count >= 64 { known.removeLast() }
        known.append((path.certificates, findings))
        return findings
    }

    /// Returns a finding for every certificate of a path that an evaluation has reached, but the anchor; empty for no certificate.
    package func findings(onPathOf certificates: [Certificate]) -> [RevocationFinding] {
        ValidatedPath(validatedBySystem: certificates).map(findings(for:)) ?? []
    }

    /// Returns the signers of evidence about a path that are outside of it and whose own status is open.
    func openSigners(of path: ValidatedPath) -> [OpenSigner] {
        _ = findings(for: path)
        return checker.openSigners
    }

    /// Returns the findings of an earlier call for a path; empty if there was none. If revocation is off, they are empty unless one refuses
    /// the path, and the certificates of the others are unchecked.
    package func knownFindings(for path: [Certificate]) -> [RevocationFinding] {
        let findings = known.first { $0.path == path }?.findings ?? []
        guard policy.mode == .off else { return findings }
        guard findings.contains(where: { $0.isRevoked || $0.exceedsBudget }) else { return [] }
        return findings.map { finding in
            finding.isRevoked || finding.exceedsBudget
                ? finding : RevocationFinding(certificate: finding.certificate, status: .unchecked)
        }
    }

    /// Returns the failures of a path: revoked certificates; if checking is required, certificates without an answer; and in any
    /// case certificates whose evidence needs more work than the budget permits.
    package func failures(of path: ValidatedPath) -> [TrustFailure] {
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
                // An exhausted budget never leads to acceptance: the evidence that wasn't examined may contain the revocation.
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
}
