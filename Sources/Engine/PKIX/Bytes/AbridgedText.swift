// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The number of bytes that the text needs in JSON, without quotes.
    package var writtenSize: Int { unicodeScalars.reduce(0) { $0 + Self.writtenSize($1) } }

    private static func writtenSize(_ scalar: Unicode.Scalar) -> Int {
        switch scalar {
        case "\0"..<" ": 6
        case "\"", "\\", "/": 2
        default: UTF8.width(scalar)
        }
    }

    /// Returns the text if it needs at most `maximum` bytes in JSON. Otherwise returns as many characters from its
    /// start as fit, and an ellipsis.
    package func abridged(toBytes maximum: Int) -> String {
        guard utf8.count > maximum / 6 else { return self }
        var size = 0
        for index in unicodeScalars.indices {
            size += Self.writtenSize(unicodeScalars[index])
            guard size <= maximum else { return String(unicodeScalars[..<index]) + "…" }
        }
        return self
    }
}
