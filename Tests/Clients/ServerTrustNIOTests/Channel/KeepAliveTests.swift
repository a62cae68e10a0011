// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import PKIX
import ServerTrustNIO
import Testing

@Suite("Keeping connections alive")
struct KeepAliveTests {
    /// A connection with pings every 10 seconds.
    private final class Line {
        let channel = EmbeddedChannel()
        let handler: KeepAliveHandler
        private let pingTimes = Locked<[Int]>([])
        private let end = Locked(false)

        init(timeout: TimeAmount = .seconds(3)) throws {
            let (times, end) = (pingTimes, end)
            handler = KeepAliveHandler(interval: .seconds(10), timeout: timeout) { number, _ in
                times.withLock { $0.append(number) }
            } end: { _ in
                end.withLock { $0 = true }
            }
            try channel.pipeline.syncOperations.addHandler(handler)
        }

        var pings: [Int] { pingTimes.withLock { $0 } }
        var hasEnded: Bool { end.withLock { $0 } }

        func wait(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

        /// Receives data, and reads on.
        func receive() {
            stall()
            channel.pipeline.read()
        }

        /// Receives data, and doesn't read on.
        func stall() { channel.pipeline.fireChannelReadComplete() }
    }

    @Test("An idle connection gets a ping at each interval, as long as data answers it")
    func answered() throws {
        let line = try Line()
        line.wait(9)
        #expect(line.pings.isEmpty)
        line.wait(1)
        #expect(line.pings == [1])
        line.receive()
        line.wait(9)
        #expect(line.pings == [1])
        line.wait(1)
        #expect(line.pings == [1, 2])
        #expect(line.handler.count == 2)
        line.wait(2)
        line.receive()
        line.wait(7)
        #expect(!line.hasEnded)
    }

    @Test("A busy connection gets no ping")
    func busy() throws {
        let line = try Line()
        for _ in 0..<100 {
            line.wait(9)
            line.receive()
        }
        #expect(line.pings.isEmpty)
        #expect(!line.hasEnded)
    }

    @Test("Without an answer, the connection ends at the time limit, after one ping")
    func unanswered() throws {
        let line = try Line()
        line.wait(12)
        #expect(!line.hasEnded)
        line.wait(1)
        #expect(line.hasEnded)
        line.wait(100)
        #expect(line.pings == [1])
    }

    @Test("A long limit for the answer doesn't delay the next ping")
    func longLimit() throws {
        let line = try Line(timeout: .seconds(600))
        for number in 1...5 {
            line.wait(10)
            #expect(line.pings.count == number)
            line.receive()
        }
        line.wait(10)
        line.wait(599)
        #expect(!line.hasEnded)
        line.wait(1)
        #expect(line.hasEnded)
        #expect(line.pings.count == 6)
    }

    @Test("While the reader pauses, the connection stays open with one ping. Afterwards, the limit counts again")
    func unread() throws {
        let line = try Line()
        line.wait(5)
        line.stall()
        line.wait(100)
        #expect(line.pings == [1])
        #expect(!line.hasEnded)
        line.channel.pipeline.read()
        line.wait(10)
        #expect(line.pings == [1, 2])
        #expect(!line.hasEnded)
        line.wait(3)
        #expect(line.hasEnded)
    }

    @Test("A closed connection gets no ping")
    func closed() throws {
        let line = try Line()
        line.channel.pipeline.fireChannelInactive()
        line.wait(100)
        #expect(line.pings.isEmpty)
    }
}
