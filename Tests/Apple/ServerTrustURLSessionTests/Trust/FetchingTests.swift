// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import ServerTrust
import ServerTrustTesting
import ServerTrustURLSession
import Testing

@testable import ServerTrustLab

@Suite("Fetching intermediates that a server didn't send")
struct FetchingTests {
    /// Fetches from the lab's own repository.
    private struct LoopbackFetcher: TrustFetcher {
        func fetch(_ request: TrustFetchRequest) async throws(TrustFetchError) -> TrustFetchResponse {
            do {
                let url = URL(string: request.url) ?? URL(fileURLWithPath: "/")
                return TrustFetchResponse(body: Array(try await URLSession.shared.data(from: url).0))
            } catch {
                throw TrustFetchError(.fetchUnreachable, url: request.url)
            }
        }
    }

    private func session(_ lab: SessionLab, delegate: (any URLSessionDelegate)?, fetches: Bool) throws -> URLSession {
        var trust = try lab.trust
        if fetches { trust.fetching = TrustFetchCoordinator(fetcher: LoopbackFetcher()) }
        return URLSession(
            configuration: URLSessionConfiguration.ephemeral.withServerTrust(trust, connectingTo: lab.addresses),
            delegate: delegate, delegateQueue: nil)
    }

    @Test(
        "Default handling fetches with the configuration's fetcher, with and without a delegate",
        arguments: [true, false])
    func defaultHandling(hasDelegate: Bool) async throws {
        try await SessionLab.with(.servedIntermediate) { lab in
            let delegate = hasDelegate ? ScriptedDelegate() : nil
            let poor = try session(lab, delegate: delegate, fetches: false)
            #expect(await poor.failure(lab.url)?.serverTrustVerdict?.headline?.code == .unknownIssuer)
            let rich = try session(lab, delegate: delegate, fetches: true)
            #expect(try await rich.text(lab.url).status == 200)
        }
    }

    @Test("An invalid credential means default handling, which also fetches")
    func withoutCredential() async throws {
        try await SessionLab.with(.servedIntermediate) { lab in
            let delegate = ScriptedDelegate()
            delegate.onSession = { _ in (.useCredential, nil) }
            let session = try session(lab, delegate: delegate, fetches: true)
            #expect(try await session.text(lab.url).status == 200)
        }
    }

    @Test("The challenge's own verdict needs no network, and a delegate's refusal still refuses")
    func delegate() async throws {
        try await SessionLab.with(.servedIntermediate) { lab in
            let delegate = ScriptedDelegate()
            delegate.onSession = { challenge in
                challenge.protectionSpace.serverTrust?.verdict.isTrusted == false
                    ? (.cancelAuthenticationChallenge, nil) : (.performDefaultHandling, nil)
            }
            let session = try session(lab, delegate: delegate, fetches: true)
            #expect(await session.failure(lab.url)?.serverTrustVerdict?.isTrusted == false)
            #expect(lab.server.counts.requestBytes == 0)
        }
    }
}
