// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Answers OCSP requests for one CA. ``LabRepository`` puts it on the network.
///
/// ```swift
/// let responder = TestOCSPResponder(authority) { serialNumber in
///     serialNumber == leaf.certificate.serialNumber.bytes ? .revoked : .good
/// }
/// ```
public struct TestOCSPResponder: Sendable {
    /// What it knows of a certificate, by the contents of its serial number.
    public typealias Status = @Sendable (_ serialNumber: [UInt8]) throws -> TestOCSPResponse.CertificateStatus

    private let authority: TestAuthority
    private let delegate: TestIdentity?
    private let validity: Int64
    private let now: @Sendable () -> Time
    private let status: Status

    /// - Parameters:
    ///   - authority: whose certificates are asked about.
    ///   - delegate: who signs; nil for the CA itself.
    ///   - validity: how many seconds an answer holds, from the moment it is given; an hour unless given.
    ///   - now: the date of the answers; ``TestAuthority/now`` unless given.
    ///   - status: asked each time. If it throws the answer is `internalError`.
    public init(
        _ authority: TestAuthority, signedBy delegate: TestIdentity? = nil, validity: Int64 = 3600,
        now: @escaping @Sendable () -> Time = { TestAuthority.now }, status: @escaping Status
    ) {
        self.authority = authority
        self.delegate = delegate
        self.validity = validity
        self.now = now
        self.status = status
    }

    /// The answer: `malformedRequest` to what is no request, `unauthorized` if a certificate is another CA's or the hash is neither
    /// SHA-1 nor SHA-256 (RFC 6960 § 2.3), otherwise one status for each certificate, with the nonce repeated.
    ///
    /// It is dated an hour back, for clients whose clocks are slow.
    public func response(to request: [UInt8]) -> TestOCSPResponse {
        guard let request = try? TestOCSPRequest(der: request) else { return .error(.malformedRequest) }
        let now = now()
        var answers: [TestOCSPResponse.SingleResponse] = []
        for certificate in request.certificates {
            guard let hash = hash(of: certificate) else { return .error(.unauthorized) }
            guard let status = try? status(certificate.serialNumber) else { return .error(.internalError) }
            var answer = TestOCSPResponse.SingleResponse(serialNumber: certificate.serialNumber, status)
            answer.hash = hash
            answer.thisUpdate = now.advanced(by: -3600)
            answer.nextUpdate = now.advanced(by: validity)
            answers.append(answer)
        }
        let response = try? authority.ocspResponse(signedBy: delegate) {
            $0.producedAt = now
            $0.nonce = request.nonce
            $0.responses = answers
        }
        return response ?? .error(.internalError)
    }

    /// With which of the known hashes the certificate is said to be this CA's; nil for none.
    private func hash(of certificate: TestOCSPRequest.CertificateID) -> TestOCSPResponse.Hash? {
        TestOCSPResponse.Hash.allCases.first { hash in
            certificate.hashAlgorithm.description == hash.identifier.description
                && certificate.issuerNameHash == hash.digest(authority.certificate.subject.der)
                && certificate.issuerKeyHash == hash.digest(authority.key.publicKeyBits)
        }
    }
}
