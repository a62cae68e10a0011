// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import AsyncHTTPClient
    import Foundation
    import HTTPRules
    import PKIX
    import ServerTrustHTTP

    /// The proxies of a session: those of `connectionProxyDictionary` if there is one, else those of the environment, as Foundation on Linux
    /// has them.
    ///
    /// The dictionary has Apple's keys, as texts: `HTTPSEnable`, `HTTPSProxy`, `HTTPSPort`; `SOCKSEnable`, `SOCKSProxy`, `SOCKSPort`;
    /// `kCFProxyUsernameKey` and `kCFProxyPasswordKey` for the first of them; `ExceptionsList` and `ExcludeSimpleHostnames`. An empty one means none, whatever
    /// the environment has. `HTTPEnable` and its kin are for `http`, which a session doesn't carry.
    struct SessionProxies: Sendable {
        let selection: ProxySelection

        /// - Throws: ``ServerTrustUnsupported/proxy`` with the key, for one that isn't known and for a value that can't be read.
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

    /// A `connectionProxyDictionary`, as far as it is about `https`.
    struct ProxyDictionary: Sendable {
        struct Problem: Error {
            let text: String
        }

        private var proxy: HTTPClient.Configuration.Proxy?
        private var exceptions: [String] = []
        private var excludesSimpleNames = false

        /// The keys of the schemes that a session doesn't carry.
        private static let others = ["HTTP", "FTP", "RTSP", "Gopher"].flatMap { name in
            ["Enable", "Proxy", "Port", "User"].map { name + $0 }
        }

        init(_ dictionary: [AnyHashable: Any]) throws(Problem) {
            var values: [String: Any] = [:]
            for (key, value) in dictionary {
                guard let key = key.base as? String else { throw Problem(text: "a key is no text") }
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
                throw Problem(text: "\(kind)Enable is set, and \(kind)Proxy is no host")
            }
            guard port.map({ (1...65_535).contains($0) }) ?? true else {
                throw Problem(text: "\(kind)Port is not between 1 and 65535")
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
            throw Problem(text: "the value of \(key) has another type than expected")
        }

        func proxy(for host: Hostname) -> HTTPClient.Configuration.Proxy? {
            guard let proxy, !isExcepted(host) else { return nil }
            return proxy
        }

        private func isExcepted(_ host: Hostname) -> Bool {
            if excludesSimpleNames, case .dns(let name) = host.kind, !name.contains(".") { return true }
            return exceptions.contains { entry in
                // `*.example.com` is every name below, another entry one name or one network.
                if entry.hasPrefix("*."), case .dns(let name) = host.kind {
                    return name.hasSuffix(entry.dropFirst().lowercased())
                }
                if case .ip = host.kind { return ProxyEnvironment.matches(host, entry[...]) }
                return (try? Hostname(entry)) == host
            }
        }
    }
#endif
