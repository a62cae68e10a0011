// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The list of a root program, such as Mozilla's or Chrome's: the roots that it trusts, each with its conditions.
///
/// A list tightens a store of anchors and never adds to it. The package neither contains nor fetches lists: you supply
/// the file. Verdicts name its source and date.
public struct RootList: Sendable {
    /// A root in a list.
    package struct Entry: Sendable, Hashable {
        /// The list's name for the root, not the certificate's.
        var label: String
        /// The alternative sets of constraints. A path has to meet one of them. A root without conditions has one empty
        /// set. A root that isn't trusted for TLS has no sets.
        var alternatives: [AnchorConstraints]
        /// The policies whose claims of extended validation the list accepts. Nil if the list doesn't state policies,
        /// empty if it accepts no claims for this root.
        var extendedValidationPolicies: [OID]?
        /// The date after which leaves were distrusted before the root lost its trust, or nil if the list has none. Nil
        /// for trusted roots.
        var distrustedAfter: Time?

        /// Whether a path to the root has no conditions to meet.
        var isUnconditional: Bool { alternatives == [AnchorConstraints()] }

        /// The purposes that some path to the root is trusted for.
        var trustedPurposes: Set<ValidationPolicy.Purpose> {
            alternatives.reduce(into: []) { $0.formUnion($1.purposes ?? Set(ValidationPolicy.Purpose.allCases)) }
        }
    }

    /// The root program's name in verdicts, such as `Mozilla`.
    public let program: String

    /// The date of the list, or nil for a list without a date.
    public let date: Time?

    /// Whether the list has all roots of its program, so that absence means distrust.
    public let isComplete: Bool

    /// The roots by the SHA-256 of their certificates.
    package private(set) var entries: [[UInt8]: Entry] = [:]

    /// The certificates that the program distrusts anywhere in a path.
    package private(set) var distrusted: DistrustedCertificates.Names = [:]

    /// The distrusted purposes of keys whose certificates the program distrusts.
    private var distrustedOwners: [[UInt8]: Set<ValidationPolicy.Purpose>] = [:]

    /// The SHA-256 of the roots that the list contains as certificates, keyed by the SHA-256 of their keys.
    private var owners: [[UInt8]: Set<[UInt8]>] = [:]

    init(program: String, date: Time?, isComplete: Bool) {
        self.program = program
        self.date = date
        self.isComplete = isComplete
    }

    /// The number of roots.
    public var count: Int { entries.count }

    /// Whether ``date`` is the file's modification date, which may be much later than the program's list.
    var isDateOfFile = false

    /// The program and the date of the list, for verdicts: `Mozilla, 2026-06-13`, or `Mozilla, file of 2026-06-13`.
    package var source: String {
        date.map { "\(program), \(isDateOfFile ? "file of " : "")\($0.description.prefix(10))" } ?? program
    }

    /// Adds a root. If the list already has the root, a path has to meet both entries.
    mutating func add(_ sha256: [UInt8], _ entry: Entry) {
        guard let other = entries[sha256] else {
            entries[sha256] = entry
            return
        }
        // Takes the stricter of both. Two entries with different conditions in one file leave nothing to trust.
        if let policies = entry.extendedValidationPolicies {
            // Uses each policy once, so the result is at most as long as the shorter entry.
            var common = Set(policies)
            entries[sha256]?.extendedValidationPolicies =
                other.extendedValidationPolicies?.filter { common.remove($0) != nil } ?? policies
        }
        guard other.alternatives != entry.alternatives else { return }
        if other.isUnconditional {
            entries[sha256]?.alternatives = entry.alternatives
        } else if !entry.isUnconditional {
            entries[sha256]?.alternatives = []
        }
    }

    /// Adds a root that the list contains as a certificate.
    mutating func add(_ certificate: Certificate, _ entry: Entry) {
        let digest = certificate.sha256
        owners[certificate.subjectPublicKeyInfoSHA256, default: []].insert(digest)
        add(digest, entry)
    }

    /// Returns the purposes that the list trusts some root with this key for, without distrusting that root.
    private func trustedPurposes(ofOwners key: [UInt8]) -> Set<ValidationPolicy.Purpose> {
        (owners[key] ?? []).reduce(into: []) { purposes, digest in
            let trusted = entries[digest]?.trustedPurposes ?? []
            purposes.formUnion(Set(trusted).subtracting(distrusted[.certificate(digest)] ?? []))
        }
    }

    /// Distrusts the certificates with a name. The default is for all purposes.
    mutating func distrust(
        _ name: DistrustedCertificates.Name, for purposes: some Sequence<ValidationPolicy.Purpose> = allPurposes
    ) {
        distrusted[name, default: []].formUnion(purposes)
    }

