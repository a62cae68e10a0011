// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import PKIX
import ServerTrust
import ServerTrustGRPC
import ServerTrustLab
import ServerTrustTesting
import Testing

@Suite("Open gRPC calls when rules change", .timeLimit(.minutes(10)))
struct ChangedRulesTests {
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

    /// A kind of call, and what its client does when the rules change.
    enum Kind: CaseIterable { case bidirectional, serverStreaming, clientStreaming, unary }

    private let certificates: LabCertificates

    init() throws { certificates = try LabScenario.good.certificates(at: .now()) }

    /// Runs a client of an echoing server.
    private func withClient(
        _ config: HTTP2ClientTransport.Posix.Config = .defaults,
        _ body: @Sendable (GRPCClient<TrustedGRPCTransport>, TrustedGRPCTransport, Echo.Log) async throws -> Void
    ) async throws {
        let log = Echo.Log()
        let certificates = certificates
        try await Echo.withServer(certificates, log: log) { port in
            let transport = try TrustedGRPCTransport(
                target: .ipv4(address: "127.0.0.1", port: port), host: certificates.host,
                transportSecurity: .serverTrust(certificates.configuration), config: config)
            try await withGRPCClient(transport: transport) { client in try await body(client, transport, log) }
        }
    }

    private static func unary(_ client: GRPCClient<TrustedGRPCTransport>, waits: Bool = false) async throws -> String {
        var options = CallOptions.defaults
        options.waitForReady = waits
        options.timeout = .seconds(60)
        return try await client.unary(
            request: ClientRequest(message: "unary"), descriptor: Echo.say, serializer: Text(),
            deserializer: Text(), options: options
        ) { try $0.message }
    }

    /// Begins a long call, runs `body` when it is open, and waits for the end of the call.
    private static func call(
        _ kind: Kind, _ client: GRPCClient<TrustedGRPCTransport>, _ log: Echo.Log,
        _ whenOpen: @Sendable @escaping () async throws -> Void
    ) async throws {
        let (messages, input) = AsyncStream.makeStream(of: String.self)
        defer { input.finish() }
        let request = StreamingClientRequest<String> { writer in
            for await message in messages { try await writer.write(message) }
        }
        switch kind {
        case .bidirectional:
            input.yield("one")
            try await client.bidirectionalStreaming(
                request: request, descriptor: Echo.say, serializer: Text(), deserializer: Text(), options: .defaults
            ) { response in
                for try await message in response.messages {
                    #expect(message == "you asked: one")
                    try await whenOpen()
                }
            }
        case .serverStreaming:
            try await client.serverStreaming(
                request: ClientRequest(message: "begin"), descriptor: Echo.tick, serializer: Text(),
                deserializer: Text(), options: .defaults
            ) { response in
                for try await message in response.messages where message == "3" { try await whenOpen() }
            }
        case .clientStreaming:
            // The client writes until a write fails.
            let isOpen = Locked(false)
            try await client.clientStreaming(
                request: StreamingClientRequest<String> { writer in
                    while true {
                        try await writer.write("more")
                        guard !log.messages.isEmpty, !isOpen.withLock({ $0 }) else { continue }
                        isOpen.withLock { $0 = true }
                        try await whenOpen()
                    }
                }, descriptor: Echo.gather, serializer: Text(), deserializer: Text(), options: .defaults
            ) { _ = try $0.message }
        case .unary:
            // The server answers only when the client's side is over, which never happens.
            let waiting = Task {
                while log.calls == 0 { try await Task.sleep(for: .milliseconds(2)) }
                try await whenOpen()
            }
            try await client.clientStreaming(
                request: request, descriptor: Echo.gather, serializer: Text(), deserializer: Text(), options: .defaults
            ) { _ = try $0.message }
            try await waiting.value
        }
    }

    /// Sends a call that waits for a connection. Returns the reason for a refusal, or nil if it gets its response.
    private static func refusal(_ client: GRPCClient<TrustedGRPCTransport>) async -> TrustFailure.Code? {
        var found: TrustFailure.Code?
        // Without a retry policy, a call fails if it begins on a connection that is about to end.
        for _ in 0..<5 {
            let error = await error { _ = try await unary(client, waits: true) }
            found = code(error)
            if error == nil || found != nil { break }
        }
        return found
    }

