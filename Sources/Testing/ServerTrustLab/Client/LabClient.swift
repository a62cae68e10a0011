// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOTLS
import PKIX
import ServerTrust
import ServerTrustTesting

/// A small TLS client that evaluates the server with a scenario's settings. If the server is trusted, the client sends
/// one request over HTTP/1.1.
///
/// Only for tests: it follows no redirects, keeps no connections and accepts bodies of up to 1 MiB.
public struct LabClient: Sendable {
    /// The TLS versions to offer.
    var versions: LabServer.TLSVersions

    /// The client certificate for servers that request one, or nil for none.
    var identity: TestIdentity?

    /// The time limit of a connection. The client closes the connection when this time has passed, and the report
    /// contains the part received so far.
    var timeout: TimeAmount

    /// Creates a client. By default it offers TLS 1.2 and 1.3, has no certificate and times out after 60 seconds.
    public init(
        versions: LabServer.TLSVersions = .both, identity: TestIdentity? = nil, timeout: TimeAmount = .seconds(60)
    ) {
        self.versions = versions
        self.identity = identity
        self.timeout = timeout
    }

    /// The result of a connection.
    public struct Report: Sendable {
        /// The presented certificates in DER, leaf first. Empty if there was no handshake.
        public internal(set) var presentedChain: [[UInt8]] = []
        /// The verdict (the result of the evaluation), or nil if the server presented no chain.
        public internal(set) var verdict: TrustVerdict?
        /// Whether the client completed the handshake.
        package internal(set) var isHandshakeComplete = false
        /// The number of application bytes that the client wrote to TLS, or 0 after a refusal.
        package internal(set) var requestBytes = 0
        /// The status code, or nil without a response.
        public internal(set) var status: Int?
        /// The header fields of the response.
        public internal(set) var headers: [(name: String, value: String)] = []
        /// The received body, up to 1 MiB.
        public internal(set) var body: [UInt8] = []
        /// Whether the client received the whole response.
        package internal(set) var isComplete = false
        /// The first error on the connection, as text, or nil if there wasn't one.
        public internal(set) var error: String?

        /// The verdict's outcome, to compare with ``LabServer/expected``.
        package var outcome: LabOutcome { verdict.map { LabOutcome($0) } ?? .noHandshake }

        /// The body, decoded as UTF-8.
        public var text: String { String(decoding: body, as: UTF8.self) }

        /// Returns the values of a header field. The name isn't case-sensitive.
        func values(of name: String) -> [String] {
            headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        }
    }

    /// Connects, evaluates the server, and sends `GET` if the server is trusted.
    /// - Parameters:
    ///   - server: the server. Its certificates also have the settings for the evaluation.
    ///   - path: the path of the request.
    ///   - authorization: the value of the `authorization` header field, or nil for none.
    /// - Throws: errors from creating a TLS context and from connecting. A refusal or a failed handshake doesn't throw,
    ///   but appears in the report.
    public func get(_ server: LabServer, path: String = "/", authorization: String? = nil) async throws -> Report {
        let context = try LabTLS.clientContext(versions, identity)
        let record = LabRecord(Report())
        let certificates = server.certificates
        var headers = HTTPHeaders([("host", "\(server.host):\(server.port)"), ("connection", "close")])
        if let authorization { headers.add(name: "authorization", value: authorization) }
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path, headers: headers)
        // SNI can't contain an IP address (RFC 6066 § 3).
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

    /// Evaluates the server on the event loop, without using the network.
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

/// Counts the bytes that are written to TLS.
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

#endif