    /// Distrusts a certificate that the list contains: by its SHA-256, by its issuer and serial number, and by its key.
    /// A copy with another signature, and a cross-certificate for the key, are the same authority.
    ///
    /// The key isn't distrusted if the list trusts another certificate with the same key. In that case the list
    /// distrusts individual certificates.
    mutating func distrust(
        _ certificate: Certificate, for purposes: some Collection<ValidationPolicy.Purpose> = allPurposes
    ) {
        guard !purposes.isEmpty else { return }
        distrust(.certificate(certificate.sha256), for: purposes)
        distrust(.serialNumber(IssuerAndSerial(certificate)), for: purposes)
        distrustedOwners[certificate.subjectPublicKeyInfoSHA256, default: []].formUnion(purposes)
    }

    private static let allPurposes = ValidationPolicy.Purpose.allCases

    /// Returns the names of all certificates that the list distrusts.
    /// - Parameter anchors: the certificates of a store. If the list distrusts one that it names but doesn't contain,
    ///   its key is distrusted too.
    private func distrustedNames(among anchors: some Sequence<Certificate>) -> DistrustedCertificates.Names {
        guard !distrusted.isEmpty else { return [:] }
        var names = distrusted
        var distrustedOwners = distrustedOwners
        var trusted: [[UInt8]: Set<ValidationPolicy.Purpose>] = [:]
        for certificate in anchors {
            let key = certificate.subjectPublicKeyInfoSHA256
            let digest = certificate.sha256
            let purposes = (distrusted[.certificate(digest)] ?? [])
                .union(distrusted[.serialNumber(IssuerAndSerial(certificate))] ?? [])
            if !purposes.isEmpty {
                distrustedOwners[key, default: []].formUnion(purposes)
            } else if let entry = entries[digest] {
                trusted[key, default: []].formUnion(entry.trustedPurposes)
            }
        }
        for (key, purposes) in distrustedOwners {
            let remaining = purposes.subtracting(trusted[key] ?? []).subtracting(trustedPurposes(ofOwners: key))
            if !remaining.isEmpty { names[.key(key), default: []].formUnion(remaining) }
        }
        return names
    }

    /// Returns the certificates that the list distrusts, or nil if it distrusts none.
    /// - Parameter anchors: the certificates of the store that the list applies to.
    package func distrustedCertificates(among anchors: some Sequence<Certificate>) -> DistrustedCertificates? {
        let names = distrustedNames(among: anchors)
        return names.isEmpty ? nil : DistrustedCertificates(source: source, names: names)
    }

    /// Whether the list says nothing about any certificate.
    var isEmpty: Bool { entries.isEmpty && distrusted.isEmpty }

    /// Returns the list if it trusts a root.
    /// - Throws: ``RootListError`` for a list that would distrust every root, such as a truncated list or one in
    ///   another form.
    func trustingARoot() throws(RootListError) -> RootList {
        guard entries.values.contains(where: { !$0.alternatives.isEmpty }) else {
            throw RootListError(.rootListEmpty, line: nil, "no root is trusted for TLS, expected a whole list")
        }
        return self
    }

    /// Returns the list's conditions on a certificate, including conditions that every path meets, or nil if the list
    /// says nothing about it.
    /// - Parameter unlistedIsDistrusted: whether a certificate is distrusted if a complete list doesn't have it.
    package func conditions(for certificate: Certificate, unlistedIsDistrusted: Bool) -> AnchorConditions? {
        let digest = certificate.sha256
        let purposes = distrustedPurposes(of: certificate, digest)
        let entry = entries[digest]
        guard entry != nil || !purposes.isEmpty else {
            return isComplete && unlistedIsDistrusted ? .unlisted(source: source) : nil
        }
        // Distrust overrides an entry.
        let isDistrusted = purposes.count == ValidationPolicy.Purpose.allCases.count
        var conditions = AnchorConditions(
            source: source, alternatives: isDistrusted ? [] : entry?.alternatives ?? [])
        conditions.extendedValidationPolicies = entry?.extendedValidationPolicies
        conditions.distrustedPurposes = purposes
        return conditions
    }

    /// Returns the distrusted purposes of a certificate.
    private func distrustedPurposes(
        of certificate: Certificate, _ digest: [UInt8]
    ) -> Set<ValidationPolicy.Purpose> {
        guard !distrusted.isEmpty else { return [] }
        let key = certificate.subjectPublicKeyInfoSHA256
        var purposes = distrusted[.certificate(digest)] ?? []
        purposes.formUnion(distrusted[.serialNumber(IssuerAndSerial(certificate))] ?? [])
        purposes.formUnion(distrusted[.key(key)] ?? [])
        purposes.formUnion((distrustedOwners[key] ?? []).subtracting(trustedPurposes(ofOwners: key)))
        return purposes
    }
}
