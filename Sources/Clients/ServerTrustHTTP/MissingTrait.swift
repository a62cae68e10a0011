// SPDX-License-Identifier: Apache-2.0

// Without a trait, the module has no dependencies, and its names say which trait is missing.

#if !(HTTP || Everything)

@_exported import ServerTrust

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public enum TrustedHTTPClient {}

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public enum TrustedHTTPConfiguration {}

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public enum TrustedHTTPError {}

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public enum HTTPClientRequest {}

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public enum HTTPClientResponse {}

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public enum HTTPClientGate {}

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public enum HTTPTrustFetcher {}

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public enum PinUpdateService {}

#endif
