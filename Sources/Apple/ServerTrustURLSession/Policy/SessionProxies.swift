// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)

import Foundation
import PKIX
import ServerTrust
import ServerTrustHTTP
import ServerTrustNIO

/// The proxies of a session: those of `connectionProxyDictionary` if there is one, or else those of the
/// environment, as in Foundation on Linux.
///
/// The dictionary has Apple's keys, as strings: `HTTPSEnable`, `HTTPSProxy`, `HTTPSPort`, `SOCKSEnable`,
/// `SOCKSProxy`, `SOCKSPort`, `ExceptionsList`, `ExcludeSimpleHostnames`, `kCFProxyUsernameKey` and
/// `kCFProxyPasswordKey`. For SOCKS, `kCFStreamPropertySOCKSUser` and `kCFStreamPropertySOCKSPassword` are
/// synonyms. If the value of `HTTPSProxy` begins with `https://`, the connection to the proxy uses TLS, which Apple's
/// dictionary can't express. With an empty dictionary, the session uses no proxy, even if the environment names
/// one. `HTTPEnable` and similar keys are for `http`, which a session doesn't support.
struct SessionProxies: Sendable {
    /// The proxy of the running request, with the credentials of its task.
    @TaskLocal static var current: ConnectionProxy?

    /// The proxies as configured.
    private let configured: ProxySelection

    /// The proxies for a transport. A request that sets ``current`` uses that one.
    var selection: ProxySelection {
        guard !configured.isConstant || hasProxy else { return .none }
        return ProxySelection(isConstant: false) { [configured] origin throws(TrustedHTTPError) in
            if let current = Self.current { return current }
            return try configured.proxy(origin)
        }
    }

    private let hasProxy: Bool

    /// Returns the proxy for an origin, as configured. Nil for a direct connection.
    func proxy(for origin: Origin?) throws(TrustedHTTPError) -> ConnectionProxy? {
        guard let origin else { return nil }
        return try configured.proxy(origin)
    }

    /// - Throws: ``ServerTrustUnsupported/proxy`` for an unknown key or a value that can't be parsed. The error
    ///   names the key.
    init(
        _ dictionary: [AnyHashable: Any]?, environment: ProxyEnvironment, at url: URL?
    ) throws(URLError) {
        guard let dictionary else {
            configured = .environment(environment)
            hasProxy = true
            return
        }
        do throws(ProxyDictionary.Problem) {
            let proxies = try ProxyDictionary(dictionary)
            configured = ProxySelection { origin throws(TrustedHTTPError) in proxies.proxy(for: origin.host) }
            hasProxy = proxies.proxy != nil
        } catch {
            throw SessionError.unsupported(.proxy, at: url, error.text)
        }
    }
}

/// The entries of a `connectionProxyDictionary` that apply to `https`.
struct ProxyDictionary: Sendable {
    struct Problem: Error {
        let text: String
    }

    private(set) var proxy: ConnectionProxy?
    private var exceptions: [String] = []
    private var excludesSimpleNames = false

    /// The keys of schemes that a session doesn't support.
    private static let others = ["HTTP", "FTP", "RTSP", "Gopher"].flatMap { name in
        ["Enable", "Proxy", "Port", "User"].map { name + $0 }
    }

