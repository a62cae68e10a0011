// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX

@Suite("DER")
struct DERTests {
    typealias Row = (name: String, bytes: [UInt8], reason: DERError.Reason, offset: Int)

    static let lengthsRows: [Row] = [
        ("no bytes at all", [], .truncated, 0),
        ("a tag alone", [0x30], .truncated, 1),
        ("a value one byte short", [0x04, 0x02, 0x00], .truncated, 3),
        ("a truncated long length", [0x04, 0x82, 0x01], .truncated, 3),
        ("a long length without any bytes", [0x04, 0x81], .truncated, 2),
        ("a length of four gigabytes", [0x04, 0x84, 0xff, 0xff, 0xff, 0xff], .truncated, 6),
        ("an indefinite length", [0x30, 0x80, 0x00, 0x00], .indefiniteLength, 1),
        ("an indefinite length of a primitive value", [0x04, 0x80, 0x00, 0x00], .indefiniteLength, 1),
        ("an indefinite length at the end", [0x30, 0x80], .indefiniteLength, 1),
        (
            "an indefinite length before 128 bytes", [0x30, 0x80] + [UInt8](repeating: 0, count: 128),
            .indefiniteLength, 1
        ),
        ("a short length of 127 without its bytes", [0x04, 0x7f], .truncated, 2),
        ("the long form of zero", [0x04, 0x81, 0x00], .lengthNotMinimal, 1),
        ("the long form of 127", [0x04, 0x81, 0x7f] + [UInt8](repeating: 0, count: 127), .lengthNotMinimal, 1),
        (
            "a leading zero in the length", [0x04, 0x82, 0x00, 0x80] + [UInt8](repeating: 0, count: 128),
            .lengthNotMinimal, 1
        ),
        (
            "three bytes for two", [0x04, 0x83, 0x00, 0x01, 0x00] + [UInt8](repeating: 0, count: 256),
            .lengthNotMinimal, 1
        ),
        (
            "four bytes for one", [0x04, 0x84, 0x00, 0x00, 0x00, 0x80] + [UInt8](repeating: 0, count: 128),
            .lengthNotMinimal, 1
        ),
        ("a length of five bytes", [0x04, 0x85, 0x01, 0x00, 0x00, 0x00, 0x00], .lengthTooLarge, 1),
        ("a length of eight bytes, all ones", [0x04, 0x88] + [UInt8](repeating: 0xff, count: 8), .lengthTooLarge, 1),
        ("the reserved length", [0x04, 0xff, 0x00], .lengthTooLarge, 1),
        ("a byte after the end", [0x05, 0x00, 0x00], .trailingBytes, 2),
        ("a second value after the end", [0x02, 0x01, 0x05, 0x02, 0x01, 0x05], .trailingBytes, 3),
    ]

    static let tagsRows: [Row] = [
        ("a universal tag of two bytes", [0x1f, 0x1f, 0x00], .highTagNumber, 0),
        ("a constructed tag of two bytes", [0x3f, 0x81, 0x01, 0x00], .highTagNumber, 0),
        ("the first two bytes of a high tag, at the end", [0x1f, 0x1f], .highTagNumber, 0),
        ("a context tag of two bytes", [0xbf, 0x1f, 0x00], .highTagNumber, 0),
        ("a low number in the high form", [0x9f, 0x01, 0x00], .highTagNumber, 0),
        ("a high tag inside a sequence", [0x30, 0x03, 0x1f, 0x1f, 0x00], .highTagNumber, 2),
    ]

