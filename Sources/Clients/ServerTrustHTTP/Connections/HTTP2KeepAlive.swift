// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import NIOCore
import NIOHTTP2
import ServerTrustNIO

extension TrustedHTTPConfiguration {
    /// Adds pings to an HTTP/2 connection, if there is an interval for them and the connection is open. Call it on the
    /// event loop.
    func addPings(to channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        guard let http2PingInterval, let http2 = try? pipeline.handler(type: NIOHTTP2Handler.self) else { return }
        // NIOHTTP2 ends connections with more than 200 PING frames in 30 seconds, and the answers count.
        let handler = KeepAliveHandler(
            interval: TimeAmount(clamping: max(http2PingInterval, .seconds(1))),
            timeout: TimeAmount(clamping: max(http2PingTimeout, .milliseconds(1)))
        ) { number, context in
            let ping = HTTP2Frame.FramePayload.ping(HTTP2PingData(withInteger: UInt64(number)), ack: false)
            context.writeAndFlush(NIOAny(HTTP2Frame(streamID: .rootStream, payload: ping)), promise: nil)
        } end: { context in
            context.closeAtOnce()
        }
        try pipeline.addHandler(handler, position: .after(http2))
    }
}

#endif
