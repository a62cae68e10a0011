// SPDX-License-Identifier: Apache-2.0

/// An IP address as 4 or 16 bytes in network order.
public struct IPAddress: Sendable, Hashable {
    /// The bytes of the address, 4 or 16.
    public let bytes: [UInt8]

    /// Creates an address, or returns nil unless there are 4 or 16 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Parses `192.0.2.1` (four decimal numbers without leading zeros) or an IPv6 literal (RFC 4291 § 2.2, including
    /// `::` and a dotted IPv4 tail). Returns nil for other text.
    ///
    /// Rejects brackets, zones, ports, and the hexadecimal, octal and short forms of `inet_aton`.
    public init?(_ text: some StringProtocol) {
        if text.utf8.contains(UInt8(ascii: ":")) {
            guard let bytes = Self.parseV6(text.utf8.map { $0 }) else { return nil }
            self.bytes = bytes
        } else {
            guard let bytes = Self.parseV4(text.utf8.map { $0 }[...]) else { return nil }
            self.bytes = bytes
        }
    }

    private static func parseV4(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: [UInt8] = []
        for part in parts {
            guard (1...3).contains(part.count), part.count == 1 || part.first != UInt8(ascii: "0") else { return nil }
            var value = 0
            for digit in part {
                guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
                value = value * 10 + Int(digit - UInt8(ascii: "0"))
            }
            guard value <= 255 else { return nil }
            bytes.append(UInt8(value))
        }
        return bytes
    }

    private static func parseV6(_ text: [UInt8]) -> [UInt8]? {
        guard text.count <= 45 else { return nil }
        var head: [UInt8] = []
        var tail: [UInt8] = []
        var compressed = false
        var index = 0
        let colon = UInt8(ascii: ":")
        if text.starts(with: [colon, colon]) {
            compressed = true
            index = 2
        }
        while index < text.count {
            let end = text[index...].firstIndex(of: colon) ?? text.count
            let part = text[index..<end]
            var group: [UInt8]
            if part.contains(UInt8(ascii: ".")) {
                guard end == text.count, let v4 = parseV4(part) else { return nil }
                group = v4
            } else {
                guard let value = hexadecimal(part) else { return nil }
                group = [UInt8(value >> 8), UInt8(value & 0xff)]
            }
            if compressed { tail += group } else { head += group }
            guard end < text.count else { break }
            index = end + 1
            if index < text.count, text[index] == colon {
                guard !compressed else { return nil }
                compressed = true
                index += 1
            } else if index == text.count {
                return nil
            }
        }
        let count = head.count + tail.count
        guard compressed ? count <= 14 : count == 16 else { return nil }
        return head + [UInt8](repeating: 0, count: 16 - count) + tail
    }

    private static func hexadecimal(_ text: ArraySlice<UInt8>) -> UInt16? {
        guard (1...4).contains(text.count) else { return nil }
        var value: UInt16 = 0
        for byte in text {
            guard let digit = Hex.value(ofDigit: byte) else { return nil }
            value = value << 4 | UInt16(digit)
        }
        return value
    }
}

extension IPAddress {
    /// Whether the address is an IPv4-mapped IPv6 address: `::ffff:0:0/96` (RFC 4291 § 2.5.5.2).
    var isMapped: Bool {
        bytes.count == 16 && bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xff && bytes[11] == 0xff
    }
}

extension IPAddress: CustomStringConvertible {
    /// The address in dotted decimal form, or in RFC 5952 form.
    public var description: String {
        if bytes.count == 4 { return bytes.map { String($0) }.joined(separator: ".") }
        let groups = (0..<8).map { UInt16(bytes[$0 * 2]) << 8 | UInt16(bytes[$0 * 2 + 1]) }
        // RFC 5952 § 4.2: the longest run of at least two zero groups. Of several, the first.
        var best = 0..<0
        var index = 0
        while index < 8 {
            let start = index
            while index < 8, groups[index] == 0 { index += 1 }
            if index - start > max(best.count, 1) { best = start..<index }
            index += 1
        }
        func text(_ range: Range<Int>) -> String {
            groups[range].map { String($0, radix: 16) }.joined(separator: ":")
        }
        return best.isEmpty ? text(0..<8) : text(0..<best.lowerBound) + "::" + text(best.upperBound..<8)
    }

    /// Returns the text of an address or of an address with a mask (`192.0.2.0/24`). Returns `(empty)` for no bytes,
    /// and hexadecimal for other lengths.
    static func text(_ bytes: [UInt8]) -> String {
        if bytes.isEmpty { return "(empty)" }
        if let address = IPAddress(bytes: bytes) { return address.description }
        let half = bytes.count / 2
        guard bytes.count % 2 == 0, let address = IPAddress(bytes: Array(bytes[..<half])) else {
            return Hex.encode(bytes)
        }
        let length = bytes[half...].reduce(0) { $0 + $1.nonzeroBitCount }
        return "\(address)/\(length)"
    }
}
