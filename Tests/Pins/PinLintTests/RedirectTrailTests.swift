// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import Testing

@testable import PinLint

@Suite("Redirects in a live check")
struct RedirectTrailTests {
    @Test("A live check doesn't follow a redirect to another service")
    func redirect() throws {
        let endpoint = try ServerEndpoint("https://api.example.com/")
        for location in ["smtp://mail.example.com/", "ldaps://ldap.example.com", "postgres://db.example.com/app"] {
            var trail = RedirectTrail(from: endpoint)
            guard case .problem = trail.step(status: 302, location: location, from: endpoint) else {
                Issue.record("\(location) was followed")
                continue
            }
        }
    }
}
