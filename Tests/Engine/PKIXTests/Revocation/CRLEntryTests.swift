// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX

/// Entries of a CRL (RFC 5280 § 5.1.2.6), byte by byte.
@Suite("CRL entries")
struct CRLEntryTests {
    private static let reason: [UInt8] = [
        0x30, 0x0c, 0x30, 0x0a, 0x06, 0x03, 0x55, 0x1d, 0x15, 0x04, 0x03, 0x0a, 0x01, 0x04,
    ]

    private static func entry(
        _ serial: [UInt8], _ date: String = "251121093000Z", rest: [UInt8] = []
    ) -> [UInt8] {
        ASN1.sequence(ASN1.value(0x02, serial), ASN1.value(0x17, Array(date.utf8)), rest)
    }

    /// The entry that starts at `start` and ends at `limit` at the latest, or nil if its end can't be found or it has a
    /// problem.
    private func read(_ bytes: [UInt8], _ start: Int = 0, limit: Int? = nil) -> (element: RevokedElement, end: Int)? {
        let view = bytes[...]
        var reader = DERReader(view.span, ByteRange(start, limit ?? bytes.count))
        guard let element = try? reader.nextRevoked(), element.problem == nil else { return nil }
        return (element, reader.position)
    }

    private func reason(_ bytes: [UInt8], _ element: RevokedElement) -> Int? {
        let view = bytes[...]
        return CRLEntryExtensions(parsing: view.span, element.extensions).reason
    }

    @Test("The parser reads an entry up to its end, with serial numbers of 1 to 40 bytes and with or without a reason")
    func shape() throws {
        for count in 1...40 {
            let serial = [0x11] + [UInt8](repeating: 0xee, count: count - 1)
            for rest in [[], Self.reason] {
                let bytes = [0x30, 0x30] + Self.entry(serial, rest: rest) + [0x30]
                let (element, end) = try #require(read(bytes, 2))
                #expect(end == bytes.count - 1)
                #expect(element.start == 2)
                #expect(Array(bytes[element.serial.indices]) == serial)
                #expect(element.extensions.isPresent == !rest.isEmpty)
                if !rest.isEmpty { #expect(reason(bytes, element) == 4) }
            }
        }
    }

    @Test("The parser reads a negative serial number, but rejects one with a superfluous leading byte")
    func serialNumbers() {
        for serial: [UInt8] in [[0xff], [0x00, 0x80], [0xff, 0x7f]] { #expect(read(Self.entry(serial)) != nil) }
        for serial: [UInt8] in [[], [0x00, 0x7f], [0xff, 0x80]] { #expect(read(Self.entry(serial)) == nil) }
    }

    @Test("An entry with a problem has the serial number in its shortest form, and the fields that can be read")
    func problems() throws {
        func element(_ bytes: [UInt8]) throws -> (serial: [UInt8]?, hasDate: Bool, hasExtensions: Bool) {
            let view = bytes[...]
            var reader = DERReader(view.span)
            let element = try reader.nextRevoked()
            #expect(element.problem != nil && reader.isAtEnd)
            return (
                element.serial.isPresent ? view.span.copy(element.serial) : nil, element.date != nil,
                element.extensions.isPresent
            )
        }
        #expect(try element(Self.entry([0, 0, 0x7f])) == ([0x7f], true, false))
        #expect(try element(Self.entry([0xff, 0xff, 0x80])) == ([0x80], true, false))
        #expect(try element(Self.entry([])) == (nil, true, false))
        #expect(try element(Self.entry([5], "991399000000Z", rest: Self.reason)) == ([5], false, true))
        #expect(try element(Self.entry([5], rest: ASN1.sequence())) == ([5], true, true))
        #expect(try element(Self.entry([5], rest: ASN1.null)) == ([5], true, false))
        #expect(try element(Self.entry([5], rest: Self.reason + ASN1.null)) == ([5], true, true))
        #expect(try element(ASN1.null) == (nil, false, false))
        #expect(try element(ASN1.sequence()) == (nil, false, false))
    }

    @Test("The parser rejects an entry that extends past the end of the list, wherever the list ends")
    func cut() {
        for rest in [[], Self.reason] {
            let bytes = Self.entry([0x11, 0x22], rest: rest)
            for limit in 0..<bytes.count { #expect(read(bytes, limit: limit) == nil) }
        }
    }

    @Test("The parser accepts every day of every two-digit year and every time of day, and no other values")
    func dates() {
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        var dates: [String] = []
        for year in 0...99 {
            for month in 0...13 { for day in 0...32 { dates.append(two(year) + two(month) + two(day) + "093000Z") } }
        }
        for number in 0...99 {
            dates += ["251121\(two(number))3000Z", "25112109\(two(number))00Z", "2511210930\(two(number))Z"]
        }
        let accepted = dates.count { read(Self.entry([0x11, 0x22], $0)) != nil }
        // 1950 to 2049 have 25 leap days.
        #expect(accepted == 36_525 + 24 + 60 + 60)
    }

    @Test(
        "A changed byte makes an entry malformed, or the parser reads it within its bounds with a reason from 0 to 255")
    func changedBytes() throws {
        for base in [Self.entry([0x05]), Self.entry([0x05, 0x06], rest: Self.reason)] {
            for index in base.indices {
                for value in UInt8.min...UInt8.max {
                    var bytes = base
                    bytes[index] = value
                    guard let (element, end) = read(bytes) else { continue }
                    #expect(end <= bytes.count && element.serial.end <= end)
                    guard element.extensions.isPresent, let code = reason(bytes, element) else { continue }
                    #expect((0...255).contains(code))
                }
            }
        }
    }
}
