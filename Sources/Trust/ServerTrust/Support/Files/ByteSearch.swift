// SPDX-License-Identifier: Apache-2.0

import Foundation

extension [UInt8] {
    /// Returns whether the bytes contain a text. Uses the system's fast search for its first byte.
    package func contains(text: StaticString) -> Bool {
        withUnsafeBytes { $0.firstIndex(of: text, from: 0) != nil }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether a text occurs at an offset.
    package func has(_ text: StaticString, at offset: Int) -> Bool {
        let size = text.utf8CodeUnitCount
        guard let baseAddress, offset >= 0, offset + size <= count else { return false }
        return memcmp(baseAddress + offset, text.utf8Start, size) == 0
    }

    /// Returns the first offset of a text at or after `start`, or nil if it doesn't occur. Uses the system's fast
    /// search for its first byte.
    package func firstIndex(of text: StaticString, from start: Int) -> Int? {
        let size = text.utf8CodeUnitCount
        guard let baseAddress, size > 0 else { return nil }
        var offset = start
        while offset + size <= count {
            let rest = count - offset - size + 1
            guard let found = memchr(baseAddress + offset, Int32(text.utf8Start[0]), rest) else { return nil }
            let place = UnsafeRawPointer(found)
            if memcmp(place, text.utf8Start, size) == 0 { return place - baseAddress }
            offset = place - baseAddress + 1
        }
        return nil
    }
}
