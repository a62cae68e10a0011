// SPDX-License-Identifier: Apache-2.0

import Testing

@_spi(Fuzzing) @testable import PKIX
@testable import ServerTrustTesting

/// The functions that the fuzz targets call, on inputs with known answers. A target that always gets the same answer
/// would find nothing.
@Suite("Properties for fuzzing")
struct FuzzPropertyTests {
    @Test("A list of timestamps and the precertificate of a certificate are read as by the engine")
    func timestamps() throws {
        let (root, log) = (try TestAuthority.root(), try TestLog("Log", operatedBy: "Operator"))
        let timestamp = log.timestamp(at: TestAuthority.now.advanced(by: -86_400))
        let plain = try root.issue(.leaf("www.example.com")).certificate
        let leaf = try root.issue(.leaf("www.example.com").with { $0.timestamps = [timestamp, timestamp] }).certificate
        let whole = try TestTimestamp.list([timestamp], for: leaf)
        // The list of one timestamp begins with its size, which is followed by the item.
        func list(_ items: [[UInt8]]) -> [UInt8] {
            let bytes = items.flatMap { $0 }
            return [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xff)] + bytes
        }
        let (item, other, bad) = (Array(whole[2...]), [0, 1, 9] as [UInt8], [0, 1, 0] as [UInt8])
        let read = try #require(FuzzedTimestamps.timestamps(tls: list([item, other, bad, item, other])))
        #expect(read.logIDs == [log.logID, log.logID] && read.unreadable == 3 && read.omitted == 0)
        #expect(read.maximumCount == 32 && read.isSameInExtension)
        let long = try #require(FuzzedTimestamps.timestamps(tls: list(Array(repeating: bad, count: 34))))
        #expect(long.logIDs.isEmpty && long.unreadable == 32 && long.omitted == 2)
        for bytes in [[], [0, 0], Array(whole.dropLast())] as [[UInt8]] {
            #expect(FuzzedTimestamps.timestamps(tls: bytes) == nil)
        }
        #expect(FuzzedTimestamps.hasTimestamps(leaf) && !FuzzedTimestamps.hasTimestamps(plain))
        #expect(FuzzedTimestamps.precertificate(of: plain) == nil)
        let converted = try #require(FuzzedTimestamps.precertificate(of: leaf))
        let precertificate = try Certificate(der: converted.der)
        #expect(precertificate.serialNumber == leaf.serialNumber && precertificate.subject == leaf.subject)
        #expect(converted.size == precertificate.storage.fields.tbs.count && converted.announcedSize == converted.size)
        #expect(!FuzzedTimestamps.hasTimestamps(precertificate))
        let ends = [precertificate, leaf].map { Array($0.der[$0.storage.fields.tbs.end...]) }
        #expect(ends[0] == ends[1])
    }

    @Test("The reader of a certificate's other extensions counts all their values")
    func certificate() throws {
        let point = ASN1.sequence(ASN1.sequence(ASN1.explicit(0, ASN1.explicit(0, ASN1.uri("http://crl.example/")))))
        let certificate = try CraftedCertificate.authority(
            ASN1.name("CA"),
            [
                .nameConstraints(permitted: [ASN1.dns("example.com")], excluded: [ASN1.dns("a.b"), ASN1.dns("c.d")]),
                .policyMappings([("1.2.3", "1.2.4")]), .policyConstraints(requireExplicit: 4), .inhibitAnyPolicy(5),
                .named("2.5.29.31", point), .named("2.5.29.46", point),
            ]
        ).certificate()
        #expect(certificate.readInternalExtensions() == 3 + 1 + 4 + 5 + 1 + 1)
        #expect(try CraftedCertificate.leaf().certificate().readInternalExtensions() == 0)
    }

    @Test("A certs-only message and Base64 are read as by the engine, and other bytes aren't")
    func readers() throws {
        let certificate = try CraftedCertificate.leaf().certificate()
        let signed = ASN1.sequence(
            ASN1.integer(1), ASN1.set([]), ASN1.sequence(ASN1.oid("1.2.840.113549.1.7.1")),
            ASN1.explicit(0, certificate.der), ASN1.set([]))
        let message = ASN1.sequence(ASN1.oid("1.2.840.113549.1.7.2"), ASN1.explicit(0, signed))
        let collection = try #require(FuzzedReaders.collection(der: message))
        #expect(collection.certificates == [certificate] && collection.unreadable.isEmpty)
        #expect(FuzzedReaders.collection(der: [0x30, 0x00, 0x00]) == nil)
        #expect(FuzzedReaders.encodeBase64([1, 2, 3, 4]) == "AQIDBA==")
        #expect(FuzzedReaders.decodeBase64("AQIDBA==") == [1, 2, 3, 4])
        #expect(FuzzedReaders.decodeBase64("AQIDBA=") == nil)
        try FuzzedReaders.validateDER(certificate.der)
        #expect(throws: DERError.self) { try FuzzedReaders.validateDER(certificate.der, maximumDepth: 3) }
        #expect(throws: DERError.self) { try FuzzedReaders.validateDER(certificate.der + [0]) }
    }

    @Test("The readers of a CRL, an OCSP response and all evidence read every field")
    func revocation() throws {
        let fixture = try RevocationFixture()
        let (leaf, issuer) = (fixture.leaf.certificate, fixture.issuer)
        let made = try issuer.crl {
            $0.number = 0x1234
            $0.scope { $0.fullName = [.uri("http://a.example")] }
            $0.freshestCRL = ["http://a.example/delta"]
        }
        let crl = try CertificateRevocationList(der: made.der)
        #expect(crl.readInternalExtensions() == 2 + 1 + 1 + issuer.key.identifier.count)
        let empty = try issuer.crl { ($0.number, $0.hasAuthorityKeyIdentifier) = (nil, false) }
        #expect(try CertificateRevocationList(der: empty.der).readInternalExtensions() == 0)
        for made in [try issuer.ocspResponse { $0.add(leaf) }, .error(.tryLater)] {
            #expect(try OCSPResponse(der: made.der).isConsistent)
        }
        #expect(RevocationEvidence(crls: [crl]).hasEnd(after: TestAuthority.now))
        #expect(!RevocationEvidence().hasEnd(after: TestAuthority.now))
    }

    @Test("A filter lists its issuers and logs, at most as many as requested")
    func filter() throws {
        let keys = [UInt8](1...3).map { [UInt8](repeating: $0, count: 32) }
        let log = [UInt8](repeating: 9, count: 32)
        for version in [3, 4] {
            let bytes = ClubcardBytes(
                version: version, logs: [(log, 5_000, 9_000)],
                entries: [2, 0, 1].map { ClubcardBytes.Entry(key: keys[$0]) },
                columns: [[]], exact: []
            ).bytes
            let filter = try RevocationFilter(bytes)
            #expect(filter.bytes == bytes && filter.version == version)
            #expect(filter.issuers(maximumCount: 9) == keys && filter.issuers(maximumCount: 1) == [keys[0]])
            let coverage = filter.coverage(maximumCount: 9)
            #expect(coverage.map(\.log) == [log] && coverage.map(\.first) == [5_000] && coverage.map(\.last) == [9_000])
            #expect(filter.coverage(maximumCount: 0).isEmpty)
            func status(_ key: [UInt8], _ log: [UInt8], _ time: UInt64) -> String {
                filter.statusName(issuerKey: key, serial: [1], timestamps: [(log, time)])
            }
            #expect(status(keys[1], log, 5_000) == "Good")
            #expect(status(keys[1], log, 4_999) == "NotCovered")
            #expect(status(keys[1], Array(log.dropLast()), 5_000) == "NotCovered")
            #expect(status([UInt8](repeating: 7, count: 32), log, 9_000) == "NotEnrolled")
            #expect(status(Array(keys[1].dropLast()), log, 9_000) == "NotEnrolled")
            // Two objects with the same bytes differ, so that a memory never takes one for the other.
            let same = try RevocationFilter(bytes)
            #expect(filter == filter && filter != same && Set([filter, same, filter]).count == 2)
        }
    }
}
