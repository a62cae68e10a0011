// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The entries of one list of denied certificates. A reader fills them, and lookups search them.
struct DeniedEntries: Sendable {
    /// Serial numbers in canonical form, keyed by the issuer's name in DER.
    private(set) var serialsByIssuerName: [[UInt8]: Set<[UInt8]>] = [:]
    /// Serial numbers in canonical form, keyed by the SHA-256 of the issuer's key.
    private(set) var serialsByIssuerKey: [[UInt8]: Set<[UInt8]>] = [:]
    /// SHA-256 digests of keys, keyed by the subject in DER.
    private(set) var keysBySubject: [[UInt8]: Set<[UInt8]>] = [:]
    /// The reasons for denying keys, keyed by the SHA-256 digests of the keys. Empty if there is no reason.
    private(set) var keys: [[UInt8]: String] = [:]
    /// The reasons for denying certificates, keyed by the SHA-256 digests of the certificates. Empty if there is no
    /// reason.
    private(set) var certificates: [[UInt8]: String] = [:]
    /// The SHA-256 digests of the only keys that a subject may have, keyed by the SHA-256 of the subject in DER.
    private(set) var permittedKeysBySubject: [[UInt8]: Set<[UInt8]>] = [:]
    /// SHA-256 digests of keys that are known for interception but not denied.
    private(set) var interceptionKeys: Set<[UInt8]> = []
    /// The number of added entries.
    private(set) var count = 0

    /// The maximum number of entries in a list. OneCRL has 2,000, a CRLSet 30,000.
    static let maximumCount = 1_000_000

    /// Throws if the list has too many entries. Readers call it after each entry or group of entries.
    /// - Parameter place: the place of the last entry, for the error.
    func checkCount(at place: @autoclosure () -> String?) throws(DeniedListError) {
        guard count <= Self.maximumCount else {
            throw DeniedListError(place(), "expected at most \(Self.maximumCount) entries")
        }
    }

    mutating func deny(serialNumber: [UInt8], ofIssuerNamed issuer: [UInt8]) {
        count += 1
        serialsByIssuerName[issuer, default: []].insert(IssuerAndSerial.canonical(serialNumber))
    }

    /// Denies a serial number without a sign, as in CRLSets.
    mutating func deny(unsignedSerialNumber serial: [UInt8], ofIssuerWithKey key: [UInt8]) {
        count += 1
        serialsByIssuerKey[key, default: []].insert(IssuerAndSerial.canonical([0] + serial))
    }

    mutating func deny(key: [UInt8], ofSubject subject: [UInt8]) {
        count += 1
        keysBySubject[subject, default: []].insert(key)
    }

    mutating func deny(key: [UInt8]) {
        count += 1
        keys[key] = ""
    }

    mutating func limit(subjectWithDigest digest: [UInt8], to keys: Set<[UInt8]>) {
        count += 1
        permittedKeysBySubject[digest] = keys
    }

    mutating func note(interceptionKey key: [UInt8]) {
        count += 1
        interceptionKeys.insert(key)
    }

    /// Denies keys from memory by their SHA-256 digests. Keeps the first reason for a key.
    mutating func deny(keys digests: some Sequence<[UInt8]>, reason: String) {
        for digest in digests where keys[digest] == nil {
            keys[digest] = reason
            count += 1
        }
    }

    /// Denies certificates from memory by their SHA-256 digests. Keeps the first reason for a certificate.
    mutating func deny(certificates digests: some Sequence<[UInt8]>, reason: String) {
        for digest in digests where certificates[digest] == nil {
            certificates[digest] = reason
            count += 1
        }
    }
}

extension DeniedEntries {
    /// A certificate with the digests that lookups compare, computed once.
    struct Candidate {
        let certificate: Certificate
        let key: [UInt8]

        init(_ certificate: Certificate) {
            self.certificate = certificate
            self.key = certificate.subjectPublicKeyInfoSHA256
        }
    }

    /// Whether the list denies the certificate's serial number for an issuer with this key.
    func isListed(_ candidate: Candidate, issuerKey: [UInt8]) -> Bool {
        guard let serials = serialsByIssuerKey[issuerKey] else { return false }
        return serials.contains(IssuerAndSerial.canonical(candidate.certificate.serialNumber.bytes))
    }

    /// Returns the entry that denies a certificate, or nil if no entry does.
    /// - Parameter issuerKeys: the SHA-256 digests of the keys that may have signed the certificate.
    func entry(denying candidate: Candidate, issuerKeys: [[UInt8]]) -> TrustFailure.DeniedEntry? {
        let certificate = candidate.certificate
        if let entry = entry(denyingKey: candidate.key) { return entry }
        if !certificates.isEmpty {
            let digest = certificate.sha256
            if let reason = certificates[digest] { return .certificate(sha256: digest, reason: reason) }
        }
        if !keysBySubject.isEmpty, keysBySubject[certificate.subject.der]?.contains(candidate.key) == true {
            return .subjectAndKey(candidate.key, "")
        }
        if !permittedKeysBySubject.isEmpty,
            permittedKeysBySubject[Digests.sha256(certificate.subject.der)]?.contains(candidate.key) == false
        {
            return .subjectAndKey(candidate.key, "its subject may only have other keys")
        }
        guard !serialsByIssuerName.isEmpty || !serialsByIssuerKey.isEmpty else { return nil }
        let serial = IssuerAndSerial.canonical(certificate.serialNumber.bytes)
        let isDenied =
            serialsByIssuerName[certificate.issuer.der]?.contains(serial) == true
            || issuerKeys.contains { serialsByIssuerKey[$0]?.contains(serial) == true }
        return isDenied ? .issuerAndSerial(serialNumber: serial, reason: "") : nil
    }

    /// Returns the entry that denies every certificate of a key, or nil if no entry does.
    func entry(denyingKey digest: [UInt8]) -> TrustFailure.DeniedEntry? {
        keys[digest].map { .key(sha256: digest, reason: $0) }
    }
}

extension TrustFailure.DeniedEntry {
    fileprivate static func subjectAndKey(_ key: [UInt8], _ reason: String) -> Self {
        Self(.subjectAndKey, Self.key(sha256: key, reason: "").name, reason: reason)
    }
}
