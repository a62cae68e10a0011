// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustTesting
import ServerTrustURLSession
import Testing

@Suite("Sessions and URLs with U-labels")
struct InternationalHostTests {
    /// A server for `bücher.lab.test`.
    private static func scenario() throws -> LabScenario {
        let root = try TestAuthority.root(CertificateTemplate.authority("Root").valid(around: .now()))
        let host = "xn--bcher-kva.lab.test"
        let leaf = try root.issue(CertificateTemplate.leaf(host).valid(around: .now()))
        return .custom(host: host, leaf: leaf, others: [], anchors: [root.certificate])
    }

    @Test(
        "A session reaches a server by its U-labels, and evaluates it for its A-labels", arguments: [false, true])
    func labels(usesHTTP2: Bool) async throws {
        try await SessionLab.with(Self.scenario()) { lab in
            let session = try lab.session(usesHTTP2: usesHTTP2)
            for host in ["bücher.lab.test", "BÜCHER.lab.test", "xn--bcher-kva.lab.test"] {
                let url = try #require(URL(string: "https://\(host):\(lab.server.port)/"))
                #expect(try await session.text(url).status == 200)
            }
            #expect(lab.server.counts.requests == 3)
        }
    }

    @Test("A session doesn't send a request to a host that Foundation leaves percent-encoded")
    func percentEncoded() async throws {
        try await SessionLab.with(Self.scenario()) { lab in
            let session = try lab.session()
            for host in ["b%C3%BCcher.lab.test", "b\u{fc}cher%2elab.test"] {
                guard let url = URL(string: "https://\(host):\(lab.server.port)/") else { continue }
                // The session rejects one host as malformed, and has no rule for the other.
                let code = await session.failure(url)?.code
                #expect(code == .badURL || code == .serverCertificateUntrusted)
            }
            #expect(lab.server.counts.connections == 0)
        }
    }

    @Test(
        "A session doesn't follow a redirect to a host that would turn into an address",
        arguments: ["127\u{3002}0\u{3002}0\u{3002}1", "\u{ff11}\u{ff12}\u{ff17}.0.0.1"])
    func redirect(host: String) async throws {
        try await SessionLab.with(Self.scenario(), { $0.response = .redirect(to: "https://\(host)/", status: 302) }) {
            lab in
            let error = try await lab.failure()
            #expect(error?.code == .badURL)
            #expect(lab.server.counts.requests == 1)
        }
    }
}
