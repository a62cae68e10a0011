// SPDX-License-Identifier: Apache-2.0

import PKIX
import Testing

@testable import ServerTrustNIO

@Suite("Routes to servers")
struct ConnectionRouteTests {
    @Test(
        "A direct connection uses an address's zone, but a proxy tunnel doesn't",
        arguments: [
            ("fe80::1%eth0", nil, "fe80::1%eth0", "fe80::1"), ("[fe80::1%25eth0]", nil, "fe80::1%eth0", "fe80::1"),
            ("fe80::1", nil, "fe80::1", "fe80::1"), ("fe80::1%eth0", "fe80::2%eth1", "fe80::2%eth1", "fe80::2"),
            ("www.example.com", "fe80::2%eth1", "fe80::2%eth1", "fe80::2"),
            ("www.example.com", "192.0.2.1", "192.0.2.1", "192.0.2.1"),
            ("www.example.com", nil, "www.example.com", "www.example.com"),
        ] as [(String, String?, String, String)])
    func zones(host: String, address: String?, peer: String, target: String) throws {
        let route = ConnectionRoute(try Hostname(host), port: 443, address: address)
        #expect(route.peer == (peer, 443))
        #expect(route.target == target)
    }
}
