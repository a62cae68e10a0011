// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import AsyncHTTPClient
    import PKIX
    import ServerTrust

    /// What carries a session's requests to one server: connections that were judged before a byte of a request went over them.
    /// They end when nobody holds the object any more.
    protocol SessionTransport: AnyObject, Sendable {
        /// One exchange, without redirects. Returns when the head of the response is there.
        /// - Throws: what the connection ended with; `TrustRefusal` for a server that was refused.
        func execute(_ request: HTTPClientRequest, timeout: Duration) async throws -> HTTPClientResponse

        /// Judges the servers of all open connections anew, and closes those that aren't trusted any more.
        func reevaluate() async
    }
#endif
