// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX

/// The fast way to read an entry of a CRL against the general one.
@Suite("Entries read at a glance")
struct UsualCRLEntryTests {
    private static let reason: [UInt8] = [
        0x30, 0x0c, 0x30, 0x0a, 0x06, 0x03, 0x55, 0x1d, 0x15, 0x04, 0x03, 0x0a, 0x01, 0x04,
    ]

    private static func entry(
        _ serial: [UInt8], _ date: String = "251121093000Z", rest: [UInt8] = []
    ) -> [UInt8] {
        ASN1.sequence(ASN1.value(0x02, serial), ASN1.value(0x17, Array(date.utf8)), rest)
    }

    /// What the general reader says about what starts at `start`: past its end, and whether it has the shape; nil for an error.
    private func general(_ bytes: [UInt8], _ start: Int, _ limit: Int) -> (end: Int, isUsual: Bool)? {
        let view = bytes[...]
        var reader = DERReader(view.span, ByteRange(start, limit))
        guard let element = try? reader.nextRevoked() else { return nil }
        var isUsual = element.serial.count <= 20 && bytes[element.serial.end] == DERTag.utcTime
        if element.extensions.isPresent {
            guard let extensions = try? CRLEntryExtensions(parsing: view.span, element.extensions) else { return nil }
            // One extension with a number of one byte, and no room for `critical`.
            isUsual =
                isUsual && element.extensions.count == 12 && extensions.reason != nil
                && extensions.invalidityDate == nil && !extensions.certificateIssuer.isPresent
                && !extensions.unhandledCritical.isPresent
        }
        return (reader.position, isUsual)
    }

    /// Whether both say the same.
    private func agree(_ bytes: [UInt8], _ start: Int = 0, limit: Int? = nil) -> Bool {
        let limit = limit ?? bytes.count
        let view = bytes[...]
        let usual = UsualCRLEntry(view.span, start, limit: limit)
        guard let general = general(bytes, start, limit), general.isUsual else { return usual == nil }
        let hasReason = general.end - start >= 4 + Int(bytes[start + 3]) + 15 + Self.reason.count
        return usual?.end == general.end && usual?.hasReason == hasReason
    }

    private func isUsual(_ bytes: [UInt8]) -> Bool {
        let view = bytes[...]
        return UsualCRLEntry(view.span, 0, limit: bytes.count) != nil
    }

