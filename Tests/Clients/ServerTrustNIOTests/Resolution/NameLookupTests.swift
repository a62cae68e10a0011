// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import NIOPosix
import PKIX
import ServerTrust
import ServerTrustLab
import Testing

@testable import ServerTrustNIO

@Suite("Name lookups", .timeLimit(.minutes(10)))
struct NameLookupTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    @Test("Fifty dead names don't delay the thirty healthy names behind them, and fail at their own time limits")
    func deadNames() async throws {
        let resolver = FakeResolver()
        let lookup = resolver.lookup()
        let dead = (0..<50).map { lookup.addresses(of: "dead\($0).test", within: .milliseconds(300), on: loop) }
        for number in 0..<30 {
            let addresses = try await lookup.addresses(of: "good\(number).test", within: .seconds(60), on: loop).get()
            #expect(addresses.map(\.ipAddress) == ["192.0.2.1"])
        }
        for future in dead {
            await #expect(throws: ConnectionFailure.self) { try await future.get() }
        }
        resolver.release()
        try await until { lookup.threads == 0 }
    }

    @Test("A caller that runs out of time gets a timeout, and other callers keep waiting for the answer")
    func ownTime() async throws {
        let resolver = FakeResolver()
        let lookup = resolver.lookup()
        let patient = lookup.addresses(of: "dead.test", within: .seconds(60), on: loop)
        let hasty = lookup.addresses(of: "dead.test", within: .milliseconds(50), on: loop)
        do {
            _ = try await hasty.get()
            Issue.record("a name without an answer was resolved")
        } catch let error as ConnectionFailure {
            #expect(error.code == .connectionNameLookupTimedOut)
            #expect(error.host == (try Hostname("dead.test")))
        }
        resolver.release()
        #expect(try await patient.get().count == 1)
        #expect(resolver.asked == ["dead.test"])
    }

    @Test("When all threads are busy, names wait in a queue, and abandoned names aren't looked up")
    func line() async throws {
        let resolver = FakeResolver()
        let lookup = resolver.lookup(maximumThreads: 2)
        let dead = (0..<2).map { lookup.addresses(of: "dead\($0).test", within: .seconds(60), on: loop) }
        let late = (0..<5).map { lookup.addresses(of: "late\($0).test", within: .milliseconds(50), on: loop) }
        let good = lookup.addresses(of: "good.test", within: .seconds(60), on: loop)
        for future in late { await #expect(throws: ConnectionFailure.self) { try await future.get() } }
        #expect(lookup.threads == 2)
        resolver.release()
        for future in dead + [good] { _ = try await future.get() }
        #expect(Set(resolver.asked) == ["dead0.test", "dead1.test", "good.test"])
        try await until { lookup.threads == 0 }
    }

    @Test("A canceled task doesn't wait for a lookup that hangs")
    func cancellation() async throws {
        let resolver = FakeResolver()
        let lookup = resolver.lookup()
        let task = Task { try await lookup.addresses(of: "dead.test", before: .now() + .hours(1), on: loop) }
        try await until { resolver.asked == ["dead.test"] }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        resolver.release()
    }

    @Test(
        "An address needs no lookup",
        arguments: ["192.0.2.7", "2001:db8::7", "::1"])
    func literal(_ address: String) async throws {
        let resolver = FakeResolver()
        let found = try await resolver.lookup().addresses(of: address, within: .seconds(60), on: loop).get()
        #expect(found.map(\.ipAddress) == [address])
        #expect(resolver.asked == [])
    }

    @Test("The system's resolver finds this machine and rejects a name that doesn't exist")
    func system() async throws {
        let found = try await NameLookup.shared.addresses(of: "localhost", within: .seconds(60), on: loop).get()
        #expect(found.contains { $0.ipAddress == "127.0.0.1" || $0.ipAddress == "::1" })
        #expect(throws: ConnectionFailure.self) { try SystemNames.addresses(of: "no such name") }
    }

    // MARK: - In a bootstrap and in a probe

    @Test("A bootstrap connects to a name while another lookup hangs on its event loop")
    func bootstrap() async throws {
        let server = try await LabServer.start(.good)
        let resolver = FakeResolver("127.0.0.1")
        let names = ConcurrentNameResolver(limit: .seconds(60), resolver.lookup())
        let bootstrap = ClientBootstrap(group: loop).resolver(names)
        let dead = bootstrap.connect(host: "dead.test", port: server.port)
        let channel = try await bootstrap.connect(host: "good.test", port: server.port).get()
        #expect(channel.remoteAddress?.port == server.port)
        try await channel.close()
        resolver.release()
        try await dead.get().close()
        await server.stop()
    }

    @Test("A probe whose lookup hangs ends with the lookup's code, and concurrent probes still trust healthy servers")
    func probes() async throws {
        let server = try await LabServer.start(.good)
        let resolver = FakeResolver("127.0.0.1")
        var probe = TrustProbe(server.certificates.configuration)
        probe.nameLookup = resolver.lookup()
        probe.timeout = .seconds(60)
        probe.nameLookupTimeout = .seconds(60)
        let healthy = probe
        probe.nameLookupTimeout = .milliseconds(500)
        let dead = probe
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    do throws(ConnectionFailure) {
                        _ = try await dead.probe(
                            server.host, port: server.port, connectingTo: "dead\(number).test")
                        Issue.record("a name without an answer was probed")
                    } catch {
                        #expect(error.code == .connectionNameLookupTimedOut)
                    }
                }
            }
            for number in 0..<10 {
                group.addTask {
                    let report = try await healthy.probe(
                        server.host, port: server.port, connectingTo: "good\(number).test")
                    #expect(report.verdict.isTrusted)
                }
            }
            try await group.waitForAll()
        }
        resolver.release()
        await server.stop()
    }

    @Test("The connect timeout starts when the lookup ends")
    func slowName() async throws {
        let server = try await LabServer.start(.good)
        var probe = TrustProbe(server.certificates.configuration)
        probe.nameLookup = NameLookup { _ throws(ConnectionFailure) in
            Thread.sleep(forTimeInterval: 5.5)
            return [try .loopback]
        }
        probe.nameLookupTimeout = .seconds(60)
        probe.timeout = .seconds(5)
        let report = try await probe.probe(server.host, port: server.port, connectingTo: "slow.test")
        #expect(report.verdict.isTrusted)
        await server.stop()
    }

    @Test(
        "The error codes distinguish a missing name from name servers that don't answer",
        arguments: [
            (ErrorCode.connectionNameNotResolved, ErrorCode.connectionNameNotResolved),
            (.connectionNameServerFailed, .connectionNameServerFailed),
            (.connectionNameLookupTimedOut, .connectionNameLookupTimedOut),
        ])
    func codes(_ reason: ErrorCode, _ expected: ErrorCode) async throws {
        var probe = TrustProbe(
            ServerTrustConfiguration(try ServerTrustManager(evaluators: [:], allHostsMustBeEvaluated: false)))
        probe.nameLookup = NameLookup { name throws(ConnectionFailure) in throw ConnectionFailure(reason, name: name) }
        let host = try Hostname("api.example.com")
        do throws(ConnectionFailure) {
            _ = try await probe.probe(host)
            Issue.record("a name without an address was probed")
        } catch {
            #expect(error.code == expected)
        }
    }
}

