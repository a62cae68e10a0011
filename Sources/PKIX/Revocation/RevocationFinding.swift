// SPDX-License-Identifier: Apache-2.0

/// What is known about one certificate's having been withdrawn.
public struct RevocationFinding: Sendable, Hashable {
    public enum Status: Sendable, Hashable {
        /// Somebody who may say so says that it has not been revoked.
        case good
        /// - Parameters:
        ///   - at: the revocation date; it may lie in the future.
        ///   - reason: nil if none was given.
        case revoked(at: Time, reason: RevocationReason?)
        /// Nobody who may say so says anything that holds at the date in question: why, in the order of the attempts, each once.
        case unobtainable([RevocationObstacle])
        /// Not asked about.
        case unchecked
    }

    /// Where the answer comes from.
    public enum Source: String, Sendable, Hashable, Codable {
        /// An OCSP response from the handshake.
        case staple
        /// An OCSP response from elsewhere.
        case ocsp
        /// One CRL, or several together.
        case crl
    }

    /// The certificate's index in the path, 0 for the leaf.
    public var certificate: Int
    public var status: Status
    /// nil if there is no answer.
    public var source: Source?
    /// The first second at which the evidence counts; nil if there is no answer.
    public var validFrom: Time?
    /// The last second for which the evidence speaks; nil if there is no answer, and for a revocation, which is not taken back.
    public var validUntil: Time?
    /// What the answer rests on, where that is less than a list or response signed with the key of the certificate's issuer; empty
    /// if there is no answer.
    public var notes: [RevocationNote]

    public init(
        certificate: Int, status: Status, source: Source? = nil, validFrom: Time? = nil, validUntil: Time? = nil,
        notes: [RevocationNote] = []
    ) {
        self.certificate = certificate
        self.status = status
        self.source = source
        self.validFrom = validFrom
        self.validUntil = validUntil
        self.notes = notes
    }

    public var isRevoked: Bool { if case .revoked = status { true } else { false } }
}

extension RevocationFinding: CustomStringConvertible {
    /// One line for people: `certificate 0 good (ocsp, until 2026-11-28T00:00:00Z)`.
    public var description: String {
        var text = "certificate \(certificate) "
        switch status {
        case .good: text += "good"
        case .revoked(let time, let reason): text += "revoked \(time)" + (reason.map { ", \($0.name)" } ?? "")
        case .unobtainable(let obstacles): text += "unobtainable: " + obstacles.map(\.name).joined(separator: ", ")
        case .unchecked: text += "unchecked"
        }
        let details = [source?.rawValue, validUntil.map { "until \($0)" }].compactMap { $0 } + notes.map(\.name)
        return text + (details.isEmpty ? "" : " (\(details.joined(separator: ", ")))")
    }
}

/// A reservation about an answer, as a name that stays the same from version to version. The set grows.
public struct RevocationNote: Sendable, Hashable, CustomStringConvertible {
    public let name: String

    public init(name: String) { self.name = name }

    public var description: String { name }

    /// The CRL is signed with a rightful key other than the one that has signed the certificate: after a change of keys, or by a
    /// certificate of the CA for CRLs alone. A current CRL signed with the certificate issuer's key was not at hand.
    public static let crlSignedWithOtherKey = Self(name: "crlSignedWithOtherKey")
    /// No list but one signed with the certificate's own key speaks for the certificate, or for a CRL signer that the answer rests
    /// on.
    public static let crlSelfSigned = Self(name: "crlSelfSigned")
    /// The revocation of the CRL's signer could not be checked.
    public static let crlSignerUnchecked = Self(name: "crlSignerUnchecked")
}

/// Why evidence is none, as a name that stays the same from version to version. The set grows.
public struct RevocationObstacle: Sendable, Hashable, CustomStringConvertible {
    public let name: String

    public init(name: String) { self.name = name }

    public var description: String { name }

    private init(_ name: String) { self.name = name }

    /// There is no CRL of its issuer and no OCSP response about it.
    public static let noEvidence = Self("noEvidence")
    /// The bytes are no CRL or OCSP response.
    public static let evidenceMalformed = Self("evidenceMalformed")
    /// The evidence takes more work to check than any honest one.
    public static let budgetExceeded = Self("budgetExceeded")

    /// The responder could not read the request.
    public static let ocspMalformedRequest = Self("ocspMalformedRequest")
    public static let ocspInternalError = Self("ocspInternalError")
    public static let ocspTryLater = Self("ocspTryLater")
    /// The responder answers signed requests only.
    public static let ocspSignatureRequired = Self("ocspSignatureRequired")
    /// The responder doesn't answer this client, or not for this certificate (RFC 5019 § 2.2.3).
    public static let ocspUnauthorized = Self("ocspUnauthorized")
    /// The responder doesn't know the certificate.
    public static let ocspUnknown = Self("ocspUnknown")
    /// Nobody who may answer for the issuer has signed: neither the issuer nor somebody it has appointed (RFC 6960 § 4.2.2.2).
    public static let ocspResponderNotAuthorized = Self("ocspResponderNotAuthorized")
    public static let ocspSignatureInvalid = Self("ocspSignatureInvalid")
    public static let ocspNotYetValid = Self("ocspNotYetValid")
    public static let ocspExpired = Self("ocspExpired")
    /// A critical extension that isn't understood.
    public static let ocspCriticalExtension = Self("ocspCriticalExtension")

    /// The CRL is about other certificates or another distribution point (RFC 5280 § 6.3.3 (b)).
    public static let crlScopeMismatch = Self("crlScopeMismatch")
    public static let crlNotYetValid = Self("crlNotYetValid")
    /// Its next update is past, or it doesn't say when that is.
    public static let crlExpired = Self("crlExpired")
    /// It is signed neither by a CA of the path above the certificate nor by a certificate that one of these has issued for that
    /// (§ 6.3.3 (f)).
    public static let crlSignerNotFound = Self("crlSignerNotFound")
    public static let crlSignatureInvalid = Self("crlSignatureInvalid")
    /// A critical extension of the CRL or of an entry that isn't understood (§§ 5.2, 5.3).
    public static let crlCriticalExtension = Self("crlCriticalExtension")
    /// Its number is missing, or critical (§ 5.2.3).
    public static let crlNumberMalformed = Self("crlNumberMalformed")
    /// The CRLs at hand don't cover every reason (§ 6.3.3 (l)).
    public static let crlReasonsNotCovered = Self("crlReasonsNotCovered")
    /// The certificate of whoever signed is itself revoked.
    public static let signerRevoked = Self("signerRevoked")
    /// The certificate of whoever signed can't be checked, and it was required that it be.
    public static let signerUnchecked = Self("signerUnchecked")
}
