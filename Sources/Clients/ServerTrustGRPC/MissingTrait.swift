// SPDX-License-Identifier: Apache-2.0

// Without a trait, the module has no dependencies, and its names say which trait is missing.

#if !(GRPC || Everything)

@_exported import ServerTrust

@available(*, unavailable, message: "add the trait GRPC to the traits of swift-server-trust in Package.swift")
public enum TrustedGRPCTransport {}

@available(*, unavailable, message: "add the trait GRPC to the traits of swift-server-trust in Package.swift")
public enum TrustedGRPCSecurity {}

@available(*, unavailable, message: "add the trait GRPC to the traits of swift-server-trust in Package.swift")
public enum TrustedGRPCTargetError {}

#endif
