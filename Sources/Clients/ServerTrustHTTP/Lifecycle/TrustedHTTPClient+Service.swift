// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import ServiceLifecycle

/// Runs a client as a service until its group shuts down, and then closes the client's connections.
///
/// ```swift
/// let group = ServiceGroup(services: [client, server], gracefulShutdownSignals: [.sigterm], logger: logger)
/// ```
/// A group shuts down its services in reverse order. List the client before the services that use it, so that it
/// outlives them.
extension TrustedHTTPClient: Service {
    /// Waits for the graceful shutdown or for cancellation, and then ends as `shutdown()` does. Requests that are still
    /// running fail.
    public func run() async throws {
        try? await gracefulShutdown()
        await shutdown()
    }
}

#endif
