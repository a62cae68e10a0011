// SPDX-License-Identifier: Apache-2.0

/// The clients, with the ways that they reach a server.
enum ClientKind: String, CaseIterable, Sendable {
    /// `TrustedHTTPClient` in the clear. Above TLS, it runs the same code.
    case clear
    case http1, http2
    /// Through proxies: CONNECT, CONNECT over TLS, and SOCKS.
    case http1Connect = "http1-connect"
    case http2Connect = "http2-connect"
    case http1TLSProxy = "http1-tls-proxy"
    case http1SOCKS = "http1-socks"
    case http2SOCKS = "http2-socks"
    /// async-http-client with `gate(by:)`.
    case gate1, gate2
    case gateSOCKS = "gate-socks"
    /// `URLSession` with ServerTrustURLSession.
    case session1, session2
    case sessionConnect = "session-connect"
    case webSocket = "websocket"
    case webSocketConnect = "websocket-connect"
    case grpc
    /// `HTTPTrustFetcher` in the clear.
    case fetcher
    /// `PinUpdater` with a source that uses `TrustedHTTPClient`.
    case updater
    /// The probe of `servertrust check`, with and without `--follow`.
    case probe
    /// The probe after STARTTLS.
    case probeStart = "probe-starttls"

    /// The share of exchanges.
    var weight: Int {
        switch self {
        case .clear: 24
        case .http1, .http2, .gate2: 10
        case .gate1, .session2, .webSocket, .grpc, .fetcher: 6
        case .session1, .http1Connect, .probe: 4
        case .http2Connect, .http1SOCKS, .gateSOCKS, .sessionConnect, .updater: 3
        case .http1TLSProxy, .http2SOCKS, .webSocketConnect, .probeStart: 2
        }
    }

    var isHTTP2: Bool {
        [.http2, .http2Connect, .http2SOCKS, .gate2, .session2, .grpc].contains(self)
    }

    var isClear: Bool { self == .clear || self == .fetcher }

    /// Whether the client takes its verdict when TLS is established. An HTTP/2 server then receives the preface.
    var isGated: Bool { [.gate1, .gate2, .gateSOCKS].contains(self) }

    /// Whether the client sends requests. A probe only opens connections.
    var isProbe: Bool { self == .probe || self == .probeStart }

    static func random(_ dice: inout Dice) -> ClientKind {
        var place = dice.number(0...allCases.reduce(0) { $0 + $1.weight } - 1)
        for kind in allCases {
            place -= kind.weight
            if place < 0 { return kind }
        }
        return .clear
    }
}
