// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Rules for the addresses that may be connected to when a URL comes from a certificate that isn't verified yet.
///
/// By default those that are reachable from everywhere: a server there answers the whole Internet. Refused are those
/// that only this machine or its network can reach, the usual aim of an attacker who names the address.
public struct AddressRules: Sendable, Hashable {
    /// Hosts whose addresses aren't checked: a CA's own, in a private network.
    package var allowedHosts: Set<Hostname>
    /// Addresses that are allowed even if they aren't public.
    package var allowedAddresses: Set<IPAddress>

    /// Public addresses and nothing else.
    public static let publicOnly = AddressRules()

    /// - Parameters:
    ///   - allowedHosts: hosts whose addresses aren't checked; none unless given.
    ///   - allowedAddresses: addresses that are allowed for every host; none unless given.
    public init(allowedHosts: Set<Hostname> = [], allowedAddresses: Set<IPAddress> = []) {
        self.allowedHosts = allowedHosts
        self.allowedAddresses = allowedAddresses
    }

    /// Whether an address may be connected to for a host.
    package func allows(_ address: IPAddress, for host: Hostname) -> Bool {
        allowedHosts.contains(host) || allowedAddresses.contains(address) || address.isGloballyReachable
    }

    /// Whether a proxy, which resolves names itself, may be asked for a host: an address that is allowed, or a name of the public DNS.
    package func allowsThroughProxy(_ host: Hostname) -> Bool {
        switch host.kind {
        case .ip(let address): return allows(address, for: host)
        case .dns(let name):
            let labels = name.split(separator: ".")
            let isLocal =
                labels.count < 2 || labels.last.map { Self.localTopLevels.contains(String($0)) } ?? true
                || labels.suffix(2) == ["home", "arpa"]
            return allowedHosts.contains(host) || !isLocal
        }
    }

    /// Top-level domains that no public server is in: RFC 6761, RFC 6762, RFC 7686, and `internal`, which ICANN has reserved for private use.
    private static let localTopLevels: Set<String> = [
        "alt", "example", "internal", "intranet", "invalid", "lan", "local", "localdomain", "localhost", "onion",
        "test",
    ]
}

extension IPAddress {
    /// Whether IANA's registries of special-purpose addresses (RFC 6890) leave it to be one that is reachable from everywhere.
    ///
    /// An IPv6 address that stands for one of IPv4 has that one's class: mapped (RFC 4291 § 2.5.5.2) and by NAT64's well-known
    /// prefix (RFC 6052 § 2.1), which is how networks without IPv4 reach the others. 6to4, Teredo and NAT64 by a local prefix are
    /// not taken apart, but refused.
    package var isGloballyReachable: Bool { bytes.count == 4 ? Self.isGlobalV4(bytes) : Self.isGlobalV6(bytes) }

    private static func isGlobalV4(_ bytes: [UInt8]) -> Bool {
        !specialV4.contains { matches(bytes, $0.0, $0.1) }
    }

    private static func isGlobalV6(_ bytes: [UInt8]) -> Bool {
        if matches(bytes, mapped, 96) || matches(bytes, nat64, 96) { return isGlobalV4(Array(bytes[12...])) }
        // RFC 4291 § 2.4: of the rest, nothing outside 2000::/3 is global unicast.
        return matches(bytes, [0x20], 3) && !specialV6.contains { matches(bytes, $0.0, $0.1) }
    }

    private static let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
    private static let nat64: [UInt8] = [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0]

    /// Prefix and length in bits.
    private static let specialV4: [([UInt8], Int)] = [
        ([0], 8),  // this network, and 0.0.0.0
        ([10], 8), ([172, 16], 12), ([192, 168], 16),  // private
        ([100, 64], 10),  // shared by a provider's customers
        ([127], 8),  // loopback
        ([169, 254], 16),  // link-local, where clouds keep their metadata
        ([192, 0, 0], 24),  // protocol assignments
        ([192, 0, 2], 24), ([198, 51, 100], 24), ([203, 0, 113], 24),  // documentation
        ([192, 88, 99], 24),  // 6to4 relays
        ([198, 18], 15),  // benchmarks
        ([224], 4),  // multicast
        ([240], 4),  // reserved, and broadcast
    ]
    private static let specialV6: [([UInt8], Int)] = [
        ([0x20, 0x01, 0x00], 23),  // protocol assignments, Teredo among them
        ([0x20, 0x01, 0x0d, 0xb8], 32), ([0x3f, 0xff, 0x00], 20),  // documentation
        ([0x20, 0x02], 16),  // 6to4
    ]

    private static func matches(_ bytes: [UInt8], _ prefix: [UInt8], _ length: Int) -> Bool {
        let whole = length / 8
        guard bytes.prefix(whole).elementsEqual(prefix.prefix(whole)) else { return false }
        let rest = length % 8
        guard rest > 0 else { return true }
        let mask = UInt8(truncatingIfNeeded: 0xff00 >> rest)
        return bytes[whole] & mask == prefix[whole] & mask
    }
}
