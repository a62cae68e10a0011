// SPDX-License-Identifier: Apache-2.0

/// The connection and the response that a head belongs to, as the value of a header that never leaves the process.
///
/// The client writes and reads a tag for each response. A tag is therefore 14 bytes long, which a string stores without
/// a heap allocation. Each number takes seven bytes with six bits each.
struct ResponseTag: Equatable {
    let connection: Int
    let number: Int

    /// - Parameters: both are from 0 to 2⁴² - 1.
    init(_ connection: Int, _ number: Int) {
        self.connection = connection
        self.number = number
    }

    /// Parses the ``text`` of a tag. Returns nil for any other string.
    init?(_ text: String) {
        var numbers = (0, 0)
        var count = 0
        for byte in text.utf8 {
            guard byte >= Self.zero, byte < Self.zero + 64 else { return nil }
            let bits = Int(byte - Self.zero)
            if count < Self.digits { numbers.0 = numbers.0 << 6 | bits } else { numbers.1 = numbers.1 << 6 | bits }
            count += 1
            guard count <= 2 * Self.digits else { return nil }
        }
        guard count == 2 * Self.digits else { return nil }
        self.init(numbers.0, numbers.1)
    }

    var text: String {
        unsafe String(unsafeUninitializedCapacity: 2 * Self.digits) { bytes in
            // The buffer has at least the requested capacity.
            for index in 0..<Self.digits {
                let shift = 6 * (Self.digits - 1 - index)
                unsafe bytes[index] = Self.zero + UInt8(truncatingIfNeeded: connection >> shift & 63)
                unsafe bytes[index + Self.digits] = Self.zero + UInt8(truncatingIfNeeded: number >> shift & 63)
            }
            return 2 * Self.digits
        }
    }

    private static let digits = 7
    /// All digits are printable: `0` to `o`.
    private static let zero = UInt8(ascii: "0")
}
