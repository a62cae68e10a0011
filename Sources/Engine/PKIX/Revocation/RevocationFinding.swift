// SPDX-License-Identifier: Apache-2.0

/// The revocation status of one certificate, and its evidence.
public struct RevocationFinding: Sendable, Hashable {
    /// The status of a certificate. The set is complete.
    public enum Status: Sendable, Hashable {
        /// An authorized signer states that the certificate has not been revoked.
        case good
        /// The certificate has been revoked.
        /// - Parameters:
        ///   - at: the revocation date; it may lie in the future. nil if the evidence has none: filters and denied lists.
        ///   - reason: nil if none was given.
        case revoked(at: Time?, reason: RevocationReason?)
        /// No evidence has a status of the certificate, and none is needed: that its issuer publishes none is a statement of the
        /// certificate, or follows from its short validity.
        case exempt(RevocationExemption)
        /// No authorized signer states a status that holds at the verify date: the obstacles in the order of the
        /// attempts, each once.
        case unobtainable([RevocationObstacle])
        /// The certificate was not checked.
        case unchecked
    }

    /// The kind of evidence.
    public enum Source: String, Sendable, Hashable, Codable {
        /// An OCSP response from the handshake.
        case staple
        /// An OCSP response from elsewhere.
        case ocsp
        /// One CRL, or several together.
        case crl
        /// A filter of revoked certificates, such as CRLite's.
        case filter
        /// A list of certificates that are denied.
        case deniedList
    }

    /// The certificate's index in the path, 0 for the leaf.
    public var certificate: Int
    /// The status.
    public var status: Status
    /// The kind of evidence; nil if there is no status.
    public var source: Source?
    /// The first second at which the evidence counts; nil if there is no status.
    public var validFrom: Time?
    /// The last second for which the evidence counts; nil if there is no status, and for a revocation, which is not
    /// taken back.
    public var validUntil: Time?
    /// The reservations about the status, if it is based on less than a list or response signed with the key of the
    /// certificate's issuer; empty if there is no status.
    public var notes: [RevocationNote]

    /// Creates a finding.
    package init(
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

    /// Whether the certificate has been revoked.
    package var isRevoked: Bool { if case .revoked = status { true } else { false } }

    /// Whether the certificate is on hold by evidence that has expired. Newer evidence may end the hold.
    package var isExpiredHold: Bool { isRevoked && notes.contains(.holdExpired) }

    /// Whether the evidence was too much to examine.
    package var exceedsBudget: Bool {
        if case .unobtainable(let obstacles) = status { obstacles.contains(.budgetExceeded) } else { false }
    }
}

extension RevocationFinding: CustomStringConvertible {
    /// One line for people: `certificate 0 good (ocsp, until 2026-11-28T00:00:00Z)`.
    public var description: String {
        var text = "certificate \(certificate) "
        switch status {
        case .good: text += "good"
        case .revoked(let time, let reason):
            text += "revoked" + (time.map { " \($0)" } ?? "") + (reason.map { ", \($0.name)" } ?? "")
        case .unobtainable(let obstacles): text += "unobtainable: " + obstacles.map(\.name).joined(separator: ", ")
        case .exempt(let exemption): text += "exempt: \(exemption.rawValue)"
        case .unchecked: text += "unchecked"
        }
        let details = [source?.rawValue, validUntil.map { "until \($0)" }].compactMap { $0 } + notes.map(\.name)
        return text + (details.isEmpty ? "" : " (\(details.joined(separator: ", ")))")
    }
}

/// A reservation about a finding, as a name that stays the same from version to version. The set grows.
public struct RevocationNote: Sendable, Hashable, CustomStringConvertible {
    /// The name.
    public let name: String

    /// Creates a note of a name.
    package init(name: String) { self.name = name }

    public var description: String { name }

