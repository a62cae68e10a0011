// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The error of an operation on an ``AuthorityFolder``.
///
/// The folder is unchanged, except where the system refuses to rename a file that it allowed to write: the files renamed before are
/// then among ``AuthorityFolder/leftovers()``.
package struct AuthorityFolderError: Error, Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        /// A file can't be read; with the system's message.
        case notReadable(String)
        case notWritable(String)
        /// A file exists and would be overwritten.
        case exists
        /// A file exists that is not in the index.
        case leftover
        /// A private key is not that of the certificate beside it.
        case keyOfAnother
        /// There is no CA in the folder.
        case noAuthority
        /// The folder's files contradict each other or are malformed.
        case malformed(String)
        /// Another process has kept the folder locked for this many seconds.
        case busy(seconds: Int)
        case daysOutOfRange(Int, limits: ClosedRange<Int>)
        /// The certificate would be valid longer than the root; with the whole days left, which may be 0.
        case outlivesRoot(notAfter: Time, rootNotAfter: Time, daysLeft: Int)
        case rootExpired(Time)
        /// The root's common name is empty, over 64 characters (RFC 5280 § A.1, ub-common-name) or has control characters.
        case badCommonName(String)
        case noNames
        /// The engine refuses the certificate that would have been issued.
        case refused([TrustFailure])
        /// The request is not signed by its own key: it was altered or damaged.
        case requestSignatureInvalid
        /// The request's key or signature algorithm is not supported.
        case requestSignatureNotSupported
        /// The request has no DNS name and no IP address.
        case requestWithoutNames
        /// The request asks for a certificate for the root's key.
        case requestForRootKey
        /// The certificate is not in the index.
        case notIssued
        case alreadyRevoked(Time)
    }

    /// The file or folder concerned; empty for none.
    package let file: String
    package let reason: Reason

    package init(_ file: String, _ reason: Reason) {
        self.file = file
        self.reason = reason
    }
}

extension AuthorityFolderError: CustomStringConvertible {
    package var description: String {
        let what =
            switch reason {
            case .notReadable(let reason): "can not be read: \(reason)"
            case .notWritable(let reason): "can not be written: \(reason)"
            case .exists: "exists"
            case .leftover: "is not in the index: an interrupted run or another root has left it"
            case .keyOfAnother: "is the key of another certificate"
            case .noAuthority: "there is no CA in this folder"
            case .malformed(let reason): reason
            case .busy(let seconds): "has been locked by another process for \(seconds) s"
            case .daysOutOfRange(let days, let limits):
                "\(days) days are asked for, expected \(limits.lowerBound) to \(limits.upperBound)"
            case .outlivesRoot(let notAfter, let rootNotAfter, let daysLeft):
                "the certificate would expire \(notAfter), after the root, which expires \(rootNotAfter): "
                    + (daysLeft == 0 ? "not even a day is left" : "at most \(daysLeft) days are left")
            case .rootExpired(let time): "the root expired \(time)"
            case .badCommonName(let name):
                "\"\(name)\" is no common name: expected 1 to 64 characters and no control characters"
            case .noNames: "a certificate needs a name"
            case .refused(let failures):
                "the certificate would not be trusted: " + failures.map(\.message).joined(separator: "; ")
            case .requestSignatureInvalid: "the request is not signed by its own key: it was altered or damaged"
            case .requestSignatureNotSupported: "the request's key or signature algorithm is not supported"
            case .requestWithoutNames: "the request has no DNS name and no IP address"
            case .requestForRootKey: "the request is for the root's own key"
            case .notIssued: "no certificate of this CA"
            case .alreadyRevoked(let time): "was revoked \(time)"
            }
        return file.isEmpty ? what : "\(file): \(what)"
    }
}
