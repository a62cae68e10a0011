// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrustURLSession

@Suite("Back pressure on a body", .enabled(if: EchoServer.isAvailable))
struct BackPressureTests {
    private static let size = 64 << 20
    /// The maximum number of bytes in transit: the window, and the kernel's buffers for both ends of a loopback
    /// connection.
    private static let most = DeliveryWindow.limit + 24 << 20
    private let server: EchoServer
    private let id = UUID().uuidString

    init() throws { server = try EchoServer.shared.get() }

    /// Returns the number of bytes that the server has sent when it stops sending.
    private func sent() async throws -> Int {
        let session = try server.session()
        var last = -1
        while true {
            let text = try await session.text(server.url("/metered?id=\(id)")).text
            let now = try #require(Int(text))
            if now > 0, now == last { return now }
            last = now
            try await Task.sleep(for: .milliseconds(700))
        }
    }

    @Test(
        "The session stops reading while the delegate is busy, even longer than the idle timeout, and the body arrives complete"
    )
    func busyDelegate() async throws {
        let delegate = CountingDelegate()
        let session = try server.session(delegate: delegate) { $0.timeoutIntervalForRequest = 3 }
        session.dataTask(with: server.url("/meter?size=\(Self.size)&id=\(id)")).resume()
        #expect(try await sent() < Self.most)
        #expect(delegate.completed.withLock { $0.isEmpty })
        try await Task.sleep(for: .milliseconds(3300))
        delegate.gate.signal()
        #expect(await Counted.comesDown { !delegate.completed.withLock { $0.isEmpty } })
        #expect(delegate.bytes.withLock { $0 } == Self.size)
        #expect(delegate.completed.withLock { $0.allSatisfy { $0 == nil } })
    }

    @Test("The session stops reading a body while its task is suspended")
    func suspendedTask() async throws {
        let delegate = CountingDelegate()
        let session = try server.session(delegate: delegate)
        let task = session.dataTask(with: server.url("/meter?size=\(Self.size)&id=\(id)"))
        task.resume()
        #expect(await Counted.comesDown { delegate.isBusy.withLock { $0 } })
        task.suspend()
        delegate.gate.signal()
        #expect(try await sent() < Self.most)
        task.resume()
        #expect(await Counted.comesDown { !delegate.completed.withLock { $0.isEmpty } })
        #expect(delegate.bytes.withLock { $0 } == Self.size)
    }

    @Test("A body ends when its task is canceled")
    func cancelled() async throws {
        let delegate = CountingDelegate()
        let session = try server.session(delegate: delegate)
        let task = session.dataTask(with: server.url("/meter?size=\(Self.size)&id=\(id)"))
        task.resume()
        #expect(try await sent() < Self.most)
        task.cancel()
        delegate.gate.signal()
        #expect(await Counted.comesDown { !delegate.completed.withLock { $0.isEmpty } })
        #expect(delegate.completed.withLock { $0.first as? URLError }?.code == .cancelled)
        #expect(delegate.bytes.withLock { $0 } < Self.size)
        #expect(try await sent() < Self.size)
    }

    @Test("A time limit applies even while bytes wait for a busy delegate")
    func timeLimit() async throws {
        let delegate = CountingDelegate()
        let session = try server.session(delegate: delegate) { $0.timeoutIntervalForResource = 1.5 }
        session.dataTask(with: server.url("/meter?size=\(Self.size)&id=\(id)")).resume()
        // The connection ends when the task has failed. The delegate is busy until then.
        let other = try server.session()
        let ended = server.url("/metered?id=\(id)-ended")
        while try await other.text(ended).text != "1", delegate.completed.withLock({ $0.isEmpty }) {
            try await Task.sleep(for: .milliseconds(20))
        }
        delegate.gate.signal()
        #expect(await Counted.comesDown { !delegate.completed.withLock { $0.isEmpty } })
        #expect(delegate.completed.withLock { $0.first as? URLError }?.code == .timedOut)
        #expect(delegate.calls.withLock { $0 } <= 2)
    }

    @Test("The delegate gets the bytes of a truncated body, then the error")
    func cutOff() async throws {
        let delegate = CountingDelegate()
        delegate.gate.signal()
        let session = try server.session(delegate: delegate)
        session.dataTask(with: server.url("/reset")).resume()
        #expect(await Counted.comesDown { !delegate.completed.withLock { $0.isEmpty } })
        #expect(delegate.bytes.withLock { $0 } == 10)
        #expect(delegate.completed.withLock { $0.first as? URLError }?.code == .networkConnectionLost)
    }

    @Test("One-byte chunks reach a slow delegate in few calls, complete and in order")
    func singleBytes() async throws {
        let delegate = CollectingDelegate()
        let session = try server.session(delegate: delegate)
        session.dataTask(with: server.url("/chunks?count=20000")).resume()
        #expect(await Counted.comesDown { !delegate.completed.withLock { $0.isEmpty } })
        #expect(delegate.completed.withLock { $0.allSatisfy { $0 == nil } })
        let pieces = delegate.pieces.withLock { $0 }
        #expect(Data(pieces.joined()) == EchoServer.chunks(20_000))
        #expect(pieces.count < 2_000)
    }

    @Test("The window has room again when its bytes are consumed or its task ends")
    func window() async throws {
        let window = DeliveryWindow()
        window.add(DeliveryWindow.limit)
        #expect(window.hasCapacity)
        try await window.waitForCapacity()
        window.add(2)
        #expect(!window.hasCapacity)
        let waiting = Task { try await window.waitForCapacity() }
        window.acknowledge(1)
        #expect(!window.hasCapacity)
        window.acknowledge(1)
        try await waiting.value
        window.add(1)
        let cancelled = Task { try await window.waitForCapacity() }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
    }
}

/// Counts its bytes after a signal opens its gate.
private final class CountingDelegate: NSObject, URLSessionDataDelegate {
    let gate = DispatchSemaphore(value: 0)
    let isBusy = Locked(false)
    let bytes = Locked(0)
    let calls = Locked(0)
    let completed = Locked([(any Error)?]())

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        isBusy.withLock { $0 = true }
        gate.wait()
        gate.signal()
        bytes.withLock { $0 += data.count }
        calls.withLock { $0 += 1 }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        completed.withLock { $0.append(error) }
    }
}

/// Waits after each piece.
private final class CollectingDelegate: NSObject, URLSessionDataDelegate {
    let pieces = Locked([Data]())
    let completed = Locked([(any Error)?]())

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        Thread.sleep(forTimeInterval: 0.02)
        pieces.withLock { $0.append(data) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        completed.withLock { $0.append(error) }
    }
}
