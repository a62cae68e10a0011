// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import Foundation
import FoundationNetworking

extension URLSession {
    /// Evaluates the servers of this session's open connections again, by the current rules, and closes the
    /// connections to servers that are no longer trusted. Tasks on those connections fail as if the server had been
    /// refused at the start.
    ///
    /// ```swift
    /// manager.replaceRules(by: stricter, denied: nil)
    /// await session.reevaluateServerTrust()
    /// ```
    /// This happens by itself when the manager's rules change. Call the method to wait for that, or when something
    /// else that the rules depend on has changed: a connection may be used for hours, and a certificate may expire.
    /// The method returns when the connections are closed.
    ///
    /// The session calls a delegate only on behalf of a task, as always. If a delegate took part in accepting a
    /// connection and no task is waiting for the host now, there is no delegate to call. That connection is closed
    /// and its tasks fail. The next task's delegate is called for a new connection.
    ///
    /// **Not affected:** responses that are already in the cache (`URLCache.removeAllCachedResponses()`),
    /// credentials and cookies. A session without `withServerTrust(_:)` has nothing to evaluate.
    public func reevaluateServerTrust() async {
        await (configuration as? ServerTrustSessionConfiguration)?.state.reevaluate()
    }
}
#endif
