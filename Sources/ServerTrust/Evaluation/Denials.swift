// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The denied keys of an evaluator, the denied certificates of a trust object's settings, and those that the lists over its anchors distrust:
/// refusals that hold on any path, whatever
/// exempts or excuses its other failures.
struct Denials {
    private let evaluator: (any TrustEvaluator)?
    private let list: DeniedCertificates?
    /// The certificates that the lists over the anchors distrust; none if such a list can't be read, which refuses elsewhere.
    let distrusted: [DistrustedCertificates]
    private let purpose: ValidationPolicy.Purpose
    private let memory = DistrustMemory()
    /// The certificates that may have issued one whose issuer isn't in its path: an anchor, or a leaf that is on no path.
    /// nil without a list.
    private let issuers: DenialIssuers?

    /// Creates the denials of an evaluation.
    /// - Parameters:
    ///   - evaluator: the evaluator whose denied keys count; nil for none.
    ///   - list: the denied certificates; nil for none.
    ///   - trust: the trust object, whose presented certificates and intermediates may be issuers.
    ///   - issuers: these certificates by name, if an evaluation has them already.
    init(
        _ evaluator: (any TrustEvaluator)?, _ list: DeniedCertificates?, on trust: Trust, issuers: DenialIssuers? = nil
    ) {
        self.evaluator = evaluator?.checks.contains(.deniedKeys) == true ? evaluator : nil
        self.list = list
        self.distrusted = (try? trust.settings.anchors.distrusted()) ?? []
        self.purpose = trust.settings.policy.purpose
        self.issuers = list == nil ? nil : issuers ?? DenialIssuers(trust)
    }

    /// Whether nothing is denied.
    var isEmpty: Bool { evaluator == nil && list == nil && distrusted.isEmpty }

    /// Returns the failures of a certificate.
    /// - Parameters:
    ///   - index: its place in a path; nil for a certificate of none.
    ///   - reason: the entry of ``list`` that denies the certificate.
    private func failures(
        of certificate: Certificate, at index: Int? = nil, _ role: TrustFailure.Role? = nil, reason: String?
    ) -> [TrustFailure] {
        var failures: [TrustFailure] = []
        if let evaluator {
            let pin = SPKIPin(certificate)
            if evaluator.isDenied(pin) {
                failures.append(
                    TrustFailure(.keyDenied, certificate: index, role: role, found: .text(pin.description)))
            }
        }
        if let reason {
            failures.append(TrustFailure(.certificateDenied, certificate: index, role: role, found: .text(reason)))
        }
        if let reason = self.reason(toDistrust: certificate) {
            failures.append(TrustFailure(.certificateDenied, certificate: index, role: role, found: .text(reason)))
        }
        return failures
    }

    /// Returns the reason for which a list distrusts a certificate, found once; nil for none.
    private func reason(toDistrust certificate: Certificate) -> String? {
        guard !distrusted.isEmpty else { return nil }
        if let known = memory.reasons[certificate] { return known }
        let reason = distrusted.reason(toDistrust: certificate, for: purpose)
        memory.reasons[certificate] = .some(reason)
        return reason
    }

    /// Returns the failures of a path, validated or not: each certificate's issuer is the next one, and that of the last one any with the name
    /// that it states.
    func failures(of path: [Certificate], reachesAnchor: Bool) -> [TrustFailure] {
        guard !isEmpty else { return [] }
        return path.indices.flatMap { index in
            let role: TrustFailure.Role =
                index == 0 ? .leaf : reachesAnchor && index == path.count - 1 ? .anchor : .intermediate
            let reason =
                index + 1 < path.count
                ? list?.reason(toDeny: path[index], issuers: [path[index + 1]])
                : list.flatMap { issuers?.reason(in: $0, toDeny: path[index]) }
            return failures(of: path[index], at: index, role, reason: reason)
        }
    }

    /// Returns the failures of presented certificates on no path, each once. The leaf's issuers are those of the name that it states; the
    /// issuers of the others aren't known.
    func failures(of presented: PresentedChain, outside path: [Certificate] = []) -> [TrustFailure] {
        guard !isEmpty else { return [] }
        var found: [TrustFailure] = []
        if let leaf = presented.leaf, !path.contains(leaf) {
            found += failures(of: leaf, reason: list.flatMap { issuers?.reason(in: $0, toDeny: leaf) })
        }
        var known = Set(found)
        for certificate in presented.others where !path.contains(certificate) {
            let reason = list?.reason(toDeny: certificate, issuers: [])
            found += failures(of: certificate, reason: reason).filter { known.insert($0).inserted }
        }
        return found
    }

    /// Returns the failures of the first path with any, else those of the presented certificates; empty for none.
    func failures(of paths: [RejectedPath], and presented: PresentedChain) -> [TrustFailure] {
        guard !isEmpty else { return [] }
        for path in paths {
            let found = failures(of: path.certificates, reachesAnchor: path.reachesAnchor)
            if !found.isEmpty { return found }
        }
        return failures(of: presented)
    }
}

