// SPDX-License-Identifier: Apache-2.0

/// A builder of filters in either format, with arbitrary numbers in their fields.
struct ClubcardBytes {
    /// An issuer's entry.
    struct Entry {
        var key: [UInt8]
        var approximateSize: UInt64 = 0
        var approximateOffset: UInt64 = 0
        var rank: UInt64 = 0
        var exactSize: UInt64 = 0
        var exactOffset: UInt64 = 0
        var isInverted = false
        var exceptions: [[UInt8]] = []

        func with(_ change: (inout Entry) -> Void) -> Entry {
            var entry = self
            change(&entry)
            return entry
        }
    }

    var version: Int
    var logs: [(id: [UInt8], first: UInt64, last: UInt64)]
    var entries: [Entry]
    var columns: [[UInt64]]
    var exact: [UInt64]

    /// The bytes of the file.
    var bytes: [UInt8] {
        var bytes = [UInt8(version), 0] + number(UInt64(logs.count), 2)
        for log in logs { bytes += log.id + number(log.first, 8) + number(log.last, 8) }
        bytes += number(UInt64(entries.count), 4)
        for entry in entries {
            if version == 3 { bytes += number(32, 8) }
            bytes += entry.key + number(entry.approximateSize, 4)
            bytes +=
                version == 4
                ? number(entry.rank, 1) + number(entry.approximateOffset, 4) + number(entry.exactSize, 4)
                : number(entry.exactSize, 8) + number(entry.rank, 8) + number(entry.approximateOffset, 8)
            bytes += number(entry.exactOffset, 4) + [entry.isInverted ? 1 : 0]
            bytes += number(UInt64(entry.exceptions.count), 2)
            for serial in entry.exceptions { bytes += number(UInt64(serial.count), 1) + serial }
        }
        bytes += number(UInt64(columns.count), 1)
        for words in columns + [exact] {
            bytes += number(UInt64(words.count), 4)
            for word in words { bytes += number(word, 8) }
        }
        return bytes
    }

    /// The bytes of a number: 8 in format 3, and `size` in format 4.
    func number(_ value: UInt64, _ size: Int) -> [UInt8] {
        let bytes = (0..<(version == 3 ? 8 : size)).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
        return version == 3 ? bytes : bytes.reversed()
    }
}
