// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustPins

/// A key that you can pin, with the facts that the decision depends on.
package struct PinCandidate: Sendable, Hashable {
    /// The kind of the key's owner.
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// A server's certificate.
        case leaf
        /// A CA between leaf and anchor.
        case issuer
        /// The anchor of a valid path.
        case anchor
        /// A public key or certificate request: a key of the server's operator, whether in use or not.
        case key
    }

    /// The expected lifetime of the key.
    package enum Stability: String, Sendable, Hashable, Codable, CaseIterable {
        /// Weeks: until the leaf's next renewal, unless the server keeps its key.
        case rotates
        /// One to a few years: until the CA replaces this one of its several intermediates without notice.
        case issuerDecides
        /// Many years: as long as root stores contain the root.
        case lasts
        /// As long as the owner keeps it.
        case ownerDecides
    }

    /// The pin of the key.
    package let pin: SPKIPin
    /// The kind of the key's owner.
    package let kind: Kind
    /// The expected lifetime of the key.
    package let stability: Stability
    /// A human-readable name of the subject that the key came from.
    package let name: String
    /// The certificate with the key, or nil for a key or request. If there are several certificates, this is the one
    /// with the latest expiry date.
    package let certificate: Certificate?
    /// The indices in ``PinCandidates/paths`` of the valid paths that contain the key.
    package let paths: [Int]
    /// Whether the key is a backup.
    package let isBackup: Bool
}

/// The keys from several sources, and all valid paths among their certificates.
package struct PinCandidates: Sendable {
    /// The keys: leaves first, then issuers, anchors, and keys without a certificate.
    package let candidates: [PinCandidate]
    /// Every valid path of every leaf.
    package let paths: [ValidatedPath]
    /// The leaves without a valid path, each with its most important failure.
    package let untrusted: [(leaf: Certificate, why: TrustFailure)]
    /// The hosts that the leaf certificates name.
    package let hosts: [PinnedHosts]

    /// The cross-signed CAs: certificates that different issuers issued for one CA.
    package let crossSigned: [[Certificate]]

    /// Collects the keys of objects, and the valid paths of all leaves among them.
    /// - Parameters:
    ///   - objects: the objects. Certificates are candidates for each other's paths.
    ///   - backups: the objects whose keys are backups.
    ///   - settings: the settings of the validation. Names aren't checked.
    package init(_ objects: [PinSource.Origin], backups: [PinSource.Origin] = [], settings: TrustSettings) {
        let certificates = objects.compactMap { object -> Certificate? in
            if case .certificate(let certificate) = object { certificate } else { nil }
        }
        var finder = PathFinder(certificates, settings)
        finder.find()
        var builder = CandidateBuilder(paths: finder.paths)
        for leaf in finder.leaves { builder.add(leaf, .leaf, .rotates) }
        for path in finder.paths {
            for certificate in path.intermediates { builder.add(certificate, .issuer, .issuerDecides) }
        }
        for path in finder.paths where path.certificates.count > 1 { builder.add(path.anchor, .anchor, .lasts) }
        for certificate in certificates where !finder.leaves.contains(certificate) {
            builder.add(certificate, .issuer, certificate.isSelfIssued ? .lasts : .issuerDecides)
        }
        for object in objects { builder.add(object, isBackup: false) }
        for backup in backups { builder.add(backup, isBackup: true) }
        self.candidates = builder.candidates
        self.paths = finder.paths
        self.untrusted = finder.untrusted
        self.hosts = finder.leaves.flatMap(\.pinnedHosts).reduce(into: []) { hosts, host in
            if !hosts.contains(host) { hosts.append(host) }
        }
        self.crossSigned = Self.crossSigned(finder.paths)
    }

    private static func crossSigned(_ paths: [ValidatedPath]) -> [[Certificate]] {
        var groups: [[Certificate]] = []
        for certificate in paths.flatMap({ $0.certificates.dropFirst() }) {
            let index = groups.firstIndex {
                $0[0].subject == certificate.subject && $0[0].subjectPublicKeyInfo == certificate.subjectPublicKeyInfo
            }
            if let index {
                if !groups[index].contains(certificate) { groups[index].append(certificate) }
            } else {
                groups.append([certificate])
            }
        }
        return groups.filter { $0.count > 1 }
    }
}

