// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import ServerTrust
import ServerTrustLab
import ServerTrustURLSession
import Testing

@Suite("One task's delegate decides only for its own tasks")
struct PartitionTests {
    /// Returns a delegate that accepts every server.
    private func easy() -> ScriptedDelegate {
        let delegate = ScriptedDelegate()
        delegate.onTask = { challenge in
            guard let trust = challenge.protectionSpace.serverTrust else { return (.performDefaultHandling, nil) }
            return (.useCredential, URLCredential(trust: trust))
        }
        return delegate
    }

    @Test("A cached response from a server that only one task's delegate accepts isn't used for other tasks")
    func cache() async throws {
        try await SessionLab.with(
            .expired,
            { $0.response = LabResponse(headers: [("cache-control", "max-age=600")], chunks: ["planted"]) }
        ) { lab in
            let session = try lab.session {
                $0.urlCache = URLCache(memoryCapacity: 10 << 20, diskCapacity: 0, diskPath: nil)
            }
            let (easy, other) = (easy(), ScriptedDelegate())
            let request = URLRequest(url: lab.url)
            for _ in 0..<2 {
                let (data, _) = try await session.data(for: request, delegate: easy)
                #expect(String(decoding: data, as: UTF8.self) == "planted")
            }
            // The delegate's own tasks get the cached response.
            #expect(lab.server.counts.requests == 1)
            #expect(await session.failure(request)?.code == .serverCertificateHasBadDate)
            await #expect { _ = try await session.data(for: request, delegate: other) } throws: {
                ($0 as? URLError)?.code == .serverCertificateHasBadDate
            }
            #expect(lab.server.counts.requests == 1)
        }
    }

    @Test("A remembered password isn't sent over a connection that a task's delegate could have accepted")
    func password() async throws {
        try await SessionLab.with(.good, { $0.response = .unauthorized(LabChallenge(.basic)) }) { lab in
            let delegate = ScriptedDelegate()
            delegate.onTask = { challenge in
                challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodHTTPBasic
                    ? (.useCredential, URLCredential(user: "user", password: "secret", persistence: .forSession))
                    : (.performDefaultHandling, nil)
            }
            let session = try lab.session(delegate: delegate)
            #expect(try await session.text(lab.url).status == 200)
            let requests = lab.server.counts.requests
            #expect(try await session.text(lab.url).status == 200)
            #expect(lab.server.counts.requests == requests + 1)
            let (_, response) = try await session.data(for: URLRequest(url: lab.url), delegate: easy())
            #expect((response as? HTTPURLResponse)?.statusCode == 401)
        }
    }
}
