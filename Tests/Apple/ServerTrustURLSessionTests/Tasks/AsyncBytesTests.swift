// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustTesting
import ServerTrustURLSession
import Testing
import TrustScenes

@Suite("bytes(for:)", .enabled(if: EchoServer.isAvailable), .timeLimit(.minutes(10)))
struct AsyncBytesTests {
    private let server: EchoServer

    init() throws { server = try EchoServer.shared.get() }

    @Test("All bytes arrive in order")
    func whole() async throws {
        let (bytes, response) = try await server.session().bytes(from: server.url("/big?size=300000"))
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        #expect(bytes.task.response === response)
        var count = 0
        for try await byte in bytes {
            guard byte == UInt8(ascii: "x") else { break }
            count += 1
        }
        #expect(count == 300_000)
        #expect(await Counted.comesDown { bytes.task.state == .completed })
    }

    @Test("One-byte chunks arrive in order, also on the main actor and after the reader pauses")
    @MainActor
    func singleBytes() async throws {
        let (bytes, _) = try await server.session().bytes(from: server.url("/chunks?count=20000"))
        try await Task.sleep(for: .milliseconds(100))
        var found = Data()
        for try await byte in bytes { found.append(byte) }
        #expect(found == EchoServer.chunks(20_000))
    }

    @Test("Reading available bytes doesn't suspend")
    @MainActor
    func isolation() async throws {
        let (bytes, _) = try await server.session().bytes(from: server.url("/big?size=1000"))
        var iterator = bytes.makeAsyncIterator()
        #expect(try await iterator.next(isolation: MainActor.shared) == UInt8(ascii: "x"))
        // The main actor runs this task when the loop below suspends.
        let hasLeft = Locked(false)
        let other = Task { @MainActor in hasLeft.withLock { $0 = true } }
        var count = 1
        while count < 1000, try await iterator.next(isolation: MainActor.shared) != nil { count += 1 }
        #expect(!hasLeft.withLock { $0 })
        await other.value
        #expect(count == 1000)
        #expect(try await iterator.next(isolation: MainActor.shared) == nil)
    }

    @Test("Bytes arrive before the body has ended")
    func early() async throws {
        let (bytes, _) = try await server.session().bytes(from: server.url("/drip?pause=0.02"))
        var iterator = bytes.makeAsyncIterator()
        #expect(try await iterator.next() == UInt8(ascii: "x"))
        #expect(bytes.task.state == .running)
    }

    @Test("The session stops reading when nothing consumes the bytes")
    func backPressure() async throws {
        let id = UUID().uuidString
        let size = 64 << 20
        let session = try server.session()
        let (bytes, _) = try await session.bytes(from: server.url("/meter?size=\(size)&id=\(id)"))
        var sent = -1
        while true {
            let text = try await session.text(server.url("/metered?id=\(id)")).text
            let now = try #require(Int(text))
            if now > 0, now == sent { break }
            sent = now
            try await Task.sleep(for: .milliseconds(700))
        }
        #expect(sent < 40 << 20)
        var count = 0
        for try await _ in bytes { count += 1 }
        #expect(count == size)
    }

    @Test("A task is canceled when its bytes are released")
    func dropped() async throws {
        let session = try server.session()
        var found: URLSessionDataTask?
        do {
            let (bytes, _) = try await session.bytes(from: server.url("/drip"))
            found = bytes.task
            for try await _ in bytes { break }
        }
        let task = try #require(found)
        #expect(await Counted.comesDown { task.state == .completed || task.state == .canceling })
    }

    @Test("Cancellation ends a wait for the response or for a byte")
    func cancelled() async throws {
        let session = try server.session()
        let silent = Task { try await session.bytes(from: server.url("/silent")) }
        try await Task.sleep(for: .milliseconds(100))
        silent.cancel()
        await #expect { _ = try await silent.value } throws: { ($0 as? URLError)?.code == .cancelled }
        let reading = Task {
            let (bytes, _) = try await session.bytes(from: server.url("/drip?pause=20"))
            for try await _ in bytes {}
        }
        try await Task.sleep(for: .milliseconds(200))
        reading.cancel()
        await #expect { try await reading.value } throws: { ($0 as? URLError)?.code == .cancelled }
    }

    @Test("A truncated body causes an error after its bytes")
    func cutOff() async throws {
        let (bytes, _) = try await server.session().bytes(from: server.url("/reset"))
        var count = 0
        await #expect(throws: URLError.self) { () async throws -> Void in
            for try await _ in bytes { count += 1 }
        }
        #expect(count == 10)
    }

    @Test("A refused server receives no part of the request")
    func refused() async throws {
        try await SessionLab.with(.expired) { lab in
            let session = try lab.session()
            await #expect {
                _ = try await session.bytes(from: lab.url)
            } throws: {
                ($0 as? URLError)?.serverTrustVerdict?.isTrusted == false
            }
            #expect(lab.server.counts.requestBytes == 0)
        }
    }

    @Test("The session asks the delegate passed to bytes(for:delegate:) about the server")
    func delegate() async throws {
        let delegate = ScriptedDelegate()
        delegate.onTask = { _ in (.cancelAuthenticationChallenge, nil) }
        let session = try server.session()
        let url = server.url("/big?size=1")
        await #expect(throws: URLError.self) { _ = try await session.bytes(from: url, delegate: delegate) }
        #expect(delegate.record.asked.map(\.level) == ["task"])
    }

    @Test("bytes(for:) also works in a session without a policy")
    func plain() async throws {
        let session = URLSession(configuration: .ephemeral)
        let url = try #require(URL(string: "data:text/plain,hello"))
        let (bytes, _) = try await session.bytes(from: url)
        var text: [UInt8] = []
        for try await byte in bytes { text.append(byte) }
        #expect(text == Array("hello".utf8))
    }
}
