// SPDX-License-Identifier: Apache-2.0

/// A writer for the few DER values that this package creates: OCSP requests, completed names, and normalized names.
package enum DERBytes {
    /// Returns the tag, the length in its shortest form, and the contents.
    package static func value(_ tag: UInt8, _ contents: [UInt8]...) -> [UInt8] {
        let count = contents.reduce(0) { $0 + $1.count }
        var bytes = header(tag, count: count)
        bytes.reserveCapacity(bytes.count + count)
        for part in contents { bytes += part }
        return bytes
    }

    /// Returns the tag and the length in its shortest form, for a value of `count` bytes.
    static func header(_ tag: UInt8, count: Int) -> [UInt8] {
        guard count >= 0x80 else { return [tag, UInt8(count)] }
        let length = (count.bitWidth - count.leadingZeroBitCount + 7) / 8
        var bytes: [UInt8] = [tag, 0x80 | UInt8(length)]
        bytes.append(bigEndian: UInt64(count), count: length)
        return bytes
    }
}

extension [UInt8] {
    /// Appends the last `count` bytes of a number.
    mutating func append(bigEndian number: UInt64, count: Int) {
        for index in 0..<count { append(UInt8(truncatingIfNeeded: number >> ((count - 1 - index) * 8))) }
    }
}
