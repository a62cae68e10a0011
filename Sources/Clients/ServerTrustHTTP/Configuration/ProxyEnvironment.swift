// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import Foundation
import PKIX

/// The proxies that environment variables name, read as in libcurl, which Foundation uses on Linux:
///
/// * For `https`, the variables are `https_proxy`, `HTTPS_PROXY`, `all_proxy`, `ALL_PROXY`, in this order. For `http`,
///   they are `http_proxy`, `all_proxy`, `ALL_PROXY`. `http_proxy` is read in lower case only, because web servers pass
///   a request's `Proxy` header as `HTTP_PROXY` to the programs they run. An empty variable counts as unset.
/// * `no_proxy`, otherwise `NO_PROXY`, lists the hosts to connect to directly, separated by commas or blanks. A single
///   `*` matches all hosts. A name, with or without a leading dot, matches itself and all names below it. An address
///   matches itself, or a network if it has `/BITS`. IPv6 addresses have no brackets. There are no other wildcards, and
///   entries with a port never match.
package struct ProxyEnvironment: Sendable {
    /// Returns the value of a variable.
    package let value: @Sendable (String) -> String?

    package init(_ value: @escaping @Sendable (String) -> String?) { self.value = value }

    /// The environment of this process at the time it is read.
    package static let process = ProxyEnvironment { getenv($0).map { String(cString: $0) } }

    /// Returns the variable that names the proxy for a host, and its value. Nil for a direct connection.
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

    /// Whether an entry matches the host.
    package static func matches(_ host: Hostname, _ entry: Substring) -> Bool {
        switch host.kind {
        case .dns(let name): contains(name, entry)
        case .ip(let address): contains(address, entry)
        }
    }

    /// Whether an entry is the name or a parent of the name.
    private static func contains(_ name: String, _ entry: Substring) -> Bool {
        var entry = entry.utf8
        if entry.last == UInt8(ascii: ".") { entry = entry.dropLast() }
        if entry.first == UInt8(ascii: ".") { entry = entry.dropFirst() }
        guard !entry.isEmpty else { return false }
        let suffix = String(Substring(entry)).asciiLowercased
        return name == suffix || name.hasSuffix("." + suffix)
    }

    /// Whether an entry is the address, or a network that contains it. Like libcurl, the method reads `/0` as an
    /// address without a length, so that the entry doesn't match more than it does in libcurl.
    private static func contains(_ address: IPAddress, _ entry: Substring) -> Bool {
        let parts = entry.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let network = IPAddress(parts[0]), network.bytes.count == address.bytes.count else { return false }
        let width = network.bytes.count * 8
        guard parts.count == 2 else { return network == address }
        guard let bits = Int(parts[1]), (0...width).contains(bits) else { return false }
        return address.begins(with: network.bytes, bits: bits == 0 ? width : bits)
    }
}

extension IPAddress {
    /// Whether the first bits of the address are those of a prefix.
    func begins(with prefix: [UInt8], bits: Int) -> Bool {
        (0..<bits).allSatisfy { (bytes[$0 / 8] ^ prefix[$0 / 8]) & (0x80 >> UInt8($0 % 8)) == 0 }
    }
}

#endif
