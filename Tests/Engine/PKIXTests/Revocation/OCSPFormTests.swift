// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX
@testable import ServerTrustTesting

/// Requests and responses as bytes.
@Suite("OCSP encoding")
struct OCSPFormTests {
    let fixture: RevocationFixture

    init() throws { fixture = try RevocationFixture() }

    private var leaf: Certificate { fixture.leaf.certificate }

    @Test("A request is the same each time, names issuer and serial number, and differs by hash")
    func request() throws {
        let (issuer, leaf) = (fixture.issuer.certificate, leaf)
        let request = OCSPRequest(leaf, issuer: issuer)
        #expect(request == OCSPRequest(leaf, issuer: issuer))
        #expect(request.der != OCSPRequest(leaf, issuer: issuer, hash: .sha256).der)
        try DER.validate(request.der)
        try DER.validate(OCSPRequest(leaf, issuer: issuer, hash: .sha256).der)
    }

    @Test(
        "RFC 6960 A.1, RFC 5019 § 5: a GET address consists of the responder's address, a slash and escaped base64, and is at most 255 bytes long"
    )
    func get() throws {
        let request = OCSPRequest(leaf, issuer: fixture.issuer.certificate)
        let escaped = Base64.encode(request.der).map { character in
            switch character {
            case "+": "%2B"
            case "/": "%2F"
            case "=": "%3D"
            default: String(character)
            }
        }.joined()
        #expect(request.url(at: "http://ocsp.example.com") == "http://ocsp.example.com/" + escaped)
        #expect(request.url(at: "http://ocsp.example.com/") == "http://ocsp.example.com/" + escaped)
        #expect(request.url(at: "http://ocsp.example.com/" + String(repeating: "x", count: 200)) == nil)
    }

    @Test("The parser reads every field of a response as it was written")
    func response() throws {
        let made = try fixture.issuer.ocspResponse {
            $0.add(leaf, .revoked(at: .days(-1), reason: .superseded))
            $0.responderID = .byKey
        }
        let response = try OCSPResponse(der: made.der)
        #expect(response.der == made.der)
        #expect(response.status == .successful)
        #expect(response.responder == .keyHash(fixture.issuer.key.identifier))
        #expect(response.producedAt == TestAuthority.now.advanced(by: -3600))
        let single = try #require(response.responses.first)
        #expect(single.serialNumber == leaf.serialNumber)
        #expect(single.status == .revoked(at: .days(-1), reason: .superseded))
        #expect(single.nextUpdate == .days(7))
        let named = try OCSPResponse(der: fixture.issuer.ocspResponse { $0.add(leaf) }.der)
        #expect(named.responder == .name(fixture.issuer.certificate.subject))
    }

    @Test("An error response has no other contents", arguments: TestOCSPResponse.Status.allCases)
    func error(status: TestOCSPResponse.Status) throws {
        let made = TestOCSPResponse.error(status)
        guard status != .successful else {
            #expect(throws: DERError.self) { try OCSPResponse(der: made.der) }
            return
        }
        let response = try OCSPResponse(der: made.der)
        #expect(response.status.rawValue == status.rawValue)
        #expect(response.producedAt == nil && response.responder == nil && response.responses.isEmpty)
    }

    @Test(
        "The parser rejects an undefined status, another type of response, and truncated or trailing bytes"
    )
    func malformed() throws {
        for code in [UInt8(4), 7, 0x80] {
            #expect(throws: DERError.self) { try OCSPResponse(der: [0x30, 0x03, 0x0a, 0x01, code]) }
        }
        let der = try fixture.issuer.ocspResponse { $0.add(leaf) }.der
        for count in 0..<der.count {
            #expect(throws: DERError.self) { try OCSPResponse(der: Array(der.prefix(count))) }
        }
        #expect(throws: DERError.self) { try OCSPResponse(der: der + [0]) }
        // The last arc of id-pkix-ocsp-basic.
        var other = der
        let oid: [UInt8] = [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x01, 0x01]
        let place = try #require(der.indices.dropLast(9).first { Array(der[$0..<($0 + 9)]) == oid })
        other[place + 8] = 2
        #expect(throws: DERError.self) { try OCSPResponse(der: other) }
    }
}
