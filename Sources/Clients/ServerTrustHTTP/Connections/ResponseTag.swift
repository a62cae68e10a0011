// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import NIOCore

/// The connection and the response that a head belongs to, as the value of a header that never leaves the process.
///
/// The client writes and reads a tag for each response. A tag without a time is therefore 14 bytes long, which a string
/// stores without a heap allocation. Each number takes seven bytes with six bits each, and the time eleven.
struct ResponseTag: Equatable {
    let connection: Int
    let number: Int
    /// The time when the client began to send the request, or nil if the client doesn't record it.
    let sent: NIODeadline?

    /// - Parameters:
    ///   - connection: from 0 to 2⁴² - 1.
    ///   - number: from 0 to 2⁴² - 1.
    init(_ connection: Int, _ number: Int, sent: NIODeadline? = nil) {
        self.connection = connection
        self.number = number
        self.sent = sent
    }

    /// Parses the ``text`` of a tag. Returns nil for any other string.
    init?(_ text: String) {
        let bytes = text.utf8
        guard bytes.count == 2 * Self.digits || bytes.count == 2 * Self.digits + Self.timeDigits else { return nil }
        var numbers = (0, 0)
        var time: UInt64 = 0
        for (index, byte) in bytes.enumerated() {
            guard byte >= Self.zero, byte < Self.zero + 64 else { return nil }
            let bits = byte - Self.zero
            switch index {
            case ..<Self.digits: numbers.0 = numbers.0 << 6 | Int(bits)
            case ..<(2 * Self.digits): numbers.1 = numbers.1 << 6 | Int(bits)
            default: time = time << 6 | UInt64(bits)
            }
        }
        self.init(
            numbers.0, numbers.1, sent: bytes.count > 2 * Self.digits ? .uptimeNanoseconds(time) : nil)
    }

    var text: String {
        let count = 2 * Self.digits + (sent == nil ? 0 : Self.timeDigits)
        return unsafe String(unsafeUninitializedCapacity: count) { bytes in
            // The buffer has at least the requested capacity.
            for index in 0..<Self.digits {
                let shift = 6 * (Self.digits - 1 - index)
                unsafe bytes[index] = Self.zero + UInt8(truncatingIfNeeded: connection >> shift & 63)
                unsafe bytes[index + Self.digits] = Self.zero + UInt8(truncatingIfNeeded: number >> shift & 63)
            }
            guard let time = sent?.uptimeNanoseconds else { return count }
            for index in 0..<Self.timeDigits {
                let shift = 6 * (Self.timeDigits - 1 - index)
                unsafe bytes[index + 2 * Self.digits] = Self.zero + UInt8(truncatingIfNeeded: time >> shift & 63)
            }
            return count
        }
    }

    private static let digits = 7
    /// Enough for 64 bits.
    private static let timeDigits = 11
    /// All digits are printable: `0` to `o`.
    private static let zero = UInt8(ascii: "0")
}

#endif
