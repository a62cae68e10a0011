// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import Testing

@testable import ServerTrustURLSession

@Suite("Event delivery to Foundation")
struct DeliveriesTests {
    private static func piece(_ byte: UInt8) -> Data { Data(repeating: byte, count: PieceQueue.joinedSize) }

    private static func response() throws -> URLResponse {
        let url = try #require(URL(string: "https://api.lab.test/"))
        return URLResponse(url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
    }

    private static func isClean(_ end: Deliveries.End?) -> Bool {
        if case .finished? = end { true } else { false }
    }

    private static func code(_ end: Deliveries.End?) -> URLError.Code? {
        if case .failed(let error)? = end { (error as? URLError)?.code } else { nil }
    }

    @Test("A delegate gets one piece at a time, and bytes that arrive in the meantime are joined")
    func delegate() throws {
        var deliveries = Deliveries(waitsForDelegate: true)
        #expect(!deliveries.isReady)
        deliveries.respond(try Self.response())
        _ = deliveries.add(Data([0]))
        let first = deliveries.take()
        #expect(first.response != nil && first.pieces == [Data([0])] && first.end == nil)
        let charge = EchoServer.chunks(20_000).reduce(0) { $0 + deliveries.add(Data([$1])) }
        #expect(charge == 20_000 + PieceQueue.pieceCost)
        #expect(!deliveries.isReady)
        #expect(deliveries.take().pieces.isEmpty)
        deliveries.delegateTookPiece()
        #expect(deliveries.isReady)
        #expect(deliveries.take().pieces == [EchoServer.chunks(20_000)])
        deliveries.finish(.finished(nil))
        #expect(deliveries.isReady)
        #expect(Self.isClean(deliveries.take().end))
        #expect(!deliveries.isReady)
    }

    @Test("All pieces arrive before a normal end, and the last one doesn't wait")
    func cleanEnd() {
        var deliveries = Deliveries(waitsForDelegate: true)
        for byte in UInt8(1)...4 { _ = deliveries.add(Self.piece(byte)) }
        #expect(deliveries.take().pieces == [Self.piece(1)])
        deliveries.finish(.finished(nil))
        #expect(!deliveries.isReady)
        deliveries.delegateTookPiece()
        let second = deliveries.take()
        #expect(second.pieces == [Self.piece(2)] && second.end == nil)
        deliveries.delegateTookPiece()
        let rest = deliveries.take()
        #expect(rest.pieces == [Self.piece(3), Self.piece(4)] && Self.isClean(rest.end))
    }

    @Test("An error arrives before all waiting pieces except one")
    func error() {
        var deliveries = Deliveries(waitsForDelegate: true)
        for byte in UInt8(1)...9 { _ = deliveries.add(Self.piece(byte)) }
        #expect(deliveries.take().pieces == [Self.piece(1)])
        deliveries.finish(.failed(URLError(.timedOut)))
        #expect(deliveries.isReady)
        let rest = deliveries.take()
        #expect(rest.pieces == [Self.piece(2)] && Self.code(rest.end) == .timedOut)
    }

    @Test("The first end counts, and nothing comes after it")
    func oneEnd() throws {
        var deliveries = Deliveries(waitsForDelegate: true)
        deliveries.finish(.failed(URLError(.timedOut)))
        deliveries.finish(.finished(nil))
        #expect(deliveries.add(Data([1])) == 0)
        deliveries.respond(try Self.response())
        let batch = deliveries.take()
        #expect(batch.response == nil && batch.pieces.isEmpty && Self.code(batch.end) == .timedOut)
        #expect(!deliveries.isReady)
    }

    @Test("A canceled task delivers nothing")
    func cancelled() throws {
        var deliveries = Deliveries(waitsForDelegate: true)
        deliveries.respond(try Self.response())
        _ = deliveries.add(Data([1]))
        deliveries.cancel()
        deliveries.finish(.finished(nil))
        #expect(!deliveries.isReady)
    }

    @Test("A receiver that isn't a delegate gets all pieces at once")
    func direct() {
        var deliveries = Deliveries(waitsForDelegate: false)
        for byte in UInt8(1)...4 { _ = deliveries.add(Self.piece(byte)) }
        #expect(deliveries.take().pieces == (UInt8(1)...4).map { Self.piece($0) })
    }

    @Test("Pieces of any size arrive in order at any pace, with at most two in the delegate queue")
    func random() {
        let body = EchoServer.chunks(1_000_000)
        for _ in 0..<20 {
            var deliveries = Deliveries(waitsForDelegate: true)
            var rest = body[...]
            var found = Data()
            var underWay = 0
            var hasEnded = false
            while !hasEnded {
                switch Int.random(in: 0..<4) {
                case 0, 1:
                    let size = Int.random(in: 0...(1 << Int.random(in: 0...18)))
                    if !rest.isEmpty {
                        _ = deliveries.add(Data(rest.prefix(size)))
                        rest = rest.dropFirst(size)
                        if rest.isEmpty { deliveries.finish(.finished(nil)) }
                    }
                case 2 where underWay > 0:
                    deliveries.delegateTookPiece()
                    underWay -= 1
                default:
                    let batch = deliveries.take()
                    for piece in batch.pieces { found.append(piece) }
                    underWay += batch.pieces.count
                    hasEnded = batch.end != nil
                }
                guard underWay <= 2 else { break }
            }
            #expect(underWay <= 2)
            #expect(found == body)
        }
    }
}
