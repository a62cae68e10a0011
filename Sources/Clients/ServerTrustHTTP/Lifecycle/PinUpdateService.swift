// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import ServerTrustPins
import ServiceLifecycle

/// A service that updates a pin store until its group shuts down.
public struct PinUpdateService: Service {
    private let updater: PinUpdater

    /// Creates a service that runs an updater.
    public init(_ updater: PinUpdater) { self.updater = updater }

    /// Updates immediately and then as scheduled. A graceful shutdown cancels a running update. A canceled update never
    /// leaves a store in an incomplete state.
    public func run() async throws {
        await cancelWhenGracefulShutdown { await updater.run() }
    }
}

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
