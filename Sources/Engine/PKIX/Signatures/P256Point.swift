// SPDX-License-Identifier: Apache-2.0

// Checks that an encoded point is on P-256, without the crypto library. Importing a key there costs a tenth of a
// verification, and a leaf's key verifies nothing in a path. All values are public, so nothing here has to run in
// constant time. The crypto library imports and checks an issuer's key when the engine verifies the first signature
// with it.

enum P256Point {
    /// Whether `range` contains an uncompressed point (SEC 1 § 2.3.3) on the curve, with both coordinates below the
    /// prime of the field. TLS uses no other form (RFC 8422 § 5.1.1).
    static func isValid(_ bytes: Span<UInt8>, _ range: ByteRange) -> Bool {
        guard range.count == 65, bytes[range.start] == 0x04,
            let x = P256Element(bytes, at: range.start &+ 1), let y = P256Element(bytes, at: range.start &+ 33)
        else { return false }
        // y² = x³ - 3x + b
        let right = x.times(x).minus(.three).times(x).plus(.b)
        return y.times(y) == right
    }
}

/// An element of the P-256 field (FIPS 186-5, SP 800-186 § 3.2.1.3) in Montgomery form: the number times 2²⁵⁶, lowest
/// word first, always below the prime.
private struct P256Element: Equatable {
    private var a: UInt64
    private var b: UInt64
    private var c: UInt64
    private var d: UInt64

    private init(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64) {
        (self.a, self.b, self.c, self.d) = (a, b, c, d)
    }

    /// The prime of the field, 2²⁵⁶ - 2²²⁴ + 2¹⁹² + 2⁹⁶ - 1.
    private static let prime = P256Element(0xffff_ffff_ffff_ffff, 0xffff_ffff, 0, 0xffff_ffff_0000_0001)
    /// The number 2⁵¹² modulo the prime, which converts a number into Montgomery form.
    private static let square = P256Element(3, 0xffff_fffb_ffff_ffff, 0xffff_ffff_ffff_fffe, 0x4_ffff_fffd)
    /// The number 3.
    static let three = P256Element(3, 0, 0, 0).times(square)
    /// The coefficient b of the curve.
    static let b = P256Element(
        0x3bce_3c3e_27d2_604b, 0x651d_06b0_cc53_b0f6, 0xb3eb_bd55_7698_86bc, 0x5ac6_35d8_aa3a_93e7
    ).times(square)

    /// Creates an element from 32 bytes, big-endian. Returns nil unless they are below the prime.
    init?(_ bytes: Span<UInt8>, at start: Int) {
        let words = P256Element(
            UInt64(bigEndian: loadWord(bytes, start &+ 24)), UInt64(bigEndian: loadWord(bytes, start &+ 16)),
            UInt64(bigEndian: loadWord(bytes, start &+ 8)), UInt64(bigEndian: loadWord(bytes, start)))
        guard words.subtractingPrime().borrow else { return nil }
        self = words.times(.square)
    }

    private func subtractingPrime() -> (difference: P256Element, borrow: Bool) {
        subtracting(.prime)
    }

    private func subtracting(_ other: P256Element) -> (difference: P256Element, borrow: Bool) {
        var borrow = false
        func word(_ left: UInt64, _ right: UInt64) -> UInt64 {
            let (first, one) = left.subtractingReportingOverflow(right)
            let (second, two) = first.subtractingReportingOverflow(borrow ? 1 : 0)
            borrow = one || two
            return second
        }
        let difference = P256Element(word(a, other.a), word(b, other.b), word(c, other.c), word(d, other.d))
        return (difference, borrow)
    }

    /// Returns the sum, and whether it exceeds 256 bits.
    private func adding(_ other: P256Element) -> (sum: P256Element, carry: Bool) {
        var carry = false
        func word(_ left: UInt64, _ right: UInt64) -> UInt64 {
            let (first, one) = left.addingReportingOverflow(right)
            let (second, two) = first.addingReportingOverflow(carry ? 1 : 0)
            carry = one || two
            return second
        }
        let sum = P256Element(word(a, other.a), word(b, other.b), word(c, other.c), word(d, other.d))
        return (sum, carry)
    }

    func plus(_ other: P256Element) -> P256Element {
        let (sum, carry) = adding(other)
        let (reduced, borrow) = sum.subtractingPrime()
        return carry || !borrow ? reduced : sum
    }

    func minus(_ other: P256Element) -> P256Element {
        let (difference, borrow) = subtracting(other)
        return borrow ? difference.adding(.prime).sum : difference
    }

    /// Returns the Montgomery product: both numbers and 2⁻²⁵⁶ multiplied (Koç, Acar, Kaliski: coarsely integrated
    /// operand scanning).
    func times(_ other: P256Element) -> P256Element {
        var sum = P256Element(0, 0, 0, 0)
        var over: UInt64 = 0
        func add(_ word: UInt64) {
            var carry: UInt64 = 0
            func step(_ accumulator: UInt64, _ left: UInt64, _ right: UInt64) -> UInt64 {
                let product = left.multipliedFullWidth(by: right)
                let (first, one) = product.low.addingReportingOverflow(accumulator)
                let (second, two) = first.addingReportingOverflow(carry)
                // At most 2¹²⁸ - 1 in total, so the high word doesn't overflow.
                carry = product.high &+ (one ? 1 : 0) &+ (two ? 1 : 0)
                return second
            }
            sum = P256Element(
                step(sum.a, a, word), step(sum.b, b, word), step(sum.c, c, word), step(sum.d, d, word))
            let (top, overflow) = over.addingReportingOverflow(carry)
            // The prime is -1 modulo 2⁶⁴, so the multiple that clears the lowest word equals that word.
            let factor = sum.a
            carry = 0
            _ = step(sum.a, factor, Self.prime.a)
            let low = step(sum.b, factor, Self.prime.b)
            let middle = step(sum.c, factor, Self.prime.c)
            let high = step(sum.d, factor, Self.prime.d)
            let (next, second) = top.addingReportingOverflow(carry)
            sum = P256Element(low, middle, high, next)
            over = (overflow ? 1 : 0) &+ (second ? 1 : 0)
        }
        add(other.a)
        add(other.b)
        add(other.c)
        add(other.d)
        let (reduced, borrow) = sum.subtractingPrime()
        return over != 0 || !borrow ? reduced : sum
    }
}
