// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOTLS
import PKIX
import ServerTrust
import ServerTrustTesting

/// A small TLS client that evaluates the server with a scenario's settings, and sends one request over HTTP/1.1 if it is trusted.
///
/// For tests alone: it follows no redirect, keeps no connection and accepts bodies of up to 1 MiB.
public struct LabClient: Sendable {
    /// The versions of TLS to offer.
    package var versions: LabServer.TLSVersions

    /// The client certificate for servers that request one; nil for none.
    package var identity: TestIdentity?

    /// The longest duration of a connection. The report of a connection that is closed then has the part received.
    package var timeout: TimeAmount

    /// Creates a client for TLS 1.2 and 1.3 without a certificate and with a timeout of 60 seconds by default.
    public init(
        versions: LabServer.TLSVersions = .both, identity: TestIdentity? = nil, timeout: TimeAmount = .seconds(60)
    ) {
        self.versions = versions
        self.identity = identity
        self.timeout = timeout
    }

    /// The result of a connection.
    public struct Report: Sendable {
        /// The presented certificates in DER, leaf first; empty without a handshake.
        public internal(set) var presentedChain: [[UInt8]] = []
        /// The verdict; nil if the server presented no chain.
        public internal(set) var verdict: TrustVerdict?
        /// Whether the handshake completed on the client's side.
        package internal(set) var isHandshakeComplete = false
        /// The number of application bytes written to TLS; 0 after a refusal.
        package internal(set) var requestBytes = 0
        /// The status code; nil without a response.
        public internal(set) var status: Int?
        /// The header fields of the response.
        public internal(set) var headers: [(name: String, value: String)] = []
        /// The body received, up to 1 MiB.
        public internal(set) var body: [UInt8] = []
        /// Whether the whole response was received.
        package internal(set) var isComplete = false
        /// The first error of the connection as text; nil if there was none.
        public internal(set) var error: String?

        /// The outcome of the verdict, to compare with ``LabServer/expected``.
        package var outcome: LabOutcome { verdict.map { LabOutcome($0) } ?? .noHandshake }

        /// The body as UTF-8 text.
        public var text: String { String(decoding: body, as: UTF8.self) }

        /// Returns the values of a header field; the name is compared without case.
        package func values(of name: String) -> [String] {
            headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        }
    }

    /// Connects, evaluates the server, and sends `GET` if it is trusted.
    /// - Parameters:
    ///   - server: the server, whose certificates also have the settings of the evaluation.
    ///   - path: the path of the request.
    ///   - authorization: the value of the header field of that name; nil for none.
    /// - Throws: the errors of a TLS context and of connecting. A refusal and a failed handshake are reports, not errors.
    public func get(_ server: LabServer, path: String = "/", authorization: String? = nil) async throws -> Report {
        let context = try LabTLS.clientContext(versions, identity)
        let record = LabRecord(Report())
        let certificates = server.certificates
        var headers = HTTPHeaders([("host", "\(server.host):\(server.port)"), ("connection", "close")])
        if let authorization { headers.add(name: "authorization", value: authorization) }
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path, headers: headers)
        // An IP address has no place in SNI (RFC 6066 § 3).
        let serverName: String? = if case .dns(let name) = certificates.host.kind { name } else { nil }
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(
                        NIOSSLClientHandler(context: context, serverHostname: serverName) { presented, answer in
                            answer.succeed(Self.evaluate(presented, certificates, record))
                        })
                    try pipeline.addHandler(RequestByteCounter(record))
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandler(SingleRequestHandler(head, record))
                }
            }
            .connect(host: server.address.rawValue, port: server.port).get()
        let limit = channel.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
        try? await channel.closeFuture.get()
        limit.cancel()
        return record.withLockedValue { $0 }
    }

    /// Evaluates on the event loop, without network access.
    private static func evaluate(
        _ presented: [NIOSSLCertificate], _ certificates: LabCertificates, _ record: LabRecord
    ) -> NIOSSLVerificationResult {
        // A certificate without bytes becomes one that can't be parsed.
        let der = presented.map { (try? $0.toDERBytes()) ?? [] }
        let verdict = certificates.evaluate(PresentedChain(der: der, memory: nil))
        record.withLockedValue {
            $0.presentedChain = der
            $0.verdict = verdict
        }
        return verdict.isTrusted ? .certificateVerified : .failed
    }
}

/// The report of an open connection, shared with the event loop.
private typealias LabRecord = NIOLockedValueBox<LabClient.Report>

/// Counts the bytes written to TLS.
private final class RequestByteCounter: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    private let record: LabRecord

    init(_ record: LabRecord) { self.record = record }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let bytes = unwrapOutboundIn(data).readableBytes
        record.withLockedValue { $0.requestBytes += bytes }
        context.write(data, promise: promise)
    }
}

/// Sends a request after the handshake, and closes the connection after the response.
private final class SingleRequestHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private static let maximumBody = 1 << 20
    private let head: HTTPRequestHead
    private let record: LabRecord

    init(_ head: HTTPRequestHead, _ record: LabRecord) {
        self.head = head
        self.record = record
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted = event as? TLSUserEvent {
            record.withLockedValue { $0.isHandshakeComplete = true }
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            record.withLockedValue {
                $0.status = Int(head.status.code)
                $0.headers = head.headers.map { ($0.name, $0.value) }
            }
        case .body(let buffer):
            let isTooMuch = record.withLockedValue {
                $0.body += buffer.readableBytesView
                return $0.body.count > Self.maximumBody
            }
            if isTooMuch { context.close(promise: nil) }
        case .end:
            record.withLockedValue { $0.isComplete = true }
            context.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        record.withLockedValue { if $0.error == nil { $0.error = String(describing: error) } }
        context.close(promise: nil)
    }
}
