// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Certificates and keys that no path may contain, regardless of their issuers: your own, and the contents of lists such as Mozilla's OneCRL
/// and Chrome's CRLSets.
///
/// ```swift
/// var denied = DeniedList(keys: [stolenKey], reason: "stolen in May")
/// denied.formUnion(DeniedList(certificates: [formerAuthority]))
/// denied.formUnion(try DeniedList(contentsOfFile: "onecrl.json"))
/// configuration.settings.denied = denied
/// ```
/// An entry is a certificate, a key, an issuer's name or key with a serial number, a subject with a key, or a subject with the only keys that
/// it may have. The engine looks for each certificate of a path, anchor included, with any revocation setting (`TrustSettings.denied`). The
/// failure is `certificateDenied`, and `TrustFailure.deniedEntry` is the entry. Keys that a list knows for interception, and doesn't block,
/// lead to a warning of the verdict only.
///
/// Not checked: the age of a list. A list that is past its own date still denies. You supply the lists: the package has none but
/// ``knownCompromised``, and fetches none.
public struct DeniedList: Sendable, Hashable {
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
    public private(set) var warnings: [String] = []

    /// Creates a list without entries, which denies nothing.
    public init() { self.lists = [] }

    /// Creates a list of certificates. It denies other certificates of their keys only with `init(keys:reason:)`.
    /// - Parameters:
    ///   - certificates: the certificates. An attacker can copy one with an ECDSA signature under another SHA-256: deny a CA by its key.
    ///   - reason: the reason, for people; empty for none.
    public init(certificates: some Sequence<Certificate>, reason: String = "") {
        let digests = Set(certificates.map(\.sha256))
        var entries = DeniedEntries()
        entries.deny(certificates: digests, reason: reason)
        self.init(entries, of: Self.bytes("certificates", reason, digests), warnings: [])
    }

    /// Creates a list of keys.
    /// - Parameters:
    ///   - digests: the SHA-256 digests of their SubjectPublicKeyInfo.
    ///   - reason: the reason, for people; empty for none.
    package init(keyDigests digests: Set<[UInt8]>, reason: String) {
        var entries = DeniedEntries()
        entries.deny(keys: digests, reason: reason)
        self.init(entries, of: Self.bytes("keys", reason, digests), warnings: [])
    }

    /// Returns bytes that identify a list in memory.
    private static func bytes(_ kind: String, _ reason: String, _ digests: Set<[UInt8]>) -> [UInt8] {
        Array("\(kind) \(reason.utf8.count) \(reason) ".utf8)
            + digests.sorted { $0.lexicographicallyPrecedes($1) }.joined()
    }

    /// Creates a list of entries that were read.
    /// - Parameter bytes: the bytes that they were read from.
    init(_ entries: DeniedEntries, of bytes: [UInt8], warnings: [String]) {
        self.lists = [List(entries, digest: Digests.sha256(bytes))]
        self.warnings = warnings
    }

    /// The number of entries, keys that are known for interception included. An entry of two lists counts twice.
    public var count: Int { lists.reduce(0) { $0 + $1.entries.count } }

    /// Whether the list has no entry.
    package var isEmpty: Bool { lists.allSatisfy { $0.entries.count == 0 } }

    /// Adds the entries of another list. A certificate that one of both denies is denied.
    public mutating func formUnion(_ other: DeniedList) {
        for list in other.lists where !lists.contains(where: { $0.digest == list.digest }) { lists.append(list) }
        warnings += other.warnings.filter { !warnings.contains($0) }
    }

    /// Returns the entries of both; nil if neither is there.
    package static func union(_ first: DeniedList?, _ second: DeniedList?) -> DeniedList? {
        guard var all = first, let second else { return first ?? second }
        all.formUnion(second)
        return all
    }

    /// Compares the bytes that the lists were read from, by their digests, in order.
    public static func == (left: DeniedList, right: DeniedList) -> Bool {
        left.lists.count == right.lists.count
            && zip(left.lists, right.lists).allSatisfy { $0 === $1 || $0.digest == $1.digest }
    }

    public func hash(into hasher: inout Hasher) { for list in lists { hasher.combine(list.digest) } }
}

extension DeniedList {
    /// The work of comparing the subject of a certificate with its issuer: some milliseconds.
    private static let maximumNameWork = 1_000_000

    /// Returns the entry that denies a certificate, of the list that was added first; nil if none does.
    /// - Parameters:
    ///   - certificate: the certificate.
    ///   - issuers: the certificates whose keys may have signed it; a self-issued one is its own.
    package func entry(denying certificate: Certificate, issuers: [Certificate]) -> TrustFailure.DeniedEntry? {
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
            if let entry = list.entries.entry(denying: candidate, issuerKeys: issuerKeys) { return entry }
        }
        return nil
    }

    /// Returns the entry that denies every certificate of a key; nil if none does.
    /// - Parameter digest: the SHA-256 of its SubjectPublicKeyInfo.
    package func entry(denyingKey digest: [UInt8]) -> TrustFailure.DeniedEntry? {
        for list in lists {
            if let entry = list.entries.entry(denyingKey: digest) { return entry }
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
