// SPDX-License-Identifier: Apache-2.0

/// The revocation status of one certificate, and the evidence for it.
public struct RevocationFinding: Sendable, Hashable {
    /// The status of a certificate. Future versions add no cases.
    public enum Status: Sendable, Hashable {
        /// An authorized signer states that the certificate isn't revoked.
        case good
        /// The certificate is revoked.
        /// - Parameters:
        ///   - at: the revocation date, which may be in the future. nil if the evidence has no date, as with filters
        ///     and denied lists.
        ///   - reason: nil if the evidence doesn't state one.
        case revoked(at: Time?, reason: RevocationReason?)
        /// No evidence has a status of the certificate, and none is needed. The certificate states that its issuer
        /// publishes no revocation information, or its validity is short enough.
        case exempt(RevocationExemption)
        /// No authorized signer states a status that is valid at the verify date. The obstacles are in the order of the
        /// attempts, without duplicates.
        case unobtainable([RevocationObstacle])
        /// The certificate wasn't checked.
        case unchecked
    }

    /// The kind of evidence.
    public enum Source: String, Sendable, Hashable, Codable {
        /// An OCSP response from the handshake.
        case staple
        /// An OCSP response from another source.
        case ocsp
        /// One CRL, or several CRLs together.
        case crl
        /// A filter of revoked certificates, such as CRLite's.
        case filter
        /// A list of denied certificates.
        case deniedList
    }

    /// The certificate's index in the path, 0 for the leaf.
    public var certificate: Int
    /// The revocation status of the certificate.
    public var status: Status
    /// The kind of evidence, or nil if there is no status.
    public var source: Source?
    /// The first second when the evidence counts, or nil if there is no status.
    public var validFrom: Time?
    /// The last second when the evidence counts, or nil if there is no status. Also nil for a revocation, which doesn't
    /// expire.
    public var validUntil: Time?
    /// The reservations about the status. A status has reservations if it relies on anything less than a CRL or OCSP
    /// response signed with the key of the certificate's issuer. Empty if there is no status.
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

    /// Whether the certificate is revoked.
    package var isRevoked: Bool { if case .revoked = status { true } else { false } }

    /// Whether expired evidence put the certificate on hold. Newer evidence may end the hold.
    package var isExpiredHold: Bool { isRevoked && notes.contains(.holdExpired) }

    /// Whether the evidence exceeded the budget for examining it.
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

/// A reservation about a finding, identified by a stable name. Future versions may add more.
public struct RevocationNote: Sendable, Hashable, CustomStringConvertible {
    /// The name, which doesn't change between versions.
    public let name: String

    /// Creates a note with a name.
    package init(name: String) { self.name = name }

    public var description: String { name }

    /// An authorized key other than the one that signed the certificate has signed the CRL. This happens after a key
    /// change, or if the CA has a certificate only for CRLs. No current CRL signed with the certificate issuer's key
    /// was available.
    static let crlSignedWithOtherKey = Self(name: "crlSignedWithOtherKey")
    /// Only a list signed with the certificate's own key has a status for the certificate, or for a CRL signer that the
    /// finding depends on.
    static let crlSelfSigned = Self(name: "crlSelfSigned")
    /// The engine could not check whether the CRL's signer is revoked.
    package static let crlSignerUnchecked = Self(name: "crlSignerUnchecked")
    /// The engine could not check whether the OCSP responder's certificate is revoked. That certificate isn't exempt
    /// from the check (RFC 6960 § 4.2.2.2.1).
    package static let ocspSignerUnchecked = Self(name: "ocspSignerUnchecked")

    /// The signature is valid, but its algorithm or key is weak (SHA-1, RSA with 1024 to 2047 bits). It is the
    /// signature of a CRL, of an OCSP response, or of the certificate of their signer.
    static let signatureWeak = Self(name: "signatureWeak")
    /// The CRL is dated in the future, but the revocation isn't.
    static let crlNotYetValid = Self(name: "crlNotYetValid")
    /// The CRL or an entry has a critical extension that the engine doesn't process.
    static let crlCriticalExtension = Self(name: "crlCriticalExtension")
    /// The CRL covers another distribution point or other certificates, but lists this certificate.
    static let crlScopeMismatch = Self(name: "crlScopeMismatch")
    /// The OCSP response is dated in the future, but the revocation isn't.
    static let ocspNotYetValid = Self(name: "ocspNotYetValid")
    /// The OCSP response has a critical extension that the engine doesn't process.
    static let ocspCriticalExtension = Self(name: "ocspCriticalExtension")
    /// A part of the CRL or OCSP response is malformed, but not the part that revokes.
    static let evidenceMalformed = Self(name: "evidenceMalformed")
    /// The signer's certificate was valid at the date of the CRL or OCSP response, but isn't at the verify date.
    static let signerNotCurrent = Self(name: "signerNotCurrent")
    /// Evidence that can only revoke says that the signer's certificate is itself revoked.
    static let signerRevoked = Self(name: "signerRevoked")
    /// The certificate was on hold. The evidence for the hold has expired, and no later evidence ends the hold.
    static let holdExpired = Self(name: "holdExpired")
}

/// An obstacle to a status: a defect of the evidence, identified by a stable name. Future versions may add more.
///
/// Two obstacles with the same name are equal, even if their evidence has different dates or addresses.
public struct RevocationObstacle: Sendable, Hashable, CustomStringConvertible {
    /// The name, which doesn't change between versions.
    public let name: String
    /// The end of expired evidence, or the beginning of future evidence, for display. nil for other obstacles.
    package private(set) var date: Time?
    /// The addresses that failed, and how, for display. nil for evidence that wasn't fetched.
    package private(set) var detail: String?

