// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix
import ServerTrustTesting

/// A plain HTTP server on loopback for what certificates point to: issuers, CRLs and OCSP responders.
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
/// It is on 127.0.0.1, where fetchers that keep to ``ServerTrust/TrustFetcher``'s rules don't go unless they are told to. For tests: it
/// answers whoever asks.
public final class LabRepository: Sendable {
    public let port: Int

    private let listener: any Channel
    private let connections: LabConnections
    private let shelf: LabShelf

    private init(port: Int, listener: any Channel, connections: LabConnections, shelf: LabShelf) {
        self.port = port
        self.listener = listener
        self.connections = connections
        self.shelf = shelf
    }

    /// One that was forgotten stops listening; its connections end with it.
    deinit {
        listener.close(promise: nil)
        _ = connections.close()
    }

    /// Starts with empty shelves, on NIO's shared event loops.
    /// - Parameter port: the system's choice unless given.
    /// - Throws: ``LabPortError``
    public static func start(port: Int = 0) async throws(LabPortError) -> LabRepository {
        let connections = LabConnections()
        let shelf = LabShelf()
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                connections.add(channel)
                return channel.pipeline.configureHTTPServerPipeline(withErrorHandling: true).flatMap {
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Librarian(shelf))
                    }
                }
            }
        let listener = try await LabListener.start(bootstrap, .v4, port: port)
        return LabRepository(
            port: listener.localAddress?.port ?? 0, listener: listener, connections: connections, shelf: shelf)
    }

    /// Stops listening, ends every connection, and returns when their descriptors are closed. May be called again.
    public func stop() async {
        // Closing what is closed already is an error that doesn't matter.
        try? await listener.close().get()
        for closed in connections.close() { try? await closed.get() }
    }
}

extension LabRepository {
    /// `http://127.0.0.1:PORT`, to put paths behind.
    public var url: String { "http://\(LabServer.Address.v4.rawValue):\(port)" }

    /// Serves `resource` from now on, and no longer what was there.
    /// - Parameter path: with a slash at its head. An OCSP responder also answers below it, as GET has the request in the path.
    public func publish(_ resource: LabResource, at path: String) {
        shelf.contents.withLockedValue { $0.resources[path] = resource }
    }

    /// 404 from now on.
    public func remove(_ path: String) {
        shelf.contents.withLockedValue { _ = $0.resources.removeValue(forKey: path) }
    }

    /// How many requests came for what was published there, answered or not.
    public func requests(for path: String) -> Int { shelf.contents.withLockedValue { $0.requests[path] ?? 0 } }

    /// How many requests came in all, those for what isn't there among them.
    public var requests: Int { shelf.contents.withLockedValue { $0.requestsInAll } }

    /// TCP connections so far.
    public var connectionCount: Int { connections.counts.withLockedValue { $0.connections } }

    /// A folder of its own for each who asks: `/name`, `/name-2`, …
    func reserveFolder(_ name: String) -> String {
        shelf.contents.withLockedValue { contents in
            let number = (contents.folders[name] ?? 0) + 1
            contents.folders[name] = number
            return number == 1 ? "/\(name)" : "/\(name)-\(number)"
        }
    }
}

/// What is served, shared with the event loops.
final class LabShelf: Sendable {
    struct Contents {
        var resources: [String: LabResource] = [:]
        var requests: [String: Int] = [:]
        var requestsInAll = 0
        var folders: [String: Int] = [:]
    }

    let contents = NIOLockedValueBox(Contents())

    /// Finds what a request is for, and counts it.
    /// - Returns: the resource, and what the path has behind its own; nil for 404.
    func find(_ path: String) -> (resource: LabResource, rest: String)? {
        contents.withLockedValue { contents in
            contents.requestsInAll += 1
            guard let found = contents.resource(for: path) else { return nil }
            contents.requests[found.path, default: 0] += 1
            return (found.resource, String(path.dropFirst(found.path.count)))
        }
    }
}

extension LabShelf.Contents {
    fileprivate func resource(for path: String) -> (path: String, resource: LabResource)? {
        if let resource = resources[path] { return (path, resource) }
        let above = resources.filter { path.hasPrefix($0.key.hasSuffix("/") ? $0.key : $0.key + "/") }
        guard let longest = above.max(by: { $0.key.count < $1.key.count }), case .ocsp = longest.value.content else {
            return nil
        }
        return (longest.key, longest.value)
    }
}
