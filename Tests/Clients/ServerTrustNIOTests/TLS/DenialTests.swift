// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustNIO
import Testing

/// Never answers, and counts its lookups.
private final class SilentResolver: Resolver, Sendable {
    private let asked = Locked(0)
    private let promises: (EventLoopPromise<[SocketAddress]>, EventLoopPromise<[SocketAddress]>)

    init(_ loop: any EventLoop) {
        promises = (loop.makePromise(), loop.makePromise())
    }

    var count: Int { asked.withLock { $0 } }

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        asked.withLock { $0 += 1 }
        return promises.0.futureResult
    }

    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> { promises.1.futureResult }

    func cancelQueries() {
        promises.0.fail(CancellationError())
        promises.1.fail(CancellationError())
    }
}

/// Accepts connections, counts them, and stays silent.
final class CountingListener: Sendable {
    private let channel: any Channel
    private let accepted: Locked<Int>
    let port: Int

    init() async throws {
        let accepted = Locked(0)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                accepted.withLock { $0 += 1 }
                return channel.eventLoop.makeSucceededVoidFuture()
            }.bind(host: "127.0.0.1", port: 0).get()
        self.accepted = accepted
        self.channel = channel
        self.port = channel.localAddress?.port ?? 0
    }

    var connections: Int { accepted.withLock { $0 } }

    func stop() async throws { try await channel.close() }
}

@Suite("A denied host is refused before it is contacted")
struct DenialTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let rules: [String: HostRule]
        let code: TrustFailure.Code
    }

    static let rows = [
        Row(testDescription: "a rule that denies", rules: ["api.lab.test": .denied], code: .hostDenied),
        Row(
            testDescription: "no rule", rules: ["other.lab.test": .enforced(DefaultTrustEvaluator())],
            code: .hostNotListed),
    ]

    private func trust(_ row: Row) throws -> ServerTrustConfiguration {
        ServerTrustConfiguration(try ServerTrustManager(rules: row.rules))
    }

    private static let host = "api.lab.test"

    private func code(_ body: () async throws -> Void) async -> TrustFailure.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? TrustRefusal)?.headline.code
        }
    }

    @Test("A bootstrap doesn't ask its resolver about a denied host", arguments: rows)
    func resolver(row: Row) async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let resolver = SilentResolver(loop)
        let tls = try ServerTrustTLS(trust(row))
        let host = try Hostname(Self.host)
        let found = await code {
            try await ClientBootstrap(group: loop).resolver(resolver)
                .connect(to: host, port: 443, serverTrust: tls) { channel, _ in
                    channel.eventLoop.makeSucceededVoidFuture()
                }
        }
        #expect(found == row.code)
        #expect(resolver.count == 0)
        resolver.cancelQueries()
    }

    @Test("A bootstrap asks its resolver about a host that isn't denied")
    func resolverOfOthers() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let resolver = SilentResolver(loop)
        let tls = try ServerTrustTLS(
            ServerTrustConfiguration(try ServerTrustManager(evaluators: [:], allHostsMustBeEvaluated: false)))
        let host = try Hostname(Self.host)
        let attempt = Task {
            try await ClientBootstrap(group: loop).resolver(resolver)
                .connect(to: host, port: 443, serverTrust: tls) { channel, _ in
                    channel.eventLoop.makeSucceededVoidFuture()
                }
        }
        while resolver.count == 0 { try await Task.sleep(for: .milliseconds(2)) }
        resolver.cancelQueries()
        await #expect(throws: (any Error).self) { try await attempt.value }
    }

    @Test("No handlers are added for a denied host, so no connection is made", arguments: rows)
    func handlers(row: Row) async throws {
        let listener = try await CountingListener()
        let tls = try ServerTrustTLS(trust(row))
        let host = try Hostname(Self.host)
        #expect(throws: TrustRefusal.self) { try tls.requireNotDenied(host) }
        await #expect(throws: (any Error).self) {
            _ = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: listener.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        _ = try tls.addHandlers(to: channel.pipeline.syncOperations, host: host)
                    }
                }
        }
        #expect(throws: TrustRefusal.self) {
            try NIOSSLClientHandler(context: tls.context, host: host, trust: trust(row))
        }
        try await listener.stop()
        #expect(listener.connections == 0)
    }

    @Test("A probe reports the verdict on a denied host and doesn't connect", arguments: rows)
    func probe(row: Row) async throws {
        let listener = try await CountingListener()
        let manager = try ServerTrustManager(rules: row.rules)
        let events = manager.events.stream()
        let report = try await TrustProbe(ServerTrustConfiguration(manager)).probe(
            Hostname(Self.host), port: listener.port, connectingTo: "127.0.0.1", requesting: "/")
        #expect(report.verdict.headline?.code == row.code)
        #expect(report.presentedChain.certificates.isEmpty && report.address == nil)
        #expect(!report.isComplete && report.response == nil && report.failure == nil)
        var told = events.makeAsyncIterator()
        #expect(await told.next()?.verdict == report.verdict)
        try await listener.stop()
        #expect(listener.connections == 0)
    }

    @Test("The app's own source can deny a host, and a source that denies nothing evaluates the chain")
    func ownSource() async throws {
        let host = try Hostname(Self.host)
        let trust = try trust(Self.rows[0])
        let evaluated: @Sendable (PresentedChain, Hostname) -> TrustVerdict = {
            trust.evaluateWithoutFetching($0, host: $1)
        }
        #expect(VerdictSource.immediate(evaluated).denial(of: host) == nil)
        #expect(VerdictSource.waiting({ evaluated($0, $1) }).denial(of: host) == nil)
        for source in [
            VerdictSource.immediate(evaluated, denying: { trust.denial(of: $0) }),
            .waiting({ evaluated($0, $1) }, denying: { trust.denial(of: $0) }), VerdictSource(trust),
        ] {
            #expect(source.denial(of: host)?.headline?.code == .hostDenied)
        }
        // A trusting verdict isn't a denial: the server has not presented anything yet.
        let good = try LabScenario.good.certificates(at: .now())
        let verdict = good.evaluate(PresentedChain(good.chain))
        #expect(verdict.isTrusted)
        #expect(VerdictSource.immediate(evaluated, denying: { _ in verdict }).denial(of: host) == nil)
    }
}
