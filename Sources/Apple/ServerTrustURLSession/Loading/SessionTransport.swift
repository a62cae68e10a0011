// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import AsyncHTTPClient
    import PKIX
    import ServerTrust

    /// The connections of a session to one server, which were evaluated before a byte of a request went over them.
    /// They end when the object is released.
    protocol SessionTransport: AnyObject, Sendable {
        /// One exchange, without redirects, and its repeats where they are safe. Returns when the head of the response is there.
        /// - Parameter isBodyReplayable: whether the body begins anew each time that it is read.
        /// - Throws: the connection's error; `TrustRefusal` for a server that was refused.
        func execute(
            _ request: HTTPClientRequest, isBodyReplayable: Bool, timeout: Duration
        ) async throws -> HTTPClientResponse

        /// Evaluates the servers of all open connections anew, and closes those that aren't trusted any more.
        func reevaluate() async
    }
#endif