    private static func error(_ body: () async throws -> Void) async -> RPCError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? RPCError
        }
    }

    private static func code(_ error: RPCError?) -> TrustFailure.Code? {
        (error?.cause as? TrustRefusal)?.headline.code
    }

    @Test(
        "Replaced rules that refuse the server end an open call with the refusal, and the server gets no other call",
        arguments: Refusal.allCases, Kind.allCases)
    func refused(refusal: Refusal, kind: Kind) async throws {
        let certificates = certificates
        try await withClient { client, _, log in
            let error = await Self.error {
                try await Self.call(kind, client, log) { try refusal.apply(certificates) }
            }
            #expect(error?.code == .unavailable)
            #expect(Self.code(error) == refusal.code, "\(String(describing: error))")
            #expect(log.calls == 1)
            for waits in [false, true] {
                let next = await Self.error { _ = try await Self.unary(client, waits: waits) }
                #expect(next?.code == .unavailable)
                #expect(Self.code(next) == refusal.code)
            }
            #expect(log.calls == 1)
        }
    }

    @Test("Calls that begin right after the rules are replaced all end with the refusal, and none reaches the server")
    func rightAfter() async throws {
        let certificates = certificates
        let accepting = ServerTrustManager(copying: certificates.manager)
        for round in 0..<20 {
            certificates.manager.replaceRules(by: accepting, denied: nil)
            try await withClient { client, _, log in
                #expect((try? await Self.unary(client, waits: true)) == "you asked: unary")
                try Refusal.allCases[round % 3].apply(certificates)
                let codes = await withTaskGroup(of: TrustFailure.Code?.self) { group in
                    for number in 0..<10 {
                        group.addTask {
                            let waits = number.isMultiple(of: 2)
                            return Self.code(
                                await Self.error { _ = try await Self.unary(client, waits: waits) })
                        }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(codes == Array(repeating: Refusal.allCases[round % 3].code, count: 10))
                #expect(log.calls == 1)
            }
        }
    }

    @Test("After rules have changed back and forth during calls, the last rules decide about the next calls")
    func storm() async throws {
        let certificates = certificates
        let accepting = ServerTrustManager(copying: certificates.manager)
        try await withClient { client, _, log in
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        for _ in 0..<40 { _ = await Self.error { _ = try await Self.unary(client) } }
                    }
                }
                for _ in 0..<20 {
                    try? Refusal.key.apply(certificates)
                    try? await Task.sleep(for: .milliseconds(2))
                    certificates.manager.replaceRules(by: accepting, denied: nil)
                    try? await Task.sleep(for: .milliseconds(5))
                }
            }
            try Refusal.key.apply(certificates)
            let calls = log.calls
            let error = await Self.error { _ = try await Self.unary(client) }
            #expect(Self.code(error) == .certificateDenied)
            #expect(log.calls == calls)
            certificates.manager.replaceRules(by: accepting, denied: nil)
            #expect(await Self.refusal(client) == nil)
        }
    }

    @Test("Replaced rules end many open calls, each with the refusal")
    func many() async throws {
        let certificates = certificates
        try await withClient { client, _, log in
            let open = Locked(0)
            let codes = await withTaskGroup(of: TrustFailure.Code?.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        let error = await Self.error {
                            try await Self.call(.bidirectional, client, log) { open.withLock { $0 += 1 } }
                        }
                        return Self.code(error)
                    }
                }
                while open.withLock({ $0 }) < 50 { try? await Task.sleep(for: .milliseconds(2)) }
                try? Refusal.key.apply(certificates)
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes == Array(repeating: .certificateDenied, count: 50))
        }
    }

    @Test("Replaced rules that accept the server leave its calls and its connection open")
    func kept() async throws {
        let certificates = certificates
        try await withClient { client, transport, log in
            let manager = certificates.manager
            let unrelated = DeniedList(keys: [SPKIPin(try TestAuthority.root().certificate)])
            let (messages, input) = AsyncStream.makeStream(of: String.self)
            input.yield("0")
            let count = try await client.bidirectionalStreaming(
                request: StreamingClientRequest<String> { writer in
                    for await message in messages { try await writer.write(message) }
                }, descriptor: Echo.say, serializer: Text(), deserializer: Text(), options: .defaults
            ) { response in
                var count = 0
                for try await message in response.messages {
                    #expect(message == "you asked: \(count)")
                    count += 1
                    guard count < 5 else {
                        input.finish()
                        continue
                    }
                    manager.replaceRules(by: manager, denied: unrelated)
                    #expect(await transport.reevaluateConnections().isEmpty)
                    input.yield("\(count)")
                }
                return count
            }
            #expect(count == 5 && log.calls == 1)
            #expect((try? await Self.unary(client)) == "you asked: unary")
        }
    }

    @Test("A call that begins after the rules refuse and accept again gets its response, not the earlier refusal")
    func backAgain() async throws {
        let certificates = certificates
        let accepting = ServerTrustManager(copying: certificates.manager)
        let closed = Locked(0)
        var config = HTTP2ClientTransport.Posix.Config.defaults
        config.channelDebuggingCallbacks.onCreateTCPConnection = { channel in
            channel.closeFuture.whenComplete { _ in closed.withLock { $0 += 1 } }
            return channel.eventLoop.makeSucceededVoidFuture()
        }
        try await withClient(config) { client, _, log in
            let error = await Self.error {
                try await Self.call(.bidirectional, client, log) { try Refusal.pins.apply(certificates) }
            }
            #expect(Self.code(error) == .pinNotMatched)
            // The transport has connected again, and the server was refused again.
            while closed.withLock({ $0 }) < 2 { try await Task.sleep(for: .milliseconds(2)) }
            certificates.manager.replaceRules(by: accepting, denied: nil)
            // gRPC Swift waits before it connects again.
            #expect(await Self.refusal(client) == nil)
        }
    }

    @Test("reevaluateConnections() returns the servers that are refused now, and their calls end with the refusal")
    func explicit() async throws {
        let expired = try LabScenario.expired.certificates(at: .now())
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("exceptions-\(UUID()).json").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try ExceptionStore(file: path)
        try store.add(expired.evaluate(PresentedChain(expired.chain)).exceptions())
        var trust = expired.configuration
        trust.manager = try ServerTrustManager(
            evaluators: [expired.host.description: DefaultTrustEvaluator()], exceptions: store, memory: nil)
        let log = Echo.Log()
        try await Echo.withServer(expired, log: log) { [trust] port in
            // Transports with the same security list only their own connections.
            let security = try TrustedGRPCSecurity.serverTrust(trust)
            let transports = try (0..<2).map { _ in
                try TrustedGRPCTransport(
                    target: .ipv4(address: "127.0.0.1", port: port), host: expired.host, transportSecurity: security)
            }
            try await withGRPCClient(transport: transports[1]) { other in
                #expect((try? await Self.unary(other)) == "you asked: unary")
                try await withGRPCClient(transport: transports[0]) { client in
                    let error = await Self.error {
                        try await Self.call(.serverStreaming, client, log) {
                            #expect(await transports[0].reevaluateConnections().isEmpty)
                            try store.removeAll(for: expired.host)
                            let refused = await transports[0].reevaluateConnections()
                            #expect(refused.map(\.host) == [expired.host])
                            #expect(refused.map { LabOutcome($0.verdict) } == [.refused(.certificateExpired)])
                        }
                    }
                    #expect(Self.code(error) == .certificateExpired, "\(String(describing: error))")
                    #expect(await transports[0].reevaluateConnections().isEmpty)
                }
                #expect(await transports[1].reevaluateConnections().map(\.host) == [expired.host])
                let next = await Self.error { _ = try await Self.unary(other) }
                #expect(Self.code(next) == .certificateExpired)
            }
        }
        #expect(log.calls == 2)
    }

    // MARK: During a handshake

    /// Waits with the verdict of the first evaluations.
    private final class HeldVerdicts: EvidenceSource {
        private let state = Locked<(verdicts: [Bool], isReleased: Bool)>(([], false))

        var verdicts: [Bool] { state.withLock { $0.verdicts } }

        func evaluate(_ trust: Trust, by steps: EvaluationSteps) async -> TrustVerdict {
            let verdict = steps.evaluate(trust)
            state.withLock { $0.verdicts.append(verdict.isTrusted) }
            while state.withLock({ !$0.isReleased }), !Task.isCancelled {
                try? await Task.sleep(for: .milliseconds(2))
            }
            return verdict
        }

        func reach(_ count: Int) async throws {
            while verdicts.count < count { try await Task.sleep(for: .milliseconds(2)) }
        }

        func release() { state.withLock { $0.isReleased = true } }
    }

    private func client(_ trust: ServerTrustConfiguration, _ host: Hostname, port: Int) throws -> TrustedGRPCTransport {
        try TrustedGRPCTransport(
            target: .ipv4(address: "127.0.0.1", port: port), host: host, transportSecurity: .serverTrust(trust))
    }

    @Test(
        "If rules refuse the server while its verdict waits, the call ends with the refusal and the server gets no byte",
        arguments: Refusal.allCases, [LabServer.TLSVersions.tls12, .tls13])
    func refusedDuringHandshake(refusal: Refusal, versions: LabServer.TLSVersions) async throws {
        var options = LabServer.Options()
        options.versions = versions
        let server = try await LabServer.start(.good, options: options)
        let held = HeldVerdicts()
        var trust = server.certificates.configuration
        trust.settings.fetching = held
        let transport = try client(trust, server.host, port: server.port)
        try await withGRPCClient(transport: transport) { client in
            let call = Task { await Self.error { _ = try await Self.unary(client, waits: true) } }
            try await held.reach(1)
            try refusal.apply(server.certificates)
            held.release()
            #expect(Self.code(await call.value) == refusal.code)
        }
        #expect(held.verdicts.prefix(2) == [true, false])
        #expect(server.counts.requestBytes == 0)
        await server.stop()
    }

    @Test(
        "If rules accept the server while its verdict waits, the call gets its response",
        arguments: [Refusal.key, .pins])
    func acceptedDuringHandshake(refusal: Refusal) async throws {
        let certificates = certificates
        let accepting = ServerTrustManager(copying: certificates.manager)
        try refusal.apply(certificates)
        let held = HeldVerdicts()
        var trust = certificates.configuration
        trust.settings.fetching = held
        try await Echo.withServer(certificates) { [trust] port in
            try await withGRPCClient(transport: client(trust, certificates.host, port: port)) { client in
                let call = Task { try await Self.unary(client, waits: true) }
                try await held.reach(1)
                certificates.manager.replaceRules(by: accepting, denied: nil)
                held.release()
                #expect((try? await call.value) == "you asked: unary")
            }
        }
        #expect(held.verdicts == [false, true])
    }

    @Test("A transport that begins while the rules deny its host connects when they accept it")
    func acceptedLater() async throws {
        let certificates = certificates
        let accepting = ServerTrustManager(copying: certificates.manager)
        try Refusal.host.apply(certificates)
        try await withClient { client, _, log in
            let denied = await Self.error { _ = try await Self.unary(client, waits: true) }
            #expect(Self.code(denied) == .hostDenied)
            certificates.manager.replaceRules(by: accepting, denied: nil)
            let call = Task { try await Self.unary(client, waits: true) }
            for _ in 0..<2_000 where log.calls == 0 { try await Task.sleep(for: .milliseconds(5)) }
            #expect(log.calls == 1)
            call.cancel()
        }
    }

    @Test("A call that fails for another reason after a refusal of an earlier connection doesn't report the refusal")
    func laterFailure() async throws {
        let certificates = certificates
        let accepting = ServerTrustManager(copying: certificates.manager)
        try await withClient { client, _, log in
            _ = await Self.error {
                try await Self.call(.bidirectional, client, log) { try Refusal.key.apply(certificates) }
            }
            certificates.manager.replaceRules(by: accepting, denied: nil)
            #expect(await Self.refusal(client) == nil)
            let error = await Self.error {
                _ = try await client.unary(
                    request: ClientRequest(message: "x"),
                    descriptor: MethodDescriptor(fullyQualifiedService: "example.Echo", method: "Unknown"),
                    serializer: Text(), deserializer: Text(), options: .defaults
                ) { try $0.message }
            }
            #expect(error?.code == .unimplemented)
            #expect(error?.cause == nil)
        }
    }
}