    @Test(
        "Of the shape are numbers of 1 to 20 bytes, with and without a reason; longer ones and other extensions are not"
    )
    func shape() {
        for count in 1...20 {
            let serial = [0x11] + [UInt8](repeating: 0xee, count: count - 1)
            #expect(isUsual(Self.entry(serial)))
            #expect(isUsual(Self.entry(serial, rest: Self.reason)))
        }
        #expect(isUsual(Self.entry([0xff])))
        #expect(!isUsual(Self.entry([UInt8](repeating: 0x11, count: 21))))
        let critical = ASN1.sequence(
            ASN1.sequence(
                ASN1.value(0x06, [0x55, 0x1d, 0x15]), ASN1.boolean(true), ASN1.octets([0x0a, 0x01, 0x04])))
        #expect(!isUsual(Self.entry([0x11], rest: critical)))
        let generalized = ASN1.sequence(
            ASN1.value(0x02, [0x11]), ASN1.value(0x18, Array("20251121093000Z".utf8)))
        #expect(!isUsual(generalized))
        for bytes in [Self.entry([0x11], rest: critical), generalized] { #expect(agree(bytes)) }
    }

    private static let bases: [[UInt8]] = [
        entry([0x05]), entry([0x05], rest: reason), entry([0x00, 0x80]), entry([0xff, 0x7f], rest: reason),
        entry([UInt8](repeating: 0x42, count: 16), "000229235959Z"),
        entry([UInt8](repeating: 0x42, count: 20), "991231000000Z", rest: reason),
        entry([UInt8](repeating: 0x42, count: 21), rest: reason),
    ]

    @Test("Both agree whatever any one byte is, and any two bytes next to each other in turn")
    func bytes() {
        var wrong = 0
        for base in Self.bases {
            for index in base.indices {
                for value in UInt8.min...UInt8.max {
                    var bytes = base
                    bytes[index] = value
                    if !agree(bytes) { wrong += 1 }
                    if index > 0 {
                        bytes[index - 1] ^= 0x80
                        if !agree(bytes) { wrong += 1 }
                    }
                }
            }
        }
        #expect(wrong == 0)
    }

    @Test(
        "Both agree on every day of every year of two digits, days that don't exist among them, and on every time of day"
    )
    func dates() {
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        var dates: [String] = []
        for year in 0...99 {
            for month in 0...13 { for day in 0...32 { dates.append(two(year) + two(month) + two(day) + "093000Z") } }
        }
        for number in 0...99 {
            dates += ["251121\(two(number))3000Z", "25112109\(two(number))00Z", "2511210930\(two(number))Z"]
        }
        var (wrong, accepted) = (0, 0)
        for date in dates {
            let bytes = Self.entry([0x11, 0x22], date)
            if !agree(bytes) { wrong += 1 }
            if isUsual(bytes) { accepted += 1 }
        }
        #expect(wrong == 0)
        // 1950 to 2049 have 25 leap days.
        #expect(accepted == 36_525 + 24 + 60 + 60)
    }

    @Test("Both agree on entries at any place that are cut off, altered, lengthened, shortened and mixed")
    func mutations() {
        var random = Repeatable(6)
        let values: [UInt8] = [
            0x00, 0x01, 0x02, 0x04, 0x0a, 0x0d, 0x17, 0x18, 0x30, 0x39, 0x3a, 0x55, 0x7f, 0x80, 0xff,
        ]
        var (wrong, usual, read, refused) = (0, 0, 0, 0)
        for _ in 0..<40_000 {
            let size = Int.random(in: 1...22, using: &random)
            let serial = (0..<size).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            let digits = (0..<6).map { _ in Int.random(in: 1...31, using: &random) }
            let date = digits.map { ($0 < 10 ? "0" : "") + String($0) }.joined() + "Z"
            var bytes = Self.entry(serial, date, rest: Bool.random(using: &random) ? Self.reason : [])
            for _ in 0..<Int.random(in: 0...2, using: &random) where !bytes.isEmpty {
                let index = Int.random(in: bytes.indices, using: &random)
                let value =
                    Bool.random(using: &random)
                    ? values.randomElement(using: &random) ?? 0 : UInt8.random(in: .min ... .max, using: &random)
                switch Int.random(in: 0..<6, using: &random) {
                case 0: bytes.remove(at: index)
                case 1: bytes.insert(value, at: index)
                case 2: bytes[min(1, bytes.count - 1)] &+= value & 0x0f
                default: bytes[index] = value
                }
            }
            let start = Int.random(in: 0...9, using: &random)
            let after = Int.random(in: 0...20, using: &random)
            let whole = [UInt8](repeating: 0x30, count: start) + bytes + [UInt8](repeating: 0x30, count: after)
            let limit =
                Bool.random(using: &random) ? start + bytes.count : Int.random(in: start...whole.count, using: &random)
            if !agree(whole, start, limit: limit) { wrong += 1 }
            switch general(whole, start, limit) {
            case (_, true)?: usual += 1
            case (_, false)?: read += 1
            case nil: refused += 1
            }
        }
        #expect(wrong == 0)
        #expect(usual > 1000 && read > 100 && refused > 1000, "\(usual) usual, \(read) others, \(refused) refused")
    }

    @Test("A limit past the bytes, or a start before them, is nothing")
    func outside() {
        let bytes = Self.entry([0x11])
        let view = bytes[...]
        #expect(UsualCRLEntry(view.span, 0, limit: bytes.count + 1) == nil)
        #expect(UsualCRLEntry(view.span, -1, limit: bytes.count) == nil)
        #expect(UsualCRLEntry(view.span, bytes.count, limit: bytes.count) == nil)
    }
}
