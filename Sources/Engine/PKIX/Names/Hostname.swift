// SPDX-License-Identifier: Apache-2.0

/// The name of the server that a client connects to: a DNS name or an IP address (the reference identity of RFC 9525 §
/// 2).
///
/// An IPv6 address may have a zone, as in `fe80::1%eth0`. The zone selects the network interface of a connection and
/// isn't part of the identity. Two host names that differ only in their zones are equal. Rules and exceptions apply to
/// the address in every zone. ``description`` and comparisons with certificates ignore the zone.
public struct Hostname: Sendable {
    /// The kind of a name. An IP address matches only iPAddress names, and a DNS name matches only dNSNames.
    public enum Kind: Sendable, Hashable {
        /// A DNS name: A-labels in lowercase, without a trailing dot.
        case dns(String)
        /// An IP address.
        case ip(IPAddress)
    }

    /// The kind and value of the name.
    public let kind: Kind

    /// The bytes of the DNS name for comparisons. Empty for an address.
    package let dnsBytes: [UInt8]

    /// The zone of an IPv6 address (RFC 4007 § 11), such as `eth0`, or nil.
    package let zone: String?

    /// Parses a host name or IP literal: `example.com`, `EXAMPLE.com.`, `xn--bcher-kva.example`, `192.0.2.1`,
    /// `2001:db8::1`, `[::1]`, `fe80::1%eth0`, `[fe80::1%25eth0]`.
    ///
    /// In brackets, as in a URL, a zone begins with `%25` (RFC 6874 § 2) or with only `%`. Without brackets, a zone
    /// also begins with `%25` unless only digits follow: `fe80::1%251` is zone 251.
    ///
    /// Internationalized names must be A-labels. The code that accepts user input should map U-labels (UTS #46). Like
    /// resolvers, this initializer accepts underscores in labels, and hyphens at the end of any label and at the start
    /// of any label except the first. A certificate can't contain a name with such hyphens, but a wildcard may match a
    /// first label with them.
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
        // RFC 3986 § 3.2.2 with WHATWG's rule: a name whose last label is a decimal or hexadecimal number is a mistyped
        // address. Some resolvers would treat it as an address.
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

    /// Whether a certificate can contain the name: an address, or a DNS name whose labels don't start or end with a
    /// hyphen.
    package var isCertifiable: Bool {
        guard case .dns = kind else { return true }
        let view = dnsBytes[...]
        return DNSName.check(view.span, 0..<view.count, wildcard: false) == .valid
    }

    /// Creates a host name from an address.
    public init(_ address: IPAddress) {
        self.init(kind: .ip(address), dnsBytes: [])
    }

    /// Parses the host of a rule or certificate, which must not have a zone.
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
    /// The name or address to connect to: the ``description``, followed by the zone if there is one.
    package var resolverName: String { zone.map { "\(description)%\($0)" } ?? description }

    /// Parses an IPv6 address with a zone. Returns nil if the text has no zone.
    private static func zoned(_ text: String) throws(HostnameError) -> Hostname? {
        let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
        let literal = isBracketed ? text.dropFirst().dropLast() : text[...]
        guard let sign = literal.firstIndex(of: "%"), literal[..<sign].contains(":") else { return nil }
        // IPv4-mapped addresses have no zones.
        guard let address = IPAddress(literal[..<sign]), !address.isMapped else {
            throw HostnameError(noAddress: text)
        }
        guard let zone = zone(literal[literal.index(after: sign)...], isInURL: isBracketed) else {
            throw HostnameError(.hostZoneMalformed, text: text)
        }
        return Hostname(kind: .ip(address), dnsBytes: [], zone: zone)
    }

    /// Parses the text after the percent sign, which is the name or number of a network interface. Returns nil for
    /// other text.
    private static func zone(_ text: Substring, isInURL: Bool) -> String? {
        var zone = text
        if zone.hasPrefix("25") {
            let rest = zone.dropFirst(2)
            if isInURL || !rest.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { zone = rest }
        }
        // RFC 6874 § 2: unreserved characters. On Linux and Apple's systems, names of interfaces have at most 15
        // characters.
        guard (1...64).contains(zone.utf8.count),
            zone.utf8.allSatisfy({ $0.isLetterOrDigit || "-._~".utf8.contains($0) })
        else { return nil }
        return String(zone)
    }
}

extension Hostname: CustomStringConvertible {
    /// The name in the form that comparisons use. IPv6 addresses have no brackets and no zone.
    public var description: String {
        switch kind {
        case .dns(let name): name
        case .ip(let address): address.description
        }
    }
}
