// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The certificates that the settings and the evaluator deny, and the certificates that the root lists distrust. They
/// are refused on every path, even if an exemption or exception covers the other failures.
struct Denials {
    private let memory: DenialMemory?

    /// Creates the denials of an evaluation.
    /// - Parameter memory: the denied and distrusted certificates, or nil for none.
    init(_ memory: DenialMemory?) { self.memory = memory }

    /// Whether nothing is denied.
    var isEmpty: Bool { memory == nil }

    /// Returns the failures of a certificate.
    /// - Parameters:
    ///   - index: its place in a path, or nil for a certificate that isn't on a path.
    ///   - entry: the entry of the denied list that denies the certificate.
    private func failures(
        of certificate: Certificate, at index: Int? = nil, _ role: TrustFailure.Role? = nil,
        entry: TrustFailure.DeniedEntry?
    ) -> [TrustFailure] {
        [entry, memory?.entry(distrusting: certificate)].compactMap(\.self).map { entry in
            TrustFailure(.certificateDenied, certificate: index, role: role, found: entry.value)
        }
    }

    /// Returns the failures of a path, validated or not. Each certificate's issuer is the next certificate. The last
    /// certificate's issuer is any certificate with the issuer name that it states.
    func failures(of path: [Certificate], reachesAnchor: Bool) -> [TrustFailure] {
        guard !isEmpty else { return [] }
        return path.indices.flatMap { index in
            let role = TrustFailure.Role(at: index, of: path.count, reachesAnchor: reachesAnchor)
            let entry =
                index + 1 < path.count
                ? memory?.list?.entry(denying: path[index], issuers: [path[index + 1]])
                : memory?.entry(denying: path[index])
            return failures(of: path[index], at: index, role, entry: entry)
        }
    }

    /// Returns the failures of presented certificates outside the path, each once. The leaf's issuers are the
    /// certificates with the issuer name that it states. The issuers of the other certificates aren't known.
    func failures(of presented: PresentedChain, outside path: [Certificate] = []) -> [TrustFailure] {
        guard !isEmpty else { return [] }
        var found: [TrustFailure] = []
        if let leaf = presented.leaf, !path.contains(leaf) {
            found += failures(of: leaf, entry: memory?.entry(denying: leaf))
        }
        var known = Set(found)
        for certificate in presented.others where !path.contains(certificate) {
            let entry = memory?.list?.entry(denying: certificate, issuers: [])
            found += failures(of: certificate, entry: entry).filter { known.insert($0).inserted }
        }
        return found
    }

    /// Returns the failures of the first path that has any, otherwise those of the presented certificates. Empty if
    /// there aren't any.
    func failures(of paths: [RejectedPath], and presented: PresentedChain) -> [TrustFailure] {
        guard !isEmpty else { return [] }
        for path in paths {
            let found = failures(of: path.certificates, reachesAnchor: path.reachesAnchor)
            if !found.isEmpty { return found }
        }
        return failures(of: presented)
    }
}

/// The denied and distrusted certificates of one evaluation, and the reasons that were found. Also contains the trust
/// object's certificates by name, because one of them may have issued a certificate whose issuer isn't on its path.
///
/// A search may refuse hundreds of paths, and a server may present thousands of certificates. The memory therefore
/// reads each name once, hashes each certificate once, and looks up each certificate at the end of a path once. Used by
/// one evaluation, on one thread.
final class DenialMemory {
    /// The denied certificates, or nil for none.
    let list: DeniedList?
    /// The certificates that the root lists distrust.
    private let distrusted: [DistrustedCertificates]
    private let trust: Trust
    /// The certificates by their subject in DER.
    private lazy var byName: [[UInt8]: [Certificate]] = Dictionary(
        grouping: trust.presentedChain.others + trust.settings.intermediates
    ) { $0.subject.der }
    private lazy var anchorsByName: [[UInt8]: [Certificate]] = Dictionary(
        grouping: (try? trust.settings.anchors.store())?.anchors.map(\.certificate) ?? []
    ) { $0.subject.der }
    /// For each certificate without an issuer on its path, the entry that denies it. The inner nil means that no entry
    /// denies it.
    private var entries: [Certificate: TrustFailure.DeniedEntry?] = [:]
    private var distrustingEntries: [Certificate: TrustFailure.DeniedEntry?] = [:]

