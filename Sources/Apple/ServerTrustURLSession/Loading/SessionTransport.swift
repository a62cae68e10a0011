// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import AsyncHTTPClient
import PKIX
import ServerTrust
import ServerTrustHTTP

/// The connections of a session to one server. Each is evaluated before the first byte of a request is sent on it.
/// They close when the object is released.
protocol SessionTransport: AnyObject, Sendable {
    /// Performs one exchange without redirects, and retries it where that is safe. Returns when the head of the
    /// response has arrived.
    /// - Parameter isBodyReplayable: whether the body starts from the beginning each time it is read.
    /// - Throws: the connection's error, or `TrustRefusal` for a refused server.
    func execute(
        _ request: HTTPClientRequest, isBodyReplayable: Bool, timeout: Duration
    ) async throws -> TrustedHTTPResponse

    /// Evaluates the servers of all open connections again, and closes the connections to servers that are no
    /// longer trusted.
    func reevaluate() async
}
#endif