    static let primitivesRows: [Row] = [
        ("a BOOLEAN of 0x01", [0x01, 0x01, 0x01], .booleanNotCanonical, 2),
        ("a BOOLEAN of 0xfe", [0x01, 0x01, 0xfe], .booleanNotCanonical, 2),
        ("a BOOLEAN without contents", [0x01, 0x00], .booleanNotCanonical, 0),
        ("a BOOLEAN of two bytes", [0x01, 0x02, 0xff, 0xff], .booleanNotCanonical, 0),
        ("an INTEGER without contents", [0x02, 0x00], .integerNotMinimal, 0),
        ("an INTEGER with a leading zero", [0x02, 0x02, 0x00, 0x7f], .integerNotMinimal, 2),
        ("a zero of two bytes", [0x02, 0x02, 0x00, 0x00], .integerNotMinimal, 2),
        ("a negative INTEGER with leading ones", [0x02, 0x02, 0xff, 0x80], .integerNotMinimal, 2),
        ("an ENUMERATED with a leading zero", [0x0a, 0x02, 0x00, 0x01], .integerNotMinimal, 2),
        ("an OBJECT IDENTIFIER without contents", [0x06, 0x00], .objectIdentifierMalformed, 0),
        ("a truncated OBJECT IDENTIFIER", [0x06, 0x02, 0x2a, 0x86], .objectIdentifierMalformed, 0),
        ("an arc with padding", [0x06, 0x03, 0x2a, 0x80, 0x01], .objectIdentifierMalformed, 3),
        ("a first arc with padding", [0x06, 0x02, 0x80, 0x01], .objectIdentifierMalformed, 2),
        (
            "a first arc with padding after a length byte of 0x80",
            [0x06, 0x81, 0x80, 0x80] + [UInt8](repeating: 0x01, count: 127), .objectIdentifierMalformed, 3
        ),
        (
            "an error three levels down", [0x30, 0x07, 0xa0, 0x05, 0x30, 0x03, 0x01, 0x01, 0x02], .booleanNotCanonical,
            8
        ),
    ]

    static let nestingRows: [Row] = [
        ("a truncated member", [0x30, 0x02, 0x04, 0x01], .truncated, 4),
        ("a member that is longer than its sequence", [0x30, 0x03, 0x04, 0x02, 0x00, 0x00], .truncated, 5),
        ("a lone tag inside a sequence", [0x30, 0x01, 0x04], .truncated, 3),
        ("an indefinite length inside a sequence", [0x30, 0x04, 0x30, 0x80, 0x00, 0x00], .indefiniteLength, 3),
    ]

    @Test("The parser rejects a length that DER doesn't permit and reports its offset", arguments: lengthsRows)
    func lengths(row: Row) { expectRefused(row) }

    @Test("The parser rejects a tag number above 30 and reports its offset", arguments: tagsRows)
    func tags(row: Row) { expectRefused(row) }

    @Test(
        "The parser rejects primitive contents that DER doesn't permit and reports their offset",
        arguments: primitivesRows
    )
    func primitives(row: Row) { expectRefused(row) }

    @Test("The parser rejects a padded arc at any offset of an OBJECT IDENTIFIER of any length (X.690 § 8.19.2)")
    func paddedArcs() {
        for count in 1...26 {
            for offset in 0..<count {
                for before: UInt8 in [0x01, 0x7f, 0x80, 0x81, 0xff] {
                    var contents = [UInt8](repeating: 0x01, count: count)
                    if offset > 0 { contents[offset - 1] = before }
                    contents[offset] = 0x80
                    let padded = contents.indices.first {
                        contents[$0] == 0x80 && ($0 == 0 || contents[$0 - 1] < 0x80)
                    }
                    // A last byte of 0x80 doesn't end its arc, which is an error of the whole value.
                    let wanted = offset == count - 1 ? 0 : padded.map { $0 + 2 }
                    let error = error([0x06, UInt8(count)] + contents)
                    #expect(error?.offset == wanted, "\(contents)")
                    #expect(error == nil || error?.reason == .objectIdentifierMalformed)
                }
            }
        }
    }

    @Test("An error inside a value reports its offset in the outermost value", arguments: nestingRows)
    func nesting(row: Row) { expectRefused(row) }

    private func expectRefused(_ row: Row) {
        let error = error(row.bytes)
        #expect(error?.reason == row.reason, "\(row.name)")
        #expect(error?.offset == row.offset, "\(row.name)")
    }

