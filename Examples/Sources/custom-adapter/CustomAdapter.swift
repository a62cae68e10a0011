// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import PKIX
import ServerTrust
import ServerTrustLab

/// An adapter for your own client, here directly over NIOSSL, and its test with the conformance suite.
@main
struct CustomAdapter {
    static func main() async throws {
        let violations = try await AdapterConformance().run { attempt in
            let client = SmallClient(source: attempt.source, evaluationTimeout: attempt.evaluationTimeout)
            _ = try await client.get(
                attempt.server.host, at: attempt.server.address.rawValue, port: attempt.server.port)
        }
        print(violations.isEmpty ? "the adapter conforms" : violations.map(\.description).joined(separator: "\n"))

        // The same client with a verdict source that refuses the server.
        let server = try await LabServer.start(.intercepted)
        let client = SmallClient(
            source: VerdictSource(server.certificates.configuration), evaluationTimeout: .seconds(10))
        do {
            print(try await client.get(server.host, at: server.address.rawValue, port: server.port))
        } catch let refusal as TrustRefusal {
            print("refused: \(refusal.headline.code), \(server.counts.requestBytes) bytes sent")
        }
        await server.stop()
    }
}

struct SmallClient {
    let source: VerdictSource
    let evaluationTimeout: Duration

    /// Sends `GET /`, and returns the first line of the response.
    func get(_ host: Hostname, at address: String, port: Int) async throws -> String {
        // Check this first, before a name is looked up.
        if let verdict = source.denial(of: host) { throw TrustRefusal(verdict) }

        var configuration = TLSConfiguration.makeClientConfiguration()
        // The engine checks the chain and the name. With `.none`, NIOSSL would ignore a refusal.
        configuration.certificateVerification = .noHostnameVerification
        // OpenSSL's defaults: BoringSSL doesn't offer Ed25519 by default.
        configuration.verifySignatureAlgorithms = [
            .ecdsaSecp256R1Sha256, .ecdsaSecp384R1Sha384, .ecdsaSecp521R1Sha512, .rsaPssRsaeSha256, .rsaPssRsaeSha384,
            .rsaPssRsaeSha512, .rsaPkcs1Sha256, .rsaPkcs1Sha384, .rsaPkcs1Sha512, .ed25519,
        ]
        let context = try NIOSSLContext(configuration: configuration)
        let (channel, answer) = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: address, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let answer = channel.eventLoop.makePromise(of: String.self)
                    let tls = try NIOSSLClientHandler(
                        context: context, serverHostname: host.serverName,
                        customVerificationCallback: verification(of: host, on: channel, answer))
                    try channel.pipeline.syncOperations.addHandlers([tls, Exchange(host, answer)])
                    return (channel, answer)
                }
            }
        return try await withTaskCancellationHandler {
            defer { channel.close(promise: nil) }
            return try await answer.futureResult.get()
        } onCancel: {
            channel.close(promise: nil)
        }
    }

    /// Evaluates the server while the handshake waits.
    private func verification(
        of host: Hostname, on channel: any Channel, _ answer: EventLoopPromise<String>
    ) -> @Sendable ([NIOSSLCertificate], EventLoopPromise<NIOSSLVerificationResult>) -> Void {
        { [source, evaluationTimeout] presented, result in
            let chain = PresentedChain(der: presented.map { (try? $0.toDERBytes()) ?? [] })
            let evaluation = Task {
                let verdict = await source.evaluate(chain, host: host)
                // Only the first answer counts. A good verdict after the timeout has no effect.
                if verdict.isTrusted { return result.succeed(.certificateVerified) }
                answer.fail(TrustRefusal(verdict))
                result.succeed(.failed)
            }
            let limit = channel.eventLoop.scheduleTask(in: .seconds(evaluationTimeout.components.seconds)) {
                result.succeed(.failed)
                evaluation.cancel()
            }
            result.futureResult.whenComplete { _ in limit.cancel() }
            // A closed connection doesn't need a verdict.
            channel.closeFuture.whenComplete { _ in evaluation.cancel() }
        }
    }
}

extension Hostname {
    /// SNI can't contain an address (RFC 6066 § 3).
    var serverName: String? { if case .dns(let name) = kind { name } else { nil } }
}

/// Sends the request once TLS is established, which requires a good verdict, and reads the first line of the response.
final class Exchange: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let host: Hostname
    private let answer: EventLoopPromise<String>

    init(_ host: Hostname, _ answer: EventLoopPromise<String>) {
        self.host = host
        self.answer = answer
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .handshakeCompleted = event as? TLSUserEvent else { return }
        let request = ByteBuffer(string: "GET / HTTP/1.1\r\nhost: \(host)\r\n\r\n")
        context.writeAndFlush(wrapOutboundOut(request), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        answer.succeed(String(String(buffer: unwrapInboundIn(data)).prefix { $0 != "\r\n" }))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        answer.fail(error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { answer.fail(ChannelError.eof) }
}