    /// Creates a memory. Returns nil if no certificate is denied or distrusted.
    /// - Parameters:
    ///   - list: the denied certificates, or nil for none.
    ///   - distrusted: the certificates that the root lists distrust. Empty if a list can't be read, because the
    ///     evaluation refuses elsewhere then.
    ///   - trust: the trust object, whose presented certificates and intermediates may be issuers.
    init?(_ list: DeniedList?, _ distrusted: [DistrustedCertificates], on trust: Trust) {
        guard list != nil || !distrusted.isEmpty else { return nil }
        self.list = list
        self.distrusted = distrusted
        self.trust = trust
    }

    /// Returns the entry that denies a certificate, or nil if none does. Any certificate with the stated issuer name
    /// may have signed it.
    func entry(denying certificate: Certificate) -> TrustFailure.DeniedEntry? {
        guard let list else { return nil }
        if let known = entries[certificate] { return known }
        let entry = list.entry(denying: certificate, issuers: issuers(of: certificate))
        entries[certificate] = .some(entry)
        return entry
    }

    /// Returns the entry of a root list that distrusts a certificate, or nil if none does.
    func entry(distrusting certificate: Certificate) -> TrustFailure.DeniedEntry? {
        guard !distrusted.isEmpty else { return nil }
        if let known = distrustingEntries[certificate] { return known }
        let entry = distrusted.entry(distrusting: certificate, for: trust.settings.policy.purpose)
        distrustingEntries[certificate] = .some(entry)
        return entry
    }

    /// Returns the certificates whose name is the certificate's issuer name, including anchors.
    private func issuers(of certificate: Certificate) -> [Certificate] {
        let name = certificate.issuer.der
        let found = byName[name] ?? []
        // A path may end at a CA whose root is an anchor too. A self-issued certificate counts as its own issuer. Names
        // that are too long to compare count as different. The certificate may then have another issuer, which can only
        // refuse more.
        guard certificate.isSelfIssued(atMost: 1_000_000) != true else { return found }
        return found + (anchorsByName[name] ?? [])
    }
}

extension Evaluation {
    /// The denials that the evaluation compares with all certificates.
    var denials: Denials { Denials(deniedCertificates) }

    /// Returns a path's failures by denied and distrusted certificates, without those that the evaluator itself found.
    func deniedCertificateFailures(of path: ValidatedPath, besides found: [TrustFailure]) -> [TrustFailure] {
        denials.failures(of: path.certificates, reachesAnchor: true).filter { !found.contains($0) }
    }

    /// Returns the denials of a path that wasn't accepted, with their place, and of the presented certificates outside
    /// it.
    func denialFailures(in path: RejectedPath) -> [TrustFailure] {
        denials.failures(of: path.certificates, reachesAnchor: path.reachesAnchor)
            + denials.failures(of: trust.presentedChain, outside: path.certificates)
    }

    /// Returns the refusal of a server that would otherwise be accepted despite any failures. Returns nil if no
    /// certificate is denied, or if the server is trusted.
    func denial(inSpiteOf found: TrustVerdict) -> TrustVerdict? {
        guard deniedCertificates != nil, !found.isTrusted else { return nil }
        let failures = denials.failures(of: [found.asRejectedPath] + found.rejectedPaths, and: trust.presentedChain)
        guard !failures.isEmpty else { return nil }
        return rejected(failures.inReportOrder(), path: found.path)
    }

    /// Returns the revocation findings, with each denied certificate as revoked.
    func denying(_ findings: [RevocationFinding], of verdict: TrustVerdict) -> [RevocationFinding] {
        guard deniedCertificates?.list != nil, !verdict.isTrusted else { return findings }
        let denied = denials.failures(of: verdict.path, reachesAnchor: verdict.reachesAnchor)
        return findings.map { finding in
            guard !finding.isRevoked, denied.contains(where: { $0.certificate == finding.certificate }) else {
                return finding
            }
            return RevocationFinding(
                certificate: finding.certificate, status: .revoked(at: nil, reason: nil), source: .deniedList)
        }
    }

    /// Returns a warning for each certificate of a path whose key is known to be used for interception.
    func interceptionWarnings(_ path: [Certificate]) -> [String] {
        guard let list = deniedCertificates?.list else { return [] }
        return path.compactMap { certificate in
            guard list.isKnownForInterception(certificate) else { return nil }
            return
                "\(trust.presentedChain.reference(to: certificate)) has a key that is known to be used for intercepting connections: "
                + SPKIPin(certificate).description
        }
    }
}
