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
        #expect(error?.field == "extnID" && error?.offset == 0)
    }

    @Test("A serial number in DER must be a short INTEGER, and leading zeros don't distinguish it")
    func serialNumbers() {
        let issuer = ASN1.name("CA")
        func number(_ der: [UInt8]) -> [UInt8]? { IssuerAndSerial(issuer: issuer, serialNumberDER: der)?.serialNumber }
        #expect(number([0x02, 0x01, 0x05]) == [0x05] && number([0x02, 0x03, 0x00, 0x00, 0x05]) == [0x05])
        #expect(number([0x02, 0x02, 0x00, 0x80]) == [0x00, 0x80] && number([0x02, 0x02, 0xff, 0x80]) == [0x80])
        #expect(number([0x02, 0x02, 0xff, 0x7f]) == [0xff, 0x7f])
        #expect(number([0x02, 0x02, 0x00, 0x7f]) == [0x7f] && number([0x02, 0x02, 0xff, 0x81]) == [0x81])
        let long = [UInt8](repeating: 1, count: 127)
        #expect(number([0x02, 0x7f] + long) == long)
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

    @Test("OpenSSL's settings have an optional alias, key identifier and other data, and nothing after them")
    func settings() throws {
        let certificate = try CraftedCertificate.authority().certificate()
        func parse(_ settings: [UInt8]) throws -> TrustedCertificateSettings? {
            let (parsed, found) = try TrustedCertificateSettings.parse(certificate.der + settings)
            #expect(parsed == certificate)
            return found
        }
        let server = ASN1.oid("1.3.6.1.5.5.7.3.1")
        let (trust, reject) = (ASN1.sequence(server), ASN1.explicit(0, ASN1.oid("1.3.6.1.5.5.7.3.2")))
        let others = [ASN1.utf8("alias"), ASN1.octets([1]), ASN1.explicit(1, ASN1.sequence(ASN1.sequence(server)))]
        let bare = try #require(try parse(ASN1.sequence([trust, reject])))
        #expect(bare.trusted?.count == 1 && bare.rejected.count == 1)
        for omitted in [[], [0], [1], [2], [0, 1], [1, 2], [0, 2]] {
            let kept = others.indices.filter { !omitted.contains($0) }.map { others[$0] }
            let found = try #require(try parse(ASN1.sequence([trust, reject] + kept)))
            #expect(found.trusted == bare.trusted && found.rejected == bare.rejected)
            #expect(found.alias == (omitted.contains(0) ? nil : Array("alias".utf8)))
        }
        #expect(try parse([]) == nil)
        for faulty in [
            ASN1.sequence([trust, reject] + others) + [0], ASN1.sequence([trust, reject] + others + [ASN1.octets([])]),
            ASN1.sequence([reject, trust]), ASN1.sequence([trust, ASN1.explicit(2, server)]), ASN1.null,
        ] {
            #expect(throws: DERError.self) { try parse(faulty) }
        }
    }

    @Test("OpenSSL's settings without a list of trusted purposes trust all purposes that they don't reject")
    func rejectedPurposes() throws {
        let (server, client) = (try #require(OID("1.3.6.1.5.5.7.3.1")), try #require(OID("1.3.6.1.5.5.7.3.2")))
        let rows: [(trusted: [OID]?, rejected: [OID], purposes: Set<ValidationPolicy.Purpose>)] = [
            (nil, [], Set(ValidationPolicy.Purpose.allCases)), (nil, [client], [.serverAuth]),
            (nil, [server], [.clientAuth]), (nil, [server, client], []), ([client], [], [.clientAuth]),
            ([server, client], [server], [.clientAuth]), ([server], [client], [.serverAuth]), ([server], [server], []),
            ([.anyExtendedKeyUsage], [client], [.serverAuth]), ([server], [.anyExtendedKeyUsage], []), ([], [], []),
        ]
        let certificate = try CraftedCertificate.authority().certificate()
        var settings = try #require(try TrustedCertificateSettings.parse(certificate.der + ASN1.sequence()).1)
        #expect(settings.trusted == nil && settings.rejected.isEmpty)
        for (trusted, rejected, purposes) in rows {
            (settings.trusted, settings.rejected) = (trusted, rejected)
            #expect(settings.purposes == purposes, "\(trusted ?? []) without \(rejected)")
        }
    }

    @Test("An extended key usage is a list of identifiers without bytes after it")
    func extendedKeyUsage() throws {
        let usage = Extension.extendedKeyUsage("1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2").value
        #expect(try ValidationPolicy.Purpose.named(byExtendedKeyUsage: usage) == [.serverAuth, .clientAuth])
        for faulty in [usage + [0], [], ASN1.null, ASN1.sequence(ASN1.null)] {
            #expect(throws: DERError.self) { try ValidationPolicy.Purpose.named(byExtendedKeyUsage: faulty) }
        }
    }

    @Test("The entry of a distrusted certificate names the list")
    func distrustReason() throws {
        let certificate = try CraftedCertificate.authority().certificate()
        let list = DistrustedCertificates(source: "Example", names: [.certificate(certificate.sha256): [.serverAuth]])
        let entry = try #require([list].entry(distrusting: certificate, for: .serverAuth))
        #expect(entry.kind == .certificate && entry.reason == "distrusted by Example")
        #expect([list].entry(distrusting: certificate, for: .clientAuth) == nil)
    }

    @Test("No list of distrusted certificates distrusts a certificate, and arrays are the same only in the same order")
    func lists() throws {
        let certificate = try CraftedCertificate.authority().certificate()
        let none: [DistrustedCertificates] = []
        #expect(none.entry(distrusting: certificate, for: .serverAuth) == nil)
        #expect(none.areSame(as: []) && none.adding([]).isEmpty)
    }
}
