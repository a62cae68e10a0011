// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

/// Values that trust stores attach to certificates.
@Suite("Values of trust stores")
struct AttachedValueTests {
    @Test("An attached extension is an Extension of the expected kind, or the contents themselves")
    func attached() throws {
        let usage = Extension.extendedKeyUsage("1.3.6.1.5.5.7.3.1")
        for identifier in [nil, usage.identifier] {
            #expect(try AttachedExtension.value(of: usage.encoded, identifier: identifier) == usage.value)
        }
        for bytes in [usage.value, usage.encoded + [0], [], [0xff]] {
            #expect(try AttachedExtension.value(of: bytes, identifier: usage.identifier) == bytes)
        }
        let error = #expect(throws: DERError.self) {
            try AttachedExtension.value(of: usage.encoded, identifier: OID("2.5.29.19"))
        }
        #expect(error?.field == "extnID")
    }

    @Test("A serial number in DER must be a short INTEGER, and leading zeros don't distinguish it")
    func serialNumbers() {
        let issuer = ASN1.name("CA")
        func number(_ der: [UInt8]) -> [UInt8]? { IssuerAndSerial(issuer: issuer, serialNumberDER: der)?.serialNumber }
        #expect(number([0x02, 0x01, 0x05]) == [0x05] && number([0x02, 0x03, 0x00, 0x00, 0x05]) == [0x05])
        #expect(number([0x02, 0x02, 0x00, 0x80]) == [0x00, 0x80] && number([0x02, 0x02, 0xff, 0x80]) == [0x80])
        #expect(number([0x02, 0x02, 0xff, 0x7f]) == [0xff, 0x7f])
        let indefinite = [0x02, 0x80] + [UInt8](repeating: 1, count: 128)
        for der in [[], [0x02, 0x00], [0x04, 0x01, 0x05], [0x02, 0x02, 0x05], [0x02, 0x81, 0x01, 0x05], indefinite] {
            #expect(number(der) == nil)
        }
        #expect(IssuerAndSerial(issuer: [], serialNumberDER: [0x02, 0x01, 0x05]) == nil)
        #expect(IssuerAndSerial.canonical([]) == [0])
    }

    @Test("OpenSSL's settings allow at most 256 purposes, and anyExtendedKeyUsage means all of them")
    func purposes() throws {
        let certificate = try CraftedCertificate.authority().certificate()
        func settings(_ purposes: [[UInt8]]) throws -> TrustedCertificateSettings? {
            try TrustedCertificateSettings.parse(certificate.der + ASN1.sequence(ASN1.sequence(purposes))).1
        }
        let server = ASN1.oid("1.3.6.1.5.5.7.3.1")
        #expect(try settings([[UInt8]](repeating: server, count: 256))?.purposes == [.serverAuth])
        let error = #expect(throws: DERError.self) { try settings([[UInt8]](repeating: server, count: 257)) }
        #expect(error?.limit == 256)
        #expect(try settings([ASN1.oid("2.5.29.37.0")])?.purposes == Set(ValidationPolicy.Purpose.allCases))
        #expect(try settings([ASN1.oid("1.2.3")])?.purposes == [])
    }

    @Test("No list of distrusted certificates distrusts a certificate, and arrays are the same only in the same order")
    func lists() throws {
        let certificate = try CraftedCertificate.authority().certificate()
        let none: [DistrustedCertificates] = []
        #expect(none.entry(distrusting: certificate, for: .serverAuth) == nil)
        #expect(none.areSame(as: []) && none.adding([]).isEmpty)
    }
}