    static let goodRows: [(name: String, bytes: [UInt8])] = [
        ("NULL", [0x05, 0x00]),
        ("an empty sequence", [0x30, 0x00]),
        ("127 bytes in the short form", [0x04, 0x7f] + [UInt8](repeating: 1, count: 127)),
        ("128 bytes in the long form", [0x04, 0x81, 0x80] + [UInt8](repeating: 1, count: 128)),
        ("255 bytes", [0x04, 0x81, 0xff] + [UInt8](repeating: 1, count: 255)),
        ("256 bytes", [0x04, 0x82, 0x01, 0x00] + [UInt8](repeating: 1, count: 256)),
        ("65536 bytes", [0x04, 0x83, 0x01, 0x00, 0x00] + [UInt8](repeating: 1, count: 65536)),
        ("TRUE", [0x01, 0x01, 0xff]), ("FALSE", [0x01, 0x01, 0x00]),
        ("zero", [0x02, 0x01, 0x00]), ("127", [0x02, 0x01, 0x7f]), ("128", [0x02, 0x02, 0x00, 0x80]),
        ("-128", [0x02, 0x01, 0x80]), ("-129", [0x02, 0x02, 0xff, 0x7f]),
        ("an INTEGER of 200 bytes", [0x02, 0x81, 0xc8] + [UInt8](repeating: 0x55, count: 200)),
        ("the tag number 30", [0x9e, 0x00]),
        ("sequences in sequences", [0x30, 0x06, 0x30, 0x02, 0x30, 0x00, 0x05, 0x00]),
    ]

    @Test("The parser accepts strict DER", arguments: goodRows)
    func good(name: String, bytes: [UInt8]) {
        #expect(error(bytes) == nil, "\(name)")
    }

    @Test(
        "The parser rejects a universal type in a form that DER doesn't permit (X.690 §§ 8.1.5, 8.6 to 8.10, 10.2)",
        arguments: [
            ("a NULL with contents", [0x05, 0x01, 0x00]),
            ("a constructed OCTET STRING", [0x24, 0x03, 0x04, 0x01, 0x00]),
            ("a constructed BIT STRING", [0x23, 0x04, 0x03, 0x02, 0x00, 0xff]),
            ("a constructed UTF8String", [0x2c, 0x03, 0x0c, 0x01, 0x61]),
            ("a constructed INTEGER", [0x22, 0x03, 0x02, 0x01, 0x00]),
            ("a primitive SEQUENCE", [0x10, 0x00]),
            ("a primitive SET", [0x11, 0x00]),
            ("end-of-contents", [0x00, 0x00]),
            ("a BIT STRING without its count of unused bits", [0x03, 0x00]),
            ("a BIT STRING with eight unused bits", [0x03, 0x02, 0x08, 0x00]),
            ("a BIT STRING with nine unused bits", [0x03, 0x02, 0x09, 0x00]),
            ("unused bits in an empty BIT STRING", [0x03, 0x01, 0x01]),
            ("unused bits that are set", [0x03, 0x02, 0x04, 0x0f]),
        ] as [(String, [UInt8])])
    func wrongForms(name: String, bytes: [UInt8]) {
        #expect(error(bytes) != nil, "\(name)")
    }

    @Test("A universal type is primitive or constructed, as X.690 §§ 8.2 to 8.26 say, and reserved tags are refused")
    func universalTypes() {
        // EXTERNAL, EMBEDDED PDV, SEQUENCE and SET. CHARACTER STRING is left out.
        let constructed: Set<UInt8> = [8, 11, 16, 17]
        let primitive = Set(UInt8(1)...7).union([9, 10, 12, 13, 14]).union(18...28).union([30])
        let contents: [UInt8: [UInt8]] = [1: [0xff], 2: [5], 3: [0], 5: [], 6: [0x2a], 10: [5]]
        for number in UInt8(0)...30 where number != 29 {
            #expect((error(ASN1.value(number, contents[number] ?? [0x30])) == nil) == primitive.contains(number))
            #expect((error(ASN1.value(0x20 | number, [])) == nil) == constructed.contains(number))
        }
    }

    @Test("The parser accepts values nested up to the limit, and no deeper")
    func depth() {
        func nested(_ depth: Int) -> [UInt8] {
            (1..<depth).reduce([0x05, 0x00]) { inner, _ in ASN1.sequence(inner) }
        }
        #expect(error(nested(32)) == nil)
        #expect(error(nested(33))?.reason == .limitExceeded(limit: 32))
        #expect(error(nested(33))?.offset == 64)
        #expect(error([0x05, 0x00], maximumDepth: 1) == nil)
        #expect(error([0x30, 0x02, 0x05, 0x00], maximumDepth: 1)?.reason == .limitExceeded(limit: 1))
        #expect(error([0x30, 0x02, 0x05, 0x00], maximumDepth: 1)?.offset == 2)
    }

