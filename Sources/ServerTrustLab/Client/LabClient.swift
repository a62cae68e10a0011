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

/// A small TLS client that lets the engine decide, and sends one request over HTTP/1.1 if it may.
///
/// It shows how much has to be right at once: the chain as the server sent it, the name that was asked for, and no byte of a
/// request before the verdict. For tests; it follows no redirect, keeps no connection and takes bodies of up to 1 MiB.
public struct LabClient: Sendable {
    /// Versions of TLS to offer.
    public var versions: LabServer.TLSVersions

    /// Shown if the server asks for one.
    public var identity: TestIdentity?

    /// How long a connection may take from start to end; a report says then what had come by that time.
    public var timeout: TimeAmount

    public init(
        versions: LabServer.TLSVersions = .both, identity: TestIdentity? = nil, timeout: TimeAmount = .seconds(60)
    ) {
        self.versions = versions
        self.identity = identity
        self.timeout = timeout
    }

    /// What came of a connection.
    public struct Report: Sendable {
        /// What the server presented, in DER, leaf first; empty if it didn't get that far.
        public internal(set) var presentedChain: [[UInt8]] = []
        /// nil if there was nothing to judge.
        public internal(set) var verdict: TrustVerdict?
        /// Whether TLS was up, as the client sees it.
        public internal(set) var isHandshakeComplete = false
        /// Application bytes handed to TLS; 0 after a refusal.
        public internal(set) var requestBytes = 0
        /// nil without an answer.
        public internal(set) var status: Int?
        public internal(set) var headers: [(name: String, value: String)] = []
        public internal(set) var body: [UInt8] = []
        /// Whether the answer came to its end.
        public internal(set) var isComplete = false
        /// What the TLS library said, for people.
        public internal(set) var error: String?

        /// The verdict, for comparing with what the scenario expects.
        public var finding: LabFinding { verdict.map { LabFinding($0) } ?? .noHandshake }

        public var text: String { String(decoding: body, as: UTF8.self) }

        /// The values of a header, whatever its case.
        public func values(of name: String) -> [String] {
            headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        }
    }

    /// Connects, judges, and sends `GET` if the verdict allows it.
    /// - Parameters:
    ///   - server: where to connect to, and whose settings to judge by.
    ///   - path: what to ask for.
    ///   - authorization: the header of that name, if any.
    /// - Throws: what making a TLS context and connecting throw. A refusal and a failed handshake are reports.
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
                            answer.succeed(Self.judge(presented, certificates, record))
                        })
                    try pipeline.addHandler(RequestByteCounter(record))
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandler(OneRequest(head, record))
                }
            }
            .connect(host: server.address.rawValue, port: server.port).get()
        let limit = channel.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
        try? await channel.closeFuture.get()
        limit.cancel()
        return record.withLockedValue { $0 }
    }

    /// The engine's decision, on the event loop: no network, no waiting.
    private static func judge(
        _ presented: [NIOSSLCertificate], _ certificates: LabCertificates, _ record: LabRecord
    ) -> NIOSSLVerificationResult {
        // A certificate without bytes is passed on as one that can't be read.
        let der = presented.map { (try? $0.toDERBytes()) ?? [] }
        let verdict = certificates.verdict(on: PresentedChain(der: der, memory: nil))
        record.withLockedValue {
            $0.presentedChain = der
            $0.verdict = verdict
        }
        return verdict.isTrusted ? .certificateVerified : .failed
    }
}

/// A report in the making, shared with the event loop.
private typealias LabRecord = NIOLockedValueBox<LabClient.Report>

/// Counts what is handed to TLS.
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

/// Sends a request when TLS is up, and closes when the answer is there.
private final class OneRequest: ChannelInboundHandler {
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
