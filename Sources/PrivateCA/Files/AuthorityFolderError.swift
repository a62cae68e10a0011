// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Why an ``AuthorityFolder`` did not do what was asked.
///
/// Nothing was changed, save where the system refuses to rename a file that it let write: then the files that had their names
/// already are among ``AuthorityFolder/leftovers()``.
package struct AuthorityFolderError: Error, Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        /// The system's own words.
        case notReadable(String)
        case notWritable(String)
        /// Would be overwritten.
        case exists
        /// Exists, and the index knows nothing of it.
        case leftover
        /// A private key that is not that of the certificate which is to stand beside it.
        case keyOfAnother
        /// There is no CA in the folder.
        case noAuthority
        /// The folder's files contradict each other or aren't what they should be.
        case malformed(String)
        /// Another process has kept the folder locked for this many seconds.
        case busy(seconds: Int)
        case daysOutOfRange(Int, limits: ClosedRange<Int>)
        /// The certificate would be valid longer than the root; with the days that are left, 0 if there is no whole one.
        case outlivesRoot(notAfter: Time, rootNotAfter: Time, daysLeft: Int)
        case rootExpired(Time)
        /// The root's common name is empty, over 64 characters (RFC 5280 § A.1, ub-common-name) or has control characters.
        case badCommonName(String)
        case noNames
        /// What the engine says about the certificate that would have been issued.
        case refused([TrustFailure])
        /// The request is not signed by its own key: it was altered or damaged.
        case requestSignatureInvalid
        /// The request's key or algorithm is one that is not verified here.
        case requestSignatureNotSupported
        /// The request's names are of no kind that is issued here, or there are none.
        case requestWithoutNames
        /// The request asks for a certificate for the root's key.
        case requestForRootKey
        /// No certificate in the index is the one that was named.
        case notIssued
        case alreadyRevoked(Time)
    }

    /// The file or folder that it is about; empty if it is about none.
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