    @Test("The parser rejects a hundred thousand levels just as it rejects thirty-three")
    func deepNesting() {
        // Definite lengths on all levels, each of four bytes.
        let depth = 100_000
        var bytes: [UInt8] = []
        for level in 0..<depth {
            let left = (depth - level - 1) * 6
            guard left > 0xff_ffff else {
                bytes += ASN1.length(left).isEmpty ? [] : [0x30] + ASN1.length(left)
                continue
            }
            bytes += [0x30, 0x84] + [24, 16, 8, 0].map { UInt8(left >> $0 & 0xff) }
        }
        #expect(error(bytes) != nil)
    }

    @Test("The parser accepts a value of 2³¹ - 1 bytes and rejects a longer one")
    func largestValue() {
        // Only the header has contents. The system provides the other pages when a program uses them.
        var bytes = [UInt8](unsafeUninitializedCapacity: 1 << 31) { buffer, count in
            for (index, byte) in ([0x04, 0x84, 0x7f, 0xff, 0xff, 0xfa] as [UInt8]).enumerated() { buffer[index] = byte }
            count = 1 << 31
        }
        let long = error(bytes)
        #expect(long?.reason == .limitExceeded(limit: 0x7fff_ffff))
        #expect(long?.offset == 0)
        bytes[5] = 0xf9
        bytes.removeLast()
        #expect(error(bytes) == nil)
    }

    @Test("No prefix of a value is a value, and no byte can follow a value")
    func prefixes() {
        let value = ASN1.sequence(
            ASN1.integer(1000), ASN1.oid("1.2.840.113549"), ASN1.explicit(0, ASN1.boolean(true)), ASN1.utf8("ä"))
        #expect(error(value) == nil)
        for count in 0..<value.count { #expect(error(Array(value[..<count])) != nil, "\(count)") }
        for byte in UInt8.min...UInt8.max { #expect(error(value + [byte])?.reason == .trailingBytes) }
    }

    @Test("No input causes a trap, and every error's offset is within the input")
    func garbage() {
        var random = Repeatable(3)
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...24, using: &random)
            let bytes = (0..<count).map { _ in
                Bool.random(using: &random)
                    ? UInt8.random(in: 0...255, using: &random)
                    : [0x30, 0x31, 0x02, 0x06, 0x80, 0x81, 0x03].randomElement(using: &random) ?? 0
            }
            guard let error = error(bytes) else { continue }
            #expect(error.offset >= 0 && error.offset <= bytes.count)
        }
    }

    private func error(_ bytes: [UInt8], maximumDepth: Int = DER.defaultMaximumDepth) -> DERError? {
        do throws(DERError) {
            try DER.validate(bytes, maximumDepth: maximumDepth)
            return nil
        } catch {
            return error
        }
    }
}

@Suite("DER reader")
struct DERReaderTests {
    static let bits: [(name: String, contents: [UInt8], bits: UInt16?)] = [
        ("the first of eight bits", [0x07, 0x80], 1), ("the last of eight bits", [0x00, 0x01], 1 << 7),
        ("the ninth bit", [0x07, 0x00, 0x80], 1 << 8), ("all sixteen bits", [0x00, 0xff, 0xff], 0xffff),
        ("no bit at all", [0x00], 0),
        ("no count of unused bits", [], nil), ("a count of eight", [0x08, 0x80], nil),
        ("unused bits in an empty BIT STRING", [0x01], nil), ("an unused bit that is set", [0x01, 0x81], nil),
        ("a trailing zero bit, for the strict rules (§ 11.2.2)", [0x06, 0x80], 1),
        ("a trailing zero byte, for the strict rules", [0x00, 0x80, 0x00], 1),
        ("seventeen bits", [0x07, 0x00, 0x00, 0x80], nil),
    ]

