// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustTesting
import Testing

@testable import SecurityCompatibility
@testable import ServerTrustURLSession

@Suite("Server trust challenges")
struct ServerTrustCredentialTests {
    // MARK: - The delegate from an app

    @Test(
        "useCredential accepts a server that the manager would refuse", arguments: [LabScenario.expired, .selfSigned])
    func accept(scenario: LabScenario) async throws {
        try await SessionLab.with(scenario) { lab in
            let delegate = PinningDelegate(decision: .accept)
            let (status, _) = try await lab.text(delegate: delegate)
            #expect(status == 200)
            #expect(delegate.seen.all == [lab.server.host.description])
        }
    }

    @Test(
        "performDefaultHandling follows the manager's verdict", arguments: [LabScenario.good, .expired, .intercepted])
    func leave(scenario: LabScenario) async throws {
        try await SessionLab.with(scenario) { lab in
            let delegate = PinningDelegate(decision: .leaveToSystem)
            let error = try await lab.failure(delegate: delegate)
            #expect(delegate.seen.all == [lab.server.host.description])
            #expect((error == nil) == scenario.expected.isTrusted)
            if let error {
                #expect(error.serverTrustVerdict.map { LabOutcome($0) } == scenario.expected)
                #expect(lab.server.counts.requestBytes == 0)
            }
        }
    }

    @Test(
        "Canceling or rejecting the challenge refuses a good server, and neither error is -999",
        arguments: [PinningDelegate.Decision.cancel, .reject])
    func refuse(decision: PinningDelegate.Decision) async throws {
        try await SessionLab.with { lab in
            let delegate = PinningDelegate(decision: decision)
            let error = try #require(try await lab.failure(delegate: delegate))
            #expect(error.code == .serverCertificateUntrusted)
            #expect(error.serverTrustVerdict?.headline?.code == .evaluatorRefused)
            #expect(delegate.seen.all == [lab.server.host.description])
            #expect(lab.server.counts.requestBytes == 0)
        }
    }

    @Test("If the delegate refuses a server that is itself untrusted, the error contains the server's failure")
    func refuseExpired() async throws {
        try await SessionLab.with(.expired) { lab in
            let error = try await lab.failure(delegate: PinningDelegate(decision: .cancel))
            #expect(error?.code == .serverCertificateHasBadDate)
            #expect(lab.server.counts.requestBytes == 0)
        }
    }

    // MARK: - Order of calls

    @Test("The session calls a delegate that has only the task-level method once per connection, on the delegate queue")
    func order() async throws {
        try await SessionLab.with(.expired) { lab in
            let delegate = ScriptedDelegate()
            delegate.onTask = { (.useCredential, $0.protectionSpace.serverTrust.map { URLCredential(trust: $0) }) }
            let session = try lab.session(delegate: delegate)
            for _ in 0..<3 { #expect(try await session.text(lab.url).status == 200) }
            #expect(delegate.record.asked.map(\.level) == ["task"])
            #expect(delegate.record.asked.allSatisfy { $0.method == NSURLAuthenticationMethodServerTrust })
            #expect(delegate.record.asked.allSatisfy { $0.host == "api.lab.test" && $0.port == lab.server.port })
            #expect(delegate.record.asked.allSatisfy { $0.onDelegateQueue })
            #expect(lab.server.counts.connections == 1)
        }
    }

    @Test("The session doesn't call the task's delegate if the session's delegate has decided")
    func decided() async throws {
        try await SessionLab.with { lab in
            let delegate = ScriptedDelegate()
            delegate.onSession = { (.useCredential, $0.protectionSpace.serverTrust.map { URLCredential(trust: $0) }) }
            let (status, _) = try await lab.text(delegate: delegate)
            #expect(status == 200)
            #expect(delegate.record.asked.map(\.level) == ["session"])
        }
    }

    @Test("A session without a delegate calls the delegate that was passed for the task")
    func taskDelegate() async throws {
        try await SessionLab.with { lab in
            let delegate = ScriptedDelegate()
            delegate.onTask = { _ in (.cancelAuthenticationChallenge, nil) }
            let session = try lab.session()
            await #expect { _ = try await session.data(for: URLRequest(url: lab.url), delegate: delegate) } throws: {
                ($0 as? URLError)?.code == .serverCertificateUntrusted
            }
            #expect(delegate.record.asked.map(\.level) == ["task"])
            #expect(lab.server.counts.requestBytes == 0)
        }
    }

