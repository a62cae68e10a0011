// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting

extension AuthorityFolder {
    /// A responder for what this root has issued, signed by the root. The index is read for every answer, so that a revocation
    /// counts at once.
    ///
    /// `good` for what is in the index and not revoked, expired or not; `unknown` for any other serial number of this root;
    /// `internalError` while the index can't be read or is another root's.
    /// - Parameters:
    ///   - validity: how many seconds an answer holds; an hour unless given.
    ///   - now: the date of the answers.
    /// - Throws: ``AuthorityFolderError`` if the root's key can't be read or the root has expired.
    package func responder(
        validity: Int64 = 3600, now: @escaping @Sendable () -> Time
    ) throws(AuthorityFolderError) -> TestOCSPResponder {
        let current = try currentIndex()
        guard now() <= current.root.notAfter else {
            throw AuthorityFolderError(rootPath, .rootExpired(current.root.notAfter))
        }
        let identity = TestIdentity(certificate: current.root, key: try rootKey(of: current.root))
        let authority: TestAuthority
        do {
            authority = try TestAuthority(answeringFor: identity)
        } catch {
            throw AuthorityFolderError(rootPath, .malformed("can not answer for others: \(error)"))
        }
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
