// SPDX-License-Identifier: Apache-2.0

import PKIX
import Testing

/// Compares name constraints with a literal implementation of their definition.
@Suite("Random name constraints")
struct NameConstraintPropertyTests {
    private static func codes(permitted: [[UInt8]], excluded: [[UInt8]], name: [UInt8]) throws -> [TrustFailure.Code] {
        let chain = try CraftedChain([.init("CA", [.nameConstraints(permitted: permitted, excluded: excluded)])])
        let leaf = try chain.leaf {
            $0.subject = ASN1.emptyName
            $0.extensions = [Extension.alternativeNames(name).encoded]
        }
        return try chain.codes(leaf)
    }

    @Test("A DNS name is within a constraint if every name it matches is")
    func dns() throws {
        var random = Repeatable(20)
        let labels = ["a", "b", "c"]
        func labelled(_ count: ClosedRange<Int>) -> [String] {
            (0..<Int.random(in: count, using: &random)).map { _ in labels.randomElement(using: &random) ?? "a" }
        }
        func text(_ labels: [String]) -> String { labels.joined(separator: ".") }
        func isWithin(_ name: [String], _ base: [String]) -> Bool {
            name.count >= base.count && Array(name.suffix(base.count)) == base
        }
        var accepted = 0
        for _ in 0..<700 {
            let permitted = (0..<Int.random(in: 0...2, using: &random)).map { _ in labelled(1...3) }
            let excluded = (0..<Int.random(in: 0...2, using: &random)).map { _ in labelled(1...3) }
            guard !permitted.isEmpty || !excluded.isEmpty else { continue }
            let isWildcard = Bool.random(using: &random)
            let name = labelled(1...3)
            // Any label may replace the wildcard: each label used here, and one that occurs nowhere.
            let meant = isWildcard ? (labels + ["z"]).map { [$0] + name } : [name]
            let isPermitted =
                permitted.isEmpty || permitted.contains { base in meant.allSatisfy { isWithin($0, base) } }
            let isExcluded = excluded.contains { base in meant.contains { isWithin($0, base) } }
            let expected: [TrustFailure.Code] =
                (isExcluded ? [.nameExcluded] : []) + (isPermitted ? [] : [.nameNotPermitted])
            accepted += expected.isEmpty ? 1 : 0
            let presented = (isWildcard ? "*." : "") + text(name)
            let found = try Self.codes(
                permitted: permitted.map { ASN1.dns(text($0)) },
                excluded: excluded.map { ASN1.dns(text($0).uppercased()) },
                name: ASN1.dns(presented))
            #expect(found == expected, "\(presented), permitted \(permitted.map(text)), excluded \(excluded.map(text))")
        }
        #expect(accepted > 60)
    }

    @Test("An IP address is in a range if its prefix bits equal the range's")
    func addresses() throws {
        var random = Repeatable(21)
        var within = 0
        for _ in 0..<400 {
            let count = Bool.random(using: &random) ? 4 : 16
            let address = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let length = Int.random(in: 0...count * 8, using: &random)
            var base = address
            // One bit changed, inside or after the prefix.
            let bit = Int.random(in: 0..<count * 8, using: &random)
            base[bit / 8] ^= 0x80 >> UInt8(bit % 8)
            let mask = (0..<count).map { index -> UInt8 in
                let ones = min(8, max(0, length - index * 8))
                return ones == 0 ? 0 : 0xff << UInt8(8 - ones)
            }
            let isWithin = bit >= length
            within += isWithin ? 1 : 0
            #expect(
                try Self.codes(permitted: [ASN1.ip(base + mask)], excluded: [], name: ASN1.ip(address))
                    == (isWithin ? [] : [.nameNotPermitted]))
            #expect(
                try Self.codes(permitted: [], excluded: [ASN1.ip(base + mask)], name: ASN1.ip(address))
                    == (isWithin ? [.nameExcluded] : []))
        }
        #expect(within > 100 && within < 300)
    }
}
