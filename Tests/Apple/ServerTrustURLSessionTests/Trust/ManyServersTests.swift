// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustURLSession
import Testing
import TrustScenes

@testable import SecurityCompatibility

@Suite("Servers on several ports of one host", .serialized)
struct ManyServersTests {
    /// Two servers with different keys, each of which requires a different client's certificate. They answer each
    /// request on a separate connection.
    private func withServers(
        _ clientCertificates: LabServer.ClientCertificates, keepsConnections: Bool = false,
        _ body: (LabServer, LabServer) async throws -> Void
    ) async throws {
        var options = LabServer.Options()
        options.clientCertificates = clientCertificates
        options.response = LabResponse(headers: keepsConnections ? [] : [("connection", "close")], chunks: ["x"])
        options.protocols = ["http/1.1"]
        let one = try await LabServer.start(.good, options: options)
        let other = try await LabServer.start(.good, options: options)
        #expect(one.certificates.chain.first != other.certificates.chain.first)
        do {
            try await body(one, other)
        } catch {
            await one.stop()
            await other.stop()
            throw error
        }
        await one.stop()
        await other.stop()
    }

    private func url(_ host: String, _ server: LabServer) throws -> URL {
        try #require(URL(string: "https://\(host):\(server.port)/"))
    }

    /// Returns a session with both servers' roots, and names for which a delegate can accept them.
    private func session(
        _ server: LabServer, _ other: LabServer, delegate: (any URLSessionDelegate)?,
        _ set: (URLSessionConfiguration) -> Void = { _ in }
    ) throws -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        set(configuration)
        var trust = SessionLab.configuration(
            try ServerTrustManager(
                evaluators: ["api.lab.test": DefaultTrustEvaluator(), "127.0.0.1": DefaultTrustEvaluator()],
                memory: nil), server.certificates)
        trust.anchors = .only(server.certificates.anchors + other.certificates.anchors)
        return URLSession(
            configuration: configuration.withServerTrust(
                trust,
                connectingTo: ["api.lab.test": "127.0.0.1"]),
            delegate: delegate, delegateQueue: nil)
    }

    private func credential(_ server: LabServer, _ persistence: URLCredential.Persistence) throws -> URLCredential {
        let identity = try #require(server.clientIdentity)
        return URLCredential(
            certificateChainPEM: identity.certificatePEM, privateKeyPEM: try identity.key.pemRepresentation(),
            persistence: persistence)
    }

    /// Both tasks wait at the same time, so either task's delegate could be called for the other task's server.
    @Test("Each challenge names its own server's port", arguments: ["api.lab.test", "127.0.0.1"], [true, false])
    func ports(host: String, isTaskDelegate: Bool) async throws {
        try await withServers(.required) { one, other in
            let leaves = [one.port: one.certificates.chain.first, other.port: other.certificates.chain.first]
            let delegate = PairingDelegate([
                one.port: try credential(one, .none), other.port: try credential(other, .none),
            ])
            let session = try session(one, other, delegate: isTaskDelegate ? nil : delegate)
            let urls = try [url(host, one), url(host, other)]
            let statuses = try await withThrowingTaskGroup(of: Int?.self) { group in
                for url in urls {
                    group.addTask {
                        let (_, response) = try await session.data(
                            for: URLRequest(url: url), delegate: isTaskDelegate ? delegate : nil)
                        return (response as? HTTPURLResponse)?.statusCode
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == [200, 200])
            let asked = delegate.asked
            let trust = asked.filter { $0.method == NSURLAuthenticationMethodServerTrust }
            #expect(Set(trust.map(\.port)) == [one.port, other.port])
            for asked in trust { #expect(asked.leaf == leaves[asked.port]) }
            let identities = asked.filter { $0.method == NSURLAuthenticationMethodClientCertificate }
            #expect(Set(identities.map(\.port)) == [one.port, other.port])
            #expect(asked.allSatisfy { $0.host == host })
            #expect(asked.count == 4)
            // Neither server accepts the other server's client.
            for server in [one, other] {
                #expect(server.counts.clientCertificates == 1)
                #expect(server.counts.requests == 1)
            }
        }
    }

    @Test(
        "The session doesn't present an identity remembered for one port to another port",
        arguments: ["api.lab.test", "127.0.0.1"])
    func rememberedIdentity(host: String) async throws {
        try await withServers(.requested) { one, other in
            let credential = try credential(one, .forSession)
            let port = one.port
            let delegate = ScriptedDelegate()
            delegate.onSession = { challenge in
                if let trust = challenge.protectionSpace.serverTrust {
                    return (.useCredential, URLCredential(trust: trust))
                }
                let isNew = challenge.proposedCredential == nil && challenge.protectionSpace.port == port
                return isNew ? (.useCredential, credential) : (.performDefaultHandling, nil)
            }
            let session = try session(one, other, delegate: delegate)
            for server in [one, other, one, other] {
                let url = try url(host, server)
                #expect(try await session.text(url).status == 200)
            }
            #expect(one.counts.clientCertificates == 2)
            #expect(other.counts.handshakes == 2)
            #expect(other.counts.clientCertificates == 0)
            let asked = delegate.record.asked.filter { $0.method == NSURLAuthenticationMethodClientCertificate }
            let proposals = asked.filter { $0.level == "session" }.map { ($0.port == port, $0.proposed != nil) }
            #expect(proposals.map(\.0) == [true, false, true, false])
            #expect(proposals.map(\.1) == [false, false, true, false])
        }
    }

    /// Runs in its own process, where no other test opens or closes descriptors.
    @Test("Connections end when their session is invalidated or released, and no descriptor stays open")
    func connectionsEnd() async {
        await #expect(processExitsWith: .success) {
            let test = ManyServersTests()
            try await test.withServers(.notRequested, keepsConnections: true) { one, other in
                var descriptors: Int?
                for isInvalidated in [true, false, true, false] {
                    do {
                        let delegate = ScriptedDelegate()
                        delegate.onSession = { challenge in
                            (.useCredential, challenge.protectionSpace.serverTrust.map { URLCredential(trust: $0) })
                        }
                        let session = try test.session(one, other, delegate: delegate)
                        for server in [one, other, one, other] {
                            let url = try test.url("api.lab.test", server)
                            #expect(try await session.text(url).status == 200)
                        }
                        #expect([one, other].map(\.counts.openConnections) == [1, 1])
                        if isInvalidated { session.finishTasksAndInvalidate() }
                    }
                    // The first round opened the descriptors that stay open for good.
                    let before = descriptors ?? .max
                    #expect(
                        await Counted.comesDown {
                            one.counts.openConnections + other.counts.openConnections == 0
                                && Counted.descriptors() <= before
                        })
                    descriptors = Counted.descriptors()
                }
                #expect(one.counts.connections == 4)
            }
        }
    }

    @Test("A task continues after its session is invalidated and released", .enabled(if: EchoServer.isAvailable))
    func forgotten() async throws {
        let server = try EchoServer.shared.get()
        let data: Data? = try await withCheckedThrowingContinuation { continuation in
            do {
                let session = try server.session()
                session.dataTask(with: server.url("/drip?pause=0.001")) { data, _, _ in
                    continuation.resume(returning: data)
                }.resume()
                session.finishTasksAndInvalidate()
            } catch {
                continuation.resume(throwing: error)
            }
        }
        #expect(data?.count == 1000)
    }

    @Test(
        "A body in progress isn't interrupted when the session exceeds its server limit",
        .enabled(if: EchoServer.isAvailable))
    func veryMany() async throws {
        let server = try EchoServer.shared.get()
        let delegate = ScriptedDelegate()
        let session = try server.session(delegate: delegate)
        let task = session.dataTask(with: server.url("/drip?pause=0.05"))
        task.resume()
        #expect(await Counted.comesDown { !delegate.record.data.isEmpty })
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<8 {
                group.addTask {
                    // No server listens there, or the session doesn't trust the one that does.
                    for port in stride(from: lane + 1, through: 320, by: 8) {
                        let url = try #require(URL(string: "https://api.lab.test:\(port)/"))
                        #expect(await session.failure(url) != nil)
                    }
                }
            }
            try await group.waitForAll()
        }
        let count = delegate.record.data.count
        #expect(await Counted.comesDown { delegate.record.data.count > count + 2 })
        #expect(task.state == .running)
        task.cancel()
        session.invalidateAndCancel()
    }
}

