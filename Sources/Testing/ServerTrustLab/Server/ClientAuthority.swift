// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import ServerTrustTesting

/// The CA for client certificates, and one client that it has certified.
struct ClientAuthority {
    let authority: TestAuthority
    let identity: TestIdentity

    init(at now: Time) throws {
        let fixture = try ScenarioFixture(authorities: SharedAuthorities(at: now))
        authority = fixture.root
        identity = try fixture.root.issue(
            fixture.leaf("client.lab.test") { $0.extendedKeyUsage = [.clientAuth] })
    }
}

#endif
