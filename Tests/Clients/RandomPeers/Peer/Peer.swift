// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import PKIX

/// A server on loopback that follows a script, and later answers correctly.
final class Peer: Sendable {
    fileprivate struct State {
        var isGood = false
        var turns = 0
        /// The first decrypted bytes of each connection.
        var received: [[UInt8]] = []
        var channels: [ObjectIdentifier: any Channel] = [:]
    }

    /// The number of bytes to remember for each connection.
    private static let memory = 512
    /// A thread for the servers, so that a client that blocks its event loop doesn't block them.
    private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    let script: Script
    let port: Int
    private let listener: any Channel
    private let state: Locked<State>

    private init(_ script: Script, _ listener: any Channel, _ state: Locked<State>) {
        self.script = script
        self.listener = listener
        self.state = state
        port = listener.localAddress?.port ?? 0
    }

    static func start(_ script: Script, _ site: Site) async throws -> Peer {
        let state = Locked(State())
        let context = try site.context(script)
        let proxyContext = site.proxyContext
        let run = Run(script, state)
        let listener = try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                state.withLock { $0.channels[ObjectIdentifier(channel)] = channel }
                channel.closeFuture.whenComplete { _ in
                    state.withLock { _ = $0.channels.removeValue(forKey: ObjectIdentifier(channel)) }
                }
                return channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let fault = script.wire { try pipeline.addHandler(WireTap(fault, run)) }
                    if let proxy = script.proxy {
                        if case .connect(_, true) = proxy {
                            try pipeline.addHandler(NIOSSLServerHandler(context: proxyContext))
                        }
                        try pipeline.addHandler(ProxyHandler(proxy, run, server: context))
                    } else {
                        try PeerHandler.add(to: pipeline, run, context)
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return Peer(script, listener, state)
    }

    /// The script and the state of an exchange, for the handlers of its connections.
    struct Run: Sendable {
        let script: Script
        private let state: Locked<State>

        fileprivate init(_ script: Script, _ state: Locked<State>) {
            self.script = script
            self.state = state
        }

        var isGood: Bool { state.withLock { $0.isGood } }

        /// Returns the acts for the next request.
        func nextTurn() -> [Act] {
            state.withLock { state in
                defer { state.turns += 1 }
                return script.turns.isEmpty ? [.close(.fin)] : script.turns[state.turns % script.turns.count]
            }
        }

        /// Returns a number for a connection.
        func begin() -> Int {
            state.withLock { state in
                state.received.append([])
                return state.received.count - 1
            }
        }

        func note(_ bytes: ByteBufferView, _ connection: Int) {
            state.withLock { state in
                state.received[connection] += bytes.prefix(Peer.memory - state.received[connection].count)
            }
        }
    }

    /// The first decrypted bytes of each connection.
    var received: [[UInt8]] { state.withLock { $0.received.filter { !$0.isEmpty } } }

    /// Makes the peer answer every request correctly, or by its script.
    func be(good: Bool) { state.withLock { $0.isGood = good } }

    /// Resets all connections.
    func reset() {
        for channel in state.withLock({ Array($0.channels.values) }) { channel.reset() }
    }

    func stop() async {
        try? await listener.close().get()
        let channels = state.withLock { Array($0.channels.values) }
        for channel in channels { channel.reset() }
        for channel in channels { try? await channel.closeFuture.get() }
    }
}

extension Channel {
    /// Closes the socket with RST, without TLS's close_notify.
    func reset() {
        eventLoop.execute { [self] in
            (self as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenFailure { _ in }
            (pipeline.syncOperations.belowTLS ?? pipeline.syncOperations.first)?.close(promise: nil)
            close(promise: nil)
        }
    }
}

extension ChannelPipeline.SynchronousOperations {
    /// The context of the first TLS handler. Its writes aren't encrypted.
    var belowTLS: ChannelHandlerContext? { try? context(handlerType: NIOSSLServerHandler.self) }
    fileprivate var first: ChannelHandlerContext? { try? context(handlerType: PeerHandler.self) }
}
