// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustPins

/// An index of CA certificates by issuer and organization, for finding an issuer's successors.
package struct SuccessorIndex: Sendable {
    private var byIssuer: [DistinguishedName: [Certificate]] = [:]
    private var byOrganization: [String: [Certificate]] = [:]
    private var bySubject: [DistinguishedName: [Certificate]] = [:]
    private var keys: Set<SPKIPin> = []
    private var seen: Set<Certificate> = []

    /// The maximum number of successors of one issuer. Large CAs have hundreds under a root.
    static let maximumCount = 64
    /// The maximum number of certificates above a certificate to search.
    private static let maximumSteps = 64

    /// Creates an index of the CA certificates among `certificates`.
    package init(_ certificates: some Sequence<Certificate>) { for certificate in certificates { add(certificate) } }

    private mutating func add(_ certificate: Certificate) {
        guard certificate.isAuthority, certificate.mayIssueForServers, seen.insert(certificate).inserted else { return }
        keys.insert(SPKIPin(certificate))
        bySubject[certificate.subject, default: []].append(certificate)
        if !certificate.isSelfIssued { byIssuer[certificate.issuer, default: []].append(certificate) }
        for name in Self.organizations(of: certificate) {
            byOrganization[name, default: []].append(certificate)
        }
    }

    /// The organizations of a certificate's subject. Names that would take a long time to compare are left out.
    private static func organizations(of certificate: Certificate) -> [String] {
        certificate.subject.values(of: .organizationName).filter { !CombiningRun.isTooLong(in: $0) }
    }

    /// Returns whether one of the certificates has a key.
    func hasAuthority(withKey key: SPKIPin) -> Bool { keys.contains(key) }

    /// Returns the other issuers of a CA, newest first. They are certificates with other keys from the same issuer, and
    /// certificates of the same organization elsewhere that aren't self-issued.
    ///
    /// If the organization is known, certificates from the same issuer count only if they belong to it. A root may have
    /// intermediates of other organizations.
    package func successors(of issuer: Certificate, at time: Time) -> [Certificate] {
        let organizations = Self.organizations(of: issuer)
        let siblings = (byIssuer[issuer.issuer] ?? []).filter { sibling in
            organizations.isEmpty || !Set(organizations).isDisjoint(with: Self.organizations(of: sibling))
        }
        let others = organizations.flatMap { byOrganization[$0] ?? [] }.filter { !$0.isSelfIssued }
        return newest(siblings + others, except: SPKIPin(issuer), at: time)
    }

    /// Returns the other roots of a CA: self-issued certificates with other keys and with the organization of its root.
    func roots(beside root: Certificate, at time: Time) -> [Certificate] {
        let others = Self.organizations(of: root).flatMap { byOrganization[$0] ?? [] }
        return newest(others.filter(\.isSelfIssued), except: SPKIPin(root), at: time)
    }

    private func newest(_ certificates: [Certificate], except key: SPKIPin, at time: Time) -> [Certificate] {
        var keys: Set<SPKIPin> = [key]
        return Array(
            certificates.filter { $0.notAfter >= time }.sorted { $0.notBefore > $1.notBefore }
                .filter { keys.insert(SPKIPin($0)).inserted }.prefix(Self.maximumCount))
    }

    /// Returns a path from a certificate up to a self-issued one, or as far as certificates are known. Signatures
    /// aren't checked.
    package func paths(above certificate: Certificate) -> [[Certificate]] {
        var paths: [[Certificate]] = []
        var waiting = [[certificate]]
        var steps = 0
        while let path = waiting.popLast(), steps < Self.maximumSteps {
            steps += 1
            guard let top = path.last, !top.isSelfIssued else {
                paths.append(path)
                continue
            }
            let issuers = (bySubject[top.issuer] ?? []).filter { $0.mayHaveSigned(top) && !path.contains($0) }
            if issuers.isEmpty { paths.append(path) }
            waiting += issuers.prefix(Self.maximumSteps).map { path + [$0] }
        }
        return paths
    }
}

extension Certificate {
    /// Whether a CA may issue for TLS servers: it has no extended key usage, or one that allows it.
    fileprivate var mayIssueForServers: Bool {
        extendedKeyUsage.map { $0.contains(.serverAuth) || $0.contains(.anyExtendedKeyUsage) } ?? true
    }

    /// Whether the key identifiers of a certificate are compatible with this one as its issuer.
    fileprivate func mayHaveSigned(_ certificate: Certificate) -> Bool {
        guard let expected = certificate.authorityKeyIdentifier?.keyIdentifier, let own = subjectKeyIdentifier else {
            return true
        }
        return expected == own
    }
}
