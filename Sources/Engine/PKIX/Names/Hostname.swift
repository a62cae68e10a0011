// SPDX-License-Identifier: Apache-2.0

/// The name of the server that a client connects to: a DNS name or an IP address (RFC 9525 § 2, the reference
/// identity).
///
/// An IPv6 address may have a zone, as in `fe80::1%eth0`. The zone chooses the interface of a connection. It belongs to no identity:
/// two host names that differ in their zones alone are equal, rules and exceptions apply to the address in any zone, and neither
/// ``description`` nor a comparison with a certificate has it.
public struct Hostname: Sendable {
    /// The kind of a name. An IP address is matched against iPAddress names alone, a DNS name against dNSNames alone.
    public enum Kind: Sendable, Hashable {
        /// A DNS name: A-labels, lower case, without trailing dot.
        case dns(String)
        /// An IP address.
        case ip(IPAddress)
    }

    /// The kind of the name, and the name.
    public let kind: Kind

    /// The DNS name as bytes for comparing; empty for an address.
    package let dnsBytes: [UInt8]

    /// The zone of an IPv6 address (RFC 4007 § 11), such as `eth0`; nil for none.
    package let zone: String?

    /// Parses a host name or IP literal: `example.com`, `EXAMPLE.com.`, `xn--bcher-kva.example`, `192.0.2.1`, `2001:db8::1`, `[::1]`,
    /// `fe80::1%eth0`, `[fe80::1%25eth0]`.
    ///
    /// In brackets, as in a URL, `%25` begins a zone (RFC 6874 § 2); a `%` alone does as well. Without brackets `%25` does before
    /// anything but a number: `fe80::1%251` is zone 251.
    ///
    /// Internationalised names must be A-labels: mapping U-labels (UTS #46) belongs to the code that reads the name
    /// from a person. Underscores are accepted in labels, and hyphens at the end of labels and at the start of labels but the first,
    /// as resolvers do. A certificate has no such name, and a wildcard may stand for a first label of this kind.
    /// - Throws: ``HostnameError`` with the reason.
    public init(_ text: String) throws(HostnameError) {
        if let zoned = try Self.zoned(text) {
            self = zoned
            return
        }
        if text.hasPrefix("["), text.hasSuffix("]") {
            let literal = text.dropFirst().dropLast()
            guard literal.contains(":"), let address = IPAddress(literal) else {
                throw HostnameError(noAddress: text)
            }
            self.init(address)
            return
        }
        if let address = IPAddress(text) {
            self.init(address)
            return
        }
        guard !text.utf8.contains(UInt8(ascii: ":")) else {
            throw HostnameError(noAddress: text)
        }
        var bytes = Array(text.utf8)
        if bytes.last == UInt8(ascii: "."), bytes.count > 1 { bytes.removeLast() }
        guard !bytes.isEmpty else { throw HostnameError(.hostEmpty, text: text) }
        guard bytes.allSatisfy({ $0 < 0x80 }) else { throw HostnameError(.hostNotASCII, text: text) }
        for index in bytes.indices { bytes[index] = asciiLowercased(bytes[index]) }
        let view = bytes[...]
        switch DNSName.check(view.span, 0..<view.count, wildcard: false, isReference: true) {
        case .valid: break
        case .tooLong: throw HostnameError(.hostTooLong, text: text)
        case .malformed: throw HostnameError(.hostLabelMalformed, text: text)
        }
        // RFC 3986 § 3.2.2 with WHATWG's rule: a name whose last label is a number, decimal or hexadecimal, is a mistyped
        // address, and some resolvers would read it as one.
        if let last = bytes.split(separator: UInt8(ascii: ".")).last, Self.isNumber(last) {
            throw HostnameError(noAddress: text)
        }
        self.init(kind: .dns(String(decoding: bytes, as: UTF8.self)), dnsBytes: bytes)
    }

    private static func isNumber(_ label: ArraySlice<UInt8>) -> Bool {
        let isDigit: (UInt8) -> Bool = { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        if label.allSatisfy(isDigit) { return true }
        guard label.starts(with: [UInt8(ascii: "0"), UInt8(ascii: "x")]) else { return false }
        return label.dropFirst(2).allSatisfy {
            isDigit($0) || ($0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "f"))
        }
    }

    /// Whether the name has a form that a certificate can have: an address, or a DNS name without a hyphen at the end of a label.
    package var isCertifiable: Bool {
        guard case .dns = kind else { return true }
        let view = dnsBytes[...]
        return DNSName.check(view.span, 0..<view.count, wildcard: false) == .valid
    }

    /// Creates the name of an address.
    public init(_ address: IPAddress) {
        self.init(kind: .ip(address), dnsBytes: [])
    }

    /// Parses the host of a rule or of a certificate, which has no zone.
    package static func withoutZone(_ text: String) throws(HostnameError) -> Hostname {
        let host = try Hostname(text)
        guard host.zone == nil else { throw HostnameError(.hostHasZone, text: text) }
        return host
    }

    private init(kind: Kind, dnsBytes: [UInt8], zone: String? = nil) {
        self.kind = kind
        self.dnsBytes = dnsBytes
        self.zone = zone
    }
}

extension Hostname: Hashable {
    public static func == (left: Hostname, right: Hostname) -> Bool { left.kind == right.kind }

    public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}

// MARK: - Zones

extension Hostname {
    /// The name or address to connect to: ``description``, with the zone if there is one.
    package var resolverName: String { zone.map { "\(description)%\($0)" } ?? description }

    /// Reads an IPv6 address with a zone; nil for a text that has none.
    private static func zoned(_ text: String) throws(HostnameError) -> Hostname? {
        let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
        let literal = isBracketed ? text.dropFirst().dropLast() : text[...]
        guard let sign = literal.firstIndex(of: "%"), literal[..<sign].contains(":") else { return nil }
        // The addresses that stand for IPv4 addresses have no zones.
        guard let address = IPAddress(literal[..<sign]), !address.isMapped else {
            throw HostnameError(noAddress: text)
        }
        guard let zone = zone(literal[literal.index(after: sign)...], isInURL: isBracketed) else {
            throw HostnameError(.hostZoneMalformed, text: text)
        }
        return Hostname(kind: .ip(address), dnsBytes: [], zone: zone)
    }

    /// Reads the text behind the percent sign: the name or number of an interface; nil for anything else.
    private static func zone(_ text: Substring, isInURL: Bool) -> String? {
        var zone = text
        if zone.hasPrefix("25") {
            let rest = zone.dropFirst(2)
            if isInURL || !rest.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { zone = rest }
        }
        // RFC 6874 § 2: unreserved characters. Names of interfaces have 15 of them at most on Linux and Apple's systems.
        guard (1...64).contains(zone.utf8.count), zone.utf8.allSatisfy(isUnreserved) else { return nil }
        return String(zone)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}

extension Hostname: CustomStringConvertible {
    /// The name in the form in which it is compared; IPv6 without brackets and zone.
    public var description: String {
        switch kind {
        case .dns(let name): name
        case .ip(let address): address.description
        }
    }
}
