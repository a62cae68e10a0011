import PKIX

/// Where a request goes, read from its URL once and by one reader: what is evaluated and what is connected to can't differ.
///
/// The authority is stricter than RFC 3986: no user, no percent-encoding, no U-labels, a port from 1 to 65535.
struct RequestTarget: Sendable, Hashable {
    /// Whom a connection is shared with.
    struct Authority: Sendable, Hashable {
        let isSecure: Bool
        let host: Hostname
        /// The name as a resolver is to be given it: as `host`, with the trailing dot if there was one. IPv6 has brackets.
        let connectName: String
        let port: Int
        /// What to connect to in the place of `connectName`; nil to leave it to the resolver.
        var address: IPAddress?
        /// Whether the server isn't shown the client's certificate, even if it asks.
        var isAnonymous = false

        /// The `host` header (RFC 9110 § 7.2): without trailing dot, without the default port.
        var hostHeader: String { port == (isSecure ? 443 : 80) ? name : "\(name):\(port)" }

        /// `https://HOST:PORT`.
        var description: String { "\(isSecure ? "https" : "http")://\(hostHeader)" }

        private var name: String {
            if case .ip(let address) = host.kind, address.bytes.count == 16 { "[\(host)]" } else { host.description }
        }
    }

    let authority: Authority
    /// Path and query, beginning with `/`; the fragment is gone.
    let resource: Substring

    /// `https://example.com:8443`, up to where the resource begins, as it stands in the URL.
    static func prefix(of url: String) -> Substring {
        let bytes = url.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return url[...] }
        let start = bytes.index(colon, offsetBy: 3, limitedBy: bytes.endIndex) ?? bytes.endIndex
        return url[..<(bytes[start...].firstIndex(where: Self.endsAuthority) ?? bytes.endIndex)]
    }

    /// What comes after the prefix.
    static func resource(of url: String, after prefix: Substring) -> Substring {
        let rest = url[prefix.endIndex...]
        let resource = rest[..<(rest.utf8.firstIndex(of: UInt8(ascii: "#")) ?? rest.endIndex)]
        return resource.utf8.first == UInt8(ascii: "/") ? resource : "/" + resource
    }

    init(_ url: String) throws(TrustedHTTPError) {
        let prefix = Self.prefix(of: url)
        self.authority = try Authority(prefix, in: url)
        self.resource = Self.resource(of: url, after: prefix)
        try Self.check(url)
    }

    /// Nothing that could end a line of a request's head.
    static func check(_ url: String) throws(TrustedHTTPError) {
        guard url.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
            throw TrustedHTTPError(.malformedURL, url: url, detail: "a control character")
        }
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }
}

extension RequestTarget.Authority {
    /// - Parameter prefix: scheme and authority.
    init(_ prefix: Substring, in url: String) throws(TrustedHTTPError) {
        guard let colon = prefix.firstIndex(of: ":"), prefix[colon...].hasPrefix("://") else {
            throw TrustedHTTPError(.malformedURL, url: url, detail: "expected https://HOST")
        }
        switch prefix[..<colon].lowercased() {
        case "https": isSecure = true
        case "http": isSecure = false
        default: throw TrustedHTTPError(.unsupportedScheme, url: url)
        }
        var name = prefix[prefix.index(colon, offsetBy: 3)...]
        guard !name.contains("@") else { throw TrustedHTTPError(.userInRequestURL, url: url) }
        var port = isSecure ? 443 : 80
        if let colon = name.lastIndex(of: ":"), !name[colon...].contains("]") {
            let digits = name[name.index(after: colon)...]
            name = name[..<colon]
            if !digits.isEmpty {
                guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits),
                    (1...65535).contains(number)
                else { throw TrustedHTTPError(.malformedURL, url: url, detail: "port \(digits), expected 1 to 65535") }
                port = number
            }
        }
        // IPv6 needs its brackets in a URL, and nothing else may have them (RFC 3986 § 3.2.2).
        guard name.contains(":") == name.hasPrefix("[") else {
            throw TrustedHTTPError(.malformedURL, url: url, detail: "an IPv6 address stands in brackets")
        }
        do throws(HostnameError) {
            host = try Hostname(String(name))
        } catch {
            throw TrustedHTTPError(.malformedURL, url: url, detail: error.description)
        }
        connectName =
            switch host.kind {
            case .ip(let address): address.bytes.count == 16 ? "[\(address)]" : address.description
            case .dns(let dns): name.hasSuffix(".") ? dns + "." : dns
            }
        self.port = port
    }
}
