// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The failures that a user agreed to accept: exactly these failures, of exactly these certificates, for this leaf at
/// this host.
///
/// A user who accepts an expired certificate doesn't thereby accept another certificate, another host or another
/// failure. Fatal failures, such as a wrong signature or a missed pin, can't be accepted. Create exceptions with
/// ``TrustVerdict/exceptions(expires:)``, save them in an ``ExceptionStore``, and apply them with
/// ``Trust/setExceptions(_:)``.
///
/// Similar to Apple's `SecTrustCopyExceptions`, but narrower, because exceptions are bound to the host and to the
/// SHA-256 of the leaf.
public struct TrustExceptions: Sendable, Hashable, Codable {
    /// The host that the connection goes to, in the notation of `Hostname`.
    public let host: String
    /// The SHA-256 of the leaf's DER, in hexadecimal.
    public let leafSHA256: String
    /// The accepted failures, most specific first. Never empty.
    public let failures: [FailureException]
    /// The verify date of the verdict that the user saw.
    public let created: Time
    /// The last second at which the exceptions apply, or nil if they don't expire.
    public let expires: Time?

    /// A failure that the user accepted.
    public struct FailureException: Sendable, Hashable, Codable {
        /// The name of the failure's code.
        public let code: String
        /// The SHA-256 of the DER of the failure's certificate, in hexadecimal. nil for a failure of the whole path.
        package let certificateSHA256: String?
        /// The failure's expected value.
        package let expected: TrustFailure.Value?
        /// The failure's found value. nil if it's the verify date, which differs each time.
        package let found: TrustFailure.Value?

        init(_ failure: TrustFailure, of certificate: Certificate?) {
            self.code = failure.code.name
            self.certificateSHA256 = certificate.map { Hex.encode($0.sha256) }
            self.expected = failure.expected
            let isAboutDate = failure.code == .certificateExpired || failure.code == .certificateNotYetValid
            self.found = isAboutDate ? nil : failure.found
        }

        /// Whether both are the same failure, apart from their certificates.
        func isAlike(_ other: FailureException) -> Bool {
            code == other.code && expected == other.expected && found == other.found
        }
    }

    /// Whether exceptions apply to a trust object, or why they don't.
    public enum Fit: String, Sendable, Hashable {
        /// The exceptions are for this host and leaf, and haven't expired.
        case fits
        /// The exceptions are for another host.
        case otherHost
        /// The exceptions are for another leaf, or the trust object has no leaf.
        case otherLeaf
        /// The exceptions have expired.
        case expired
    }

    /// Returns whether the exceptions are for this host and this leaf, and valid at this date.
    func fit(host: Hostname?, leaf: Certificate?, at time: Time) -> Fit {
        guard host?.description == self.host else { return .otherHost }
        guard let leaf, Hex.encode(leaf.sha256) == leafSHA256 else { return .otherLeaf }
        if let expires, time > expires { return .expired }
        return .fits
    }

    /// Returns whether the user accepted exactly this failure. Fatal and undecided failures are never accepted.
    func covers(_ failure: TrustFailure, of certificate: Certificate?) -> Bool {
        guard failure.code.severity == .recoverable else { return false }
        // Compute the digest only if everything else matches.
        let alike = failures.filter { $0.isAlike(FailureException(failure, of: nil)) }
        guard !alike.isEmpty else { return false }
        let digest = certificate.map { Hex.encode($0.sha256) }
        return alike.contains { $0.certificateSHA256 == digest }
    }
}

extension TrustVerdict {
    /// Returns exceptions for every failure of the best candidate, so that the user can agree to them.
    ///
    /// Show the user ``failures`` first. With the exceptions, the next evaluation's verdict is
    /// ``TrustResultType/proceed``, if it has no other failures.
    /// - Parameter expires: the last second at which the exceptions apply, or nil if they don't expire.
    /// - Throws: ``TrustExceptionsError`` if there are no failures, or if a failure can't be accepted.
    public func exceptions(expires: Time? = nil) throws(TrustExceptionsError) -> TrustExceptions {
        guard !isTrusted else { throw TrustExceptionsError(.exceptionNotNeeded) }
        let barred = failures.filter { $0.code.severity != .recoverable }
        guard barred.isEmpty, result == .recoverableFailure, !failures.isEmpty else {
            throw TrustExceptionsError(.exceptionNotPermitted, barred)
        }
        guard let host else { throw TrustExceptionsError(.exceptionHostMissing) }
        guard let leaf = path.first else { throw TrustExceptionsError(.exceptionNotPermitted, failures) }
        return TrustExceptions(
            host: host.description, leafSHA256: Hex.encode(leaf.sha256),
            failures: failures.map { TrustExceptions.FailureException($0, of: certificate(of: $0)) },
            created: evaluationDate, expires: expires.map { min(max($0, .earliest), .latest) })
    }
}

extension TrustVerdict {
    /// Returns the certificate of a failure. The failures of a composite evaluator may belong to several paths.
    private func certificate(of failure: TrustFailure) -> Certificate? {
        let itsPath = rejectedPaths.first { $0.failures.contains(failure) }?.certificates ?? path
        return itsPath.certificate(of: failure)
    }
}

/// The error for a verdict whose failures can't be accepted.
public struct TrustExceptionsError: TrustError, Hashable {
    /// `ErrorCode.exceptionNotNeeded`, `ErrorCode.exceptionHostMissing` or `ErrorCode.exceptionNotPermitted`.
    public let code: ErrorCode
    /// The failures that can't be accepted, for `ErrorCode.exceptionNotPermitted`. Empty for the other codes.
    public let failures: [TrustFailure]

    package init(_ code: ErrorCode, _ failures: [TrustFailure] = []) {
        self.code = code
        self.failures = failures
    }

    public var message: String {
        switch code {
        case .exceptionNotNeeded: "the peer is trusted, so there is nothing to accept"
        case .exceptionHostMissing: "exceptions are bound to a host, but the trust object has none"
        default:
            "can't be accepted: " + failures.prefix(6).map { "\($0.message) [\($0.code)]" }.joined(separator: "; ")
                + (failures.count > 6 ? "; and \(failures.count - 6) more" : "")
        }
    }
}

extension ErrorCode {
    /// The peer is trusted, so there are no failures to accept.
    public static let exceptionNotNeeded = ErrorCode("exceptionNotNeeded")
    /// The trust object has no host, but exceptions are bound to one.
    package static let exceptionHostMissing = ErrorCode("exceptionHostMissing")
    /// Some failures can't be accepted: they are fatal, or the evaluation reached no decision.
    public static let exceptionNotPermitted = ErrorCode("exceptionNotPermitted")
}
