// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Certificates and keys that no path may contain, regardless of their issuers: your own, and the contents of lists
/// such as Mozilla's OneCRL and Chrome's CRLSets.
///
/// ```swift
/// var denied = DeniedList(keys: [stolenKey], reason: "stolen in May")
/// denied.formUnion(DeniedList(certificates: [formerAuthority]))
/// denied.formUnion(try DeniedList(contentsOfFile: "onecrl.json"))
/// configuration.settings.denied = denied
/// ```
/// An entry is a certificate, a key, an issuer's name or key with a serial number, a subject with a key, or a subject
/// with the only keys it may have. The engine looks up each certificate of a path, including the anchor, with any
/// revocation setting (`TrustSettings.denied`). The failure is `certificateDenied`, and `TrustFailure.deniedEntry` is
/// the entry. If a list names a key as used for interception but doesn't block it, the verdict only contains a warning.
///
/// Not checked: the age of a list. A list past its own date still denies. You supply the lists. The package only
/// contains ``knownCompromised``, and fetches no lists.
public struct DeniedList: Sendable, Hashable {
    /// One list. Two lists are equal if they were made from the same bytes.
    private struct List: Sendable, Hashable {
        let entries: DeniedEntries
        let digest: [UInt8]

        static func == (left: Self, right: Self) -> Bool { left.digest == right.digest }
        func hash(into hasher: inout Hasher) { hasher.combine(digest) }
    }

    private var lists: [List]

    /// Messages about parts of the lists that the reader skipped because no entry depends on them, one line each.
    public private(set) var warnings: [String] = []

    /// Creates a list without entries, which denies nothing.
    public init() { self.lists = [] }

    /// Creates a list of certificates. To deny other certificates with the same keys, use `init(keys:reason:)`.
    /// - Parameters:
    ///   - certificates: the certificates. An attacker can copy a certificate that has an ECDSA signature so that
    ///     the copy's SHA-256 differs. To deny a CA, list its key.
    ///   - reason: the reason, for people. May be empty.
    public init(certificates: some Sequence<Certificate>, reason: String = "") {
        let digests = Set(certificates.map(\.sha256))
        var entries = DeniedEntries()
        entries.deny(certificates: digests, reason: reason)
        self.init(entries, of: Self.bytes("certificates", reason, digests), warnings: [])
    }

    /// Creates a list of keys.
    /// - Parameters:
    ///   - digests: the SHA-256 digests of their SubjectPublicKeyInfo, 32 bytes each. Others deny nothing.
    ///   - reason: the reason, for people. May be empty.
    init(keyDigests digests: Set<[UInt8]>, reason: String) {
        var entries = DeniedEntries()
        entries.deny(keys: digests, reason: reason)
        self.init(entries, of: Self.bytes("keys", reason, digests), warnings: [])
    }

    /// Returns bytes that identify a list created in memory.
    private static func bytes(_ kind: String, _ reason: String, _ digests: Set<[UInt8]>) -> [UInt8] {
        Array("\(kind) \(reason.utf8.count) \(reason) ".utf8)
            + digests.sorted { $0.lexicographicallyPrecedes($1) }.joined()
    }

    /// Creates a list of entries that a reader parsed.
    /// - Parameter bytes: the bytes that the entries came from.
    init(_ entries: DeniedEntries, of bytes: [UInt8], warnings: [String]) {
        self.lists = [List(entries: entries, digest: Digests.sha256(bytes))]
        self.warnings = warnings
    }

    /// The number of entries, including keys known for interception. An entry of two lists counts twice.
    public var count: Int { lists.reduce(0) { $0 + $1.entries.count } }

    /// Whether the list has no entries.
    package var isEmpty: Bool { lists.allSatisfy { $0.entries.count == 0 } }

    /// Adds the entries of another list. The result denies every certificate that either list denies.
    public mutating func formUnion(_ other: DeniedList) {
        for list in other.lists where !lists.contains(list) { lists.append(list) }
        warnings += other.warnings.filter { !warnings.contains($0) }
    }

    /// Returns the union of both lists, or nil if neither exists.
    package static func union(_ first: DeniedList?, _ second: DeniedList?) -> DeniedList? {
        guard var all = first, let second else { return first ?? second }
        all.formUnion(second)
        return all
    }

    /// Compares the digests of the lists' bytes, in the order in which the lists were added. Ignores warnings.
    public static func == (left: DeniedList, right: DeniedList) -> Bool { left.lists == right.lists }

    public func hash(into hasher: inout Hasher) { hasher.combine(lists) }
}

extension DeniedList {
    /// The maximum work of comparing a certificate's subject with its issuer: a few milliseconds.
    private static let maximumNameWork = 1_000_000

    /// Returns the entry that denies a certificate, from the list that was added first, or nil if no entry does.
    /// - Parameters:
    ///   - certificate: the certificate.
    ///   - issuers: the certificates whose keys may have signed it. A self-issued certificate counts as its own issuer.
    package func entry(denying certificate: Certificate, issuers: [Certificate]) -> TrustFailure.DeniedEntry? {
        let candidate = DeniedEntries.Candidate(certificate)
        let needsIssuers = lists.contains { !$0.entries.serialsByIssuerKey.isEmpty }
        var issuerKeys = needsIssuers ? issuers.map(\.subjectPublicKeyInfoSHA256) : []
        // Compares the names only if the result matters. If that takes too long, the certificate counts as self-issued
        // and is denied.
        if needsIssuers, lists.contains(where: { $0.entries.isListed(candidate, issuerKey: candidate.key) }),
            certificate.isSelfIssued(atMost: Self.maximumNameWork) ?? true
        {
            issuerKeys.append(candidate.key)
        }
        let entries = lists.lazy.compactMap { $0.entries.entry(denying: candidate, issuerKeys: issuerKeys) }
        return entries.first { _ in true }
    }

    /// Returns the entry that denies every certificate of a key, or nil if no entry does.
    /// - Parameter digest: the SHA-256 of its SubjectPublicKeyInfo.
    package func entry(denyingKey digest: [UInt8]) -> TrustFailure.DeniedEntry? {
        let entries = lists.lazy.compactMap { $0.entries.entry(denyingKey: digest) }
        return entries.first { _ in true }
    }

    /// Whether a list knows the certificate's key for interception.
    func isKnownForInterception(_ certificate: Certificate) -> Bool {
        guard lists.contains(where: { !$0.entries.interceptionKeys.isEmpty }) else { return false }
        let key = certificate.subjectPublicKeyInfoSHA256
        return lists.contains { $0.entries.interceptionKeys.contains(key) }
    }
}
