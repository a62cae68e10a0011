// SPDX-License-Identifier: Apache-2.0

import PKIX

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The proxies that environment variables name, read as libcurl reads them, by which Foundation on Linux goes:
///
/// * For `https`: `https_proxy`, else `HTTPS_PROXY`, else `all_proxy`, else `ALL_PROXY`. For `http`: `http_proxy`, in lower case only, as
///   a server passes `HTTP_PROXY` on from a request's header to the programs that it runs; else `all_proxy`, else `ALL_PROXY`. A
///   variable that is empty counts as one that isn't set.
/// * `no_proxy`, else `NO_PROXY`, names hosts that are asked directly, separated by commas or blanks. `*` alone means all. A name
///   stands for itself and for everything below it, with a dot before it or without. An address stands for itself, with
///   `/BITS` for a network; IPv6 has no brackets. Nothing else matches: no other wildcard, no entry with a port.
package struct ProxyEnvironment: Sendable {
    /// The value of a variable.
    package let value: @Sendable (String) -> String?

    package init(_ value: @escaping @Sendable (String) -> String?) { self.value = value }

    /// The environment of this process, as it is when it is read.
    package static let process = ProxyEnvironment { name in
        guard let value = getenv(name) else { return nil }
        return String(cString: value)
    }

    /// The variable that names a proxy for a host, and its value; nil if the host is connected to directly.
    package func proxy(for host: Hostname, isSecure: Bool) -> (variable: String, value: String)? {
        let variables = isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        guard let (variable, value) = first(of: variables + ["all_proxy", "ALL_PROXY"]) else { return nil }
        if let (_, list) = first(of: ["no_proxy", "NO_PROXY"]), Self.names(host, in: list) { return nil }
        return (variable, value)
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
            .contains { matches(host, Substring($0)) }
    }

    /// Whether an entry names the host.
    package static func matches(_ host: Hostname, _ entry: Substring) -> Bool {
        switch host.kind {
        case .dns(let name): contains(name, entry)
        case .ip(let address): contains(address, entry)
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