/// Answers lookups of `dead…` only after it is released, and all others immediately.
private final class FakeResolver: Sendable {
    private let address: String
    private let names = Locked<[String]>([])
    private let isReleased = Locked(false)

    init(_ address: String = "192.0.2.1") { self.address = address }

    /// The names that were looked up.
    var asked: [String] { names.withLock { $0 } }

    func lookup(maximumThreads: Int = 256) -> NameLookup {
        NameLookup(maximumThreads: maximumThreads) { [self] name throws(ConnectionFailure) in
            names.withLock { $0.append(name) }
            if name.hasPrefix("dead") { wait() }
            guard let found = try? SocketAddress(ipAddress: address, port: 0) else { return [] }
            return [found]
        }
    }

    private func wait() {
        while !isReleased.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.01) }
    }

    func release() { isReleased.withLock { $0 = true } }
}

extension SocketAddress {
    fileprivate static var loopback: SocketAddress {
        get throws(ConnectionFailure) {
            do { return try SocketAddress(ipAddress: "127.0.0.1", port: 0) } catch {
                throw ConnectionFailure(.connectionNameNotResolved, name: "127.0.0.1")
            }
        }
    }
}

/// Waits for a condition.
private func until(_ condition: () -> Bool) async throws {
    while !condition() { try await Task.sleep(for: .milliseconds(5)) }
}
