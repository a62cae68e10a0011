// SPDX-License-Identifier: Apache-2.0

/// An entry of a CRL in the shape that nearly all have, read at a glance: lengths of one byte, a serial number of at most 20 bytes,
/// the date as UTCTime, and no extension but a `reasonCode` that isn't critical.
///
/// A CRL may have hundreds of thousands of entries, and reading each of them value by value is most of the work of indexing it.
/// This decides nothing alone: whatever is not quite of the shape, whether it is right or wrong, is left to
/// `DERReader.nextRevoked` and ``CRLEntryExtensions``, and what is of the shape they read the same (the tests hold both against
/// each other).
struct UsualCRLEntry {
    /// Past its last byte.
    let end: Int
    /// Whether it has a `reasonCode`.
    let hasReason: Bool

    /// nil if what starts at `start`, before `limit`, is anything else.
    @inline(__always)
    init?(_ bytes: Span<UInt8>, _ start: Int, limit: Int) {
        // The shortest: tag and length, a number of one byte, a date. What `Span` and `loadWord` check again, costs little.
        guard start >= 0, limit <= bytes.count, limit &- start >= 2 &+ 3 &+ Self.dateSize else { return nil }
        // SEQUENCE, its length, INTEGER, its length, and two bytes of the number, lowest byte first.
        let head = UInt64(littleEndian: loadWord(bytes, start))
        guard head & 0xff_00ff == UInt64(DERTag.integer) << 16 | UInt64(DERTag.sequence) else { return nil }
        let length = Int(head >> 8 & 0xff)
        let size = Int(head >> 24 & 0xff)
        guard size >= 1, size <= 20 else { return nil }
        // X.690 § 8.3.2: the first nine bits of more than one byte are neither all clear nor all set.
        let top = (head >> 32 & 0xff) << 1 | (head >> 47 & 1)
        guard size == 1 || (top != 0 && top != 0x1ff) else { return nil }
        let rest = length &- (2 &+ size &+ Self.dateSize)
        // Not more than 51 bytes, so that the length stands in one.
        guard rest == 0 || rest == Self.reasonSize, length &+ 2 <= limit &- start else { return nil }
        let date = start &+ 4 &+ size
        guard Self.isDate(bytes, date), rest == 0 || Self.isReason(bytes, date &+ Self.dateSize) else { return nil }
        self.end = start &+ 2 &+ length
        self.hasReason = rest != 0
    }

    /// UTCTime, `YYMMDDHHMMSSZ`.
    private static let dateSize = 15

    /// Whether the 15 bytes at `start` are what `DERReader.nextTime` takes for a UTCTime.
    @inline(__always)
    private static func isDate(_ bytes: Span<UInt8>, _ start: Int) -> Bool {
        guard bytes[start] == DERTag.utcTime, bytes[start &+ 1] == 13, bytes[start &+ 14] == UInt8(ascii: "Z"),
            // YY MM DD HH and DD HH MM SS, each number in 16 bits, the first one lowest.
            let early = pairs(UInt64(littleEndian: loadWord(bytes, start &+ 2))),
            let late = pairs(UInt64(littleEndian: loadWord(bytes, start &+ 6)))
        else { return false }
        let (year, month, day) = (early & 0xff, early >> 16 & 0xff, early >> 32 & 0xff)
        // 2000 + year and 1900 + year are leap years alike, but for 1900, which UTCTime doesn't reach.
        return month >= 1 && month <= 12 && day >= 1
            && (day <= 28 || Int64(day) <= Time.daysIn(month: Int64(month), year: 2000 + Int64(year)))
            && late >> 16 & 0xff < 24 && late >> 32 & 0xff < 60 && late >> 48 < 60
    }

    /// Eight decimal digits as four numbers of two; nil if any byte is no digit. (Carries from one byte into the next start at a
    /// byte that is no digit.)
    @inline(__always)
    private static func pairs(_ text: UInt64) -> UInt64? {
        let digits = text ^ 0x3030_3030_3030_3030
        guard (digits | (digits &+ 0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080 == 0 else { return nil }
        return (digits & 0x00ff_00ff_00ff_00ff) &* 10 &+ (digits >> 8 & 0x00ff_00ff_00ff_00ff)
    }

    /// `SEQUENCE { SEQUENCE { OID 2.5.29.21, OCTET STRING { ENUMERATED } } }`, the number in one byte.
    private static let reasonSize = 14

    @inline(__always)
    private static func isReason(_ bytes: Span<UInt8>, _ start: Int) -> Bool {
        // 30 0c 30 0a 06 03 55 1d, and from the sixth byte on 55 1d 15 04 03 0a 01 and the number, which isn't negative.
        UInt64(littleEndian: loadWord(bytes, start)) == 0x1d55_0306_0a30_0c30
            && UInt64(littleEndian: loadWord(bytes, start &+ 6)) & 0x80ff_ffff_ffff_ffff == 0x0001_0a03_0415_1d55
    }
}
