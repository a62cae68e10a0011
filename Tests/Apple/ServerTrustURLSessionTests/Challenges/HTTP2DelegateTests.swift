// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import ServerTrust
import ServerTrustTesting
import ServerTrustURLSession
import Testing

@testable import ServerTrustLab

/// A delegate that answers the challenges about servers when the test tells it to.
private final class HeldDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private typealias Question = (trust: URLCredential?, reply: @Sendable (ScriptedDelegate.Answer) -> Void)
    private let held = Locked((open: [Question](), count: 0))

    /// The number of challenges so far.
    var count: Int { held.withLock { $0.count } }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let trust = challenge.protectionSpace.serverTrust.map { URLCredential(trust: $0) }
        held.withLock { held in
            held.open.append((trust, { completionHandler($0.0, $0.1) }))
            held.count += 1
        }
    }

    /// Answers all open challenges, several times in a row if there are several answers.
    func answer(_ dispositions: URLSession.AuthChallengeDisposition...) {
        let open = held.withLock { held in
            defer { held.open = [] }
            return held.open
        }
        for question in open {
            for disposition in dispositions { question.reply((disposition, question.trust)) }
        }
    }
}

@Suite("HTTP/2 in a session with a delegate", .timeLimit(.minutes(10)))
struct HTTP2DelegateTests {
    /// The number of connections per host. A task that needs a connection opens one, so the number of connections shows
    /// how many tasks wait.
    private static let lanes = 20

    private static func session(
        _ lab: SessionLab, _ delegate: any URLSessionDelegate, _ set: (URLSessionConfiguration) -> Void = { _ in }
    ) throws -> URLSession {
        try lab.session(usesHTTP2: true, delegate: delegate) {
            $0.httpMaximumConnectionsPerHost = lanes
            set($0)
        }
    }

