// SPDX-License-Identifier: Apache-2.0

#if GRPC || Everything

// `import ServerTrustGRPC` is all you need for a call. It exports rules, verdicts, and the gRPC Swift types that the
// first example uses.
@_exported import ServerTrust

@_exported import struct GRPCCore.CallOptions
@_exported import struct GRPCCore.ClientRequest
@_exported import struct GRPCCore.RPCError
@_exported import func GRPCCore.withGRPCClient

#endif
