// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension [UInt8] {
    /// Returns whether a text occurs, at the speed of the system's search for its first byte.
    package func contains(text: StaticString) -> Bool {
        withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, text.utf8CodeUnitCount > 0 else { return false }
            let count = text.utf8CodeUnitCount
            var offset = 0
            while offset + count <= bytes.count {
                let rest = bytes.count - offset - count + 1
                guard let found = memchr(base + offset, Int32(text.utf8Start[0]), rest) else { return false }
                let start = UnsafeRawPointer(found)
                if memcmp(start, text.utf8Start, count) == 0 { return true }
                offset = start - base + 1
            }
            return false
        }
    }
}
