// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The scheme, host and port of an HTTP URL. Credentials, connections and cached responses belong to an origin (RFC
/// 9110 § 4.3.1).
package struct Origin: Sendable, Hashable {
    /// Whether the scheme is `https`. Otherwise it is `http`.
    package let isSecure: Bool
    package let host: Hostname
    /// The host to pass to a resolver, with a trailing dot if the URL has one. An IPv6 address has brackets, and its
    /// zone is in them after `%`. Names with and without the dot are different origins, and so are addresses with
    /// different zones.
    package let resolverName: String
    /// The port, from 1 to 65535. If the URL names no port, the scheme's default port.
    package let port: Int

    /// The `Host` field (RFC 9110 § 7.2), without the trailing dot, the zone (RFC 6874 § 1), and the scheme's default
    /// port.
    package var hostHeader: String { port == (isSecure ? 443 : 80) ? name : "\(name):\(port)" }

    private var name: String {
        if case .ip(let address) = host.kind, address.bytes.count == 16 { "[\(host)]" } else { host.description }
    }
}

extension Origin: CustomStringConvertible {
    /// The origin as text: `https://HOST:PORT`.
    package var description: String { "\(isSecure ? "https" : "http")://\(hostHeader)" }
}

extension Origin {
    /// Parses the scheme and authority of a URL, more strictly than RFC 3986: no percent-encoding, a port from 1 to
    /// 65535. U-labels become A-labels (``InternationalName``).
    /// - Parameters:
    ///   - prefix: scheme and authority, as ``RequestTarget/parts(of:)`` returns them.
    ///   - ignoresUserInformation: whether to ignore user and password. By default, they are an error.
    /// - Throws: ``RequestTargetError``.
    package init(_ prefix: Substring, ignoresUserInformation: Bool = false) throws(RequestTargetError) {
        guard let colon = prefix.firstIndex(of: ":"), prefix[colon...].hasPrefix("://") else {
            throw .malformed("expected https://HOST")
        }
        switch prefix[..<colon].lowercased() {
        case "https": isSecure = true
        case "http": isSecure = false
        default: throw .unsupportedScheme
        }
        var authority = prefix[prefix.index(colon, offsetBy: 3)...]
        if let sign = authority.firstIndex(of: "@") {
            guard ignoresUserInformation else { throw .userInformation }
            authority = authority[authority.index(after: sign)...]
            guard !authority.contains("@") else { throw .malformed("two @ signs before the host") }
            // Some parsers treat a backslash as a slash, and so treat the user as the host.
            guard !prefix.contains("\\") else { throw .malformed("a backslash before the host") }
        }
        var (name, port) = try Self.split(authority)
        if !name.utf8.allSatisfy({ $0 < 0x80 }) { name = try InternationalName.aLabels(of: name)[...] }
        // An IPv6 address in a URL must have brackets, and only an IPv6 address may have them (RFC 3986 § 3.2.2).
        guard name.contains(":") == name.hasPrefix("[") else {
            throw .malformed("an IPv6 address must be in brackets, and other hosts must not")
        }
        do throws(HostnameError) { host = try Hostname(String(name)) } catch { throw .malformed(error.description) }
        resolverName =
            switch host.kind {
            case .ip(let address): address.bytes.count == 16 ? "[\(host.resolverName)]" : address.description
            case .dns(let dns): name.hasSuffix(".") ? dns + "." : dns
            }
        self.port = port ?? (isSecure ? 443 : 80)
    }

    /// Parses the origin of a URL and ignores user and password. Returns nil for a URL that can't be parsed.
    package init?(url: String) {
        guard let (prefix, _) = try? RequestTarget.parts(of: url),
            let origin = try? Origin(prefix, ignoresUserInformation: true)
        else { return nil }
        self = origin
    }

    /// Returns a URI reference whose host, if there is one, has A-labels. Foundation's parser would also accept a host
    /// that turns into another name or an address.
    /// - Throws: ``RequestTargetError`` for a host that ``InternationalName`` rejects.
    static func withALabels(_ reference: String) throws(RequestTargetError) -> String {
        let bytes = reference.utf8
        guard !bytes.allSatisfy({ $0 < 0x80 }), let slashes = bytes.firstRange(of: "//".utf8),
            slashes.lowerBound == bytes.startIndex || bytes[..<slashes.lowerBound].last == UInt8(ascii: ":"),
            !bytes[..<slashes.lowerBound].contains(where: { "/?#".utf8.contains($0) })
        else { return reference }
        let end = bytes[slashes.upperBound...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
        let start = bytes[..<end].lastIndex(of: UInt8(ascii: "@")).map { bytes.index(after: $0) } ?? slashes.upperBound
        let (name, _) = try split(reference[max(start, slashes.upperBound)..<end])
        guard !name.utf8.allSatisfy({ $0 < 0x80 }) else { return reference }
        return try reference[..<name.startIndex] + InternationalName.aLabels(of: name) + reference[name.endIndex...]
    }

    private static func split(_ authority: Substring) throws(RequestTargetError) -> (name: Substring, port: Int?) {
        guard let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") else {
            return (authority, nil)
        }
        let digits = authority[authority.index(after: colon)...]
        guard !digits.isEmpty else { return (authority[..<colon], nil) }
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(digits), (1...65535).contains(port)
        else { throw .malformed("the port can't be read, expected 1 to 65535") }
        return (authority[..<colon], port)
    }
}
