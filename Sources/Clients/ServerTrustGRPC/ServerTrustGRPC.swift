// SPDX-License-Identifier: Apache-2.0

// `import ServerTrustGRPC` is enough for a call: rules and verdicts, and gRPC Swift's types of the first example.
@_exported import ServerTrust

@_exported import struct GRPCCore.CallOptions
@_exported import struct GRPCCore.ClientRequest
@_exported import struct GRPCCore.RPCError
@_exported import func GRPCCore.withGRPCClient
