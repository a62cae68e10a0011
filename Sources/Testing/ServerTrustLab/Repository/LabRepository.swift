// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import NIOCore
import NIOPosix
import ServerTrustTesting

/// A plain HTTP server on the loopback address that publishes issuers, CRLs and OCSP responders.
///
/// ```swift
/// let repository = try await LabRepository.start()
/// repository.publish(.issuer(intermediate.certificate), at: "/ca.cer")
/// let leaf = try intermediate.issue(.leaf("api.example.com").with { $0.caIssuers = [repository.url + "/ca.cer"] })
/// // …
/// #expect(repository.requests(for: "/ca.cer") == 1)
/// await repository.stop()
/// ```
///
/// It listens on 127.0.0.1, which a `TrustFetcher` refuses by default. Only for tests: it serves every client.
public final class LabRepository: Sendable {
    /// The TCP port.
    let port: Int

    private let listener: any Channel
    private let connections: LabConnections
    private let contents: RepositoryContents

    private init(port: Int, listener: any Channel, connections: LabConnections, contents: RepositoryContents) {
        self.port = port
        self.listener = listener
        self.connections = connections
        self.contents = contents
    }

    /// Stops listening and closes the connections, if the repository was released without ``stop()``.
    deinit {
        listener.close(promise: nil)
        _ = connections.close()
    }

    /// Starts an empty repository on NIO's shared event loops.
    /// - Parameter port: the port, or 0 if the system should choose.
    /// - Throws: ``LabPortError``.
    public static func start(port: Int = 0) async throws(LabPortError) -> LabRepository {
        let connections = LabConnections()
        let contents = RepositoryContents()
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                connections.add(channel)
                return channel.pipeline.configureHTTPServerPipeline(withErrorHandling: true).flatMap {
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(RepositoryHandler(contents))
                    }
                }
            }
        let listener = try await LabListener.start(bootstrap, .v4, port: port)
        return LabRepository(
            port: listener.localAddress?.port ?? 0, listener: listener, connections: connections, contents: contents)
    }

    /// Stops listening, closes every connection, and returns when their descriptors are closed. Further calls have no effect.
    public func stop() async {
        // Closing a listener twice causes an error, which this code ignores.
        try? await listener.close().get()
        for closed in connections.close() { try? await closed.get() }
    }
}

extension LabRepository {
    /// `http://127.0.0.1:PORT`, the prefix of every published URL.
    public var url: String { "http://\(LoopbackAddress.v4.rawValue):\(port)" }

    /// Publishes `resource`, and replaces the resource that was at `path`.
    /// - Parameters:
    ///   - resource: the resource.
    ///   - path: the path, which starts with a slash. An OCSP responder also answers requests for paths below it,
    ///     because a GET request contains the OCSP request in the path.
    public func publish(_ resource: LabResource, at path: String) {
        contents.state.withLockedValue { $0.resources[path] = resource }
    }

    /// Removes a resource. Requests for its path then receive a 404 response.
    package func remove(_ path: String) {
        contents.state.withLockedValue { _ = $0.resources.removeValue(forKey: path) }
    }

    /// Returns the number of requests for the resource published at `path`, whether they were answered or not.
    public func requests(for path: String) -> Int { contents.state.withLockedValue { $0.requests[path] ?? 0 } }

    /// The total number of requests, including requests for paths without a resource.
    var requests: Int { contents.state.withLockedValue { $0.requestCount } }

    /// The number of requests answered with 304.
    var unmodifiedCount: Int { contents.state.withLockedValue { $0.unmodifiedCount } }

    /// The number of accepted TCP connections.
    var connectionCount: Int { connections.counts.withLockedValue { $0.connections } }

    /// Reserves a folder in the URL paths for one caller: `/name`, `/name-2`, …
    func reserveFolder(_ name: String) -> String {
        contents.state.withLockedValue { state in
            let number = (state.folders[name] ?? 0) + 1
            state.folders[name] = number
            return number == 1 ? "/\(name)" : "/\(name)-\(number)"
        }
    }
}

#endif
