// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting

extension AuthorityFolder {
    /// Returns a responder for the certificates of this root. The root signs its responses. The responder reads the
    /// index for every response, so a revocation takes effect immediately.
    ///
    /// The status is `good` for every certificate in the index that isn't revoked, even an expired one. It is `unknown`
    /// for any other serial number. The responder answers `internalError` while the index can't be read or belongs to
    /// another root.
    /// - Parameters:
    ///   - validity: the time from the date of a response to its nextUpdate. The default is one hour.
    ///   - now: the date of the responses.
    /// - Throws: ``AuthorityFolderError`` if the root's key can't be read or the root has expired.
    package func responder(
        validity: Duration = .hours(1), now: @escaping @Sendable () -> Time
    ) throws(AuthorityFolderError) -> TestOCSPResponder {
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
        return TestOCSPResponder(authority, validity: validity, now: now) { serialNumber in
            let current = try folder.currentIndex()
            guard current.root == root else { throw AuthorityFolderError(folder.rootPath, .malformed("was replaced")) }
            let text = Hex.encode(serialNumber)
            guard let record = current.index.records.first(where: { $0.serialNumber == text }) else { return .unknown }
            return record.revocation.map { .revoked(at: $0.time, reason: $0.reason.code) } ?? .good
        }
    }
}
