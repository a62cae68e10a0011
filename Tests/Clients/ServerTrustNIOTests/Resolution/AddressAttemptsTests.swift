// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import PKIX
import PeerScripts
import ServerTrust
import ServerTrustLab
import Testing

@testable import ServerTrustNIO

@Suite("Servers with several addresses", .timeLimit(.minutes(5)))
struct AddressAttemptsTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.any()

    private func probe(_ server: LabServer, _ addresses: [String]) throws -> TrustProbe {
        let found = try addresses.map { try SocketAddress(ipAddress: $0, port: 0) }
        var probe = TrustProbe(server.certificates.configuration)
        probe.timeout = .seconds(60)
        probe.nameLookup = NameLookup { _ in found }
        return probe
    }

    /// Connects to the addresses on one port.
    /// - Parameter channels: receives the channel of each attempt.
    private func connect(
        _ addresses: [SocketAddress], port: Int, within limit: TimeAmount, _ attempts: AddressAttempts,
        _ channels: Locked<[any Channel]> = Locked([])
    ) async throws -> any Channel {
        try await ClientBootstrap(group: loop).connectTimeout(limit).resolver(
            ConcurrentNameResolver(addresses, on: loop)
        )
        .connect(to: ("several.test", port), attempts) { channel in
            channels.withLock { $0.append(channel) }
            return channel.eventLoop.makeSucceededFuture(channel)
        }
    }

    /// Waits until all channels are closed. If one stays open, the test doesn't end in time.
    private func waitForEnd(of channels: Locked<[any Channel]>) async throws {
        for channel in channels.withLock({ $0 }) { try await channel.closeFuture.get() }
    }

    private static func ip(_ attempts: [AddressAttempt]) -> [String] {
        attempts.map { String($0.address.prefix(upTo: $0.address.lastIndex(of: ":") ?? $0.address.endIndex)) }
    }

    @Test("A probe reaches a server whose first address doesn't answer, and reports both addresses")
    func silentFirst() async throws {
        let server = try await LabServer.start(.good)
        let hole = try BlackHole("127.0.0.2", port: server.port)
        let report = try await probe(server, ["127.0.0.2", "127.0.0.1"]).probe(server.host, port: server.port)
        #expect(report.verdict.isTrusted && report.address == "127.0.0.1")
        #expect(
            report.attempts == [
                AddressAttempt(address: "127.0.0.2:\(hole.port)", outcome: .overtaken),
                AddressAttempt(address: "127.0.0.1:\(hole.port)", outcome: .connected),
            ])
        await server.stop()
    }

    @Test("A probe reports an address that refuses the connection")
    func closedFirst() async throws {
        let server = try await LabServer.start(.good)
        let report = try await probe(server, ["127.0.0.2", "127.0.0.1"]).probe(server.host, port: server.port)
        #expect(
            report.attempts == [
                AddressAttempt(address: "127.0.0.2:\(server.port)", outcome: .failed("connection refused")),
                AddressAttempt(address: "127.0.0.1:\(server.port)", outcome: .connected),
            ])
        await server.stop()
    }

    @Test("If no address connects, the error says what happened at each")
    func allFail() async throws {
        let server = try await LabServer.start(.good)
        let hole = try BlackHole("127.0.0.2", port: server.port)
        var probe = try probe(server, ["127.0.0.3", "127.0.0.2"])
        probe.timeout = .seconds(2)
        do throws(ConnectionFailure) {
            _ = try await probe.probe(server.host, port: server.port)
            Issue.record("connected")
        } catch {
            #expect(error.code == .connectionTimedOut && error.host == server.host && error.port == server.port)
            #expect(error.attempts.map(\.outcome) == [.failed("connection refused"), .unanswered])
            for address in ["127.0.0.3:\(hole.port)", "127.0.0.2:\(hole.port)"] {
                #expect(error.message.contains(address))
            }
        }
        #expect(server.counts.connections == 0)
        await server.stop()
    }

    @Test("The families take turns, IPv6 first, and each has a limit")
    func order() async throws {
        // Nothing listens on port 1.
        let v4 = try (1...1_000).map { try SocketAddress(ipAddress: "127.1.\($0 / 250).\($0 % 250 + 1)", port: 0) }
        let v6 = try SocketAddress(ipAddress: "::1", port: 0)
        let attempts = AddressAttempts()
        let channels = Locked<[any Channel]>([])
        await #expect(throws: NIOConnectionError.self) {
            try await connect(v4 + [v6], port: 1, within: .seconds(60), attempts, channels)
        }
        #expect(attempts.all.count == 17 && channels.withLock { $0.count } == 17)
        try await waitForEnd(of: channels)
        #expect(Self.ip(attempts.all).prefix(3) == ["[::1]", "127.1.0.2", "127.1.0.3"])
        #expect(attempts.failure(of: nil, port: nil)?.code == .connectionUnreachable)
    }

    @Test("When an address connects, the other attempts are closed")
    func losers() async throws {
        let hole = try BlackHole("127.0.0.2")
        let port = hole.port
        let listener = try await ServerBootstrap(group: loop).bind(host: "127.0.0.3", port: port).get()
        let addresses = try ["127.0.0.2", "127.0.0.3", "127.0.0.4"].map { try SocketAddress(ipAddress: $0, port: 0) }
        let attempts = AddressAttempts()
        let channels = Locked<[any Channel]>([])
        let winner = try await connect(addresses, port: port, within: .seconds(60), attempts, channels)
        #expect(winner.remoteAddress?.ipAddress == "127.0.0.3")
        #expect(attempts.all.map(\.outcome) == [.overtaken, .connected])
        try await winner.close()
        try await waitForEnd(of: channels)
        #expect(winner.remoteAddress == nil && attempts.connected?.ipAddress == "127.0.0.3")
        try await listener.close()
    }

    @Test("Canceling the task ends the attempts, and no other attempt begins")
    func cancellation() async throws {
        let hole = try BlackHole("127.0.0.2")
        let listener = try await ServerBootstrap(group: loop).bind(host: "127.0.0.3", port: hole.port).get()
        let addresses = try ["127.0.0.2", "127.0.0.4", "127.0.0.3"].map { try SocketAddress(ipAddress: $0, port: 0) }
        let attempts = AddressAttempts()
        let channels = Locked<[any Channel]>([])
        let task = Task { try await connect([addresses[0]], port: hole.port, within: .hours(1), attempts, channels) }
        while attempts.all.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(attempts.all.count == 1)
        let canceled = AddressAttempts()
        let second = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await connect(addresses, port: hole.port, within: .hours(1), canceled, channels)
        }
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(canceled.all.isEmpty)
        try await waitForEnd(of: channels)
        try await listener.close()
    }

    @Test("A probe that is canceled while it connects ends at once")
    func canceledProbe() async throws {
        let server = try await LabServer.start(.good)
        let hole = try BlackHole("127.0.0.2", port: server.port)
        var probe = try probe(server, ["127.0.0.2"])
        probe.timeout = .seconds(3_600)
        let canceled = probe
        let task = Task { try await canceled.probe(server.host, port: hole.port) }
        try await Task.sleep(for: .milliseconds(50))
        task.cancel()
        await #expect(throws: ConnectionFailure.self) { try await task.value }
        await server.stop()
    }

    @Test("If the first server to answer is refused, the other addresses aren't tried")
    func refusal() async throws {
        let server = try await LabServer.start(.expired)
        let good = try await LabServer.start(.good)
        let count = Locked(0)
        let other = try await ServerBootstrap(group: loop)
            .childChannelInitializer { channel in
                count.withLock { $0 += 1 }
                return channel.eventLoop.makeSucceededVoidFuture()
            }.bind(host: "127.0.0.2", port: server.port).get()
        let report = try await probe(server, ["127.0.0.1", "127.0.0.2"]).probe(server.host, port: server.port)
        #expect(!report.verdict.isTrusted)
        #expect(report.attempts.map(\.outcome) == [.connected] && report.address == "127.0.0.1")
        #expect(count.withLock { $0 } == 0)
        try await other.close()
        await server.stop()
        await good.stop()
    }

    @Test("A bootstrap's error for a timeout says what happened at each address")
    func bootstrap() async throws {
        let hole = try BlackHole("127.0.0.2")
        let certificates = try LabScenario.good.certificates(at: .now())
        let found = try ["127.0.0.3", "127.0.0.2"].map { try SocketAddress(ipAddress: $0, port: 0) }
        let names = ConcurrentNameResolver(limit: .seconds(60), NameLookup { _ in found })
        let tls = try ServerTrustTLS(certificates.configuration)
        do {
            _ = try await ClientBootstrap(group: loop).connectTimeout(.seconds(2)).resolver(names)
                .connect(to: certificates.host, port: hole.port, serverTrust: tls) { channel, _ in
                    channel.eventLoop.makeSucceededFuture(channel)
                }
            Issue.record("connected")
        } catch let error as ConnectionFailure {
            #expect(error.code == .connectionTimedOut && error.host == certificates.host)
            #expect(error.attempts.map(\.outcome) == [.failed("connection refused"), .unanswered])
        }
    }

    @Test("If a proxy's addresses don't answer, the error names the proxy and its addresses")
    func proxy() async throws {
        let server = try await LabServer.start(.good)
        let hole = try BlackHole("127.0.0.2")
        var probe = try probe(server, ["127.0.0.3", "127.0.0.2"])
        probe.timeout = .seconds(2)
        probe.proxy = ConnectionProxy.http(host: "proxy.test", port: hole.port)
        do throws(ConnectionFailure) {
            _ = try await probe.probe(server.host, port: server.port)
            Issue.record("connected")
        } catch {
            #expect(error.code == .connectionProxyTimedOut)
            #expect(error.message.contains("127.0.0.3:\(hole.port)") && error.message.contains("127.0.0.2:"))
            // These are the proxy's addresses, not the server's.
            #expect(error.attempts.isEmpty)
        }
        await server.stop()
    }

    @Test("The first address to accept wins, and its connection is closed")
    func firstToAccept() async throws {
        let hole = try BlackHole("127.0.0.2")
        let closed = Locked(0)
        let listener = try await ServerBootstrap(group: loop)
            .childChannelInitializer { channel in
                channel.closeFuture.whenComplete { _ in closed.withLock { $0 += 1 } }
                return channel.eventLoop.makeSucceededVoidFuture()
            }.bind(host: "127.0.0.3", port: hole.port).get()
        let addresses = try ["127.0.0.2", "127.0.0.3"].map { try SocketAddress(ipAddress: $0, port: 0) }
        let first = try await addresses.firstToAccept(port: hole.port, within: .seconds(60), on: loop)
        #expect(first.ipAddress == "127.0.0.3")
        while closed.withLock({ $0 }) == 0 { try await Task.sleep(for: .milliseconds(5)) }
        try await listener.close()
        // A single address needs no connection.
        #expect(try await [addresses[0]].firstToAccept(port: 1, within: .seconds(60), on: loop) == addresses[0])
    }
}
