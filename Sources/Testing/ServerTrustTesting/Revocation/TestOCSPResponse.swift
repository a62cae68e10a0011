// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX

/// An OCSP response (RFC 6960 § 4.2) from a responder or in a server's staple, created by
/// ``TestAuthority/ocspResponse(signedBy:_:)``.
public struct TestOCSPResponse: Sendable, Hashable {
    /// The encoding in DER.
    public let der: [UInt8]

    /// The OCSPResponseStatus. Only a `successful` response has contents and a signature.
    package enum Status: Int, Sendable, Hashable, CaseIterable {
        /// The response contains the status of certificates.
        case successful = 0
        /// The request can't be parsed.
        case malformedRequest = 1
        /// The responder failed.
        case internalError = 2
        /// The responder is temporarily unable to answer.
        case tryLater = 3
        /// The request has to be signed.
        case sigRequired = 5
        /// The responder doesn't answer requests for this certificate.
        case unauthorized = 6
    }

    /// The status of one certificate.
    public enum CertificateStatus: Sendable, Hashable {
        /// Not revoked.
        case good
        /// Revoked on a date. A nil reason means that the response states none.
        case revoked(at: Time, reason: RevocationReason? = nil)
        /// Unknown to the responder.
        case unknown

        /// Revoked a day before ``TestAuthority/now``, without a reason.
        static let revoked = CertificateStatus.revoked(at: TestAuthority.now.advanced(by: .days(-1)))
    }

    /// The form of the responder's identifier.
    enum ResponderID: Sendable, Hashable {
        /// The subject of the signer's certificate.
        case byName
        /// SHA-1 over the signer's public key.
        case byKey
    }

    /// The hash algorithm of a CertID, for the issuer's name and key.
    package enum Hash: Sendable, Hashable, CaseIterable {
        /// SHA-1, which clients usually choose.
        case sha1
        /// SHA-256.
        case sha256
        /// SHA-384.
        case sha384
        /// SHA-512.
        case sha512
    }

    /// Returns a response that consists only of an error status.
    static func error(_ status: Status) -> TestOCSPResponse {
        TestOCSPResponse(der: DERWriter.sequence(DERWriter.enumerated(status.rawValue)))
    }

    /// The contents of a response. By default, it covers no certificate, and was produced an hour before
    /// ``TestAuthority/now``.
    public struct Template: Sendable {
        /// The responses for single certificates.
        var responses: [SingleResponse] = []
        /// The form of the responder's identifier. The default is the name.
        var responderID = ResponderID.byName
        /// The date of the response.
        public var producedAt = TestAuthority.now.advanced(by: .hours(-1))
        /// The request's nonce, or nil for none.
        var nonce: [UInt8]?
        /// The responseExtensions after the nonce, appended unchanged.
        var extensions: [Extension] = []
        /// The certificates in the response. If nil, the response contains the delegated signer's certificate, or none
        /// if the CA signs.
        var certificates: [Certificate]?
        /// The signature algorithm, or nil for the key's default.
        var signatureAlgorithm: TestSignatureAlgorithm?
        /// The key for the signature, or nil for the signer's own key. It changes neither the certificate nor the
        /// responder's name.
        var signingKey: TestKey?
        /// Whether the last bit of the signature is flipped.
        var hasWrongSignature = false

        /// Creates the default contents.
        init() {}

        /// Adds the response for a certificate.
        /// - Parameters:
        ///   - certificate: the certificate.
        ///   - status: its status. The default is good.
        ///   - change: changes to the response, such as its dates.
        public mutating func add(
            _ certificate: Certificate, _ status: CertificateStatus = .good,
            _ change: (inout SingleResponse) -> Void = { _ in }
        ) {
            var response = SingleResponse(serialNumber: certificate.serialNumber.bytes, status)
            change(&response)
            responses.append(response)
        }
    }

    /// The response for one certificate.
    public struct SingleResponse: Sendable {
        /// The contents of the INTEGER in two's complement, written unchanged.
        var serialNumber: [UInt8]
        /// The status.
        public var status: CertificateStatus
        /// The hash algorithm for the CertID.
        package var hash = Hash.sha1
        /// The CA whose name and key the CertID hashes, or nil for the CA that creates the response.
        var issuer: TestAuthority?
        /// The date of the status. The default is an hour before ``TestAuthority/now``.
        public var thisUpdate = TestAuthority.now.advanced(by: .hours(-1))
        /// The date of the next status, or nil for none, which means that newer information is always available. The
        /// default is a week after ``TestAuthority/now``.
        public var nextUpdate: Time? = TestAuthority.now.advanced(by: .days(7))
        /// A `SignedCertificateTimestampList` for the certificate (RFC 6962 § 3.3), created by
        /// `TestTimestamp.list(_:for:)`, or nil for none.
        var timestampList: [UInt8]?
        /// The singleExtensions after `timestampList`, appended unchanged.
        var extensions: [Extension] = []

        /// Creates a response with SHA-1 hashes.
        init(serialNumber: [UInt8], _ status: CertificateStatus = .good) {
            self.serialNumber = serialNumber
            self.status = status
        }
    }
}

extension TestAuthority {
    /// Creates a successful OCSP response for certificates from this CA.
    ///
    /// ```swift
    /// let staple = try authority.ocspResponse { $0.add(leaf.certificate) }
    /// let signer = try authority.issue(.ocspSigner())
    /// let revoked = try authority.ocspResponse(signedBy: signer) {
    ///     $0.add(leaf.certificate, .revoked(at: time, reason: .keyCompromise))
    ///     $0.nonce = nonce
    /// }
    /// ```
    ///
    /// Not checked: whether the signer is allowed to sign, the order of the dates, and whether this CA issued the
    /// certificates.
    /// - Parameters:
    ///   - change: changes the response before it is signed.
    ///   - delegate: the delegated signer, whose certificate the response contains, or nil for the CA itself, without a
    ///     certificate.
    /// - Throws: errors from swift-certificates for an algorithm that doesn't fit the key.
    public func ocspResponse(
        signedBy delegate: TestIdentity? = nil, _ change: (inout TestOCSPResponse.Template) throws -> Void
    ) throws -> TestOCSPResponse {
        var template = TestOCSPResponse.Template()
        try change(&template)
        let signer = delegate ?? identity
        let key = template.signingKey ?? signer.key
        let certificates = template.certificates ?? delegate.map { [$0.certificate] } ?? []
        let basic = try DERWriter.signed(
            try template.toBeSigned(issuer: self, signer: signer), by: key,
            template.signatureAlgorithm ?? key.defaultSignatureAlgorithm, isBroken: template.hasWrongSignature,
            further: certificates.isEmpty
                ? [] : DERWriter.tagged(0, DERWriter.sequence(of: certificates.map(\.der))))
        return TestOCSPResponse(
            der: DERWriter.sequence(
                DERWriter.enumerated(TestOCSPResponse.Status.successful.rawValue),
                DERWriter.tagged(
                    0,
                    DERWriter.sequence(DERWriter.oid(Identifiers.basicOCSPResponse), DERWriter.octets(basic)))))
    }
}

#endif