    /// The CRL is signed with an authorized key other than the one that has signed the certificate: after a change of
    /// keys, or by a certificate of the CA for CRLs alone. A current CRL signed with the certificate issuer's key was
    /// not at hand.
    package static let crlSignedWithOtherKey = Self(name: "crlSignedWithOtherKey")
    /// Only a list signed with the certificate's own key has the status of the certificate, or of a CRL signer that the
    /// finding depends on.
    package static let crlSelfSigned = Self(name: "crlSelfSigned")
    /// The revocation of the CRL's signer could not be checked.
    package static let crlSignerUnchecked = Self(name: "crlSignerUnchecked")
    /// The revocation of the OCSP responder's certificate, which isn't exempt from it (RFC 6960 § 4.2.2.2.1), could not be checked.
    package static let ocspSignerUnchecked = Self(name: "ocspSignerUnchecked")

    /// The signature is valid, and by an algorithm or a key that is too weak to vouch: SHA-1, RSA with 1024 to 2047 bits. So it is of a
    /// CRL, of an OCSP response, or of the certificate of their signer.
    package static let signatureWeak = Self(name: "signatureWeak")
    /// The CRL is dated into the future, and the revocation is not.
    package static let crlNotYetValid = Self(name: "crlNotYetValid")
    /// The CRL or an entry has a critical extension that isn't processed.
    package static let crlCriticalExtension = Self(name: "crlCriticalExtension")
    /// The CRL covers another distribution point or other certificates, and lists this one.
    package static let crlScopeMismatch = Self(name: "crlScopeMismatch")
    /// The OCSP response is dated into the future, and the revocation is not.
    package static let ocspNotYetValid = Self(name: "ocspNotYetValid")
    /// The OCSP response has a critical extension that isn't processed.
    package static let ocspCriticalExtension = Self(name: "ocspCriticalExtension")
    /// A part of the CRL or OCSP response is malformed, beside the one that revokes.
    package static let evidenceMalformed = Self(name: "evidenceMalformed")
    /// The certificate of the signer was valid at the date of the CRL or OCSP response, and isn't at the verify date.
    package static let signerNotCurrent = Self(name: "signerNotCurrent")
    /// Evidence that can only revoke says that the certificate of the signer is itself revoked.
    package static let signerRevoked = Self(name: "signerRevoked")
    /// The certificate was on hold. That evidence has expired, and no later evidence ends the hold.
    package static let holdExpired = Self(name: "holdExpired")
}

/// An obstacle to a status: a defect of evidence, as a name that stays the same from version to version. The set grows.
///
/// Two obstacles of one name are equal, whatever the dates of their evidence.
public struct RevocationObstacle: Sendable, Hashable, CustomStringConvertible {
    /// The name.
    public let name: String
    /// The end of expired evidence, or the beginning of future evidence, for people; nil for other obstacles.
    package private(set) var date: Time?

    /// Creates an obstacle of a name.
    package init(name: String) { self.name = name }

    public var description: String { name }

    private init(_ name: String) { self.name = name }

    /// Returns the obstacle with the date of its evidence.
    func dated(_ date: Time?) -> Self {
        var dated = self
        dated.date = date
        return dated
    }

    public static func == (left: Self, right: Self) -> Bool { left.name == right.name }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// There is no CRL of the certificate's issuer and no OCSP response about the certificate.
    package static let noEvidence = Self("noEvidence")
    /// The certificate has noRevAvail, which doesn't count in certificates of CAs and in those that name a place of revocation
    /// information (RFC 9608 § 3).
    package static let noRevAvailIgnored = Self("noRevAvailIgnored")
    /// The bytes are no CRL or OCSP response, or a part of them is malformed.
    package static let evidenceMalformed = Self("evidenceMalformed")
    /// The evidence takes more work to check than any honest one.
    package static let budgetExceeded = Self("budgetExceeded")

