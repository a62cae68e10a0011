// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import AsyncHTTPClient
    import Foundation
    import HTTPRules
    import PKIX
    import ServerTrustHTTP

    /// The proxies of a session: those of `connectionProxyDictionary` if there is one, or else those of the
    /// environment, as in Foundation on Linux.
    ///
    /// The dictionary has Apple's keys, as strings: `HTTPSEnable`, `HTTPSProxy`, `HTTPSPort`, `SOCKSEnable`,
    /// `SOCKSProxy`, `SOCKSPort`, `ExceptionsList` and `ExcludeSimpleHostnames`, and for the HTTPS proxy also
    /// `kCFProxyUsernameKey` and `kCFProxyPasswordKey`. With an empty dictionary, the session uses no proxy, even if
    /// the environment names one. `HTTPEnable` and similar keys are for `http`, which a session doesn't support.
    struct SessionProxies: Sendable {
        let selection: ProxySelection

        /// - Throws: ``ServerTrustUnsupported/proxy`` for an unknown key or a value that can't be parsed. The error
        ///   names the key.
        init(
            _ dictionary: [AnyHashable: Any]?, environment: ProxyEnvironment, at url: URL?
        ) throws(URLError) {
            guard let dictionary else {
                self.selection = .environment(environment)
                return
            }
            do throws(ProxyDictionary.Problem) {
                let proxies = try ProxyDictionary(dictionary)
                self.selection = ProxySelection { origin throws(TrustedHTTPError) in proxies.proxy(for: origin.host) }
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

        private var proxy: HTTPClient.Configuration.Proxy?
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
            let user = try Self.take("kCFProxyUsernameKey", of: &values, as: String.self)
            let password = try Self.take("kCFProxyPasswordKey", of: &values, as: String.self)
            let secure = try Self.server("HTTPS", of: &values)
            let socks = try Self.server("SOCKS", of: &values)
            if let secure {
                proxy = .server(
                    host: secure.host, port: secure.port ?? 443,
                    authorization: user.map { .basic(username: $0, password: password ?? "") })
            } else if let socks {
                guard user == nil else { throw Problem(text: "SOCKS with a password isn't supported") }
                proxy = .socksServer(host: socks.host, port: socks.port ?? 1080)
            }
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
        ) throws(Problem) -> (host: String, port: Int?)? {
            let isEnabled = try take(kind + "Enable", of: &values, as: NSNumber.self)?.boolValue ?? false
            let host = try take(kind + "Proxy", of: &values, as: String.self)
            let port = try take(kind + "Port", of: &values, as: NSNumber.self)?.intValue
            guard isEnabled else { return nil }
            guard let host, let name = try? Hostname(host) else {
                throw Problem(text: "\(kind)Enable is set, but \(kind)Proxy isn't a host")
            }
            guard port.map({ (1...65_535).contains($0) }) ?? true else {
                throw Problem(text: "\(kind)Port isn't between 1 and 65535")
            }
            return (name.description, port)
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

        func proxy(for host: Hostname) -> HTTPClient.Configuration.Proxy? {
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
#endif
