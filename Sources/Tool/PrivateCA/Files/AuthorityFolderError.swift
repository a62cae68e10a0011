// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An error of an operation on an ``AuthorityFolder``.
///
/// The folder is unchanged, with one exception: the system may refuse to rename a file after it allowed writing that
/// file. The files that were already renamed are then among ``AuthorityFolder/leftovers()``.
package struct AuthorityFolderError: Error, Sendable, Hashable {
    /// The reason for an error: its message and its remedy.
    package struct Reason: Sendable, Hashable {
        /// The message behind the file's name.
        let message: String
        /// The remedy, or nil if there isn't one.
        package var hint: String?
        /// Whether an argument is wrong, and not a file.
        package var isOfArgument = false
        /// The failures of a certificate that the engine refuses.
        package var failures: [TrustFailure] = []
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
    package var description: String { file.isEmpty ? reason.message : "\(file): \(reason.message)" }
}

extension AuthorityFolderError.Reason {
    private static let newRoot = "create a new root: servertrust ca init --force"

    /// A file can't be read. The value is the system's message.
    static func notReadable(_ reason: String) -> Self { Self(message: "can't be read: \(reason)") }

    package static func notWritable(_ reason: String) -> Self {
        Self(
            message: "can't be written: \(reason)",
            hint: "nothing was changed; check the folder's permissions and the free space")
    }

    /// A file exists and would be overwritten.
    package static let exists = Self(message: "exists", hint: "nothing was changed; --force replaces it")

    /// A file exists, but isn't in the index.
    static let leftover = Self(
        message: "isn't in the index: it was left by an interrupted run or belongs to another root",
        hint: "nothing was changed; --force replaces it with a new certificate")

    /// A private key doesn't belong to the certificate next to it.
    static let keyOfAnother = Self(
        message: "is the key of another certificate",
        hint: "nothing was changed; move the key away, or restore the certificate that belongs to it")

    static let noAuthority = Self(
        message: "this folder contains no CA", hint: "create one with servertrust ca init")

    /// The folder's files contradict each other or are malformed.
    static func malformed(_ problem: String) -> Self {
        Self(
            message: problem,
            hint: "restore the file from a copy, or create a new CA with servertrust ca init --force")
    }

    /// Another process kept the folder locked for this many seconds.
    static func busy(seconds: Int) -> Self {
        Self(
            message: "has been locked by another process for \(seconds) s",
            hint: "another servertrust process is using it; try again")
    }

    static func daysOutOfRange(_ days: Int, limits: ClosedRange<Int>) -> Self {
        Self(
            message: "\(days) days were requested, expected \(limits.lowerBound) to \(limits.upperBound)",
            isOfArgument: true)
    }

    /// The certificate would be valid longer than the root. `daysLeft` is the number of whole days left, which may be 0.
    static func outlivesRoot(notAfter: Time, rootNotAfter: Time, daysLeft: Int) -> Self {
        Self(
            message: "the certificate would expire \(notAfter), after the root, which expires \(rootNotAfter): "
                + (daysLeft == 0 ? "less than a day is left" : "at most \(daysLeft) days are left"),
            hint: daysLeft == 0 ? newRoot : "use --days \(daysLeft), or \(newRoot)")
    }

    static func rootExpired(_ time: Time) -> Self { Self(message: "the root expired \(time)", hint: newRoot) }

    /// The root's common name is empty, has more than 64 characters (RFC 5280 § A.1, ub-common-name), or contains control
    /// characters.
    static func badCommonName(_ name: String) -> Self {
        Self(
            message: "\"\(name)\" isn't a common name: expected 1 to 64 characters and no control characters",
            isOfArgument: true)
    }

    static let noNames = Self(message: "a certificate needs a name", isOfArgument: true)

    /// The engine refuses the certificate that would have been issued.
    static func refused(_ failures: [TrustFailure]) -> Self {
        Self(
            message: "the certificate would not be trusted: " + failures.map(\.message).joined(separator: "; "),
            hint: "nothing was written; servertrust explain \(failures.first?.code.name ?? "")", failures: failures)
    }

    /// The request was altered or damaged.
    static let requestSignatureInvalid = Self(
        message: "the request isn't signed by its own key: it was altered or damaged")
    static let requestSignatureNotSupported = Self(
        message: "the request's key or signature algorithm isn't supported")
    static let requestWithoutNames = Self(
        message: "the request contains no DNS name and no IP address",
        hint: "add names: servertrust ca sign FILE NAME ...")
    static let requestForRootKey = Self(
        message: "the request is for the root's own key", hint: "create the request with a different key")

    /// The certificate isn't in the index.
    static let notIssued = Self(
        message: "this CA issued no such certificate", hint: "servertrust ca list shows the issued certificates")
    static func alreadyRevoked(_ time: Time) -> Self { Self(message: "was revoked \(time)") }
}
