// SPDX-License-Identifier: Apache-2.0

/// A TLS version, as encoded in a hello.
package struct ProtocolVersion: RawRepresentable, Sendable, Hashable, Comparable, CustomStringConvertible {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let ssl3 = Self(rawValue: 0x0300)
    package static let tls10 = Self(rawValue: 0x0301)
    package static let tls11 = Self(rawValue: 0x0302)
    package static let tls12 = Self(rawValue: 0x0303)
    package static let tls13 = Self(rawValue: 0x0304)

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The name, such as `TLS 1.3`, or the number of an unknown version.
    package var description: String {
        switch self {
        case .ssl3: "SSL 3.0"
        case .tls10: "TLS 1.0"
        case .tls11: "TLS 1.1"
        case .tls12: "TLS 1.2"
        case .tls13: "TLS 1.3"
        default: "version " + hexadecimal(rawValue)
        }
    }
}

/// Returns a number in the format of the IANA registries: `0x1301`.
func hexadecimal(_ value: UInt16) -> String {
    let digits = String(value, radix: 16)
    return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
}
