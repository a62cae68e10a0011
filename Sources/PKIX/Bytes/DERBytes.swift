// SPDX-License-Identifier: Apache-2.0

/// A writer for the few DER values that this package makes: OCSP requests, completed names, normalised names.
package enum DERBytes {
    /// Returns tag, length in its shortest form, contents.
    package static func value(_ tag: UInt8, _ contents: [UInt8]...) -> [UInt8] {
        let count = contents.reduce(0) { $0 + $1.count }
        var bytes = [tag]
        bytes.reserveCapacity(count + 6)
        if count < 0x80 {
            bytes.append(UInt8(count))
        } else {
            let length = (0..<8).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }.drop { $0 == 0 }
            bytes.append(0x80 | UInt8(length.count))
            bytes += length
        }
        for part in contents { bytes += part }
        return bytes
    }
}