    @Test("The reader reads named bits and requires the unused bits to be zero", arguments: bits)
    func namedBits(name: String, contents: [UInt8], bits: UInt16?) {
        let bytes = ASN1.value(0x03, contents)
        var reader = DERReader(bytes.span)
        let found: UInt16?
        if let element = try? reader.next(DERTag.bitString, "bits") {
            found = try? reader.namedBits(element, "bits")
        } else {
            found = nil
        }
        #expect(found == bits, "\(name)")
    }

    @Test(
        "A list of named bits is empty or ends with a bit that is set (X.690 § 11.2.2)",
        arguments: [
            ([0x00], false), ([0x07, 0x80], false), ([0x06, 0x40], false), ([0x00, 0x01], false),
            ([0x00, 0x80, 0x01], false), ([0x06, 0x80], true), ([0x00, 0x02], true), ([0x07, 0x00], true),
            ([0x00, 0x80, 0x00], true),
        ] as [([UInt8], Bool)])
    func trailingZeroBits(contents: [UInt8], hasTrailingZeroBits: Bool) throws {
        let bytes = ASN1.value(0x03, contents)
        var reader = DERReader(bytes.span)
        let element = try reader.next(DERTag.bitString, "bits")
        #expect(reader.hasTrailingZeroBits(element) == hasTrailingZeroBits)
    }

