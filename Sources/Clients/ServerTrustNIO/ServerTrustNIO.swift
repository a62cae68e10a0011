// SPDX-License-Identifier: Apache-2.0

@_exported import ServerTrust

#if GRPC || HTTP || Everything

// `import ServerTrustNIO` is all you need for a connection. It exports rules, verdicts, and the NIO types of the first
// example.
@_exported import struct NIOCore.ByteBuffer
@_exported import struct NIOCore.NIOAsyncChannel
@_exported import class NIOPosix.ClientBootstrap
@_exported import class NIOPosix.MultiThreadedEventLoopGroup

#else

// Without a trait, the module has no dependencies, and its names say which trait is missing. They can be used as in the first
// examples, so that the compiler reports nothing else.

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public struct ServerTrustTLS {
    public init(_ trust: ServerTrustConfiguration, applicationProtocols: [String] = []) throws {}
}

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public struct TrustProbe {
    public init(_ trust: ServerTrustConfiguration) {}
}

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public struct ClientBootstrap {
    public init<Group>(group: Group) {}
}

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public struct MultiThreadedEventLoopGroup {
    public static var singleton: MultiThreadedEventLoopGroup { MultiThreadedEventLoopGroup() }
}

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public struct ConnectionFailure {}

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public struct EvaluatedServer {}

#endif
