// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import FoundationNetworking
import PKIX
import ServerTrust
import ServerTrustHTTP
import Testing

@testable import ServerTrustURLSession

@Suite("A session's state for its servers")
struct SessionStateTests {
    private let state = SessionState()
    private let made = Locked(0)
    private let alive = Locked(0)
    private let asked = Locked(0)

    private func server(_ port: Int, _ delegate: (any URLSessionTaskDelegate)? = nil) throws -> ConnectionKey {
        ConnectionKey(
            origin: try #require(Origin(url: "https://api.lab.test:\(port)")),
            delegate: delegate.map { ObjectIdentifier($0) })
    }

    private func transport(
        _ port: Int, _ delegate: (any URLSessionTaskDelegate)? = nil
    ) throws -> any SessionTransport {
        state.transport(to: try server(port, delegate), for: delegate) { [made, alive, asked] _ in
            made.withLock { $0 += 1 }
            return CountedTransport(alive: alive, asked: asked)
        }
    }

    @Test("Each port and each task's delegate has separate connections")
    func apart() throws {
        let (one, other) = (TaskDelegate(), TaskDelegate())
        for _ in 0..<2 {
            for port in [443, 444] {
                for delegate in [nil, one, other] { _ = try transport(port, delegate) }
            }
        }
        #expect(made.withLock { $0 } == 6)
        #expect(alive.withLock { $0 } == 6)
    }

    @Test("A delegate's connections end when it is released")
    func orphans() throws {
        do {
            let delegate = TaskDelegate()
            _ = try transport(443, delegate)
        }
        _ = try transport(444)
        #expect(alive.withLock { $0 } == 1)
    }

    @Test("Above the limit, the session keeps the most recently used servers and those in use")
    func tooMany() async throws {
        let held = try transport(1)
        for port in 2...(SessionState.maximumServers + 10) {
            _ = try transport(port)
            _ = try transport(2)
        }
        #expect(alive.withLock { $0 } == SessionState.maximumServers + 1)
        let count = made.withLock { $0 }
        _ = try transport(2)
        #expect(made.withLock { $0 } == count)
        // The session also asks the transport that is still in use.
        await state.reevaluate()
        #expect(asked.withLock { $0 } == SessionState.maximumServers + 1)
        withExtendedLifetime(held) {}
    }

    @Test("The session reevaluates all connections at the same time")
    func reevaluation() async throws {
        let meeting = Meeting(of: 3)
        for port in 1...3 {
            _ = state.transport(to: try server(port), for: nil) { _ in MeetingTransport(meeting) }
        }
        // If the calls ran one after another, the first would wait forever.
        await state.reevaluate()
        #expect(await meeting.count == 3)
    }

    @Test("All connections end with the session")
    func end() throws {
        let alive = alive
        do {
            let state = SessionState()
            for port in 1...3 {
                _ = state.transport(to: try server(port), for: nil) { [asked] _ in
                    CountedTransport(alive: alive, asked: asked)
                }
            }
            #expect(alive.withLock { $0 } == 3)
        }
        #expect(alive.withLock { $0 } == 0)
    }
}

private final class TaskDelegate: NSObject, URLSessionTaskDelegate {}

private struct NotCarried: Error {}

private final class CountedTransport: SessionTransport {
    private let alive: Locked<Int>
    private let asked: Locked<Int>

    init(alive: Locked<Int>, asked: Locked<Int>) {
        self.alive = alive
        self.asked = asked
        alive.withLock { $0 += 1 }
    }

    deinit { alive.withLock { $0 -= 1 } }

    func execute(
        _ request: HTTPClientRequest, isBodyReplayable: Bool, timeout: Duration
    ) async throws -> TrustedHTTPResponse { throw NotCarried() }
    func reevaluate() async { asked.withLock { $0 += 1 } }
}

/// Blocks each call until all calls have arrived.
private actor Meeting {
    private(set) var count = 0
    private let size: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(of size: Int) { self.size = size }

    func come() async {
        count += 1
        guard count < size else {
            for continuation in waiting { continuation.resume() }
            waiting = []
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }
}

private final class MeetingTransport: SessionTransport {
    private let meeting: Meeting

    init(_ meeting: Meeting) { self.meeting = meeting }

    func execute(
        _ request: HTTPClientRequest, isBodyReplayable: Bool, timeout: Duration
    ) async throws -> TrustedHTTPResponse { throw NotCarried() }
    func reevaluate() async { await meeting.come() }
}
