// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

/// OCSP responses that no responder writes, from the tests' own writer. Nothing here depends on the signature.
@Suite("Malformed OCSP responses")
struct OCSPLimitTests {
    /// A response with these fields in its signed part.
    private func response(_ data: [UInt8]...) -> [UInt8] {
        let basic = ASN1.sequence(
            ASN1.sequence(data), ASN1.algorithm("1.2.840.10045.4.3.2"), ASN1.bits([0x30, 0x00]))
        let bytes = ASN1.sequence(ASN1.oid("1.3.6.1.5.5.7.48.1.1"), ASN1.octets(basic))
        return ASN1.sequence(ASN1.value(0x0a, [0]), ASN1.explicit(0, bytes))
    }

    private let keyHash = ASN1.explicit(2, ASN1.octets([UInt8](repeating: 7, count: 20)))
    private let date = ASN1.generalizedTime("20261121000000Z")
    private let none = ASN1.sequence()

    private func problem(_ der: [UInt8]) -> DERError? {
        do throws(DERError) {
            _ = try OCSPResponse(der: der)
            return nil
        } catch { return error }
    }

    @Test("A response may state version 1, but no other version")
    func version() {
        #expect(problem(response(keyHash, date, none)) == nil)
        #expect(problem(response(ASN1.explicit(0, ASN1.integer(0)), keyHash, date, none)) == nil)
        #expect(problem(response(ASN1.explicit(0, ASN1.integer(1)), keyHash, date, none))?.reason == .integerOutOfRange)
    }

    @Test("The key hash of a responder has the size of SHA-1", arguments: [0, 19, 21, 32])
    func keyHash(size: Int) {
        let hash = ASN1.explicit(2, ASN1.octets([UInt8](repeating: 7, count: size)))
        #expect(problem(response(hash, date, none))?.reason == .invalid("key hash of \(size) bytes"))
    }

    @Test("A responder is a name or a key hash")
    func responder() {
        let name = ASN1.explicit(1, ASN1.name("Responder"))
        #expect(problem(response(name, date, none)) == nil)
        #expect(problem(response(ASN1.explicit(3, ASN1.name("Responder")), date, none))?.foundTag == 0xa3)
    }

    @Test("Too many or malformed extensions leave a response readable, with a note that it is malformed")
    func extensions() throws {
        func list(_ count: Int) -> [UInt8] {
            let members = (0..<count).map { Extension.named("1.2.3.\($0)", ASN1.null).encoded }
            return ASN1.explicit(1, ASN1.sequence(members))
        }
        for (extensions, isMalformed) in [(list(16), false), (list(17), true), (ASN1.explicit(1, ASN1.null), true)] {
            let response = try OCSPResponse(der: response(keyHash, date, none, extensions))
            #expect(response.fields.isMalformed == isMalformed)
        }
        // RFC 2560's nonce isn't wrapped in an OCTET STRING.
        let nonce = ASN1.explicit(1, ASN1.sequence([Extension.named("1.3.6.1.5.5.7.48.1.2", [1, 2, 3]).encoded]))
        #expect(try !OCSPResponse(der: response(keyHash, date, none, nonce)).fields.isMalformed)
    }

    @Test("A response of more than 16 MiB is refused before it is read")
    func size() {
        let error = problem([UInt8](repeating: 0x30, count: OCSPResponse.maximumSize + 1))
        #expect(error?.limit == OCSPResponse.maximumSize && error?.code == .derLimitExceeded)
    }

    @Test("Responses with the same bytes are equal, have the same hash, and know their size")
    func equality() throws {
        let (one, other) = (response(keyHash, date, none), response(ASN1.explicit(1, ASN1.name("R")), date, none))
        let responses = try [one, one, other].map { der throws in try OCSPResponse(der: der) }
        #expect(Set(responses).count == 2 && responses.map(\.size) == [one.count, one.count, other.count])
    }

    @Test("A slash in the Base64 of a request is percent-encoded in the address of a GET")
    func slash() throws {
        let fixture = try RevocationFixture()
        // Eight bytes with all bits set contain a slash at each alignment.
        for bytes in [[UInt8](repeating: 0xff, count: 8), [UInt8](repeating: 0, count: 8)] {
            let template = CertificateTemplate.leaf("www.example.com").with { $0.serialNumber = [0x01] + bytes }
            let leaf = try fixture.issuer.issue(template).certificate
            let request = OCSPRequest(leaf, issuer: fixture.issuer.certificate)
            let text = Base64.encode(request.der)
            let url = try #require(request.url(at: "http://a"))
            #expect(url.dropFirst("http://a/".count).contains("/") == false)
            #expect(url.components(of: "%2F") == text.components(of: "/"))
            #expect(bytes[0] == 0 || text.contains("/"))
        }
    }
}

extension String {
    /// The number of parts between separators.
    fileprivate func components(of separator: String) -> Int {
        split(separator: separator, omittingEmptySubsequences: false).count
    }
}
