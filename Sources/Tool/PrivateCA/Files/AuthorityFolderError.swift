// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An error of an operation on an ``AuthorityFolder``.
///
/// The folder is unchanged, with one exception: the system may refuse to rename a file after it allowed writing that
/// file. The files that were already renamed are then among ``AuthorityFolder/leftovers()``.
package struct AuthorityFolderError: Error, Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        /// A file can't be read. The value is the system's message.
        case notReadable(String)
        case notWritable(String)
        /// A file exists and would be overwritten.
        case exists
        /// A file exists, but isn't in the index.
        case leftover
        /// A private key doesn't belong to the certificate next to it.
        case keyOfAnother
        /// The folder contains no CA.
        case noAuthority
        /// The folder's files contradict each other or are malformed.
        case malformed(String)
        /// Another process kept the folder locked for this many seconds.
        case busy(seconds: Int)
        case daysOutOfRange(Int, limits: ClosedRange<Int>)
        /// The certificate would be valid longer than the root. `daysLeft` is the number of whole days left, which may
        /// be 0.
        case outlivesRoot(notAfter: Time, rootNotAfter: Time, daysLeft: Int)
        case rootExpired(Time)
        /// The root's common name is empty, has more than 64 characters (RFC 5280 § A.1, ub-common-name), or contains
        /// control characters.
        case badCommonName(String)
        case noNames
        /// The engine refuses the certificate that would have been issued.
        case refused([TrustFailure])
        /// The request isn't signed by its own key: it was altered or damaged.
        case requestSignatureInvalid
        /// The request's key or signature algorithm isn't supported.
        case requestSignatureNotSupported
        /// The request contains no DNS name and no IP address.
        case requestWithoutNames
        /// The request is for the root's key.
        case requestForRootKey
        /// The certificate isn't in the index.
        case notIssued
        case alreadyRevoked(Time)
    }

    /// The file or folder with the problem, empty if there is no such file.
    let file: String
    package let reason: Reason

    package init(_ file: String, _ reason: Reason) {
        self.file = file
        self.reason = reason
    }
}

extension AuthorityFolderError {
    /// Runs `body`, and turns an error of another kind into an error of a file.
    static func of<Value>(
        _ file: String, _ reason: (String) -> Reason, _ body: () throws -> Value
    ) throws(AuthorityFolderError) -> Value {
        do { return try body() } catch let error as AuthorityFolderError { throw error } catch {
            throw AuthorityFolderError(file, reason("\(error)"))
        }
    }

    /// Checks a number of days.
    static func check(_ days: Int, _ limits: ClosedRange<Int>) throws(AuthorityFolderError) {
        guard limits.contains(days) else { throw AuthorityFolderError("", .daysOutOfRange(days, limits: limits)) }
    }
}

extension AuthorityFolderError: CustomStringConvertible {
    package var description: String {
        let what =
            switch reason {
            case .notReadable(let reason): "can't be read: \(reason)"
            case .notWritable(let reason): "can't be written: \(reason)"
            case .exists: "exists"
            case .leftover: "isn't in the index: it was left by an interrupted run or belongs to another root"
            case .keyOfAnother: "is the key of another certificate"
            case .noAuthority: "this folder contains no CA"
            case .malformed(let reason): reason
            case .busy(let seconds): "has been locked by another process for \(seconds) s"
            case .daysOutOfRange(let days, let limits):
                "\(days) days were requested, expected \(limits.lowerBound) to \(limits.upperBound)"
            case .outlivesRoot(let notAfter, let rootNotAfter, let daysLeft):
                "the certificate would expire \(notAfter), after the root, which expires \(rootNotAfter): "
                    + (daysLeft == 0 ? "less than a day is left" : "at most \(daysLeft) days are left")
            case .rootExpired(let time): "the root expired \(time)"
            case .badCommonName(let name):
                "\"\(name)\" isn't a common name: expected 1 to 64 characters and no control characters"
            case .noNames: "a certificate needs a name"
            case .refused(let failures):
                "the certificate would not be trusted: " + failures.map(\.message).joined(separator: "; ")
            case .requestSignatureInvalid: "the request isn't signed by its own key: it was altered or damaged"
            case .requestSignatureNotSupported: "the request's key or signature algorithm isn't supported"
            case .requestWithoutNames: "the request contains no DNS name and no IP address"
            case .requestForRootKey: "the request is for the root's own key"
            case .notIssued: "this CA issued no such certificate"
            case .alreadyRevoked(let time): "was revoked \(time)"
            }
        return file.isEmpty ? what : "\(file): \(what)"
    }
}
