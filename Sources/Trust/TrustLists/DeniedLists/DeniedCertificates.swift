// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Certificates and keys that no path may contain, regardless of their issuers: the contents of lists such as Mozilla's OneCRL and
/// Chrome's CRLSets.
///
/// ```swift
/// configuration.settings.denied = try DeniedCertificates(contentsOfFile: "onecrl.json")
/// ```
/// An entry is an issuer's name or key with a serial number, a subject with a key, a key alone, or a subject with the only keys that it may
/// have. Entries are asked about every certificate of a path, anchor included, with any revocation setting (`TrustSettings.denied`).
/// Keys that a list knows for interception, and doesn't block, lead to a warning of the verdict alone.
///
/// Not checked: the age of a list. A list that is past its own date still denies. The lists are the caller's: none is built in, and none
/// is fetched.
public struct DeniedCertificates: Sendable, Hashable {
    /// One list.
    private final class List: Sendable {
        let entries: DeniedEntries
        let digest: [UInt8]

        init(_ entries: DeniedEntries, digest: [UInt8]) {
            self.entries = entries
            self.digest = digest
        }
    }

    private var lists: [List]

    /// Parts of the lists that are left out because no entry depends on them, one line each.
    package private(set) var warnings: [String] = []

    /// Creates a list of keys.
    /// - Parameter digests: the SHA-256 digests of their SubjectPublicKeyInfo.
    package init(keyDigests digests: Set<[UInt8]>) {
        var entries = DeniedEntries()
        entries.deny(digests)
        let digests = digests.sorted { $0.lexicographicallyPrecedes($1) }
        self.lists = [List(entries, digest: Digests.sha256(Array(digests.joined())))]
    }

    /// Creates a list of entries that were read.
    /// - Parameter bytes: the bytes that they were read from.
    init(_ entries: DeniedEntries, of bytes: [UInt8], warnings: [String]) {
        self.lists = [List(entries, digest: Digests.sha256(bytes))]
        self.warnings = warnings
    }

    /// The number of entries, keys that are known for interception included.
    public var count: Int { lists.reduce(0) { $0 + $1.entries.count } }

    /// Adds the entries of other lists. A certificate that one of them denies is denied.
    public mutating func formUnion(_ other: DeniedCertificates) {
        for list in other.lists where !lists.contains(where: { $0.digest == list.digest }) { lists.append(list) }
        warnings += other.warnings.filter { !warnings.contains($0) }
    }

    /// Returns the entries of both; nil if neither is there.
    package static func union(_ first: DeniedCertificates?, _ second: DeniedCertificates?) -> DeniedCertificates? {
        guard var all = first, let second else { return first ?? second }
        all.formUnion(second)
        return all
    }

    /// Compares the bytes that the lists were read from, by their digests, in order.
    public static func == (left: DeniedCertificates, right: DeniedCertificates) -> Bool {
        left.lists.count == right.lists.count
            && zip(left.lists, right.lists).allSatisfy { $0 === $1 || $0.digest == $1.digest }
    }

    public func hash(into hasher: inout Hasher) { for list in lists { hasher.combine(list.digest) } }
}

extension DeniedCertificates {
    /// The work of comparing the subject of a certificate with its issuer: some milliseconds.
    private static let maximumNameWork = 1_000_000

    /// Returns the entry that denies a certificate, in words; nil if none does.
    /// - Parameters:
    ///   - certificate: the certificate.
    ///   - issuers: the certificates whose keys may have signed it; a self-issued one is its own.
    package func reason(toDeny certificate: Certificate, issuers: [Certificate]) -> String? {
        let candidate = DeniedEntries.Candidate(certificate)
        let needsIssuers = lists.contains { !$0.entries.serialsByIssuerKey.isEmpty }
        var issuerKeys = needsIssuers ? issuers.map(\.subjectPublicKeyInfoSHA256) : []
        // The names are compared only if the answer counts. One that takes long is in doubt, and denied.
        if needsIssuers, lists.contains(where: { $0.entries.isListed(candidate, issuerKey: candidate.key) }),
            certificate.isSelfIssued(atMost: Self.maximumNameWork) ?? true
        {
            issuerKeys.append(candidate.key)
        }
        for list in lists {
            if let reason = list.entries.reason(toDeny: candidate, issuerKeys: issuerKeys) { return reason }
        }
        return nil
    }

    /// Whether a list knows the certificate's key for interception.
    package func isKnownForInterception(_ certificate: Certificate) -> Bool {
        guard lists.contains(where: { !$0.entries.interceptionKeys.isEmpty }) else { return false }
        let key = certificate.subjectPublicKeyInfoSHA256
        return lists.contains { $0.entries.interceptionKeys.contains(key) }
    }
}
