// SPDX-License-Identifier: Apache-2.0

// Without a trait, the module has no dependencies, and its names say which trait is missing.

#if !(HTTP || Everything)

@_exported import ServerTrust

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public enum TrustedWebSocketClient {}

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public enum TrustedWebSocket {}

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public enum WebSocketMessage {}

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public enum WebSocketError {}

#endif