    @Test("More than 16 named bits are an error with the limit")
    func manyNamedBits() {
        let error = #expect(throws: DERError.self) {
            let bytes = ASN1.value(0x03, [0x07, 0x80, 0x00, 0x80])
            var reader = DERReader(bytes.span)
            _ = try reader.namedBits(try reader.next(DERTag.bitString, "bits"), "bits")
        }
        #expect(error?.reason == .limitExceeded(limit: 16))
        #expect(error?.offset == 0)
    }

    @Test("A reader has no next tag at its end, even if bytes follow")
    func nextTagAtEnd() throws {
        let bytes: [UInt8] = [0x30, 0x02, 0x05, 0x00, 0x04, 0x00]
        var reader = DERReader(bytes.span)
        var inner = reader.inside(try reader.next(DERTag.sequence, "outer"))
        #expect(inner.nextTag == DERTag.null)
        _ = try inner.next(DERTag.null, "inner")
        #expect(inner.nextTag == nil)
        #expect(reader.nextTag == DERTag.octetString)
        _ = try reader.next(DERTag.octetString, "last")
        #expect(reader.nextTag == nil)
    }

    @Test("A byte above 0x7f at any offset of an IA5String is an error, and other bytes around the string don't count")
    func ascii() {
        for count in 0...17 {
            for around in [[], [UInt8](repeating: 0xff, count: 9)] {
                let good = [UInt8](repeating: 0x7f, count: count)
                #expect(offsetBeyondASCII(good, around: around) == nil)
                for offset in 0..<count {
                    for byte: UInt8 in [0x80, 0x81, 0xc0, 0xff] {
                        var contents = good
                        contents[offset] = byte
                        #expect(offsetBeyondASCII(contents, around: around) == around.count + offset, "\(contents)")
                    }
                }
            }
        }
    }

    private func offsetBeyondASCII(_ contents: [UInt8], around: [UInt8]) -> Int? {
        let bytes = around + contents + around
        let reader = DERReader(bytes.span)
        do throws(DERError) {
            try reader.checkASCII(ByteRange(around.count, around.count + contents.count), "name")
            return nil
        } catch {
            return error.reason == .stringMalformed ? error.offset : -1
        }
    }

    @Test("A BIT STRING that contains bytes has no unused bits")
    func octetAligned() {
        #expect(octetAligned([0x03, 0x03, 0x00, 0xaa, 0xbb]) == 3..<5)
        #expect(octetAligned([0x03, 0x01, 0x00]) == 3..<3)
        #expect(octetAligned([0x03, 0x00]) == nil)
        #expect(octetAligned([0x03, 0x02, 0x01, 0xaa]) == nil)
        #expect(octetAligned([0x23, 0x02, 0x00, 0xaa]) == nil)
    }

    private func octetAligned(_ bytes: [UInt8]) -> Range<Int>? {
        var reader = DERReader(bytes.span)
        return (try? reader.nextOctetAlignedBitString("bits"))?.indices
    }

    static let numbers: [(bytes: [UInt8], number: Int?)] = [
        ([0x02, 0x01, 0x00], 0), ([0x02, 0x01, 0x7f], 127), ([0x02, 0x02, 0x00, 0xff], 255),
        ([0x02, 0x04, 0x7f, 0xff, 0xff, 0xff], 0x7fff_ffff), ([0x02, 0x05, 0x00, 0x80, 0x00, 0x00, 0x00], nil),
        ([0x02, 0x01, 0xff], nil), ([0x02, 0x04, 0x80, 0x00, 0x00, 0x00], nil), ([0x02, 0x00], nil),
        ([0x02, 0x02, 0x00, 0x01], nil), ([0x02, 0x09] + [UInt8](repeating: 0x7f, count: 9), nil),
    ]

    @Test("A number must be from 0 to 2³¹ - 1 and in its shortest form", arguments: numbers)
    func smallNumbers(bytes: [UInt8], number: Int?) {
        var reader = DERReader(bytes.span)
        #expect((try? reader.nextSmallNumber("number")) == number)
    }

    @Test("A flag that defaults to FALSE is absent or TRUE, and the reader reads and reports an explicit FALSE")
    func flags() {
        #expect(flag([]) == .success([false, false]))
        #expect(flag([0x01, 0x01, 0xff]) == .success([true, false]))
        #expect(flag([0x01, 0x01, 0x00]) == .success([false, true]))
        #expect(reason(flag([0x01, 0x01, 0x01])) == .booleanNotCanonical)
        // The reader treats a value of another type as the next field.
        #expect(flag([0x02, 0x01, 0x01]) == .success([false, false]))
    }

    private func flag(_ bytes: [UInt8]) -> Result<[Bool], DERError> {
        do throws(DERError) {
            var reader = DERReader(bytes.span)
            let flag = try reader.nextFlagDefaultFalse("flag")
            return .success([flag.isSet, flag.writesDefault])
        } catch {
            return .failure(error)
        }
    }

    private func reason<Success>(_ result: Result<Success, DERError>) -> DERError.Reason? {
        if case .failure(let error) = result { error.reason } else { nil }
    }

    @Test("An OBJECT IDENTIFIER must be at most 128 bytes long")
    func longObjectIdentifiers() {
        for count in [1, 127, 128, 129, 4000] {
            let bytes = ASN1.value(0x06, [UInt8](repeating: 0x01, count: count))
            var reader = DERReader(bytes.span)
            #expect(((try? reader.nextObjectIdentifier("oid")) != nil) == (count <= OID.maximumSize), "\(count)")
        }
    }

    @Test("The reader checks short OBJECT IDENTIFIERs as it checks long ones")
    func shortObjectIdentifiers() {
        var all: [[UInt8]] = [[]]
        for _ in 1...4 {
            all = all.flatMap { start in [0x00, 0x2a, 0x7f, 0x80, 0x86].map { start + [$0] } }
            for contents in all {
                var isValid = contents.last.map { $0 < 0x80 } ?? false
                for index in contents.indices where contents[index] == 0x80 {
                    if index == 0 || contents[index - 1] < 0x80 { isValid = false }
                }
                let bytes = ASN1.value(0x06, contents)
                var reader = DERReader(bytes.span)
                #expect(((try? reader.nextObjectIdentifier("oid")) != nil) == isValid, "\(contents)")
            }
        }
    }

    @Test("An error names the expected tag and the tag found")
    func unexpectedTag() {
        let bytes: [UInt8] = [0x05, 0x00, 0x04, 0x00]
        var reader = DERReader(bytes.span)
        _ = try? reader.next("null")
        do throws(DERError) {
            _ = try reader.next(DERTag.integer, "version")
            Issue.record("an OCTET STRING was read as an INTEGER")
        } catch {
            #expect(error.reason == .unexpectedTag(expected: 0x02, found: 0x04))
            #expect(error.field == "version")
            #expect(error.offset == 2)
        }
        #expect(reader.position == 2)
    }
}
