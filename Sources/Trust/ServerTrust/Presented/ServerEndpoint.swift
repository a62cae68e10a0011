// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The endpoint of a server: host, port and path. It speaks HTTP over TLS, unless a user of the command names another
/// service.
public struct ServerEndpoint: Hashable, Sendable {
    /// The host name or IP address.
    public let host: Hostname
    /// The port, from 1 to 65535.
    public let port: Int
    /// The path and query of a request, beginning with the slash.
    public let path: String
    /// The protocol that the server speaks.
    package private(set) var service = ServerService.https

    /// Creates an endpoint. The initializer doesn't check the port and the path.
    public init(host: Hostname, port: Int = 443, path: String = "/") {
        self.host = host
        self.port = port
        self.path = path
    }

    /// Parses `api.example.com`, `[::1]:8443`, `https://api.example.com/login` or `smtp://mail.example.com`.
    /// - Parameter startTLS: the protocol of a server whose text has no scheme. nil for `https`.
    /// - Throws: ``ServerEndpointError`` if the text doesn't name a server, or if it's a URL of another protocol than
    ///   `startTLS`.
    package init(_ text: String, startTLS: StartTLSProtocol? = nil) throws(ServerEndpointError) {
        var rest = text[...]
        var service = startTLS.map { ServerService($0) } ?? .https
        if let scheme = rest.firstRange(of: "://") {
            service = try Self.service(rest[..<scheme.lowerBound], startTLS, of: text)
            rest = rest[scheme.upperBound...]
        }
        rest = rest.prefix { $0 != "#" }
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let tail = rest[end...]
        guard tail.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            throw ServerEndpointError(
                text: text, detail: "a path may only contain ASCII without spaces; escape the rest with %")
        }
        let authority = rest[..<end]
        guard !authority.contains("@") else {
            throw ServerEndpointError(text: text, detail: "a user isn't allowed here")
        }
        let (name, port) = try Self.split(authority, of: text)
        do throws(HostnameError) { host = try Hostname(String(name)) } catch {
            throw ServerEndpointError(text: text, detail: error.description)
        }
        self.port = port ?? service.port
        self.path = tail.hasPrefix("/") ? String(tail) : "/" + tail
        self.service = service
    }

    /// Returns the service of a URL's scheme.
    private static func service(
        _ scheme: Substring, _ startTLS: StartTLSProtocol?, of text: String
    ) throws(ServerEndpointError) -> ServerService {
        guard let service = ServerService(scheme: String(scheme)) else {
            guard scheme.lowercased() != "http" else {
                throw ServerEndpointError(text: text, detail: "http doesn't use TLS, expected https")
            }
            throw ServerEndpointError(
                text: text,
                detail: "expected https, or \(ServerService.all.dropFirst().map(\.scheme).joined(separator: ", "))")
        }
        guard startTLS == nil || service.startTLS == startTLS else {
            throw ServerEndpointError(
                text: text, detail: "\(service.scheme) and --starttls name different protocols")
        }
        return service
    }

    /// Splits an authority into host and port. An IPv6 address without brackets has no port.
    private static func split(
        _ authority: Substring, of text: String
    ) throws(ServerEndpointError) -> (name: Substring, port: Int?) {
        let isBareIPv6 = !authority.hasPrefix("[") && authority.count(where: { $0 == ":" }) > 1
        guard !isBareIPv6, let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") else {
            return (authority, nil)
        }
        let digits = authority[authority.index(after: colon)...]
        guard digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let port = Int(digits), (1...65_535).contains(port)
        else { throw ServerEndpointError(text: text, detail: "expected a port from 1 to 65535 after the colon") }
        return (authority[..<colon], port)
    }
}

extension ServerEndpoint: CustomStringConvertible {
    /// `HOST:PORT`, with an IPv6 address in brackets.
    public var description: String { "\(bracketed):\(port)" }

    /// The host in the form of a URL: an IPv6 address in brackets, with a zone after `%25` (RFC 6874 § 2).
    var bracketed: String {
        guard case .ip(let address) = host.kind, address.bytes.count == 16 else { return host.description }
        return "[\(host)\(host.zone.map { "%25" + $0 } ?? "")]"
    }

    /// The server's address as an `https` URL. A proxy is chosen by this URL for any service.
    package var httpsURL: String { "https://\(bracketed)\(port == 443 ? "" : ":\(port)")\(path)" }

    /// `https://HOST/…` without the default port. Other services have another scheme.
    public var url: String { "\(service.scheme)://\(bracketed)\(port == service.port ? "" : ":\(port)")\(path)" }
}

/// The reason why a text doesn't name a server.
package struct ServerEndpointError: Error, CustomStringConvertible {
    let text: String
    let detail: String

    package var description: String { "\"\(withoutUserInformation(text))\" doesn't name a server: \(detail)" }
}