/// Accepts each server after both have asked, and gives each port its own identity.
private final class PairingDelegate: NSObject, URLSessionDelegate, URLSessionTaskDelegate {
    struct Asked: Sendable {
        let host: String
        let port: Int
        let method: String
        let leaf: Certificate?
    }
    private struct State {
        var asked: [Asked] = []
        var held: [String: [@Sendable () -> Void]] = [:]
    }
    private let identities: [Int: URLCredential]
    private let state = Locked(State())

    init(_ identities: [Int: URLCredential]) { self.identities = identities }

    var asked: [Asked] { state.withLock { $0.asked } }

    private func answer(
        _ challenge: URLAuthenticationChallenge,
        _ completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let space = challenge.protectionSpace
        let method = space.authenticationMethod
        let credential = space.serverTrust.map { URLCredential(trust: $0) } ?? identities[space.port]
        let ready = state.withLock { state -> [@Sendable () -> Void] in
            state.asked.append(
                Asked(
                    host: space.host, port: space.port, method: method,
                    leaf: space.serverTrust?.trust.presentedChain.leaf))
            state.held[method, default: []].append { completionHandler(.useCredential, credential) }
            guard let held = state.held[method], held.count >= 2 else { return [] }
            state.held[method] = []
            return held
        }
        for answer in ready { answer() }
    }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) { answer(challenge, completionHandler) }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) { answer(challenge, completionHandler) }
}
