// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import PeerScripts
import ServerTrustLab
import ServerTrustTesting

/// How a client finds a server. Tests/External/feature-table adds the names to the machine's hosts.
let addressFeatures: [Feature] = [
    Feature("addresses", "Reaches a server whose first address, of two, doesn't answer (RFC 8305)") { client in
        let server = try await Site { $0.dnsNames = [AddressFeatures.several] }.start()
        // A machine without IPv6 can't connect to this address either.
        let hole = try? BlackHole("::1", port: server.port)
        defer { withExtendedLifetime(hole) {} }
        var setup = Setup(server)
        setup.connectTimeout = 5
        return try await client.get("https://\(AddressFeatures.several):\(server.port)/", setup).status == 200
    },
    Feature("addresses-error", "… and names the addresses in its error if none answers") { client in
        let hole = try BlackHole("127.0.0.1")
        let other = try? BlackHole("::1", port: hole.port)
        defer { withExtendedLifetime(other) {} }
        var setup = Setup(anchors: [try Site().root.certificate])
        setup.connectTimeout = 3
        setup.timeout = 15
        do {
            _ = try await client.get("https://\(AddressFeatures.several):\(hole.port)/", setup)
            return false
        } catch {
            return "\(error) \((error as NSError).userInfo)".contains("127.0.0.1")
        }
    },
    Feature("international", "Reaches a server by the U-labels of its host (`https://bücher.example`)") { client in
        let server = try await Site { $0.dnsNames = [AddressFeatures.international] }.start()
        return try await client.get("https://bücher.lab.test:\(server.port)/", Setup(server)).status == 200
    },
    Feature("international-address", "Rejects a host that would turn into an address (`https://127。0。0。1`)") { client in
        let server = try await Site { $0.ipAddresses = [IPAddress("127.0.0.1")].compactMap(\.self) }.start()
        do {
            _ = try await client.get("https://127。0。0。1:\(server.port)/", Setup(server))
            return false
        } catch {
            return server.counts.connections == 0
        }
    },
]

enum AddressFeatures {
    /// A name with an IPv6 and an IPv4 address, both loopback.
    static let several = "several.lab.test"
    /// A name with the address 127.0.0.1.
    static let international = "xn--bcher-kva.lab.test"
}
