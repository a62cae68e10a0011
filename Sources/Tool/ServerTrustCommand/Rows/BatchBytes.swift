// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The bytes of a row's certificate: base64 text that isn't decoded yet, or DER.
enum BatchBytes: Hashable {
    case base64(String)
    case der([UInt8])

    /// The number of bytes of the text or of DER.
    var size: Int {
        switch self {
        case .base64(let text): text.utf8.count
        case .der(let der): der.count
        }
    }

    /// Hashes only the size, because the caches with these keys are small.
    func hash(into hasher: inout Hasher) { hasher.combine(size) }

    static func == (left: BatchBytes, right: BatchBytes) -> Bool {
        switch (left, right) {
        case (.base64(let left), .base64(let right)): left.hasSameBytes(as: right)
        case (.der(let left), .der(let right)): left == right
        case (.base64, .der), (.der, .base64): false
        }
    }
}

extension String {
    /// Compares the UTF-8 bytes of texts. Swift compares strings by canonical equivalence, where the Kelvin sign equals
    /// a K.
    func hasSameBytes(as other: String) -> Bool {
        var (left, right) = (self, other)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                guard left.count == right.count else { return false }
                guard let first = left.baseAddress, let second = right.baseAddress else { return true }
                return memcmp(first, second, left.count) == 0
            }
        }
    }
}
