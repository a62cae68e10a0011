// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

/// Tables find an entry in constant time only if the hashes of different keys differ. A hash without its contents has
/// correct results, but a search among n keys takes n² comparisons, which no meter counts.
@Suite("Hashes of the engine's tables")
struct HashWorkTests {
    @Test("Certificates that differ in any one byte have different hashes")
    func certificates() throws {
        let der = try CraftedCertificate.leaf().unsigned().der
        var hashes: Set<Int> = []
        var certificates: [Certificate] = []
        for index in der.indices {
            var changed = der
            changed[index] ^= 1
            guard let certificate = try? Certificate(der: changed) else { continue }
            certificates.append(certificate)
            hashes.insert(certificate.hashValue)
        }
        #expect(certificates.count > 100 && hashes.count == certificates.count)
        // Equal certificates with separate storage have the same hash.
        #expect(try certificates.allSatisfy { try Certificate(der: $0.der).hashValue == $0.hashValue })
    }

    @Test("Anchors, keys, hosts, revocation lists and codes that differ have different hashes")
    func others() throws {
        let certificates = try (0..<100).map { serial in
            try CraftedCertificate.leaf().with { $0.serialNumber = ASN1.integer(1_000 + serial) }.unsigned()
        }
        #expect(Set(certificates.map { TrustAnchor($0).hashValue }).count == 100)
        let keys = try (0..<20).map { _ in try CraftedCertificate.leaf(key: .p256()).unsigned() }
        #expect(Set(keys.map { EncodedKey(certificate: $0).hashValue }).count == 20)
        let hosts = try (0..<100).flatMap { try [Hostname("host\($0).example.com"), Hostname("192.0.2.\($0)")] }
        #expect(Set(hosts.map(\.hashValue)).count == 200)
        let root = try TestAuthority.root()
        let lists = try (0..<20).map { _ in try CertificateRevocationList(der: root.crl().der) }
        #expect(Set(lists.map(\.hashValue)).count == 20)
        let codes = TrustFailure.Code.engine
        #expect(Set(codes.map(\.hashValue)).count == codes.count)
    }

    @Test("Normalized names that differ in any relative name or any attribute have different hashes")
    func names() {
        func hash(_ names: [[String]]) -> Int {
            let der = ASN1.sequence(
                names.map { texts in ASN1.set(texts.map { ASN1.attribute(ASN1.ou, ASN1.utf8($0)) }) })
            let view = der[...]
            return NormalizedName(view.span, ByteRange(0, der.count)).hashValue
        }
        let rows: [[[String]]] = [
            [], [["a"]], [["b"]], [["a"], ["a"]], [["a"], ["b"]], [["b"], ["a"]], [["a", "b"]], [["a", "c"]],
            [["a", "b"], ["a"]], [["é"]], [["è"]], [["a"], ["é"]],
        ]
        #expect(Set(rows.map(hash)).count == rows.count)
        #expect(Set((0..<1_000).map { hash([["\($0)"], ["same"]]) }).count == 1_000)
        #expect(Set((0..<1_000).map { hash([["same"], ["\($0)"]]) }).count == 1_000)
    }

    @Test("Issuer names that differ in their last relative name have different hashes")
    func lastNames() {
        func hash(_ text: String) -> UInt64 {
            let der = ASN1.name([(ASN1.o, ASN1.utf8("same")), (ASN1.cn, ASN1.utf8(text))])
            let view = der[...]
            return nameHash(view.span, ByteRange(0, der.count))
        }
        // At every place of the text, and up to the largest size that is hashed.
        let longest = String(repeating: "a", count: 64)
        var texts: Set<String> = [longest]
        for place in 0..<64 { texts.insert(String(longest.enumerated().map { $0.offset == place ? "b" : $0.element })) }
        for count in 1..<64 { texts.insert(String(longest.prefix(count))) }
        #expect(Set(texts.map(hash)).count == texts.count)
    }

    @Test("A table of thousands of identifiers compares none of them with the others one by one")
    func identifiers() {
        let bytes: [UInt8] = (0..<2_000).flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff), 1] }
        let view = bytes[...]
        var search = RepeatedIdentifier()
        for index in 0..<2_000 {
            let isNew = search.add(ByteRange(3 * index, 3 * index + 3), of: view.span)
            #expect(isNew)
        }
        #expect(search.collisions.isEmpty)
        for index in [0, 1, 999, 1_999] {
            let isNew = search.add(ByteRange(3 * index, 3 * index + 3), of: view.span)
            #expect(!isNew)
        }
        #expect(search.collisions.isEmpty)
    }
}
