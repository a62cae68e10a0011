// SPDX-License-Identifier: Apache-2.0

import PKIX

/// What somebody agreed to overlook: exactly these failures, of exactly these certificates, for this leaf at this host.
///
/// Whoever accepts an expired certificate is not thereby open to another certificate, another host or another failure. What is
/// fatal can't be agreed to: a wrong signature, a pin that is missed. Get one from ``TrustVerdict/exceptions(expires:)``,
/// keep it in an ``ExceptionStore``, apply it with ``Trust/setExceptions(_:)``.
///
/// As Apple's `SecTrustCopyExceptions`, and narrower: bound to the host, and to SHA-256 of the leaf.
public struct TrustExceptions: Sendable, Hashable, Codable {
    /// The host that the connection goes to, as `Hostname` writes it.
    public let host: String
    /// SHA-256 over the leaf's DER, hexadecimal.
    public let leafSHA256: String
    /// What was agreed to, most specific first; never empty.
    public let failures: [FailureException]
    /// The verify date of the verdict that was agreed to.
    public let created: Time
    /// The last second at which they count; nil for as long as they are kept.
    public let expires: Time?

    /// One failure that was agreed to.
    public struct FailureException: Sendable, Hashable, Codable {
        /// Name of the failure's code.
        public let code: String
        /// SHA-256 over the DER of the certificate it is about, hexadecimal; nil if it is about the whole path.
        public let certificateSHA256: String?
        /// What would have been accepted.
        public let expected: TrustFailure.Value?
        /// What was found; nil where that is the verify date, which is another one each time.
        public let found: TrustFailure.Value?

        init(_ failure: TrustFailure, of certificate: Certificate?) {
            self.code = failure.code.name
            self.certificateSHA256 = certificate.map { Hex.encode($0.sha256) }
            self.expected = failure.expected
            let isAboutDate = failure.code == .certificateExpired || failure.code == .certificateNotYetValid
            self.found = isAboutDate ? nil : failure.found
        }

        /// Whether both are the same, whatever certificates they are about.
        func isAlike(_ other: FailureException) -> Bool {
            code == other.code && expected == other.expected && found == other.found
        }
    }

    /// Whether exceptions belong to a trust object.
    public enum Fit: String, Sendable, Hashable {
        case fits
        /// They are for another host.
        case otherHost
        /// The leaf is another one, or there is none.
        case otherLeaf
        /// They have run out.
        case expired
    }

    /// Whether they belong to this host and this leaf at this date.
    public func fit(host: Hostname?, leaf: Certificate?, at time: Time) -> Fit {
        guard host?.description == self.host else { return .otherHost }
        guard let leaf, Hex.encode(leaf.sha256) == leafSHA256 else { return .otherLeaf }
        if let expires, time > expires { return .expired }
        return .fits
    }

    /// Whether exactly this failure was agreed to. What is fatal or undecided never was.
    func covers(_ failure: TrustFailure, of certificate: Certificate?) -> Bool {
        guard failure.code.severity == .recoverable else { return false }
        // The digest is worked out only where all else agrees.
        let alike = failures.filter { $0.isAlike(FailureException(failure, of: nil)) }
        guard !alike.isEmpty else { return false }
        let digest = certificate.map { Hex.encode($0.sha256) }
        return alike.contains { $0.certificateSHA256 == digest }
    }
}

extension TrustVerdict {
    /// What somebody would have to agree to: everything that is wrong with the best candidate.
    ///
    /// Show them ``failures`` first. The verdict of the next evaluation is ``TrustResultType/proceed``, if nothing else is wrong then.
    /// - Parameter expires: the last second at which it is to count; nil for as long as it is kept.
    /// - Throws: ``TrustExceptionsError`` where there is nothing to agree to or it must not be.
    public func exceptions(expires: Time? = nil) throws(TrustExceptionsError) -> TrustExceptions {
        guard !isTrusted else { throw .nothingToExcept }
        let barred = failures.filter { $0.code.severity != .recoverable }
        guard barred.isEmpty, result == .recoverableFailure, !failures.isEmpty else { throw .notExceptable(barred) }
        guard let host else { throw .noHost }
        guard let leaf = path.first else { throw .notExceptable(failures) }
        return TrustExceptions(
            host: host.description, leafSHA256: Hex.encode(leaf.sha256),
            failures: failures.map { TrustExceptions.FailureException($0, of: certificate(of: $0)) },
            created: evaluationDate, expires: expires.map { min(max($0, .earliest), .latest) })
    }
}

extension TrustVerdict {
    /// The certificate that a failure is about. Failures of a composite may be of several paths.
    private func certificate(of failure: TrustFailure) -> Certificate? {
        let itsPath = rejectedPaths.first { $0.failures.contains(failure) }?.certificates ?? path
        return itsPath.certificate(of: failure)
    }
}

/// Why a verdict yields no exceptions.
public enum TrustExceptionsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The peer is trusted.
    case nothingToExcept
    /// Nobody said which host it is, so nothing could be bound to it.
    case noHost
    /// These failures can't be overlooked: they are fatal, or no decision was reached.
    case notExceptable([TrustFailure])

    public var description: String {
        switch self {
        case .nothingToExcept: "the peer is trusted; there is nothing to except"
        case .noHost: "exceptions are bound to a host, and the trust object has none"
        case .notExceptable(let failures):
            "can not be excepted: " + failures.prefix(6).map { "\($0.message) [\($0.code)]" }.joined(separator: "; ")
                + (failures.count > 6 ? "; and \(failures.count - 6) more" : "")
        }
    }
}
