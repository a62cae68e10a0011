// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import NIOSSL
import PKIX
import PeerScripts
import ServerTrust
import ServerTrustNIO
import ServerTrustTesting
import ServerTrustWebSocket
import Testing

@testable import ServerTrustLab

@Suite("Open WebSockets when rules change", .timeLimit(.minutes(10)))
struct ChangedRulesTests {
    private let good: LabCertificates

    init() throws { good = try LabScenario.good.certificates(at: .now()) }

    /// A way in which new rules refuse the server.
    enum Refusal: CaseIterable {
        case host, key, pins

        var code: TrustFailure.Code {
            switch self {
            case .host: .hostDenied
            case .key: .certificateDenied
            case .pins: .pinNotMatched
            }
        }

        func apply(_ certificates: LabCertificates) throws {
            let (manager, host) = (certificates.manager, certificates.host.description)
            switch self {
            case .host: manager.replaceRules(by: try ServerTrustManager(rules: [host: .denied]), denied: nil)
            case .key:
                manager.replaceRules(by: manager, denied: DeniedList(keys: [SPKIPin(certificates.chain[0])]))
            case .pins:
                let pins = try SPKIPinSet(pinsRiskingLockout: [SPKIPin(TestAuthority.root().certificate)])
                let other = try ServerTrustManager(evaluators: [host: SPKIPinsTrustEvaluator(pins)])
                manager.replaceRules(by: other, denied: nil)
            }
        }
    }

    private func code(_ error: (any Error)?) -> TrustFailure.Code? { (error as? TrustRefusal)?.headline.code }

    @Test(
        "Replaced rules that refuse the server end its open WebSocket with the refusal, and the next one isn't opened",
        arguments: Refusal.allCases)
    func refused(refusal: Refusal) async throws {
        let peer = try await WebSocketPeer([good])
        let client = try TrustedWebSocketClient(good)
        let received = Locked<[WebSocketMessage]>([])
        let before = Locked(0)
        let error = await failure {
            try await client.withConnection(to: peer.url, connectingTo: "127.0.0.1") { socket in
                try await socket.send("one")
                for try await message in socket.messages {
                    received.withLock { $0.append(message) }
                    before.withLock { $0 = peer.log.bytes[0]?.count ?? 0 }
                    try refusal.apply(good)
                }
                Issue.record("the messages ended without an error")
            }
        }
        #expect(code(error) == refusal.code, "\(String(describing: error))")
        #expect(received.withLock { $0 } == [.text("one")])
        let next = await failure {
            try await client.withConnection(to: peer.url, connectingTo: "127.0.0.1") { _ in
                Issue.record("a WebSocket was opened")
            }
        }
        #expect(code(next) == refusal.code)
        try await peer.drain()
        // Not even a closing frame.
        #expect(peer.log.bytes[0]?.count == before.withLock { $0 })
        #expect(peer.log.bytes.count == 1)
        await peer.stop()
    }

    @Test("The refusal also ends WebSockets through a proxy", arguments: [true, false])
    func proxy(isHTTP: Bool) async throws {
        let proxy = try await LabProxy.start()
        let peer = try await WebSocketPeer([good])
        var client = try TrustedWebSocketClient(good)
        client.proxy =
            isHTTP ? .http(host: "127.0.0.1", port: proxy.port) : .socks5(host: "127.0.0.1", port: proxy.port)
        let error = await failure { [client] in
            try await client.withConnection(to: peer.url) { socket in
                try await socket.send("one")
                for try await _ in socket.messages { try Refusal.key.apply(good) }
            }
        }
        #expect(code(error) == .certificateDenied, "\(String(describing: error))")
        try await peer.drain()
        await peer.stop()
        await proxy.stop()
    }

    @Test("A refused WebSocket whose messages nothing reads sends nothing more")
    func writer() async throws {
        let peer = try await WebSocketPeer([good])
        let client = try TrustedWebSocketClient(good)
        let before = Locked(0)
        let error = await failure {
            try await client.withConnection(to: peer.url, connectingTo: "127.0.0.1") { socket in
                try await socket.send("one")
                while peer.log.bytes[0]?.count ?? 0 < 100 { try await Task.sleep(for: .milliseconds(2)) }
                try Refusal.pins.apply(good)
                await client.reevaluateConnections()
                try await peer.drain()
                before.withLock { $0 = peer.log.bytes[0]?.count ?? 0 }
                try await socket.send("two")
            }
        }
        #expect(error != nil)
        #expect(peer.log.bytes[0]?.count == before.withLock { $0 })
        await peer.stop()
    }

