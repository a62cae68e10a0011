// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting

/// A CRL that an ``AuthorityFolder`` wrote.
package struct AuthorityCRL: Sendable {
    /// The path of the PEM file.
    package let path: String
    /// The path of the DER file. Serve this file at the address of the CRL.
    package let derPath: String
    package let number: UInt64
    package let thisUpdate: Time
    package let nextUpdate: Time
    /// The number of listed certificates.
    package let count: Int
}

extension AuthorityFolder {
    /// The accepted numbers of days until the next CRL.
    package static let crlDays = 1...365

    var crlPath: String { path + "/crl.pem" }
    /// The CRL in DER, as RFC 5280 § 4.2.1.13 expects it at an address. RFC 2585 § 3 defines the name's suffix.
    var crlDERPath: String { path + "/root.crl" }

    /// Marks a certificate as revoked in the index. Clients see the revocation in the next CRL: ``writeCRL(days:at:)``.
    /// - Parameter serialNumber: in hexadecimal. Case, colons between the bytes and a leading `0x` are ignored.
    /// - Returns: the changed record.
    /// - Throws: ``AuthorityFolderError`` if this root issued no such certificate, or if it is already revoked.
    package func revoke(
        serialNumber: String, reason: IssuedRevocationReason, at now: Time
    ) throws(AuthorityFolderError) -> AuthorityRecord {
        var wanted = serialNumber.lowercased().filter { $0 != ":" }
        if wanted.hasPrefix("0x") { wanted.removeFirst(2) }
        return try revoke(reason, at: now, describedAs: serialNumber) { $0.serialNumber == wanted }
    }

    /// Marks a certificate as revoked in the index. See ``revoke(serialNumber:reason:at:)``.
    package func revoke(
        _ certificate: Certificate, file: String, reason: IssuedRevocationReason, at now: Time
    ) throws(AuthorityFolderError) -> AuthorityRecord {
        let digest = Hex.encode(certificate.sha256)
        return try revoke(reason, at: now, describedAs: file) { $0.sha256 == digest }
    }

    private func revoke(
        _ reason: IssuedRevocationReason, at now: Time, describedAs text: String,
        where isWanted: (AuthorityRecord) -> Bool
    ) throws(AuthorityFolderError) -> AuthorityRecord {
        try FolderFile.locked(path) { () throws(AuthorityFolderError) in
            var index = try currentIndex().index
            guard let position = index.records.firstIndex(where: isWanted) else {
                throw AuthorityFolderError(text, .notIssued)
            }
            if let time = index.records[position].revoked { throw AuthorityFolderError(text, .alreadyRevoked(time)) }
            index.records[position].revoked = now
            index.records[position].reason = reason
            try FolderFile.replace([(indexPath, try index.encoded(path: indexPath), .open)])
            return index.records[position]
        }
    }

    /// Writes a complete CRL as `crl.pem`, and in DER as `root.crl`. Existing files are replaced.
    ///
    /// The root signs the CRL. It contains all revoked certificates and an increasing number.
    /// - Parameter days: the days until the next CRL, in ``crlDays``. They start an hour before `now`, as for
    ///   certificates.
    /// - Throws: ``AuthorityFolderError``
    package func writeCRL(days: Int = 7, at now: Time) throws(AuthorityFolderError) -> AuthorityCRL {
        try AuthorityFolderError.check(days, Self.crlDays)
        return try FolderFile.locked(path) { () throws(AuthorityFolderError) in
            let current = try currentIndex()
            let root = current.root
            var index = current.index
            guard now <= root.notAfter else { throw AuthorityFolderError(rootPath, .rootExpired(root.notAfter)) }
            let signer = TestIdentity(certificate: root, key: try rootKey(of: root))
            let revoked = index.records.filter { $0.revoked != nil }
            let thisUpdate = FolderCertificate.validity(days, at: now, notBefore: root.notBefore).notBefore
            let nextUpdate = thisUpdate.advanced(by: Int64(days) * 86_400)
            index.crlNumber += 1
            let crl = try AuthorityFolderError.of(crlPath, { .malformed("can't be created: \($0)") }) {
                try signer.crl { crl in
                    crl.number = index.crlNumber
                    crl.thisUpdate = thisUpdate
                    crl.nextUpdate = nextUpdate
                    crl.entries = revoked.map(Self.entry)
                }
            }
            // The index is written first. A number without a CRL is harmless, but two CRLs with the same number aren't
            // (RFC 5280 § 5.2.3).
            try FolderFile.replace([
                (indexPath, try index.encoded(path: indexPath), .open), (crlPath, Array(crl.pem.utf8), .open),
                (crlDERPath, crl.der, .open),
            ])
            return AuthorityCRL(
                path: crlPath, derPath: crlDERPath, number: index.crlNumber, thisUpdate: thisUpdate,
                nextUpdate: nextUpdate, count: revoked.count)
        }
    }

    private static func entry(_ record: AuthorityRecord) -> TestCRL.Entry {
        // Reading the index already checked that every serial number has this form.
        var entry = TestCRL.Entry(serialNumber: Hex.decode(record.serialNumber) ?? [])
        if let revocation = record.revocation {
            entry.revocationDate = revocation.time
            entry.reason = revocation.reason.code
        }
        return entry
    }
}

extension AuthorityFolder {
    /// Returns a responder for the certificates of this root. The root signs its responses. The responder reads the
    /// index for every response, so a revocation takes effect immediately.
    ///
    /// The status is `good` for every certificate in the index that isn't revoked, even an expired one. It is `unknown`
    /// for any other serial number. The responder answers `internalError` while the index can't be read or belongs to
    /// another root. Each response is valid for an hour.
    /// - Parameter now: the date of the responses.
    /// - Throws: ``AuthorityFolderError`` if the root's key can't be read or the root has expired.
    package func responder(now: @escaping @Sendable () -> Time) throws(AuthorityFolderError) -> TestOCSPResponder {
        let current = try currentIndex()
        guard now() <= current.root.notAfter else {
            throw AuthorityFolderError(rootPath, .rootExpired(current.root.notAfter))
        }
        let identity = TestIdentity(certificate: current.root, key: try rootKey(of: current.root))
        let authority = try AuthorityFolderError.of(
            rootPath, { .malformed("can't be used for an OCSP responder: \($0)") }
        ) { try TestAuthority(existing: identity) }
        let folder = self
        let root = current.root
        return TestOCSPResponder(authority, now: now) { serialNumber in
            let current = try folder.currentIndex()
            guard current.root == root else { throw AuthorityFolderError(folder.rootPath, .malformed("was replaced")) }
            let text = Hex.encode(serialNumber)
            guard let record = current.index.records.first(where: { $0.serialNumber == text }) else { return .unknown }
            return record.revocation.map { .revoked(at: $0.time, reason: $0.reason.code) } ?? .good
        }
    }
}
