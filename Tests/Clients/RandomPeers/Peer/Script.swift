// SPDX-License-Identifier: Apache-2.0

/// Everything that a peer does in one exchange.
struct Script: Sendable {
    enum Cover: String, Sendable {
        case clear, tls12, tls13
    }

    /// The protocol of correct answers.
    enum Style: String, Sendable {
        case http, grpc, webSocket
    }

    /// The answers of a proxy on the way to the server, which is the same peer.
    enum Proxy: Sendable {
        case connect([Act], isTLS: Bool)
        /// The answers to the messages of the client, in order.
        case socks([[Act]])
        /// Not a proxy: the answer to PostgreSQL's request for TLS.
        case start([Act])
    }

    var cover = Cover.clear
    var style = Style.http
    /// The protocols that the server selects from.
    var protocols: [String] = []
    /// The first acts of the server on each connection.
    var greeting: [Act] = []
    /// The answers to the requests, in order. The last one is followed by the first one.
    var turns: [[Act]] = []
    /// Whether the peer answers at a request's head instead of its end.
    var isEager = false
    /// Whether the peer acknowledges HTTP/2 settings.
    var acknowledges = true
    var proxy: Proxy?
    var wire: WireFault?
    /// The body of correct answers.
    var goodBody = Array("hello".utf8)
}

/// A fault of the bytes below TLS.
struct WireFault: Sendable {
    enum Kind: Sendable {
        case flip(UInt8)
        case insert([UInt8])
        case stall
        case cut(Closing)
        /// Single bytes, for the next bytes.
        case dribble(Int)
    }

    /// The number of bytes that a connection sends before the fault.
    var offset: Int
    var kind: Kind
}
