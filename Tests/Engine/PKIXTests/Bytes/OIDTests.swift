// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX

@Suite("OID")
struct OIDTests {
    static let knownRows: [(dotted: String, der: [UInt8])] = [
        ("0.0", [0x00]), ("0.39", [0x27]), ("1.0", [0x28]), ("1.39", [0x4f]), ("2.0", [0x50]),
        ("2.5.29.17", [0x55, 0x1d, 0x11]),
        ("2.999", [0x88, 0x37]), ("2.40", [0x78]), ("2.47", [0x7f]), ("2.48", [0x81, 0x00]),
        ("1.2.840.113549.1.1.11", [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b]),
        ("1.3.6.1.4.1.11129.2.4.2", [0x2b, 0x06, 0x01, 0x04, 0x01, 0xd6, 0x79, 0x02, 0x04, 0x02]),
        ("1.2.9223372036854775727", [0x2a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x2f]),
    ]

    @Test("Dotted decimal and DER represent the same identifier", arguments: knownRows)
    func known(dotted: String, der: [UInt8]) {
        #expect(OID(dotted)?.der == der)
        #expect(OID(dotted)?.description == dotted)
    }

    @Test(
        "Text that isn't an object identifier is rejected",
        arguments: [
            "", ".", "1", "2.", ".2", "1..2", "1.2.", "3.1", "0.40", "1.40", "1.-2", "-1.2", "1.+2", "1. 2", "1.2 ",
            "01.2", "1.02", "1.2.00", "1.2.x", "1.２", "1.2.99999999999999999999", "1.2.18446744073709551616", "a.b",
            "1,2", "0x1.2", "1.2.9223372036854775728", "2.18446744073709551615",
        ])
    func refused(dotted: String) {
        #expect(OID(dotted) == nil)
    }

    @Test("Any arcs survive a round trip")
    func roundTrip() {
        var random = Repeatable(5)
        for _ in 0..<2_000 {
            let root = UInt64.random(in: 0...2, using: &random)
            var arcs = [
                root, root < 2 ? .random(in: 0..<40, using: &random) : .random(in: 0..<1_000_000, using: &random),
            ]
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                arcs.append(.random(in: 0..<(1 << UInt64.random(in: 0...62, using: &random)), using: &random))
            }
            let dotted = arcs.map(String.init).joined(separator: ".")
            #expect(OID(dotted)?.description == dotted)
            #expect(OID(dotted)?.der == ASN1.arcs(dotted))
        }
    }

    @Test("The description has an arc over 2⁶⁴ - 1 in hexadecimal and all others in decimal")
    func largeArcs() {
        // 2.25.2⁶⁴ and 2.25.(2⁶⁴ - 1): ten groups of seven bits.
        let over = OID(checkedContents: [0x69, 0x82] + [UInt8](repeating: 0x80, count: 8) + [0x00])
        #expect(over.description == "2.25.0x10000000000000000")
        let largest = OID(checkedContents: [0x69, 0x81] + [UInt8](repeating: 0xff, count: 8) + [0x7f])
        #expect(largest.description == "2.25.18446744073709551615")
        // The first subidentifier contains two arcs, however large: 2.(2⁷⁰ - 80).
        let first = OID(checkedContents: [0x81] + [UInt8](repeating: 0x80, count: 9) + [0x00])
        #expect(first.description.hasPrefix("2."))
    }

    /// The UUID f81d4fae-7dec-11d0-a765-00a0c91e6bf6 as an arc of 2.25 (the example of ITU-T X.667).
    static let arcOfUUID: [UInt8] = [
        0x83, 0xf0, 0x9d, 0xa7, 0xeb, 0xcf, 0xde, 0xe0, 0xc7, 0xa1, 0xa7, 0xb2, 0xc0, 0x94, 0x8c, 0xc8, 0xf9, 0xd7,
        0x76,
    ]

    /// 2⁷⁰ and a small number, in eleven groups of seven bits.
    private static func large(_ lastGroups: UInt8...) -> [UInt8] {
        [0x81] + [UInt8](repeating: 0x80, count: 10 - lastGroups.count) + lastGroups
    }

    static let hexadecimalRows: [(der: [UInt8], dotted: String)] = [
        ([0x69] + arcOfUUID, "2.25.0xf81d4fae7dec11d0a76500a0c91e6bf6"),
        // The description subtracts the 80 for the first arc from the second.
        (large(0x00), "2.0x3fffffffffffffffb0"), (large(0x4f), "2.0x3fffffffffffffffff"),
        (large(0x50), "2.0x400000000000000000"), (large(0x51), "2.0x400000000000000001"),
        (large(0x7f), "2.0x40000000000000002f"), (large(0x82, 0x00), "2.0x4000000000000000b0"),
        (large(0x84, 0x4f), "2.0x4000000000000001ff"), (large(0x84, 0x50), "2.0x400000000000000200"),
    ]

    @Test("The description of a large arc has all its digits", arguments: hexadecimalRows)
    func hexadecimalArcs(der: [UInt8], dotted: String) {
        #expect(OID(checkedContents: der).description == dotted)
    }

    @Test("Dotted decimal of 128 bytes in DER is an identifier, and longer text isn't")
    func longText() {
        #expect(OID("1.2" + String(repeating: ".127", count: 127))?.der.count == 128)
        #expect(OID("1.2" + String(repeating: ".127", count: 128)) == nil)
        #expect(OID("1.2" + String(repeating: ".128", count: 64)) == nil)
    }

    @Test("Different identifiers have different descriptions")
    func injective() {
        var seen: Set<String> = []
        for last in UInt8(0)..<0x80 {
            for before in [[], [0x81], [0x83], [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]] as [[UInt8]] {
                seen.insert(OID(checkedContents: [0x2a] + before + [last]).description)
            }
        }
        #expect(seen.count == 4 * 128)
    }

    @Test("Known identifiers have the right numbers")
    func constants() {
        #expect(OID.serverAuth == OID("1.3.6.1.5.5.7.3.1"))
        #expect(OID.clientAuth == OID("1.3.6.1.5.5.7.3.2"))
        #expect(OID.ocspSigning == OID("1.3.6.1.5.5.7.3.9"))
        #expect(OID.anyExtendedKeyUsage == OID("2.5.29.37.0"))
        #expect(OID.anyPolicy == OID("2.5.29.32.0"))
        #expect(OID.extendedValidation == OID("2.23.140.1.1"))
        #expect(OID.commonName == OID("2.5.4.3"))
        #expect(OID.organizationName == OID("2.5.4.10"))
        #expect(OID.emailAddress == OID("1.2.840.113549.1.9.1"))
        #expect(OID.ocspAccess == OID("1.3.6.1.5.5.7.48.1"))
        #expect(OID.caIssuersAccess == OID("1.3.6.1.5.5.7.48.2"))
    }
}
