// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustNIO

/// A NIO client that evaluates its TLS server for the host, with a good server and with bad ones.
///
/// The servers are real lab servers on loopback.
@main
struct NIOClient {
    static func main() async throws {
        for scenario in [LabScenario.good, .expired, .intercepted, .noTLS] {
            let server = try await LabServer.start(scenario)
            var trust = ServerTrustConfiguration(server.certificates.manager)
            trust.anchors = .only(server.certificates.anchors)
            print("\(scenario.summary):")
            print("  " + (await ask(server, trust)))
            print("  bytes of a request that arrived: \(server.counts.requestBytes)")
            await server.stop()
        }
    }

    private static func ask(_ server: LabServer, _ trust: ServerTrustConfiguration) async -> String {
        do {
            // Create it once, and keep it for all connections.
            let tls = try ServerTrustTLS(trust)
            let host = server.host
            let (channel, handshake) = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: server.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let handshake = try tls.addHandlers(to: channel.pipeline.syncOperations, host: host)
                        let messages = try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                            wrappingChannelSynchronously: channel)
                        return (messages, handshake)
                    }
                }
            return try await channel.executeThenClose { answers, requests in
                // Throws unless the server is trusted.
                let evaluated = try await handshake.get()
                try await requests.write(ByteBuffer(string: "GET / HTTP/1.1\r\nhost: \(host)\r\n\r\n"))
                for try await answer in answers {
                    let line = String(buffer: answer).prefix { $0 != "\r\n" }
                    return "trusted, \(evaluated.verdict.path.count) certificates to the anchor: \(line)"
                }
                return "no answer"
            }
        } catch let refusal as TrustRefusal {
            return "refused: \(refusal.headline.code)"
        } catch let error as ConnectionFailure {
            return "no verdict: \(error.code)"
        } catch {
            return "\(error)"
        }
    }
}
