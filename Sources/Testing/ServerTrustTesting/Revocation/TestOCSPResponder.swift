// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX

/// An in-memory OCSP responder for one CA. To serve it over HTTP, use `LabRepository` from the `ServerTrustLab` module.
///
/// ```swift
/// let responder = TestOCSPResponder(authority) { serialNumber in
///     serialNumber == leaf.certificate.serialNumber.bytes ? .revoked : .good
/// }
/// ```
public struct TestOCSPResponder: Sendable {
    private let authority: TestAuthority
    private let delegate: TestIdentity?
    private let validity: Duration
    private let now: @Sendable () -> Time
    private let status: @Sendable ([UInt8]) throws -> TestOCSPResponse.CertificateStatus

    /// Creates a responder.
    /// - Parameters:
    ///   - authority: the CA that issued the certificates.
    ///   - delegate: the delegated signer, or nil for the CA itself.
    ///   - validity: the time from the date of a response to its nextUpdate. The default is an hour.
    ///   - now: the date of the responses. The default is ``TestAuthority/now``.
    ///   - status: returns the status of a certificate, given the contents of its serial number. If it throws, the
    ///     response is `internalError`.
    public init(
        _ authority: TestAuthority, signedBy delegate: TestIdentity? = nil, validity: Duration = .hours(1),
        now: @escaping @Sendable () -> Time = { TestAuthority.now },
        status: @escaping @Sendable (_ serialNumber: [UInt8]) throws -> TestOCSPResponse.CertificateStatus
    ) {
        self.authority = authority
        self.delegate = delegate
        self.validity = validity
        self.now = now
        self.status = status
    }

    /// Returns the response to a request.
    ///
    /// It is `malformedRequest` for bytes that aren't a request. It is `unauthorized` if a certificate belongs to
    /// another CA, or if the hash is neither SHA-1 nor SHA-256 (RFC 6960 § 2.3). Otherwise, it contains one status for
    /// each certificate, and repeats the nonce. Its thisUpdate is an hour before the date, for clients with slow
    /// clocks.
    public func response(to request: [UInt8]) -> TestOCSPResponse {
        guard let request = try? TestOCSPRequest(der: request) else { return .error(.malformedRequest) }
        let now = now()
        var responses: [TestOCSPResponse.SingleResponse] = []
        for certificate in request.certificates {
            guard let hash = hash(of: certificate) else { return .error(.unauthorized) }
            guard let status = try? status(certificate.serialNumber) else { return .error(.internalError) }
            var single = TestOCSPResponse.SingleResponse(serialNumber: certificate.serialNumber, status)
            single.hash = hash
            single.thisUpdate = now.advanced(by: .hours(-1))
            single.nextUpdate = now.advanced(by: validity)
            responses.append(single)
        }
        let response = try? authority.ocspResponse(signedBy: delegate) {
            $0.producedAt = now
            $0.nonce = request.nonce
            $0.responses = responses
        }
        return response ?? .error(.internalError)
    }

    /// Returns the hash algorithm that the CertID uses to name this CA, or nil if it names another CA.
    private func hash(of certificate: TestOCSPRequest.CertificateID) -> TestOCSPResponse.Hash? {
        TestOCSPResponse.Hash.allCases.first { hash in
            certificate.hashAlgorithm.description == hash.identifier.description
                && certificate.issuerNameHash == hash.digest(authority.certificate.subject.der)
                && certificate.issuerKeyHash == hash.digest(authority.key.publicKeyBits)
        }
    }
}

#endif
