// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

@Suite("Certificate cache")
struct CertificateMemoryTests {
    @Test("The cache returns the same certificate, not a copy, for equal bytes")
    func remembers() throws {
        let der = try TestChain().leaf().der
        let memory = CertificateMemory()
        #expect(memory.count == 0)
        let first = try memory.certificate(der: der)
        #expect(first.der == der)
        for _ in 0..<3 { #expect(try memory.certificate(der: Array(der)).storage === first.storage) }
        #expect(memory.count == 1)
        memory.removeAll()
        #expect(memory.count == 0)
        let again = try memory.certificate(der: der)
        #expect(again == first && again.storage !== first.storage)
    }

    @Test("Bytes that differ anywhere yield a different certificate, even if the last bytes are the same")
    func exact() throws {
        let der = try TestChain().leaf().der
        let memory = CertificateMemory()
        let original = try memory.certificate(der: der)
        var others = 0
        for index in der.indices {
            var altered = der
            altered[index] ^= 1
            guard let fresh = try? Certificate(der: altered) else {
                #expect(throws: DERError.self) { try memory.certificate(der: altered) }
                continue
            }
            others += 1
            for _ in 0..<2 {
                let found = try memory.certificate(der: altered)
                #expect(found == fresh && found != original)
                #expect(found.der == altered)
            }
        }
        #expect(others > 100)
        #expect(try memory.certificate(der: der) == original)
    }

    @Test(
        "Every time, the parser rejects bytes that aren't a certificate, just as it does without a cache, and adds no entry"
    )
    func malformed() throws {
        let der = try TestChain().leaf().der
        let memory = CertificateMemory()
        for known in [false, true] {
            if known { _ = try memory.certificate(der: der) }
            for bytes in [
                [], [0x30], [0x30, 0x00], Array(repeating: 0, count: 7), Array(repeating: 0, count: 8),
                Array(der.dropLast()), Array(der.dropFirst()), der + [0], [0] + der, der + der,
            ] {
                let expected = #expect(throws: DERError.self) { try Certificate(der: bytes) }
                for _ in 0..<2 {
                    #expect(#expect(throws: DERError.self) { try memory.certificate(der: bytes) } == expected)
                }
            }
            #expect(memory.count == (known ? 1 : 0))
        }
    }

    @Test("The cache parses a certificate over 16 KB without keeping it, and keeps one just below that size")
    func large() throws {
        let memory = CertificateMemory()
        for (size, isKept) in [(17_000, false), (15_000, true)] {
            memory.removeAll()
            let der = try CraftedCertificate.leaf().with {
                $0.extensions?.append(
                    Extension.unknown(critical: false, [UInt8](repeating: 0, count: size)).encoded)
            }.der()
            for _ in 0..<2 { #expect(try memory.certificate(der: der).der == der) }
            #expect(memory.count == (isKept ? 1 : 0))
        }
    }

    @Test(
        "The cache never exceeds its capacity, however many certificates it parses", arguments: [(1, 64), (100, 128)])
    func bounded(capacity: Int, maximum: Int) throws {
        let memory = CertificateMemory(capacity: capacity)
        for index in 0..<400 {
            let der = try CraftedCertificate.leaf().with { $0.serialNumber = ASN1.integer(index) }.der()
            #expect(try memory.certificate(der: der).der == der)
            #expect(memory.count <= maximum)
        }
        #expect(memory.count > maximum / 2)
    }

    @Test("Eight tasks that share a small cache all get the correct certificates")
    func concurrency() async throws {
        let ders = try (0..<100).map { index in
            try CraftedCertificate.leaf().with { $0.serialNumber = ASN1.integer(index) }.der()
        }
        let memory = CertificateMemory(capacity: 1)
        let wrong = await withTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask {
                    var wrong = 0
                    for round in 0..<500 {
                        let der = ders[(round * 7 + task * 11) % ders.count]
                        if (try? memory.certificate(der: der))?.der != der { wrong += 1 }
                        if round % 100 == 99 { memory.removeAll() }
                    }
                    return wrong
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }
}
