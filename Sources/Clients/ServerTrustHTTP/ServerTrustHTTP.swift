// SPDX-License-Identifier: Apache-2.0

// `import ServerTrustHTTP` is all you need for a request. It exports rules, verdicts, fetching, and async-http-client's
// requests and responses.
@_exported import ServerTrust
@_exported import ServerTrustFetching
@_exported import ServerTrustNIO

@_exported import struct AsyncHTTPClient.HTTPClientRequest
@_exported import struct AsyncHTTPClient.HTTPClientResponse
