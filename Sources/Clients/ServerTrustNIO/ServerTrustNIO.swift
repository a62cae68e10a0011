// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

// `import ServerTrustNIO` is all you need for a connection. It exports rules, verdicts, and the NIO types of the first
// example.
@_exported import ServerTrust

@_exported import struct NIOCore.ByteBuffer
@_exported import struct NIOCore.NIOAsyncChannel
@_exported import class NIOPosix.ClientBootstrap
@_exported import class NIOPosix.MultiThreadedEventLoopGroup

#endif
