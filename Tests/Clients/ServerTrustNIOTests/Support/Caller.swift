// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustNIO

/// Connects like any NIO client, sends one line when it is allowed to, and reports the events in between.
struct Caller {
    var tls: ServerTrustTLS
    /// Whether the caller writes right after connecting, without waiting for TLS, as careless clients do.
    var isHasty = false
    /// Called on the event loop with each verdict, before the handshake continues.
    var onVerdict: @Sendable (EvaluatedServer) -> Void = { _ in }

    /// The outcome of a connection.
    struct Report: Sendable {
        /// The result of the handshake's future.
        var server: Result<EvaluatedServer, any Error>
        /// Events and errors that passed through the pipeline, in order: `evaluated`, `handshake`, `refused`, a reason.
        var events: [String]
        /// The server's answer.
        var answer: String

        var finding: LabOutcome {
            switch server {
            case .success(let server): LabOutcome(server.verdict)
            case .failure(let refusal as TrustRefusal): .refused(refusal.headline.code)
            case .failure: .noHandshake
            }
        }
        var code: ErrorCode? {
            if case .failure(let error as ConnectionFailure) = server { error.code } else { nil }
        }
    }

    func call(_ server: LabServer) async throws -> Report {
        try await call(server.host, address: server.address.rawValue, port: server.port)
    }

    func call(_ host: Hostname, address: String = "127.0.0.1", port: Int) async throws -> Report {
        let log = Locked<(events: [String], answer: String)>(([], ""))
        let (channel, handshake) = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: address, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    let handshake = try tls.addHandlers(to: pipeline, host: host)
                    try pipeline.addHandler(Conversation(log, host: host, isHasty: isHasty, onVerdict))
                    return (channel, handshake)
                }
            }
        let server = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<EvaluatedServer, any Error>, Never>) in
            handshake.whenComplete { continuation.resume(returning: $0) }
        }
        let limit = channel.eventLoop.scheduleTask(in: .seconds(60)) { channel.close(promise: nil) }
        try? await channel.closeFuture.get()
        limit.cancel()
        return log.withLock { Report(server: server, events: $0.events, answer: $0.answer) }
    }
}

private final class Conversation: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let log: Locked<(events: [String], answer: String)>
    private let host: Hostname
    private let isHasty: Bool
    private let onVerdict: @Sendable (EvaluatedServer) -> Void

    init(
        _ log: Locked<(events: [String], answer: String)>, host: Hostname, isHasty: Bool,
        _ onVerdict: @escaping @Sendable (EvaluatedServer) -> Void
    ) {
        self.log = log
        self.host = host
        self.isHasty = isHasty
        self.onVerdict = onVerdict
    }

    private func note(_ event: String) { log.withLock { $0.events.append(event) } }

    private func ask(_ context: ChannelHandlerContext) {
        let text = "GET / HTTP/1.1\r\nhost: \(host)\r\nconnection: close\r\n\r\n"
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
    }

    func channelActive(context: ChannelHandlerContext) {
        if isHasty { ask(context) }
        context.fireChannelActive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let server as EvaluatedServer:
            note(server.verdict.isTrusted ? "trusted" : "untrusted")
            onVerdict(server)
        case TLSUserEvent.handshakeCompleted:
            note("handshake")
            if !isHasty { ask(context) }
        default: break
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let text = String(buffer: unwrapInboundIn(data))
        log.withLock { $0.answer += text }
        // The lab keeps its connections open, so the caller only reads the head.
        if text.contains("\r\n\r\n") { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case is TrustRefusal: note("refusal")
        case let error as ConnectionFailure: note(error.code.name)
        // After the answer, the lab's server may close without a TLS close_notify.
        default: note("other")
        }
        context.close(promise: nil)
    }
}

extension ServerTrustTLS {
    /// Creates a lab client's settings.
    init(_ server: LabServer, versions: LabServer.TLSVersions = .both) throws {
        try self.init(ServerTrustConfiguration(server), versions: versions)
    }

    init(_ trust: ServerTrustConfiguration, versions: LabServer.TLSVersions) throws {
        var configuration = TLSConfiguration.clientForServerTrust()
        configuration.minimumTLSVersion = versions == .tls13 ? .tlsv13 : .tlsv12
        configuration.maximumTLSVersion = versions == .tls12 ? .tlsv12 : .tlsv13
        try self.init(
            VerdictSource(trust), context: NIOSSLContext(configuration: configuration),
            handshakeTimeout: .seconds(60))
    }
}

extension ServerTrustConfiguration {
    /// Creates the rules for the scenario's client.
    init(_ server: LabServer) { self = server.certificates.configuration }
}
