// SPDX-License-Identifier: Apache-2.0

// Without a trait, the module has no dependencies, and its names say which trait is missing. They can be used as in the first
// examples, so that the compiler reports nothing else.

#if !(GRPC || Everything)

@_exported import ServerTrust

@available(*, unavailable, message: "add the trait GRPC to the traits of swift-server-trust in Package.swift")
public struct TrustedGRPCTransport {
    public init<Target>(target: Target, transportSecurity: TrustedGRPCSecurity) throws {}
}

@available(*, unavailable, message: "add the trait GRPC to the traits of swift-server-trust in Package.swift")
public struct TrustedGRPCSecurity {
    public static func serverTrust(_ trust: ServerTrustConfiguration) -> TrustedGRPCSecurity { TrustedGRPCSecurity() }
}

#endif
