// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Foundation
    import HTTPRules
    import PKIX

    /// The proxies that environment variables name, read as libcurl reads them for `https`, by which Foundation on Linux goes:
    ///
    /// * `https_proxy`, else `HTTPS_PROXY`, else `all_proxy`, else `ALL_PROXY`. A variable that is empty counts as one that isn't set.
    /// * `no_proxy`, else `NO_PROXY`, names hosts that are asked directly, separated by commas or blanks. `*` alone means all. A name
    ///   stands for itself and for everything below it, with a dot before it or without. An address stands for itself, with
    ///   `/BITS` for a network; IPv6 has no brackets. Nothing else matches: no other wildcard, no entry with a port.
    struct ProxyEnvironment: Sendable {
        /// The value of a variable.
        let value: @Sendable (String) -> String?

        /// The environment of this process, as it is when it is asked.
        static let process = ProxyEnvironment { name in
            guard let value = getenv(name) else { return nil }
            return String(cString: value)
        }

        /// The variable that names a proxy for a host; nil if the host is asked directly.
        func proxyVariable(for host: Hostname) -> String? {
            guard let (variable, _) = first(of: ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]) else {
                return nil
            }
            if let (_, list) = first(of: ["no_proxy", "NO_PROXY"]), Self.names(host, in: list) { return nil }
            return variable
        }

        private func first(of names: [String]) -> (name: String, value: String)? {
            for name in names {
                if let value = value(name), !value.isEmpty { return (name, value) }
            }
            return nil
        }

        private static func names(_ host: Hostname, in list: String) -> Bool {
            if list == "*" { return true }
            return list.utf8.split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
                .contains { entry in
                    switch host.kind {
                    case .dns(let name): contains(name, Substring(entry))
                    case .ip(let address): contains(address, Substring(entry))
                    }
                }
        }

        /// Whether an entry is the name, or one of the names above it.
        private static func contains(_ name: String, _ entry: Substring) -> Bool {
            var entry = entry.utf8
            if entry.last == UInt8(ascii: ".") { entry = entry.dropLast() }
            if entry.first == UInt8(ascii: ".") { entry = entry.dropFirst() }
            guard !entry.isEmpty else { return false }
            let suffix = String(Substring(entry)).asciiLowercased
            return name == suffix || name.hasSuffix("." + suffix)
        }

        /// Whether an entry is the address, or a network that it is in. `/0` is read as no length at all, as libcurl does: it must not
        /// open more than there.
        private static func contains(_ address: IPAddress, _ entry: Substring) -> Bool {
            let parts = entry.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard let network = IPAddress(parts[0]), network.bytes.count == address.bytes.count else { return false }
            let width = network.bytes.count * 8
            guard parts.count == 2 else { return network == address }
            guard let bits = Int(parts[1]), (0...width).contains(bits) else { return false }
            let length = bits == 0 ? width : bits
            return (0..<length).allSatisfy { bit in
                (network.bytes[bit / 8] ^ address.bytes[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0
            }
        }
    }
#endif