    /// Creates an obstacle with a name.
    package init(name: String) { self.name = name }

    public var description: String { name }

    private init(_ name: String) { self.name = name }

    /// Returns this obstacle with the date of its evidence.
    func dated(_ date: Time?) -> Self {
        var dated = self
        dated.date = date
        return dated
    }

    /// Returns this obstacle with one more detail.
    package func detailed(_ text: String) -> Self {
        var detailed = self
        detailed.detail = detail.map { "\($0), \(text)" } ?? text
        return detailed
    }

    public static func == (left: Self, right: Self) -> Bool { left.name == right.name }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// No CRL from the certificate's issuer and no OCSP response about the certificate is available.
    package static let noEvidence = Self("noEvidence")
    /// The certificate has noRevAvail, but the extension doesn't count in CA certificates and in certificates that name
    /// a location of revocation information (RFC 9608 § 3).
    static let noRevAvailIgnored = Self("noRevAvailIgnored")
    /// The bytes aren't a CRL or OCSP response, or a part of them is malformed.
    package static let evidenceMalformed = Self("evidenceMalformed")
    /// The evidence takes more work to check than any honest evidence does.
    package static let budgetExceeded = Self("budgetExceeded")

    /// The responder could not read the request.
    static let ocspMalformedRequest = Self("ocspMalformedRequest")
    /// The responder has an internal error.
    static let ocspInternalError = Self("ocspInternalError")
    /// The responder can't answer right now.
    static let ocspTryLater = Self("ocspTryLater")
    /// The responder answers only signed requests.
    static let ocspSignatureRequired = Self("ocspSignatureRequired")
    /// The responder doesn't answer this client, or doesn't answer for this certificate (RFC 5019 § 2.2.3).
    static let ocspUnauthorized = Self("ocspUnauthorized")
    /// The responder doesn't know the certificate.
    package static let ocspUnknown = Self("ocspUnknown")
    /// The signer isn't authorized: it is neither the issuer nor a responder that the issuer has authorized (RFC 6960 §
    /// 4.2.2.2).
    package static let ocspResponderNotAuthorized = Self("ocspResponderNotAuthorized")
    /// The signature of the OCSP response doesn't verify.
    package static let ocspSignatureInvalid = Self("ocspSignatureInvalid")
    /// The OCSP response is dated in the future.
    static let ocspNotYetValid = Self("ocspNotYetValid")
    /// The OCSP response has expired.
    static let ocspExpired = Self("ocspExpired")
    /// The OCSP response is older than the policy allows (``RevocationPolicy/maximumAge``).
    package static let ocspTooOld = Self("ocspTooOld")
    /// The OCSP response has a critical extension that the engine doesn't process.
    package static let ocspCriticalExtension = Self("ocspCriticalExtension")

    /// The CRL covers other certificates or another distribution point (RFC 5280 § 6.3.3 (b)).
    package static let crlScopeMismatch = Self("crlScopeMismatch")
    /// The CRL is dated in the future.
    static let crlNotYetValid = Self("crlNotYetValid")
    /// The CRL's next update is in the past or missing.
    static let crlExpired = Self("crlExpired")
    /// The CRL is older than the policy allows (``RevocationPolicy/maximumAge``).
    package static let crlTooOld = Self("crlTooOld")
    /// No authorized signer has signed the CRL: neither a CA in the path above the certificate, nor a certificate that
    /// one of these CAs has issued for signing CRLs (§ 6.3.3 (f)).
    package static let crlSignerNotFound = Self("crlSignerNotFound")
    /// The signature of the CRL doesn't verify.
    package static let crlSignatureInvalid = Self("crlSignatureInvalid")
    /// The CRL or an entry has a critical extension that the engine doesn't process (§§ 5.2, 5.3).
    package static let crlCriticalExtension = Self("crlCriticalExtension")
    /// The CRL's number is critical (§ 5.2.3).
    package static let crlNumberMalformed = Self("crlNumberMalformed")
    /// No available filter covers a timestamp of the certificate, or no complete filter is available.
    static let filterNotCovered = Self("filterNotCovered")
    /// The certificate's issuer has no entry in the filters that cover it.
    static let filterNotEnrolled = Self("filterNotEnrolled")
    /// The available filters are older than the policy allows (``RevocationPolicy/maximumFilterAge``).
    package static let filterTooOld = Self("filterTooOld")
    /// The available CRLs don't cover every reason (§ 6.3.3 (l)).
    static let crlReasonsNotCovered = Self("crlReasonsNotCovered")
    /// The signer's certificate is itself revoked.
    package static let signerRevoked = Self("signerRevoked")
    /// The signature is valid, but its algorithm or key is weak (SHA-1, RSA with 1024 to 2047 bits). Such evidence can
    /// only revoke.
    package static let signatureWeak = Self("signatureWeak")
    /// The engine doesn't verify the signature's algorithm or key: MD5, DSA, RSA with fewer than 1024 bits.
    package static let signatureUnsupported = Self("signatureUnsupported")
    /// The signer's certificate was valid at the date of the CRL or OCSP response, but isn't at the verify date. Such
    /// evidence can only revoke.
    static let signerNotCurrent = Self("signerNotCurrent")
    /// The policy requires a check of the signer's certificate, but the check isn't possible.
    package static let signerUnchecked = Self("signerUnchecked")
}
