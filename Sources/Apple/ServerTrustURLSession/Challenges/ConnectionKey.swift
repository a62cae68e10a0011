// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import FoundationNetworking
import ServerTrust
import PKIX

/// The properties that two tasks must have in common to share a connection: the server, and the delegate that takes
/// part in trusting it. The port is one of them because another process may answer on another port.
struct ConnectionKey: Sendable, Hashable {
    let origin: Origin
    /// The task's own delegate, or nil for tasks that only use the session's delegate.
    let delegate: ObjectIdentifier?

    var host: Hostname { origin.host }
    var port: Int { origin.port }
}
#endif