    /// Starts tasks and returns their errors. Nil stands for a response with status 200.
    private static func outcomes(_ count: Int, _ session: URLSession, _ url: URL) async -> [URLError?] {
        await withTaskGroup(of: URLError?.self) { group in
            for _ in 0..<count { group.addTask { await session.failure(url) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Waits until the condition is true, for as long as a busy machine might need.
    private static func until(_ condition: () async throws -> Bool) async throws {
        for _ in 0..<3_000 where try await !condition() { try await Task.sleep(for: .milliseconds(10)) }
        #expect(try await condition())
    }

    // MARK: - One challenge for all streams

    @Test("Tasks wait for the delegate's answer, then share the HTTP/2 connection that it accepts")
    func accepted() async throws {
        try await SessionLab.with { lab in
            let delegate = HeldDelegate()
            let session = try Self.session(lab, delegate)
            async let outcomes = Self.outcomes(Self.lanes, session, lab.url)
            try await Self.until { delegate.count == 1 && lab.server.counts.connections == Self.lanes }
            #expect(lab.server.counts.requestBytes == 0 && lab.server.counts.handshakes == 0)
            // Only the first answer counts.
            delegate.answer(.useCredential, .cancelAuthenticationChallenge)
            #expect(await outcomes == [URLError?](repeating: nil, count: Self.lanes))
            #expect(delegate.count == 1)
            #expect(lab.server.counts.http2Requests == Self.lanes && lab.server.counts.handshakes == 2)
            #expect(await Self.outcomes(100, session, lab.url) == [URLError?](repeating: nil, count: 100))
            #expect(delegate.count == 1 && lab.server.counts.handshakes == 2)
        }
    }

    @Test(
        "A delegate's refusal fails every task that waits, after one challenge, and the server gets no data",
        arguments: [URLSession.AuthChallengeDisposition.cancelAuthenticationChallenge, .rejectProtectionSpace])
    func refused(disposition: URLSession.AuthChallengeDisposition) async throws {
        try await SessionLab.with { lab in
            let delegate = HeldDelegate()
            let session = try Self.session(lab, delegate)
            async let outcomes = Self.outcomes(Self.lanes, session, lab.url)
            try await Self.until { delegate.count == 1 && lab.server.counts.connections == Self.lanes }
            delegate.answer(disposition, .useCredential)
            let codes = await outcomes.map(\.?.serverTrustVerdict?.headline?.code)
            #expect(codes == [TrustFailure.Code?](repeating: .evaluatorRefused, count: Self.lanes))
            #expect(delegate.count == 1)
            #expect(lab.server.counts.requestBytes == 0 && lab.server.counts.handshakes == 0)
            // A later task has its own challenge.
            async let later = session.failure(lab.url)
            try await Self.until { delegate.count == 2 }
            delegate.answer(.performDefaultHandling)
            #expect(await later == nil)
        }
    }

    @Test("The session asks about each new connection, and a refused one isn't tried again")
    func secondConnection() async throws {
        try await SessionLab.with { lab in
            let delegate = HeldDelegate()
            let session = try Self.session(lab, delegate)
            async let first = session.failure(lab.url)
            try await Self.until { delegate.count == 1 }
            delegate.answer(.useCredential)
            #expect(await first == nil)
            // No task waits, so there is no delegate to ask, and the connection is closed.
            await session.reevaluateServerTrust()
            let connections = lab.server.counts.connections
            async let later = session.failure(lab.url)
            try await Self.until { delegate.count == 2 }
            delegate.answer(.cancelAuthenticationChallenge)
            #expect(await later?.serverTrustVerdict?.headline?.code == .evaluatorRefused)
            #expect(delegate.count == 2 && lab.server.counts.requests == 1)
            #expect(lab.server.counts.connections == connections + 1)
        }
    }

    // MARK: - Ends during a challenge

    @Test("A canceled task doesn't end the challenge that others wait for", arguments: [true, false])
    func canceled(isAccepted: Bool) async throws {
        try await SessionLab.with { lab in
            let delegate = HeldDelegate()
            let session = try Self.session(lab, delegate)
            let ended = Locked<URLError?>(nil)
            // The delegate is asked on behalf of this task.
            let task = session.dataTask(with: lab.url) { _, _, error in ended.withLock { $0 = error as? URLError } }
            task.resume()
            try await Self.until { delegate.count == 1 }
            async let other = session.failure(lab.url)
            try await Self.until { lab.server.counts.connections == 2 }
            task.cancel()
            try await Self.until { ended.withLock { $0?.code == .cancelled } }
            delegate.answer(isAccepted ? .useCredential : .cancelAuthenticationChallenge)
            let error = await other
            #expect((error == nil) == isAccepted)
            #expect(isAccepted || error?.serverTrustVerdict?.headline?.code == .evaluatorRefused)
            #expect(delegate.count == 1 && lab.server.counts.requests == (isAccepted ? 1 : 0))
        }
    }

    @Test("A delegate that never answers keeps every task until its time limit, and a late answer sends nothing")
    func neverAnswers() async throws {
        try await SessionLab.with { lab in
            let delegate = HeldDelegate()
            let session = try Self.session(lab, delegate) { $0.timeoutIntervalForResource = 1 }
            let codes = await Self.outcomes(Self.lanes, session, lab.url).map(\.?.code)
            #expect(codes == [URLError.Code?](repeating: .timedOut, count: Self.lanes))
            delegate.answer(.useCredential)
            try await Self.until { lab.server.counts.openConnections == 0 }
            #expect(lab.server.counts.requestBytes == 0)
        }
    }

    @Test("An answer after the session was invalidated sends nothing")
    func invalidated() async throws {
        try await SessionLab.with { lab in
            let delegate = HeldDelegate()
            let session = try Self.session(lab, delegate)
            async let outcomes = Self.outcomes(Self.lanes, session, lab.url)
            try await Self.until { delegate.count == 1 && lab.server.counts.connections == Self.lanes }
            session.invalidateAndCancel()
            #expect(await outcomes.allSatisfy { $0 != nil })
            try await Self.until { lab.server.counts.openConnections == 0 }
            delegate.answer(.useCredential)
            #expect(lab.server.counts.requestBytes == 0 && lab.server.counts.connections == Self.lanes)
        }
    }

    @Test("Tasks fail when the server ends the connection during the challenge, and a late answer sends nothing")
    func serverEnds() async throws {
        try await SessionLab.with { lab in
            let delegate = HeldDelegate()
            let session = try Self.session(lab, delegate)
            async let outcomes = Self.outcomes(Self.lanes, session, lab.url)
            try await Self.until { delegate.count == 1 && lab.server.counts.connections == Self.lanes }
            await lab.server.stop()
            #expect(await outcomes.allSatisfy { $0 != nil && $0?.serverTrustVerdict == nil })
            delegate.answer(.useCredential)
            #expect(lab.server.counts.requestBytes == 0 && delegate.count == 1)
        }
    }

    // MARK: - Different delegates

    @Test("A task's own delegate decides about a separate connection, whatever the session's delegate accepted")
    func ownDelegate() async throws {
        try await SessionLab.with { lab in
            let shared = ScriptedDelegate()
            shared.onSession = {
                _ = $0.protectionSpace.authenticationMethod
                return (.performDefaultHandling, nil)
            }
            let own = ScriptedDelegate()
            own.onTask = { _ in (.cancelAuthenticationChallenge, nil) }
            let session = try Self.session(lab, shared)
            async let outcomes = Self.outcomes(100, session, lab.url)
            let refused = await session.failure(lab.url, ownDelegate: own)
            #expect(refused?.serverTrustVerdict?.headline?.code == .evaluatorRefused)
            #expect(await outcomes == [URLError?](repeating: nil, count: 100))
            #expect(own.record.asked.count == 1 && shared.record.asked.count == 2)
            #expect(lab.server.counts.http2Requests == 100)
        }
    }

    // MARK: - Servers and answers that need HTTP/1.1

    @Test("A server that selects HTTP/1.1 is asked about once, on one connection")
    func http1() async throws {
        try await SessionLab.with(.good, { $0.protocols = ["http/1.1"] }) { lab in
            let delegate = ScriptedDelegate()
            delegate.onSession = { (.useCredential, $0.protectionSpace.serverTrust.map { URLCredential(trust: $0) }) }
            let session = try Self.session(lab, delegate)
            for _ in 0..<2 { #expect(try await session.text(lab.url).status == 200) }
            #expect(delegate.record.asked.count == 1 && lab.server.counts.connections == 1)
        }
    }

    @Test(
        "A server that a delegate accepts in spite of failures is asked about once and served over HTTP/1.1",
        arguments: [LabScenario.expired, .selfSigned, .untrustedRoot, .wrongHost])
    func excused(scenario: LabScenario) async throws {
        try await SessionLab.with(scenario) { lab in
            let delegate = ScriptedDelegate()
            delegate.onSession = { (.useCredential, $0.protectionSpace.serverTrust.map { URLCredential(trust: $0) }) }
            let session = try Self.session(lab, delegate)
            for _ in 0..<2 { #expect(try await session.text(lab.url).status == 200) }
            #expect(delegate.record.asked.count == 1)
            #expect(lab.server.counts.requests == 2 && lab.server.counts.http2Requests == 0)
        }
    }

    @Test(
        "A server that requests a client certificate is asked about once, and gets it over HTTP/1.1",
        arguments: LabServer.TLSVersions.allCases, [LabServer.ClientCertificates.required, .requested])
    func clientCertificate(versions: LabServer.TLSVersions, request: LabServer.ClientCertificates) async throws {
        try await SessionLab.with(
            .good,
            {
                $0.clientCertificates = request
                $0.versions = versions
            }
        ) { lab in
            let identity = try #require(lab.server.clientIdentity)
            let credential = URLCredential(
                certificateChainPEM: identity.certificatePEM, privateKeyPEM: try identity.key.pemRepresentation(),
                persistence: .none)
            let delegate = ScriptedDelegate()
            delegate.onSession = {
                $0.protectionSpace.authenticationMethod == NSURLAuthenticationMethodClientCertificate
                    ? (.useCredential, credential) : (.performDefaultHandling, nil)
            }
            let session = try Self.session(lab, delegate)
            for _ in 0..<2 { #expect(try await session.text(lab.url).status == 200) }
            #expect(
                delegate.record.asked.map(\.method) == [
                    NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate,
                ])
            #expect(lab.server.counts.clientCertificates == 1 && lab.server.counts.requests == 2)
        }
    }

    @Test("The delegate answers a challenge for a password over HTTP/2")
    func password() async throws {
        try await SessionLab.with(.good, { $0.response = .unauthorized(LabChallenge(.basic)) }) { lab in
            let delegate = ScriptedDelegate()
            let challenge = LabChallenge(.basic)
            delegate.onTask = {
                $0.protectionSpace.authenticationMethod == NSURLAuthenticationMethodHTTPBasic
                    ? (
                        .useCredential,
                        URLCredential(user: challenge.user, password: challenge.password, persistence: .forSession)
                    ) : (.performDefaultHandling, nil)
            }
            let session = try Self.session(lab, delegate)
            #expect(try await session.text(lab.url).status == 200)
            #expect(delegate.record.asked.last?.method == NSURLAuthenticationMethodHTTPBasic)
            #expect(lab.server.counts.http2Requests == 2)
        }
    }
}