/// The reasons that were found. A certificate may be on each of the paths that were tried, and hashing one takes time.
private final class DistrustMemory {
    var reasons: [Certificate: String?] = [:]
}

/// The certificates of a trust object that may have issued one whose issuer isn't in its path, by name.
///
/// A search may refuse hundreds of paths, and a server may present thousands of certificates: each name is read once, and each certificate at
/// the end of a path is looked up once. Used by one evaluation, on one thread.
final class DenialIssuers {
    private let trust: Trust
    /// The certificates by their subject in DER.
    private lazy var byName: [[UInt8]: [Certificate]] = Dictionary(
        grouping: trust.presentedChain.others + trust.settings.intermediates
    ) { $0.subject.der }
    private lazy var anchorsByName: [[UInt8]: [Certificate]] = Dictionary(
        grouping: (try? trust.settings.anchors.store())?.anchors.map(\.certificate) ?? []
    ) { $0.subject.der }
    /// The entries that deny certificates without an issuer in their path, by certificate; nil inside for none.
    private var reasons: [Certificate: String?] = [:]

    init(_ trust: Trust) { self.trust = trust }

    /// Returns the entry that denies a certificate, in words; nil if none does. Any certificate with the name that it states as its issuer's
    /// may have signed it.
    /// - Parameter list: the list; the same one in all calls.
    func reason(in list: DeniedCertificates, toDeny certificate: Certificate) -> String? {
        if let known = reasons[certificate] { return known }
        let reason = list.reason(toDeny: certificate, issuers: issuers(of: certificate))
        reasons[certificate] = .some(reason)
        return reason
    }

    /// Returns the certificates with the name that a certificate states as its issuer's, anchors among them.
    private func issuers(of certificate: Certificate) -> [Certificate] {
        let name = certificate.issuer.der
        let found = byName[name] ?? []
        // A path may end at a CA whose root is an anchor as well. A self-issued certificate counts as its own issuer.
        // Names that are too long to compare count as different: the certificate may have another issuer then, which only refuses more.
        guard certificate.isSelfIssued(atMost: 1_000_000) != true else { return found }
        return found + (anchorsByName[name] ?? [])
    }
}

extension TrustFailure.Code {
    /// The codes of denials.
    static let denials: Set<TrustFailure.Code> = [.keyDenied, .certificateDenied]
}

extension Evaluation {
    /// The denials that certificates on no validated path are compared with.
    var denials: Denials { Denials(evaluator, trust.settings.denied, on: trust, issuers: denialIssuers) }

    /// Returns the failures of a path by the denied and distrusted certificates of the settings. The evaluator checks its denied keys itself.
    func deniedCertificateFailures(of path: ValidatedPath) -> [TrustFailure] {
        Denials(nil, trust.settings.denied, on: trust, issuers: denialIssuers)
            .failures(of: path.certificates, reachesAnchor: true)
    }

    /// Returns the denials of a path that was not accepted, with their place, and of the other presented certificates.
    func denialFailures(in path: RejectedPath) -> [TrustFailure] {
        denials.failures(of: path.certificates, reachesAnchor: path.reachesAnchor)
            + denials.failures(of: trust.presentedChain, outside: path.certificates)
    }

    /// Returns the refusal of a server that is accepted with any failures but denials; nil if it has none.
    func denial(inSpiteOf found: TrustVerdict) -> TrustVerdict? {
        guard hasDeniedCertificates, !found.isTrusted else { return nil }
        let best = RejectedPath(certificates: found.path, reachesAnchor: found.reachesAnchor, failures: found.failures)
        let failures = Denials(nil, trust.settings.denied, on: trust, issuers: denialIssuers)
            .failures(of: [best] + found.rejectedPaths, and: trust.presentedChain)
        guard !failures.isEmpty else { return nil }
        return rejected(failures.sorted(by: TrustFailure.comesFirst), path: found.path)
    }

    /// Returns revocation findings in which a denied certificate is revoked.
    func denying(_ findings: [RevocationFinding], of verdict: TrustVerdict) -> [RevocationFinding] {
        guard let list = trust.settings.denied, !verdict.isTrusted else { return findings }
        let denied = Denials(nil, list, on: trust, issuers: denialIssuers)
            .failures(of: verdict.path, reachesAnchor: verdict.reachesAnchor)
        return findings.map { finding in
            guard !finding.isRevoked, denied.contains(where: { $0.certificate == finding.certificate }) else {
                return finding
            }
            return RevocationFinding(
                certificate: finding.certificate, status: .revoked(at: nil, reason: nil), source: .deniedList)
        }
    }

    /// Returns a warning for each certificate of a path with a key that is known for interception.
    func interceptionWarnings(_ path: [Certificate]) -> [String] {
        guard let list = trust.settings.denied else { return [] }
        return path.enumerated().compactMap { index, certificate in
            guard list.isKnownForInterception(certificate) else { return nil }
            return "certificate \(index) has a key that is known for the interception of connections: "
                + SPKIPin(certificate).description
        }
    }
}
