// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX

@Suite("Numbers of names")
struct NameTableTests {
    /// A name table with names that have nothing in common with the names of a test.
    private struct Numbers {
        var table = NameTable()
        var meter = WorkMeter(work: .max)

        init(others: Int) throws { for index in 0..<others { _ = try number(ASN1.name("Other \(index)")) } }

        mutating func number(_ name: [UInt8]) throws -> Int? {
            let certificate = try CraftedCertificate.authority(name).unsigned()
            return table.number(of: certificate.storage.fields.subject, in: certificate, &meter)?.number
        }
    }

    /// Names that aren't ASCII have equal hashes if their last attributes have equal types.
    private static let rows: [(name: [UInt8], number: Int)] = [
        (ASN1.name("Prüfstelle 1"), 0), (ASN1.name("Prüfstelle 2"), 1),
        (ASN1.name([(ASN1.cn, ASN1.bmp("Prüfstelle 2"))]), 1), (ASN1.name("PRÜFSTELLE 2"), 1),
        (ASN1.name([(ASN1.cn, ASN1.bmp("Prüfstelle 1"))]), 0), (ASN1.name("Prüfstelle 3"), 2),
        (ASN1.name([(ASN1.cn, ASN1.bmp("Prüfstelle 3"))]), 2), (ASN1.name("Prüfstelle 1"), 0),
        (ASN1.name("Test CA"), 3), (ASN1.name([(ASN1.cn, ASN1.printable("TEST  CA"))]), 3),
        (ASN1.name("Prüfstelle 3"), 2), (ASN1.name("test ca"), 3),
    ]

    @Test(
        "Equal names have one number in every encoding, and different names never have one, among few names or many",
        arguments: [0, 8, 15, 16, 17, 40])
    func encodings(others: Int) throws {
        var numbers = try Numbers(others: others)
        for (name, number) in Self.rows { #expect(try numbers.number(name) == others + number) }
        #expect(numbers.table.count == others + 4)
    }

    @Test("A name is compared one by one with at most 16 others")
    func bound() throws {
        var numbers = try Numbers(others: 0)
        for index in 0..<40 {
            _ = try numbers.number(ASN1.name("Name \(index)"))
            let list = try #require(Mirror(reflecting: numbers.table).children.first { $0.label == "list" })
            let count = Mirror(reflecting: list.value).children.count
            #expect(count == (index < 16 ? index + 1 : 0), "\(index)")
        }
    }

    @Test("A new name costs six units for each byte, and a known one costs two", arguments: [0, 16, 40])
    func work(others: Int) throws {
        var numbers = try Numbers(others: others)
        let (one, two) = (ASN1.name("One"), ASN1.name("Number two"))
        for (name, price) in [(one, 6), (two, 6), (one, 2), (two, 2), (one, 2)] {
            let before = numbers.meter.work
            _ = try numbers.number(name)
            #expect(numbers.meter.work - before == price * name.count)
        }
        for (budget, isEnough) in [(2 * one.count - 1, false), (6 * one.count - 1, false), (6 * one.count, true)] {
            var numbers = try Numbers(others: 0)
            numbers.meter = WorkMeter(work: budget)
            #expect(try (numbers.number(one) != nil) == isEnough, "\(budget)")
        }
    }
}