    @Test(
        "The session doesn't use a connection that one task's delegate accepted for a task whose delegate refuses the server"
    )
    func partitions() async throws {
        try await SessionLab.with(.expired) { lab in
            let easy = ScriptedDelegate()
            easy.onTask = { (.useCredential, $0.protectionSpace.serverTrust.map { URLCredential(trust: $0) }) }
            let hard = ScriptedDelegate()
            hard.onTask = { _ in (.cancelAuthenticationChallenge, nil) }
            let session = try lab.session()
            for _ in 0..<2 { _ = try await session.data(for: URLRequest(url: lab.url), delegate: easy) }
            #expect(easy.record.asked.count == 1)
            await #expect { _ = try await session.data(for: URLRequest(url: lab.url), delegate: hard) } throws: {
                ($0 as? URLError)?.serverTrustVerdict?.isTrusted == false
            }
            #expect(hard.record.asked.count == 1)
            // It isn't used for a task without a delegate either: the manager refuses the server.
            #expect(await session.failure(lab.url)?.code == .serverCertificateHasBadDate)
            #expect(lab.server.counts.requests == 2)
        }
    }

    @Test("A delegate set on the task counts as the task's own")
    func setDelegate() async throws {
        try await SessionLab.with(.expired) { lab in
            let delegate = ScriptedDelegate()
            delegate.onTask = { (.useCredential, $0.protectionSpace.serverTrust.map { URLCredential(trust: $0) }) }
            let session = try lab.session()
            let status: Int = await withCheckedContinuation { continuation in
                let task = session.dataTask(with: lab.url) { _, response, _ in
                    continuation.resume(returning: (response as? HTTPURLResponse)?.statusCode ?? 0)
                }
                task.delegate = delegate
                task.resume()
            }
            #expect(status == 200)
        }
    }

    // MARK: - Credentials that don't fit

    @Test("A credential created for another challenge's trust accepts no server")
    func foreignTrust() async throws {
        let stolen = Locked<SecTrust?>(nil)
        try await SessionLab.with(.selfSigned) { first in
            let delegate = ScriptedDelegate()
            delegate.onSession = { challenge in
                let trust = challenge.protectionSpace.serverTrust
                stolen.withLock { $0 = trust }
                return (.cancelAuthenticationChallenge, nil)
            }
            _ = try await first.failure(delegate: delegate)
        }
        let trust = try #require(stolen.withLock { $0 })
        #expect(trust.verdict.headline?.code == .selfSignedLeaf)
        try await SessionLab.with(.selfSigned) { second in
            let delegate = ScriptedDelegate()
            delegate.onSession = { _ in (.useCredential, URLCredential(trust: trust)) }
            let error = try await second.failure(delegate: delegate)
            #expect(error?.code == .serverCertificateUntrusted)
            #expect(second.server.counts.requestBytes == 0)
        }
    }

    @Test("The app's own evaluator can read the trust object that it evaluates")
    func evaluatorThatReads() throws {
        /// Reads the trust object's verdict during its first check.
        struct Reading: TrustEvaluator {
            let trust = Locked<SecTrust?>(nil)

            func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {
                let object = self.trust.withLock { object in
                    defer { object = nil }
                    return object
                }
                if let object, !object.verdict.isTrusted { throw TrustFailures(TrustFailure(.evaluatorRefused)) }
            }
        }
        let authority = try TestAuthority.root()
        let leaf = try authority.issue(.leaf("api.example.com"))
        let host = try Hostname("api.example.com")
        let evaluator = Reading()
        var configuration = ServerTrustConfiguration(
            try ServerTrustManager(evaluators: ["api.example.com": evaluator]))
        configuration.anchors = .only([authority.certificate])
        configuration.verifyDate = .at(TestAuthority.now)
        let trust = SecTrust(PresentedChain([leaf.certificate]), host: host, configuration)
        evaluator.trust.withLock { $0 = trust }
        #expect(trust.verdict.isTrusted)
    }

    @Test("A password doesn't accept a server, and a missing credential means default handling")
    func notTrust() async throws {
        for credential in [URLCredential(user: "a", password: "b", persistence: .none), nil] {
            try await SessionLab.with(.expired) { lab in
                let delegate = ScriptedDelegate()
                delegate.onSession = { _ in (.useCredential, credential) }
                let error = try await lab.failure(delegate: delegate)
                #expect(error?.serverTrustVerdict?.isTrusted == false)
                #expect(lab.server.counts.requestBytes == 0)
            }
        }
    }

    @Test("If a delegate drops its completion handler, the session refuses the server")
    func silentDelegate() async throws {
        final class Silent: NSObject, URLSessionDelegate {
            func urlSession(
                _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
                completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
            ) {}
        }
        try await SessionLab.with { lab in
            let error = try await lab.failure(delegate: Silent())
            #expect(error?.code == .serverCertificateUntrusted)
            #expect(lab.server.counts.requestBytes == 0)
        }
    }

    @Test("The app can evaluate the challenge's certificates in its own way")
    func ownEvaluation() async throws {
        try await SessionLab.with { lab in
            let leaf = try #require(lab.server.certificates.chain.first)
            let delegate = ScriptedDelegate()
            delegate.onSession = { challenge in
                guard let trust = challenge.protectionSpace.serverTrust, trust.trust.evaluate().isTrusted,
                    trust.verdict.isTrusted, trust.trust.presentedChain.leaf == leaf
                else { return (.cancelAuthenticationChallenge, nil) }
                return (.useCredential, URLCredential(trust: trust))
            }
            let (status, _) = try await lab.text(delegate: delegate)
            #expect(status == 200)
        }
    }
}
