// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import Testing

@testable import ServerTrustURLSession

@Suite("The stream that bytes(for:) returns")
struct ByteStreamTests {
    @Test("The stream joins waiting single bytes and acknowledges their charge when the reader takes them")
    func joined() async throws {
        let stream = ByteStream()
        let acknowledged = Locked(0)
        stream.begin { charge in acknowledged.withLock { $0 += charge } }
        var charge = 0
        for byte in EchoServer.chunks(20_000) { charge += stream.add(Data([byte])) }
        stream.end(nil)
        #expect(charge == 20_000 + PieceQueue.pieceCost)
        #expect(acknowledged.withLock { $0 } == 0)
        #expect(try await stream.next() == EchoServer.chunks(20_000))
        #expect(acknowledged.withLock { $0 } == charge)
        #expect(try await stream.next() == nil)
    }

    @Test("All pieces arrive before a normal end")
    func cleanEnd() async throws {
        let stream = ByteStream()
        let piece = Data(repeating: 1, count: PieceQueue.joinedSize)
        for _ in 0..<5 { stream.add(piece) }
        stream.end(nil)
        for _ in 0..<5 { #expect(try await stream.next() == piece) }
        #expect(try await stream.next() == nil)
        #expect(try await stream.next() == nil)
    }

    @Test("One waiting piece arrives before an error, and the others are dropped")
    func error() async throws {
        let stream = ByteStream()
        for byte in UInt8(1)...5 { stream.add(Data(repeating: byte, count: PieceQueue.joinedSize)) }
        stream.end(URLError(.timedOut))
        #expect(try await stream.next() == Data(repeating: 1, count: PieceQueue.joinedSize))
        await #expect { _ = try await stream.next() } throws: { ($0 as? URLError)?.code == .timedOut }
    }

    @Test("The stream acknowledges exactly what it charges, for an early and a late reader")
    func waitingReader() async throws {
        let stream = ByteStream()
        let acknowledged = Locked(0)
        stream.begin { charge in acknowledged.withLock { $0 += charge } }
        for byte in UInt8(1)...100 {
            let reader = Task { try await stream.next() }
            if byte % 2 == 0 { await Task.yield() }
            let charge = stream.add(Data([byte]))
            #expect(charge == 0 || charge == PieceQueue.charge(for: Data([byte])))
            #expect(try await reader.value == Data([byte]))
            #expect(
                acknowledged.withLock { acknowledged in
                    defer { acknowledged = 0 }
                    return acknowledged
                } == charge)
        }
    }
}
