// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import ServerTrust
import ServerTrustTesting
import Testing

@testable import ServerTrustLab
@testable import ServerTrustURLSession

/// Known problems in Foundation's URLSession on Linux, in addition to the regular tests.
@Suite("Foundation's traps")
struct FoundationTrapTests {
    /// Foundation's own `waitsForConnectivity` can't be set, and reading it crashes the program.
    @Test("Network settings can be set and read")
    func networkSettings() throws {
        let plain = URLSessionConfiguration.ephemeral
        for configuration in [
            plain, plain.withServerTrust(try ServerTrustManager(evaluators: ["www.lab.test": DefaultTrustEvaluator()])),
        ] {
            configuration.waitsForConnectivity = true
            configuration.allowsExpensiveNetworkAccess = false
            configuration.allowsConstrainedNetworkAccess = false
            #expect(!configuration.waitsForConnectivity)
            #expect(configuration.allowsExpensiveNetworkAccess && configuration.allowsConstrainedNetworkAccess)
        }
    }

    /// Foundation's own protocols would send an https request to its server. A session has no policy if they come first
    /// in its configuration.
    @Test("This package's class is the first protocol class in every copy of a configuration")
    func protocolClasses() async throws {
        try await SessionLab.with { lab in
            let native = URLSessionConfiguration.ephemeral.protocolClasses ?? []
            #expect(!native.isEmpty)
            let configuration = try lab.configuration()
            for classes: [AnyClass]? in [nil, [], native, native + [ServerTrustURLProtocol.self]] {
                configuration.protocolClasses = classes
                let session = URLSession(configuration: configuration)
                #expect(session.configuration.protocolClasses?.first == ServerTrustURLProtocol.self)
                #expect(session.configuration.protocolClasses?.filter { $0 == ServerTrustURLProtocol.self }.count == 1)
                #expect((session.configuration as? ServerTrustSessionConfiguration)?.appProtocols.isEmpty == true)
                #expect(try await session.text(lab.url).status == 200)
            }
        }
    }

