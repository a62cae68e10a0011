// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import GRPCNIOTransportHTTP2Posix
import PKIX
import PeerScripts
import ServerTrust
import ServerTrustGRPC
import ServerTrustLab
import ServerTrustTesting
import Testing

/// The frames of gRPC servers.
private enum Frames {
    static func frame(_ type: UInt8, flags: UInt8 = 0, stream: UInt8 = 0, _ payload: [UInt8] = []) -> [UInt8] {
        FramePeer.frame(type, flags: flags, stream: stream, payload)
    }

    /// Returns SETTINGS with a window for streams.
    static func window(_ value: UInt32) -> [UInt8] {
        frame(4, [0, 4] + (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
    }

    static let ack = frame(4, flags: 1)

    /// Returns a field in HPACK, without compression: the number of its name in the static table, or the name.
    static func field(_ name: UInt8, _ value: String) -> [UInt8] {
        [name, UInt8(value.utf8.count)] + Array(value.utf8)
    }

    static func field(_ name: String, _ value: String) -> [UInt8] {
        [0, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(value.utf8.count)] + Array(value.utf8)
    }

    /// Returns the head of a response with any status, or with none.
    static func head(
        _ stream: UInt8, status: String? = "200", _ fields: [UInt8] = field("content-type", "application/grpc"),
        isEnd: Bool = false
    ) -> [UInt8] {
        frame(1, flags: isEnd ? 5 : 4, stream: stream, (status.map { field(8, $0) } ?? []) + fields)
    }

    static func message(_ stream: UInt8, _ text: String) -> [UInt8] {
        frame(0, stream: stream, [0, 0, 0, 0, UInt8(text.utf8.count)] + Array(text.utf8))
    }

    static func end(_ stream: UInt8, status: String = "0") -> [UInt8] {
        frame(1, flags: 5, stream: stream, field("grpc-status", status))
    }

    /// Returns a complete response.
    static func answer(_ stream: UInt8) -> [UInt8] { head(stream) + message(stream, "good") + end(stream) }

    static func reset(_ stream: UInt8, _ code: UInt8) -> [UInt8] { frame(3, stream: stream, [0, 0, 0, code]) }

    static func goAway(last: UInt8, _ code: UInt8 = 0) -> [UInt8] { frame(7, [0, 0, 0, last, 0, 0, 0, code]) }
}

/// A client of a ``FramePeer``.
private struct Caller {
    let peer: FramePeer
    let certificates: LabCertificates
    var config = HTTP2ClientTransport.Posix.Config.defaults
    var service = ServiceConfig()

    func run<Result: Sendable>(
        _ body: @Sendable (GRPCClient<TrustedGRPCTransport>) async throws -> Result
    ) async throws -> Result {
        let transport = try TrustedGRPCTransport(
            target: .ipv4(address: "127.0.0.1", port: peer.port), host: certificates.host,
            transportSecurity: .serverTrust(certificates.configuration), config: config, serviceConfig: service)
        return try await withGRPCClient(transport: transport) { try await body($0) }
    }

    /// Sends a unary call. Returns its message or its error.
    static func unary(
        _ client: GRPCClient<TrustedGRPCTransport>, timeout: Duration? = .seconds(60)
    ) async -> Swift.Result<String, RPCError> {
        var options = CallOptions.defaults
        options.waitForReady = true
        options.timeout = timeout
        do {
            return .success(
                try await client.unary(
                    request: ClientRequest(message: "hello"), descriptor: Echo.say, serializer: Text(),
                    deserializer: Text(), options: options
                ) { try $0.message })
        } catch {
            return .failure(error as? RPCError ?? RPCError(code: .unknown, message: "\(error)"))
        }
    }

    /// Sends calls until one gets its response. Without a retry policy, a call fails if it begins on a connection that
    /// is about to end.
    static func later(_ client: GRPCClient<TrustedGRPCTransport>) async -> String? {
        for _ in 0..<5 {
            if case .success(let message) = await unary(client) { return message }
        }
        return nil
    }

    static func code(_ result: Swift.Result<String, RPCError>) -> RPCError.Code? {
        if case .failure(let error) = result { error.code } else { nil }
    }
}

@Suite("Hostile gRPC servers", .timeLimit(.minutes(10)))
struct HostileServerTests {
    private let certificates: LabCertificates

    init() throws { certificates = try LabScenario.good.certificates(at: .now()) }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The frames after the first request.
        let answer: [UInt8]

        init(_ description: String, _ frames: [UInt8]...) {
            testDescription = description
            answer = Array(frames.joined())
        }
    }

    /// Responses whose status isn't one. The first request of a connection has stream 1.
    static let statuses: [Row] = invalid.flatMap { status in
        [
            Row("status “\(status)”", Frames.head(1, status: status), Frames.message(1, "bad"), Frames.end(1)),
            Row("status “\(status)” with the end", Frames.head(1, status: status, isEnd: true)),
            Row("status “\(status)”, then 200", Frames.head(1, status: status), Frames.answer(1)),
            Row(
                "status “\(status)” with a gRPC status",
                Frames.head(1, status: status, Frames.field("grpc-status", "0"), isEnd: true)),
        ]
    }

    private static let invalid: [String] = [
        "-1", "-0", "", "0", "+0", "000", "042", "099", "600", "999", "1000", "2000", "0200", "+200", " 200", "200 ",
        "2oo", "101", "99999999999999999999", "\u{0}", "２００",
    ]

    static let heads: [Row] = [
        Row("100 with the end", Frames.head(1, status: "100", [], isEnd: true)),
        Row("103 with the end", Frames.head(1, status: "103", [], isEnd: true)),
        Row(
            "199 with the end and a gRPC status",
            Frames.head(1, status: "199", Frames.field("grpc-status", "0"), isEnd: true)),
        Row("100, then data", Frames.head(1, status: "100", []), Frames.message(1, "bad"), Frames.end(1)),
        Row("100, then trailers", Frames.head(1, status: "100", []), Frames.end(1)),
        Row("no status", Frames.head(1, status: nil), Frames.message(1, "bad"), Frames.end(1)),
        Row("no status with the end", Frames.head(1, status: nil, isEnd: true)),
        Row("data without a head", Frames.message(1, "bad"), Frames.end(1)),
        Row("two heads", Frames.head(1), Frames.head(1), Frames.message(1, "bad"), Frames.end(1)),
        Row(
            "200, then 100", Frames.head(1), Frames.head(1, status: "100", []), Frames.message(1, "bad"),
            Frames.end(1)),
        Row("two statuses", Frames.head(1, Frames.field(8, "200")), Frames.message(1, "bad"), Frames.end(1)),
        Row("no end", Frames.head(1), Frames.message(1, "bad"), Frames.reset(1, 0)),
        Row(
            "a message that is cut off", Frames.head(1), Frames.frame(0, stream: 1, [0, 0, 0, 0, 9, 1]),
            Frames.end(1)),
        Row("a gRPC status that isn't a number", Frames.head(1), Frames.end(1, status: "-x")),
        Row("data of 4 GiB", Frames.head(1), Frames.frame(0, stream: 1, [0, 255, 255, 255, 255, 1]), Frames.end(1)),
    ]

    @Test(
        "A response without a valid status ends its call with an error, and the next call gets its response",
        arguments: statuses + heads)
    func malformed(row: Row) async throws {
        let peer = try await FramePeer(certificates) { frame in
            switch frame.type {
            case FramePeer.Frame.headers where frame.connection == 0 && frame.request == 0: (row.answer, false)
            case FramePeer.Frame.headers: (Frames.answer(frame.stream), false)
            case FramePeer.Frame.settings where frame.flags == 0: (Frames.ack, false)
            default: ([], false)
            }
        }
        try await Caller(peer: peer, certificates: certificates).run { client in
            let first = await Caller.unary(client)
            #expect(Caller.code(first) != nil, "\(first)")
            #expect(await Caller.later(client) == "good")
        }
        await peer.stop()
    }

    @Test("The error of a response without a valid status is `unavailable`", arguments: ["-1", "042", "1000", "101"])
    func code(status: String) async throws {
        let peer = try await FramePeer(certificates) { frame in
            frame.isHead ? (Frames.head(frame.stream, status: status), false) : ([], false)
        }
        try await Caller(peer: peer, certificates: certificates).run { client in
            #expect(Caller.code(await Caller.unary(client)) == .unavailable)
        }
        await peer.stop()
    }

    /// Pushes, before and after the client's settings are acknowledged.
    static let pushes: [Row] = [
        Row("a push", Frames.frame(5, flags: 4, stream: 1, [0, 0, 0, 2, 0x82, 0x87, 0x84])),
        Row(
            "a push with its response",
            Frames.frame(5, flags: 4, stream: 1, [0, 0, 0, 2, 0x82, 0x87, 0x84]), Frames.head(2), Frames.answer(1)),
        Row(
            "a push after the head", Frames.head(1),
            Frames.frame(5, flags: 4, stream: 1, [0, 0, 0, 2, 0x82, 0x87, 0x84]), Frames.message(1, "bad"),
            Frames.end(1)),
    ]

    @Test(
        "A push ends the connection with an error, and the next call uses another one",
        arguments: pushes, [true, false])
    func push(row: Row, isAcknowledged: Bool) async throws {
        let peer = try await FramePeer(certificates) { frame in
            switch frame.type {
            case FramePeer.Frame.headers:
                (frame.connection == 0 ? row.answer : Frames.answer(frame.stream), false)
            case FramePeer.Frame.settings where frame.flags == 0: (isAcknowledged ? Frames.ack : [], false)
            default: ([], false)
            }
        }
        try await Caller(peer: peer, certificates: certificates).run { client in
            #expect(Caller.code(await Caller.unary(client)) == .unavailable)
            #expect(await Caller.later(client) == "good")
        }
        #expect(peer.connections > 1)
        await peer.stop()
    }

    /// Calls a server that lowers the window of streams while a client sends messages. Returns the error of the call.
    private static func lowered(
        _ settings: [UInt8], then later: [UInt8], _ certificates: LabCertificates,
        _ config: HTTP2ClientTransport.Posix.Config = .defaults
    ) async throws -> (first: RPCError?, second: String?, connections: Int) {
        let hasLowered = Locked(false)
        let peer = try await FramePeer(certificates) { frame in
            if frame.connection > 0 { return (frame.isEnd ? Frames.answer(frame.stream) : [], false) }
            guard frame.type == FramePeer.Frame.data, !hasLowered.withLock({ $0 }) else { return ([], false) }
            hasLowered.withLock { $0 = true }
            return (settings + later, false)
        }
        let (first, second) = try await Caller(peer: peer, certificates: certificates, config: config).run { client in
            var first: RPCError?
            do {
                try await client.clientStreaming(
                    request: StreamingClientRequest<String> { writer in
                        try await writer.write("one")
                        while !hasLowered.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(2)) }
                        // Long enough for the frames to arrive.
                        try await Task.sleep(for: .milliseconds(100))
                    }, descriptor: Echo.say, serializer: Text(), deserializer: Text(), options: .defaults
                ) { _ = try $0.message }
            } catch {
                first = error as? RPCError
            }
            return (first, await Caller.later(client))
        }
        defer { Task { await peer.stop() } }
        return (first, second, peer.connections)
    }

    static let afterSettings: [Row] = [
        Row("nothing"), Row("the end of the call", Frames.head(1), Frames.end(1)),
        Row("a reset", Frames.reset(1, 8)), Row("a window update", Frames.frame(8, [0, 0, 0, 1])),
    ]

    @Test(
        "SETTINGS that lower the window while a client sends messages end the connection with an error",
        arguments: [0, 1, 100] as [UInt32], afterSettings)
    func lowered(window: UInt32, later: Row) async throws {
        let result = try await Self.lowered(Frames.window(window), then: later.answer, certificates)
        #expect(result.first?.code == .unavailable, "\(String(describing: result.first))")
        #expect(result.second == "good")
        #expect(result.connections > 1)
    }

    @Test("Large SETTINGS that lower the window don't end a process whose client accepts large frames")
    func largeSettings() async {
        await #expect(processExitsWith: .success) {
            let certificates = try LabScenario.good.certificates(at: .now())
            var config = HTTP2ClientTransport.Posix.Config.defaults
            config.http2.maxFrameSize = 1 << 20
            let values = Array([[UInt8]](repeating: [0, 0x99, 0, 0, 0, 0], count: 2_731).joined())
            let settings = FramePeer.frame(4, values + [0, 4, 0, 0, 0, 0])
            let result = try await HostileServerTests.lowered(settings, then: [], certificates, config)
            #expect(result.first != nil && result.second == "good")
        }
    }

    @Test("A server may raise the window during a call, and lower it between calls")
    func allowedWindows() async throws {
        let peer = try await FramePeer(certificates) { frame in
            switch frame.type {
            case FramePeer.Frame.data where frame.isEnd:
                // The window is large enough for the next message.
                (Frames.answer(frame.stream) + Frames.window(100), false)
            case FramePeer.Frame.headers: (Frames.window(1 << 20), false)
            default: ([], false)
            }
        }
        try await Caller(peer: peer, certificates: certificates).run { client in
            for _ in 0..<5 { #expect((try? await Caller.unary(client).get()) == "good") }
        }
        #expect(peer.connections == 1)
        await peer.stop()
    }

    @Test("A server that misbehaves on every connection costs each call an error, and nothing else")
    func always() async throws {
        let peer = try await FramePeer(certificates) { frame in
            guard frame.isHead else { return ([], false) }
            let bad = ["-1", "", "042", "1000", "101"][frame.request % 5]
            return (Frames.head(frame.stream, status: bad) + Frames.answer(frame.stream), false)
        }
        try await Caller(peer: peer, certificates: certificates).run { client in
            let codes = await withTaskGroup(of: RPCError.Code?.self) { group in
                for _ in 0..<50 { group.addTask { Caller.code(await Caller.unary(client)) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.count == 50 && codes.allSatisfy { $0 != nil })
        }
        while peer.openConnections > 0 { try await Task.sleep(for: .milliseconds(5)) }
        await peer.stop()
    }
}

@Suite("gRPC calls that the server didn't process", .timeLimit(.minutes(10)))
struct UnprocessedCallTests {
    /// The way in which a server says that it hasn't processed a call.
    enum Way: CaseIterable {
        case refusedStream, goAway

        func answer(_ stream: UInt8) -> [UInt8] {
            self == .refusedStream ? Frames.reset(stream, 7) : Frames.goAway(last: 0)
        }
    }

    private let certificates: LabCertificates

    init() throws { certificates = try LabScenario.good.certificates(at: .now()) }

    /// Returns a server that doesn't process the first calls, and the number of calls so far.
    private func peer(_ way: Way, refusing count: Int) async throws -> (FramePeer, Locked<Int>) {
        let calls = Locked(0)
        let peer = try await FramePeer(certificates) { frame in
            // The server answers when the client's side is complete.
            if frame.type == FramePeer.Frame.settings, frame.flags == 0 { return (Frames.ack, false) }
            guard frame.isEnd else { return ([], false) }
            let number = calls.withLock { calls in
                calls += 1
                return calls
            }
            guard number <= count else { return (Frames.answer(frame.stream), false) }
            return (way.answer(frame.stream), way == .goAway)
        }
        return (peer, calls)
    }

    private static func retrying(_ attempts: Int, _ codes: Set<Status.Code> = [.unavailable]) -> ServiceConfig {
        let policy = RetryPolicy(
            maxAttempts: attempts, initialBackoff: .milliseconds(10), maxBackoff: .milliseconds(50),
            backoffMultiplier: 1.5, retryableStatusCodes: codes)
        return ServiceConfig(methodConfig: [MethodConfig(names: [.init(service: "")], executionPolicy: .retry(policy))])
    }

    @Test("Without a retry policy, the call fails with `unavailable`, and isn't repeated", arguments: Way.allCases)
    func once(way: Way) async throws {
        let (peer, calls) = try await peer(way, refusing: 1)
        try await Caller(peer: peer, certificates: certificates).run { client in
            #expect(Caller.code(await Caller.unary(client)) == .unavailable)
            #expect(calls.withLock { $0 } == 1)
            #expect(await Caller.later(client) == "good")
        }
        await peer.stop()
    }

    @Test("gRPC's retry policy repeats the call until the server processes it", arguments: Way.allCases, 1...2)
    func repeated(way: Way, count: Int) async throws {
        let (peer, calls) = try await peer(way, refusing: count)
        var caller = Caller(peer: peer, certificates: certificates)
        caller.service = Self.retrying(3)
        try await caller.run { client in #expect((try? await Caller.unary(client).get()) == "good") }
        #expect(calls.withLock { $0 } == count + 1)
        await peer.stop()
    }

    @Test("gRPC's retry policy stops after its number of attempts", arguments: Way.allCases)
    func limited(way: Way) async throws {
        let (peer, calls) = try await peer(way, refusing: 100)
        var caller = Caller(peer: peer, certificates: certificates)
        caller.service = Self.retrying(3)
        try await caller.run { client in #expect(Caller.code(await Caller.unary(client)) == .unavailable) }
        #expect(calls.withLock { $0 } == 3)
        await peer.stop()
    }

    @Test("A retry policy for other codes doesn't repeat the call", arguments: Way.allCases)
    func otherCodes(way: Way) async throws {
        let (peer, calls) = try await peer(way, refusing: 1)
        var caller = Caller(peer: peer, certificates: certificates)
        caller.service = Self.retrying(3, [.aborted])
        try await caller.run { client in #expect(Caller.code(await Caller.unary(client)) == .unavailable) }
        #expect(calls.withLock { $0 } == 1)
        await peer.stop()
    }

    @Test(
        "A server's wish for a pause of millions of years doesn't end the process",
        arguments: [
            "\(Int64.max)", "\(Int64.min)", "-1", "99999999999999999999",
        ])
    func pushback(pause: String) async throws {
        let calls = Locked(0)
        let peer = try await FramePeer(certificates) { frame in
            guard frame.isEnd else { return ([], false) }
            calls.withLock { $0 += 1 }
            let fields = Frames.field("grpc-status", "14") + Frames.field("grpc-retry-pushback-ms", pause)
            let head = Frames.field("content-type", "application/grpc")
            return (Frames.head(frame.stream, head + fields, isEnd: true), false)
        }
        var caller = Caller(peer: peer, certificates: certificates)
        caller.service = Self.retrying(3)
        try await caller.run { client in
            let call = Task { await Caller.unary(client, timeout: nil) }
            while calls.withLock({ $0 }) == 0 { try await Task.sleep(for: .milliseconds(2)) }
            try await Task.sleep(for: .milliseconds(50))
            call.cancel()
            #expect(Caller.code(await call.value) != nil)
        }
        await peer.stop()
    }

    @Test("A retry policy doesn't reach a server that the rules refuse")
    func refused() async throws {
        let server = try await LabServer.start(.expired)
        let transport = try TrustedGRPCTransport(
            target: .ipv4(address: "127.0.0.1", port: server.port), host: server.host,
            transportSecurity: .serverTrust(server.certificates.configuration), serviceConfig: Self.retrying(3))
        try await withGRPCClient(transport: transport) { client in
            // With a time limit, gRPC Swift's retry executor would wait for it before it reports the error.
            guard case .failure(let error) = await Caller.unary(client, timeout: nil) else {
                Issue.record("called")
                return
            }
            #expect((error.cause as? TrustRefusal)?.headline.code == .certificateExpired)
        }
        #expect(server.counts.requestBytes == 0)
        await server.stop()
    }
}