    init(_ dictionary: [AnyHashable: Any]) throws(Problem) {
        var values: [String: Any] = [:]
        for (key, value) in dictionary {
            guard let key = key.base as? String else { throw Problem(text: "a key isn't a string") }
            values[key] = value
        }
        for key in Self.others { values[key] = nil }
        var user = try Self.take("kCFProxyUsernameKey", of: &values, as: String.self)
        var password = try Self.take("kCFProxyPasswordKey", of: &values, as: String.self)
        let socksUser = try Self.take("kCFStreamPropertySOCKSUser", of: &values, as: String.self)
        let socksPassword = try Self.take("kCFStreamPropertySOCKSPassword", of: &values, as: String.self)
        let secure = try Self.server("HTTPS", of: &values)
        let socks = try Self.server("SOCKS", of: &values)
        if let secure {
            let authorization = user.map {
                ConnectionProxy.Authorization.basic(user: $0, password: password ?? "")
            }
            proxy =
                secure.hasTLS
                ? .https(host: secure.host, port: secure.port ?? 443, authorization: authorization)
                : .http(host: secure.host, port: secure.port ?? 443, authorization: authorization)
        } else if let socks {
            guard !socks.hasTLS else { throw Problem(text: "SOCKSProxy isn't a host") }
            user = socksUser ?? user
            password = socksPassword ?? password
            let port = socks.port ?? 1080
            proxy =
                user.map { .socks5(host: socks.host, port: port, user: $0, password: password ?? "") }
                ?? .socks5(host: socks.host, port: port)
        }
        if let problem = proxy?.problem { throw Problem(text: problem) }
        exceptions = try Self.take("ExceptionsList", of: &values, as: [String].self) ?? []
        excludesSimpleNames =
            try Self.take("ExcludeSimpleHostnames", of: &values, as: NSNumber.self)?.boolValue ?? false
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            // A setting that is off has no effect.
            if (value as? NSNumber)?.boolValue == false { continue }
            throw Problem(text: "the key \(key) isn't supported")
        }
    }

    private static func server(
        _ kind: String, of values: inout [String: Any]
    ) throws(Problem) -> (host: String, port: Int?, hasTLS: Bool)? {
        let isEnabled = try take(kind + "Enable", of: &values, as: NSNumber.self)?.boolValue ?? false
        var host = try take(kind + "Proxy", of: &values, as: String.self)
        let port = try take(kind + "Port", of: &values, as: NSNumber.self)?.intValue
        guard isEnabled else { return nil }
        let hasTLS = host?.lowercased().hasPrefix("https://") ?? false
        if hasTLS { host = host.map { String($0.dropFirst("https://".count)) } }
        guard let host, let name = try? Hostname(host) else {
            throw Problem(text: "\(kind)Enable is set, but \(kind)Proxy isn't a host")
        }
        guard port.map({ (1...65_535).contains($0) }) ?? true else {
            throw Problem(text: "\(kind)Port isn't between 1 and 65535")
        }
        return (name.description, port, hasTLS)
    }

    private static func take<Value>(
        _ key: String, of values: inout [String: Any], as type: Value.Type
    ) throws(Problem) -> Value? {
        guard let value = values.removeValue(forKey: key) else { return nil }
        if let value = value as? Value { return value }
        // Foundation on Linux doesn't bridge numbers.
        if type == NSNumber.self {
            if let number = value as? Int { return NSNumber(value: number) as? Value }
            if let flag = value as? Bool { return NSNumber(value: flag) as? Value }
        }
        throw Problem(text: "the value of \(key) doesn't have the expected type")
    }

    func proxy(for host: Hostname) -> ConnectionProxy? {
        guard let proxy, !isExcepted(host) else { return nil }
        return proxy
    }

    private func isExcepted(_ host: Hostname) -> Bool {
        if excludesSimpleNames, case .dns(let name) = host.kind, !name.contains(".") { return true }
        return exceptions.contains { entry in
            // `*.example.com` covers every name below. Any other entry is one name or one network.
            if entry.hasPrefix("*."), case .dns(let name) = host.kind {
                return name.hasSuffix(entry.dropFirst().lowercased())
            }
            if case .ip = host.kind { return ProxyEnvironment.matches(host, entry[...]) }
            return (try? Hostname(entry)) == host
        }
    }
}

/// The rules for a session's connections.
struct SessionPolicy: Sendable {
    let trust: ServerTrustConfiguration
    /// The addresses to connect to, by host name, instead of the resolver's.
    var addresses: [String: String] = [:]
    /// The proxies that the environment names.
    var proxies = ProxyEnvironment.process
    /// Whether HTTP/2 is used with servers that support it.
    var usesHTTP2 = true
    /// The choice of the error code for a refused server.
    let errorNumbers: ServerTrustErrorNumbers
}

#endif