    /// The responder could not read the request.
    package static let ocspMalformedRequest = Self("ocspMalformedRequest")
    /// The responder has an internal error.
    package static let ocspInternalError = Self("ocspInternalError")
    /// The responder can't answer at present.
    package static let ocspTryLater = Self("ocspTryLater")
    /// The responder answers signed requests only.
    package static let ocspSignatureRequired = Self("ocspSignatureRequired")
    /// The responder doesn't answer this client, or not for this certificate (RFC 5019 § 2.2.3).
    package static let ocspUnauthorized = Self("ocspUnauthorized")
    /// The responder doesn't know the certificate.
    package static let ocspUnknown = Self("ocspUnknown")
    /// The responder is not authorized: neither the issuer nor a responder that the issuer has authorized (RFC 6960 §
    /// 4.2.2.2).
    package static let ocspResponderNotAuthorized = Self("ocspResponderNotAuthorized")
    /// The signature of the OCSP response doesn't verify.
    package static let ocspSignatureInvalid = Self("ocspSignatureInvalid")
    /// The OCSP response is dated into the future.
    package static let ocspNotYetValid = Self("ocspNotYetValid")
    /// The OCSP response has expired.
    package static let ocspExpired = Self("ocspExpired")
    /// The OCSP response is older than evidence may be (``RevocationPolicy/maximumAge``).
    package static let ocspTooOld = Self("ocspTooOld")
    /// The OCSP response has a critical extension that isn't processed.
    package static let ocspCriticalExtension = Self("ocspCriticalExtension")

    /// The CRL covers other certificates or another distribution point (RFC 5280 § 6.3.3 (b)).
    package static let crlScopeMismatch = Self("crlScopeMismatch")
    /// The CRL is dated into the future.
    package static let crlNotYetValid = Self("crlNotYetValid")
    /// The CRL's next update is past, or it has none.
    package static let crlExpired = Self("crlExpired")
    /// The CRL is older than evidence may be (``RevocationPolicy/maximumAge``).
    package static let crlTooOld = Self("crlTooOld")
    /// The CRL is signed neither by a CA of the path above the certificate nor by a certificate that one of these has
    /// issued for that (§ 6.3.3 (f)).
    package static let crlSignerNotFound = Self("crlSignerNotFound")
    /// The signature of the CRL doesn't verify.
    package static let crlSignatureInvalid = Self("crlSignatureInvalid")
    /// The CRL or an entry has a critical extension that isn't processed (§§ 5.2, 5.3).
    package static let crlCriticalExtension = Self("crlCriticalExtension")
    /// The CRL's number is critical (§ 5.2.3).
    package static let crlNumberMalformed = Self("crlNumberMalformed")
    /// No filter at hand covers a timestamp of the certificate, or there is no complete one.
    package static let filterNotCovered = Self("filterNotCovered")
    /// The certificate's issuer has no entry in the filters that cover it.
    package static let filterNotEnrolled = Self("filterNotEnrolled")
    /// The filters at hand are older than they may be (``RevocationPolicy/maximumFilterAge``).
    package static let filterTooOld = Self("filterTooOld")
    /// The CRLs at hand don't cover every reason (§ 6.3.3 (l)).
    package static let crlReasonsNotCovered = Self("crlReasonsNotCovered")
    /// The certificate of the signer is itself revoked.
    package static let signerRevoked = Self("signerRevoked")
    /// The signature is valid, and by an algorithm or a key that is too weak to vouch (SHA-1, RSA with 1024 to 2047 bits): a revocation
    /// would count.
    package static let signatureWeak = Self("signatureWeak")
    /// The signature is of an algorithm or a key that isn't verified: MD5, DSA, RSA with fewer than 1024 bits.
    package static let signatureUnsupported = Self("signatureUnsupported")
    /// The certificate of the signer was valid at the date of the CRL or OCSP response, and isn't at the verify date: a revocation would
    /// count.
    package static let signerNotCurrent = Self("signerNotCurrent")
    /// The certificate of the signer can't be checked, although that is required.
    package static let signerUnchecked = Self("signerUnchecked")
}
