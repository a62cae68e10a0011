// SPDX-License-Identifier: Apache-2.0

// `import ServerTrustWebSocket` is all you need for a connection with rules and verdicts.
@_exported import ServerTrust

// Without a trait, the module has no dependencies, and its names say which trait is missing. They can be used as in the first
// examples, so that the compiler reports nothing else.

#if !(HTTP || Everything)

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public struct TrustedWebSocketClient {
    public init(trust: ServerTrustConfiguration) throws {}
}

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public struct TrustedWebSocket {}

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public struct WebSocketMessage {}

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public struct WebSocketError {}

#endif