    @Test("Registering the class has no effect on a session without a policy")
    func notRegistered() throws {
        #expect(
            URLSessionConfiguration.ephemeral.protocolClasses?.contains { $0 == ServerTrustURLProtocol.self } != true)
        #expect(URLSessionConfiguration.default.protocolClasses?.contains { $0 == ServerTrustURLProtocol.self } != true)
    }

    @Test("The class claims every scheme except data:, so libcurl gets no request")
    func claims() throws {
        for text in ["https://a/", "HTTPS://a/", "http://a/", "ws://a/", "wss://a/", "ftp://a/", "file:///a", "x:y"] {
            let url = try #require(URL(string: text))
            #expect(ServerTrustURLProtocol.canInit(with: URLRequest(url: url)), "\(text)")
        }
        #expect(!ServerTrustURLProtocol.canInit(with: URLRequest(url: try #require(URL(string: "data:,a")))))
    }

    @Test("The class refuses every task whose configuration has no policy")
    func noPolicy() async throws {
        try await SessionLab.with { lab in
            let configuration = URLSessionConfiguration.ephemeral
            configuration.protocolClasses = [ServerTrustURLProtocol.self]
            let error = try #require(await URLSession(configuration: configuration).failure(lab.url))
            #expect(error.serverTrustUnsupported?.name == "foundation")
            #expect(lab.server.counts.connections == 0)
        }
    }

    @Test("A task's reflected members have their expected values")
    func inside() async throws {
        final class Reader: URLProtocol {
            static let found = Locked<[String]>([])
            override class func canInit(with request: URLRequest) -> Bool { true }
            override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
            override func startLoading() {
                if let task, let inside = try? URLSessionTaskInternals(task) {
                    let description = "\(inside.body) \(inside.ownDelegate != nil) \(inside.deliversToDelegate)"
                    Self.found.withLock { $0.append(description) }
                }
                client?.urlProtocol(self, didFailWithError: URLError(.unknown))
            }
            override func stopLoading() {}
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [Reader.self]
        let delegate = ScriptedDelegate()
        // Foundation's own session.
        let session = URLSession(
            configuration: configuration, delegate: delegate as any FoundationNetworking.URLSessionDelegate,
            delegateQueue: nil)
        let url = try #require(URL(string: "https://api.lab.test/"))
        _ = try? await session.data(from: url)
        _ = try? await session.data(from: url, delegate: ScriptedDelegate())
        _ = try? await session.upload(for: URLRequest(url: url), from: Data([1, 2, 3]))
        session.dataTask(with: url).resume()
        await delegate.completion()
        session.uploadTask(withStreamedRequest: URLRequest(url: url)).resume()
        await delegate.completion()
        #expect(
            Reader.found.withLock { $0 } == [
                "none false false", "none true false", "data(3 bytes) false false", "none false true",
                "delegates false true",
            ])
    }

    /// Foundation would resume the caller on the queue that the cancellation waits for.
    @Test("Canceling a Swift task whose response has arrived doesn't block", .timeLimit(.minutes(1)))
    func canceledAtItsEnd() async throws {
        try await SessionLab.with { lab in
            let delegate = ScriptedDelegate()
            let session = try lab.session(delegate: delegate)
            // The queue behind the queues of all tasks.
            let queue = try #require(Mirror(reflecting: session).descendant("workQueue") as? DispatchQueue)
            let gate = DispatchSemaphore(value: 0)
            delegate.onSession = { _ in
                queue.async { gate.wait() }
                return (.performDefaultHandling, nil)
            }
            let load = Task { try await session.text(lab.url).status }
            while lab.server.counts.requests == 0 { try await Task.sleep(for: .milliseconds(5)) }
            // The response arrives and waits for the queue, and then so does the cancellation.
            try await Task.sleep(for: .milliseconds(200))
            Thread.detachNewThread { load.cancel() }
            try await Task.sleep(for: .milliseconds(200))
            gate.signal()
            // A response that arrives too late ends as canceled.
            #expect([200, nil].contains(try? await load.value))
        }
    }

    @Test("The error code has the value of the Swift constant, not of the shifted C constant")
    func shiftedCode() async throws {
        try await SessionLab.with(.selfSigned) { lab in
            let error = try await lab.failure()
            #expect(error?.errorCode == -1202)
            #expect(error?.code == .serverCertificateUntrusted)
        }
    }

    /// libcurl would open its own connection, for a retry or for the answer to a challenge.
    @Test("Only this package connects after a refusal, a 401 and a redirect")
    func nothingElse() async throws {
        try await SessionLab.with(.expired) { lab in
            let session = try lab.session()
            for _ in 0..<3 { _ = await session.failure(lab.url) }
            try await Task.sleep(for: .milliseconds(200))
            #expect(lab.server.counts.connections == 3)
            #expect(lab.server.counts.requestBytes == 0)
        }
        try await SessionLab.with(.good, { $0.response = .unauthorized(LabChallenge(.basic)) }) { lab in
            let session = try lab.session()
            for _ in 0..<3 { #expect(try await session.text(lab.url).status == 401) }
            try await Task.sleep(for: .milliseconds(200))
            #expect(lab.server.counts.connections == 1)
            #expect(lab.server.counts.requests == 3)
        }
        try await SessionLab.with(.redirectToAnotherAuthority) { lab in
            let session = try lab.session()
            #expect(await session.failure(lab.url)?.serverTrustVerdict?.headline?.code == .untrustedRoot)
            try await Task.sleep(for: .milliseconds(200))
            #expect(lab.server.counts.requests == 1)
            #expect(lab.server.redirectTarget?.counts.requestBytes == 0)
            #expect(lab.server.redirectTarget?.counts.connections == 1)
        }
    }
}
