// SPDX-License-Identifier: Apache-2.0

// Without a trait, the module has no dependencies, and its names say which trait is missing.

#if !(GRPC || HTTP || Everything)

@_exported import ServerTrust

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public enum ServerTrustTLS {}

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public enum TrustProbe {}

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public enum TrustProbeReport {}

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public enum ConnectionFailure {}

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public enum ConnectionProxy {}

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public enum EvaluatedServer {}

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public enum TLSPrologue {}

#endif
