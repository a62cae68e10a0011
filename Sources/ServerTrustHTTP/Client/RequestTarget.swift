// SPDX-License-Identifier: Apache-2.0

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

    /// `https://example.com:8443` as it stands in the URL, and what comes after it, beginning with `/` and without the fragment.
    /// - Throws: for anything that could end a line of a request's head.
    static func parts(of url: String) throws(TrustedHTTPError) -> (prefix: Substring, resource: Substring) {
        let bytes = url.utf8
        guard let ends = bytes.withContiguousStorageIfAvailable({ unsafe Ends($0.span) }) ?? Ends(Array(bytes).span)
        else { throw TrustedHTTPError(.malformedURL, url: url, detail: "a control character") }
        let end = bytes.index(bytes.startIndex, offsetBy: ends.authority)
        let resource = url[end..<bytes.index(bytes.startIndex, offsetBy: ends.resource)]
        return (url[..<end], resource.utf8.first == UInt8(ascii: "/") ? resource : "/" + resource)
    }

    /// Where the parts of a URL end, in bytes.
    private struct Ends {
        /// Scheme and authority: at the first `/`, `?` or `#` behind `://`.
        let authority: Int
        /// What comes after them: at the first `#`.
        let resource: Int

        /// nil if there is a control character.
        init?(_ bytes: Span<UInt8>) {
            var (authority, resource) = (bytes.count, bytes.count)
            // From here on the authority may end: two bytes behind the colon, whatever they are.
            var start = bytes.count
            for index in bytes.indices {
                let byte = bytes[index]
                guard byte >= 0x20, byte != 0x7f else { return nil }
                switch byte {
                case UInt8(ascii: ":") where start == bytes.count: start = index + 3
                case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"):
                    guard index >= start else { break }
                    authority = min(authority, index)
                    if byte == UInt8(ascii: "#") { resource = min(resource, index) }
                default: break
                }
            }
            (self.authority, self.resource) = (authority, resource)
        }
    }

    init(_ url: String) throws(TrustedHTTPError) {
        let (prefix, resource) = try Self.parts(of: url)
        self.authority = try Authority(prefix, in: url)
        self.resource = resource
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
