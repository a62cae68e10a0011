// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import FoundationNetworking

    /// A configuration with a policy, as its sessions' tasks find it.
    protocol TrustedSessionConfiguration: URLSessionConfiguration, Sendable {
        /// nil before the configuration is complete; no task runs without one.
        var policy: SessionPolicy? { get }
        /// The protocol classes of the app's own, in their order.
        var appProtocols: [URLProtocol.Type] { get }
        /// The connections, credentials and waiting tasks of the one session that holds this object.
        var state: SessionState { get }
    }
#endif
