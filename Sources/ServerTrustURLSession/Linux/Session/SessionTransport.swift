#if canImport(FoundationNetworking)
    import AsyncHTTPClient
    import PKIX
    import ServerTrust

    /// What carries a session's requests: connections that were judged before a byte of a request went over them.
    protocol SessionTransport: Sendable {
        /// One exchange, without redirects. Returns when the head of the response is there.
        /// - Throws: what the connection ended with; `TrustRefusal` for a server that was refused.
        func execute(_ request: HTTPClientRequest, timeout: Duration) async throws -> HTTPClientResponse

        /// Judges the servers of all open connections anew, and closes those that aren't trusted any more.
        func reevaluate() async

        /// Ends the connections. Requests under way fail.
        func shutdown()
    }
#endif
