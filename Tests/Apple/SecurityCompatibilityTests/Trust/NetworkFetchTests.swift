// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import PKIX
import SecurityCompatibility
import ServerTrust
import ServerTrustTesting
import Testing

/// A source without evidence that records the trust objects of its requests.
private struct RecordingSource: EvidenceSource {
    let asked = Locked<[Trust]>([])
    func evaluate(_ trust: Trust, by steps: EvaluationSteps) async -> TrustVerdict {
        asked.withLock { $0.append(trust) }
        return trust.evaluate()
    }
}

@Suite("Network access by trust objects")
struct NetworkFetchTests {
    let servers: TestServers

    init() throws { self.servers = try TestServers() }

    @Test("A trust object fetches nothing if the program or the policies don't allow it")
    func fetching() async throws {
        let revocation = try #require(SecPolicyCreateRevocation(kSecRevocationUseAnyAvailableMethod))
        let offline = try #require(SecPolicyCreateRevocation(kSecRevocationNetworkAccessDisabled))
        let server = SecPolicyCreateSSL(true, "api.example.com" as CFString)
        let rows: [([SecPolicy]?, allowed: Bool?, isFetched: Bool)] = [
            (nil, nil, true), (nil, false, false), ([server], nil, true), ([server], false, false),
            ([SecPolicyCreateBasicX509()], nil, false), ([SecPolicyCreateBasicX509()], true, true),
            ([revocation], nil, true), ([SecPolicyCreateBasicX509(), revocation], nil, true),
            ([revocation, SecPolicyCreateBasicX509()], nil, true), ([server, revocation], nil, true),
            ([server, revocation], false, false), ([server, offline], nil, false), ([offline], nil, false),
            ([offline, revocation], nil, false), ([revocation, offline], nil, false), ([server, offline], true, true),
        ]
        for (policies, allowed, isFetched) in rows {
            let source = RecordingSource()
            var settings = TrustSettings()
            settings.anchors = .only([servers.root.certificate])
            settings.verifyDate = .at(TestAuthority.now)
            settings.policy.purpose = .any
            settings.fetching = source
            let client = Trust(
                presentedChain: PresentedChain(servers.intermediate.chain(servers.leaf)),
                host: try Hostname("api.example.com"), settings: settings)
            let trust = SecTrust(challenge: client) { client.evaluate() }
            if let policies { #expect(SecTrustSetPolicies(trust, policies as CFArray) == errSecSuccess) }
            if let allowed { SecTrustSetNetworkFetchAllowed(trust, allowed) }
            var isAllowed: DarwinBoolean = false
            SecTrustGetNetworkFetchAllowed(trust, &isAllowed)
            #expect(isAllowed.boolValue == isFetched)
            await withCheckedContinuation { continuation in
                SecTrustEvaluateAsyncWithError(trust, .global()) { _, _, _ in continuation.resume() }
            }
            #expect(source.asked.withLock { $0.count } == (isFetched ? 1 : 0))
            if let asked = source.asked.withLock({ $0.first }), asked.settings.revocation.mode != .off {
                #expect(asked.settings.revocation.fetching)
            }
        }
    }

    @Test("A trust object that a program creates fetches from the program's source if its policies allow it")
    func sourceOfProgram() async throws {
        let revocation = try #require(SecPolicyCreateRevocation(kSecRevocationOCSPMethod))
        let source = RecordingSource()
        SecTrust.evidenceSource = source
        let trust = try servers.trust()
        SecTrust.evidenceSource = nil
        // Other tests create objects at the same time.
        func count() -> Int {
            source.asked.withLock { $0.count { $0.presentedChain.leaf == servers.leaf.certificate } }
        }
        for (policies, expected) in [
            ([SecPolicyCreateBasicX509()], 0), ([SecPolicyCreateBasicX509(), revocation], 1), ([revocation], 2),
        ] {
            #expect(SecTrustSetPolicies(trust, policies as CFArray) == errSecSuccess)
            let isTrusted = await withCheckedContinuation { continuation in
                SecTrustEvaluateAsyncWithError(trust, .global()) { continuation.resume(returning: $1 && $2 == nil) }
            }
            #expect(isTrusted)
            #expect(count() == expected)
        }
        #expect(TrustScenarios.evaluate(trust) == .trusted)
        #expect(count() == 2)
    }
}