    @Test("Replaced rules that accept the server leave its WebSocket open")
    func kept() async throws {
        let peer = try await WebSocketPeer([good])
        let client = try TrustedWebSocketClient(good)
        let manager = good.manager
        let unrelated = DeniedList(keys: [SPKIPin(try TestAuthority.root().certificate)])
        let count = try await client.withConnection(to: peer.url, connectingTo: "127.0.0.1") { socket in
            var count = 0
            try await socket.send("0")
            for try await message in socket.messages {
                #expect(message == .text("\(count)"))
                count += 1
                guard count < 5 else { break }
                manager.replaceRules(by: manager, denied: unrelated)
                #expect(await client.reevaluateConnections().isEmpty)
                try await socket.send("\(count)")
            }
            return count
        }
        #expect(count == 5)
        #expect(peer.log.connections == 1)
        try await peer.drain()
        await peer.stop()
    }

    @Test("reevaluateConnections() returns the servers that are refused now, and their WebSockets are closed")
    func explicit() async throws {
        let expired = try LabScenario.expired.certificates(at: .now())
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("exceptions-\(UUID()).json").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try ExceptionStore(file: path)
        try store.add(expired.evaluate(PresentedChain(expired.chain)).exceptions())
        var trust = expired.configuration
        trust.manager = try ServerTrustManager(
            evaluators: [expired.host.description: DefaultTrustEvaluator()], exceptions: store, memory: nil)
        let peer = try await WebSocketPeer([expired])
        var configured = try TrustedWebSocketClient(trust: trust)
        configured.timeout = .seconds(60)
        let client = configured
        // Copies share their connections.
        let copy = client
        let error = await failure {
            try await client.withConnection(to: peer.url, connectingTo: "127.0.0.1") { socket in
                #expect(await copy.reevaluateConnections().isEmpty)
                try store.removeAll(for: expired.host)
                let refused = await copy.reevaluateConnections()
                #expect(refused.map(\.host) == [expired.host])
                #expect(refused.map { LabOutcome($0.verdict) } == [.refused(.certificateExpired)])
                for try await message in socket.messages { Issue.record("\(message)") }
            }
        }
        #expect(code(error) == .certificateExpired, "\(String(describing: error))")
        #expect(await client.reevaluateConnections().isEmpty)
        try await peer.drain()
        await peer.stop()
    }

    @Test(
        "If rules refuse the server while its verdict waits, the WebSocket isn't opened and the server gets no byte",
        arguments: Refusal.allCases)
    func duringHandshake(refusal: Refusal) async throws {
        let peer = try await WebSocketPeer([good])
        let trust = good.configuration
        let state = Locked<(verdicts: [Bool], isReleased: Bool)>(([], false))
        var source = VerdictSource.waiting { chain, host in
            let verdict = trust.evaluateWithoutFetching(chain, host: host)
            state.withLock { $0.verdicts.append(verdict.isTrusted) }
            while state.withLock({ !$0.isReleased }), !Task.isCancelled {
                try? await Task.sleep(for: .milliseconds(2))
            }
            return verdict
        }
        source.follow(trust.manager)
        let context = try NIOSSLContext(configuration: .clientForServerTrust(applicationProtocols: ["http/1.1"]))
        var configured = TrustedWebSocketClient(tls: try ServerTrustTLS(source, context: context))
        configured.timeout = .seconds(60)
        let client = configured
        let opening = Task {
            await failure {
                try await client.withConnection(to: peer.url, connectingTo: "127.0.0.1") { _ in
                    Issue.record("a WebSocket was opened")
                }
            }
        }
        while state.withLock({ $0.verdicts.isEmpty }) { try await Task.sleep(for: .milliseconds(2)) }
        try refusal.apply(good)
        state.withLock { $0.isReleased = true }
        #expect(code(await opening.value) == refusal.code)
        #expect(state.withLock { $0.verdicts } == [true, false])
        try await peer.drain()
        #expect(peer.log.bytes.isEmpty)
        await peer.stop()
    }

    @Test("Replaced rules end many open WebSockets, each with the refusal")
    func many() async throws {
        let peer = try await WebSocketPeer([good])
        let client = try TrustedWebSocketClient(good)
        let open = Locked(0)
        let codes = try await withThrowingTaskGroup(of: TrustFailure.Code?.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    let error = await failure {
                        try await client.withConnection(to: peer.url, connectingTo: "127.0.0.1") { socket in
                            open.withLock { $0 += 1 }
                            for try await message in socket.messages { Issue.record("\(message)") }
                        }
                    }
                    return (error as? TrustRefusal)?.headline.code
                }
            }
            while open.withLock({ $0 }) < 50 { try await Task.sleep(for: .milliseconds(2)) }
            try Refusal.key.apply(good)
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes == Array(repeating: .certificateDenied, count: 50))
        try await peer.drain()
        await peer.stop()
    }
}
