// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

// `import ServerTrustHTTP` is all you need for a request, or for a service group with a client. It exports rules, verdicts,
// fetching, async-http-client's requests and responses, and the names of a service.
@_exported import ServerTrust
@_exported import ServerTrustNIO

@_exported import struct AsyncHTTPClient.HTTPClientRequest
@_exported import struct AsyncHTTPClient.HTTPClientResponse
@_exported import struct Logging.Logger
@_exported import protocol ServiceLifecycle.Service
@_exported import class ServiceLifecycle.ServiceGroup

#endif
