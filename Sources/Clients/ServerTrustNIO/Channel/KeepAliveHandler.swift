// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import NIOCore

/// Sends a ping when no data has arrived for a while, and ends the connection if no data arrives after it.
///
/// Any data counts as an answer, because it shows that the peer is there. A connection has one timer and at most one
/// unanswered ping, and a read only stores its time. While the reader of the connection takes no data, the handler ends
/// nothing, because the answer may be waiting behind that data.
///
/// Add the handler where it can write a ping.
package final class KeepAliveHandler: ChannelDuplexHandler {
    package typealias InboundIn = NIOAny
    package typealias OutboundIn = NIOAny

    private let interval: TimeAmount
    private let timeout: TimeAmount
    private let ping: (_ number: Int, ChannelHandlerContext) -> Void
    private let end: (ChannelHandlerContext) -> Void
    /// The number of pings sent.
    package private(set) var count = 0
    /// The time when data arrived, or when the reader was ready for more.
    private var lastRead = NIODeadline.distantPast
    private var lastPing: NIODeadline?
    /// Whether the channel reads as soon as there is data.
    private var isReading = true
    private var timer: Scheduled<Void>?

    /// - Parameters:
    ///   - interval: the time without data before a ping.
    ///   - timeout: the time limit for data after a ping.
    ///   - ping: writes a ping. Pings are numbered from 1.
    ///   - end: ends the connection.
    package init(
        interval: TimeAmount, timeout: TimeAmount,
        ping: @escaping (_ number: Int, ChannelHandlerContext) -> Void, end: @escaping (ChannelHandlerContext) -> Void
    ) {
        self.interval = interval
        self.timeout = timeout
        self.ping = ping
        self.end = end
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        lastRead = context.eventLoop.now
        schedule(at: lastRead + interval, context)
    }

    package func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    package func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        lastRead = context.eventLoop.now
        isReading = false
        context.fireChannelReadComplete()
    }

    package func read(context: ChannelHandlerContext) {
        if !isReading {
            isReading = true
            lastRead = context.eventLoop.now
        }
        context.read()
    }

    private func wake(_ context: ChannelHandlerContext) {
        let now = context.eventLoop.now
        if let lastPing, lastRead < lastPing {
            guard now >= lastPing + timeout else {
                return schedule(at: min(lastPing + timeout, now + interval), context)
            }
            return isReading ? end(context) : schedule(at: now + interval, context)
        }
        guard now >= lastRead + interval else { return schedule(at: lastRead + interval, context) }
        lastPing = now
        count += 1
        ping(count, context)
        schedule(at: now + min(timeout, interval), context)
    }

    private func schedule(at time: NIODeadline, _ context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: time) { [self] in wake(context) }
    }
}

#endif
