// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import FoundationNetworking

/// A configuration with a policy, as the tasks of its session see it.
protocol TrustedSessionConfiguration: URLSessionConfiguration, Sendable {
    /// The policy, or nil before the configuration is complete. No task runs without a policy.
    var policy: SessionPolicy? { get }
    /// The app's own protocol classes, in order.
    var appProtocols: [URLProtocol.Type] { get }
    /// The connections, credentials and waiting tasks of the one session that uses this object.
    var state: SessionState { get }
}
#endif