/// Finds the leaves among certificates, and their paths.
private struct PathFinder {
    let certificates: [Certificate]
    let settings: TrustSettings
    private(set) var leaves: [Certificate] = []
    private(set) var paths: [ValidatedPath] = []
    private(set) var untrusted: [(leaf: Certificate, why: TrustFailure)] = []

    init(_ certificates: [Certificate], _ settings: TrustSettings) {
        self.certificates = certificates
        var settings = settings
        settings.identity = .insecurelyAnyName
        self.settings = settings
    }

    mutating func find() {
        for certificate in certificates where !isIssuer(certificate) && !leaves.contains(certificate) {
            leaves.append(certificate)
            let trust = Trust(
                presentedChain: PresentedChain([certificate] + certificates.filter { $0 != certificate }),
                optionalHost: nil, settings: settings)
            let found = trust.validPaths()
            paths += found
            if found.isEmpty, let why = trust.evaluate().headline { untrusted.append((certificate, why)) }
        }
    }
}

extension PathFinder {
    /// Returns whether a certificate belongs to a CA according to its basic constraints. An old root without them
    /// counts as a CA if it issued another certificate.
    private func isIssuer(_ certificate: Certificate) -> Bool {
        certificate.basicConstraints?.isCertificateAuthority == true
            || certificates.contains { $0 != certificate && $0.issuer == certificate.subject }
    }
}

/// Collects candidates in order, each key once.
private struct CandidateBuilder {
    let paths: [ValidatedPath]
    private(set) var candidates: [PinCandidate] = []
    private var seen: Set<SPKIPin> = []

    init(paths: [ValidatedPath]) { self.paths = paths }

    mutating func add(_ certificate: Certificate, _ kind: PinCandidate.Kind, _ stability: PinCandidate.Stability) {
        let pin = SPKIPin(certificate)
        guard seen.insert(pin).inserted else { return }
        let holders = paths.indices.filter { index in paths[index].certificates.contains { SPKIPin($0) == pin } }
        let same = paths.flatMap(\.certificates).filter { SPKIPin($0) == pin } + [certificate]
        candidates.append(
            PinCandidate(
                pin: pin, kind: kind, stability: stability, name: certificate.description,
                certificate: same.max { $0.notAfter < $1.notAfter }, paths: holders, isBackup: false))
    }

    mutating func add(_ object: PinSource.Origin, isBackup: Bool) {
        let pin: SPKIPin
        var certificate: Certificate?
        switch object {
        case .certificate(let found):
            guard isBackup else { return }
            pin = SPKIPin(found)
            certificate = found
        case .publicKey(let key): pin = SPKIPin(key)
        case .certificateRequest(let request): pin = SPKIPin(request.subjectPublicKeyInfo)
        }
        guard seen.insert(pin).inserted else { return }
        candidates.append(
            PinCandidate(
                pin: pin, kind: .key, stability: .ownerDecides, name: object.description, certificate: certificate,
                paths: [], isBackup: isBackup))
    }
}

extension Certificate {
    /// The hosts of the DNS names. `*.example.com` covers the names one label below.
    fileprivate var pinnedHosts: [PinnedHosts] {
        (subjectAlternativeNames ?? []).compactMap { name in
            guard case .dnsName(let text) = name else { return nil }
            if text.hasPrefix("*.") {
                return (try? Hostname(String(text.dropFirst(2)))).flatMap { .below($0, .oneLabel) }
            }
            return (try? Hostname(text)).map(PinnedHosts.only)
        }
    }
}
