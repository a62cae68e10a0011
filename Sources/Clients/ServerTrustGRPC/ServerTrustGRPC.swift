// SPDX-License-Identifier: Apache-2.0

@_exported import ServerTrust

#if GRPC || Everything

// `import ServerTrustGRPC` is all you need for a call. It exports rules, verdicts, and the gRPC Swift types that the
// first example uses.
@_exported import struct GRPCCore.CallOptions
@_exported import struct GRPCCore.ClientRequest
@_exported import struct GRPCCore.RPCError
@_exported import func GRPCCore.withGRPCClient

#else

// Without a trait, the module has no dependencies, and its names say which trait is missing. They can be used as in the first
// examples, so that the compiler reports nothing else.

@available(*, unavailable, message: "add the trait GRPC to the traits of swift-server-trust in Package.swift")
public struct TrustedGRPCTransport {
    public init<Target>(target: Target, transportSecurity: TrustedGRPCSecurity) throws {}
}

@available(*, unavailable, message: "add the trait GRPC to the traits of swift-server-trust in Package.swift")
public struct TrustedGRPCSecurity {
    public static func serverTrust(_ trust: ServerTrustConfiguration) -> TrustedGRPCSecurity { TrustedGRPCSecurity() }
}

#endif
