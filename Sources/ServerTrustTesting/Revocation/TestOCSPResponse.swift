// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An OCSP response (RFC 6960 § 4.2), made by ``TestAuthority/ocspResponse(signedBy:_:)``: what a responder answers and a
/// server staples.
public struct TestOCSPResponse: Sendable, Hashable {
    public let der: [UInt8]

    /// OCSPResponseStatus. Anything but `successful` comes alone, without a signature.
    public enum Status: Int, Sendable, Hashable, CaseIterable {
        case successful = 0
        case malformedRequest = 1
        case internalError = 2
        case tryLater = 3
        case sigRequired = 5
        case unauthorized = 6
    }

    /// What is said of one certificate.
    public enum CertificateStatus: Sendable, Hashable {
        case good
        /// - Parameter reason: nil for none.
        case revoked(at: Time, reason: TestRevocationReason? = nil)
        case unknown

        /// A day before ``TestAuthority/now``, without a reason.
        public static let revoked = CertificateStatus.revoked(at: TestAuthority.now.advanced(by: -86_400))
    }

    /// How the responder says who it is.
    public enum ResponderID: Sendable, Hashable {
        /// The subject of the signer's certificate.
        case byName
        /// SHA-1 over the signer's public key.
        case byKey
    }

    /// The hash in a CertID, over the issuer's name and over its key.
    public enum Hash: Sendable, Hashable, CaseIterable {
        /// What clients ask with.
        case sha1
        case sha256
    }

    /// A response that only says why there is none.
    public static func error(_ status: Status) -> TestOCSPResponse {
        TestOCSPResponse(der: DERWriter.sequence(DERWriter.enumerated(status.rawValue)))
    }

    /// What a response is to say. As it stands: about no certificate, produced an hour before ``TestAuthority/now``.
    public struct Template: Sendable {
        public var responses: [SingleResponse] = []
        public var responderID = ResponderID.byName
        public var producedAt = TestAuthority.now.advanced(by: -3600)
        /// Repeated from the request; nil for none.
        public var nonce: [UInt8]?
        /// responseExtensions behind the nonce, appended as they are.
        public var extensions: [Extension] = []
        /// Certificates sent along; nil for the delegated signer's, or for none where the CA signs itself.
        public var certificates: [Certificate]?
        /// nil for the key's default.
        public var signatureAlgorithm: TestSignatureAlgorithm?
        /// The key to sign with; nil for the signer's own. Neither its certificate nor the responder's name changes with it.
        public var signingKey: TestKey?
        /// Flips the last bit of the signature.
        public var hasWrongSignature = false

        public init() {}

        /// Answers for a certificate.
        /// - Parameters:
        ///   - hash: The CertID's, SHA-1 by default.
        ///   - issuer: Whose certificate it is; nil for the CA that the response is made by.
        ///   - change: What else the answer is to say.
        public mutating func add(
            _ certificate: Certificate, _ status: CertificateStatus = .good, hash: Hash = .sha1,
            issuer: TestAuthority? = nil, _ change: (inout SingleResponse) -> Void = { _ in }
        ) {
            var response = SingleResponse(serialNumber: certificate.serialNumber.bytes, status)
            response.hash = hash
            response.issuer = issuer
            change(&response)
            responses.append(response)
        }
    }

    /// The answer for one certificate.
    public struct SingleResponse: Sendable {
        /// The contents of the INTEGER, two's complement, written as they are.
        public var serialNumber: [UInt8]
        public var status: CertificateStatus
        public var hash = Hash.sha1
        /// Whose name and key are hashed; nil for the CA that the response is made by.
        public var issuer: TestAuthority?
        /// An hour before ``TestAuthority/now``.
        public var thisUpdate = TestAuthority.now.advanced(by: -3600)
        /// A week after ``TestAuthority/now``; nil for none: newer information is always there.
        public var nextUpdate: Time? = TestAuthority.now.advanced(by: 7 * 86_400)
        /// singleExtensions, appended as they are.
        public var extensions: [Extension] = []

        public init(serialNumber: [UInt8], _ status: CertificateStatus = .good) {
            self.serialNumber = serialNumber
            self.status = status
        }
    }
}

extension TestAuthority {
    /// A successful OCSP response for certificates of this CA.
    ///
    /// ```swift
    /// let staple = try authority.ocspResponse { $0.add(leaf.certificate) }
    /// let signer = try authority.issue(.ocspSigner())
    /// let revoked = try authority.ocspResponse(signedBy: signer) {
    ///     $0.add(leaf.certificate, .revoked(at: time, reason: .keyCompromise), hash: .sha256)
    ///     $0.nonce = nonce
    /// }
    /// let later = TestOCSPResponse.error(.tryLater)
    /// ```
    /// That the signer may sign, that dates are in order and that the certificates are this CA's is not checked.
    /// - Parameter delegate: Who signs, with its certificate sent along; nil for the CA itself, which sends none.
    /// - Throws: what swift-certificates says where the key can't sign that way.
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
