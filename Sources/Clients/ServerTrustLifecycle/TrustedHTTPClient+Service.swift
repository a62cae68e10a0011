// SPDX-License-Identifier: Apache-2.0

import ServerTrustHTTP
import ServiceLifecycle

/// A client as a service: it runs until the group shuts down, and then closes its connections.
///
/// ```swift
/// let group = ServiceGroup(services: [client, server], gracefulShutdownSignals: [.sigterm], logger: logger)
/// ```
/// A group shuts its services down in the reverse of their order: the client stands before the services that use it, and outlives them.
extension TrustedHTTPClient: Service {
    /// Waits for the graceful shutdown or for cancellation, then ends as `shutdown()` does: requests that still run fail.
    public func run() async throws {
        try? await gracefulShutdown()
        await shutdown()
    }
}
