// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import NIOEmbedded
import NIOPosix
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustNIO
import ServerTrustTesting
import Testing

/// Checks the layout of the resolved swift-nio-ssl piece by piece. A failure names its version and the piece.
@Suite("The layout of NIOSSL")
struct NIOSSLLayoutTests {
    /// The version of swift-nio-ssl in Package.resolved.
    private static let resolvedVersion: String = {
        struct Resolved: Decodable {
            struct Pin: Decodable {
                struct State: Decodable { let version: String? }
                let identity: String
                let state: State
            }
            let pins: [Pin]
        }
        var folder = URL(fileURLWithPath: #filePath)
        while folder.path.count > 1 {
            folder.deleteLastPathComponent()
            guard let data = try? Data(contentsOf: folder.appendingPathComponent("Package.resolved")) else { continue }
            let pins = (try? JSONDecoder().decode(Resolved.self, from: data))?.pins ?? []
            return pins.first { $0.identity == "swift-nio-ssl" }?.state.version ?? "without a version"
        }
        return "of an unknown version"
    }()

    private static func sentence(_ error: NIOSSLLayoutError) -> Comment {
        """
        swift-nio-ssl \(resolvedVersion) has another \(error.piece.rawValue) than \(NIOSSLInternals.testedVersion): \
        NIOSSLInternals.swift has to follow it
        """
    }

    private static func handler(_ name: String? = "api.lab.test") throws -> NIOSSLClientHandler {
        try NIOSSLClientHandler(
            context: NIOSSLContext(configuration: .clientForServerTrust()), serverHostname: name)
    }

    @Test(
        "A new handler's connection is found and has the handler's server name", arguments: ["api.lab.test", nil])
    func newHandler(name: String?) throws {
        let handler = try Self.handler(name)
        do throws(NIOSSLLayoutError) {
            let internals = try NIOSSLInternals(handler)
            #expect(try internals.serverName() == name)
            #expect(try internals.presentedCertificates().isEmpty)
            #expect(internals.staple == nil && internals.timestampList == nil)
            #expect(internals.context.configuration.certificateVerification == .noHostnameVerification)
            internals.requestEvidence()
        } catch {
            Issue.record(Self.sentence(error))
        }
    }

    @Test(
        "An established connection contains the chain that its server sent", arguments: LabServer.TLSVersions.allCases)
    func established(versions: LabServer.TLSVersions) async throws {
        let server = try await LabServer.start(.good)
        let tls = try ServerTrustTLS(server, versions: versions)
        let (channel, handshake) = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: server.address.rawValue, port: server.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    (channel, try tls.addHandlers(to: channel.pipeline.syncOperations, host: server.host))
                }
            }
        let evaluated = try await handshake.get()
        #expect(evaluated.presentedChain.staple == .none && evaluated.presentedChain.evidenceGap == nil)
        #expect(evaluated.presentedChain.signedCertificateTimestampList == nil)
        let found = try await channel.eventLoop.submit { () -> Result<([[UInt8]], String?), NIOSSLLayoutError> in
            let handler = try channel.pipeline.syncOperations.handler(type: NIOSSLClientHandler.self)
            return Result { () throws(NIOSSLLayoutError) in
                let internals = try NIOSSLInternals(handler)
                // A flag of the completed handshake.
                internals.requestEvidence()
                return (try internals.presentedCertificates(), try internals.serverName())
            }
        }.get()
        switch found {
        case .success(let (certificates, name)):
            #expect(certificates == server.certificates.chain.map(\.der))
            #expect(name == server.host.description)
        case .failure(let error): Issue.record(Self.sentence(error))
        }
        try await channel.close()
        await server.stop()
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let piece: NIOSSLLayoutError.Piece
        let layout: NIOSSLInternals.Layout
        var testDescription: String { piece.rawValue }

        init(_ piece: NIOSSLLayoutError.Piece, _ change: (inout NIOSSLInternals.Layout) -> Void) {
            self.piece = piece
            var layout = NIOSSLInternals.Layout()
            change(&layout)
            self.layout = layout
        }
    }

    static let rows = [
        Row(.connection) { $0.connection = "transport" },
        Row(.connectionType) { $0.connectionType = "NIOSSL.Connection" },
        // Fields of other types: an enumeration, an object that isn't a connection, a Bool.
        Row(.connectionType) { $0.connection = "state" }, Row(.connectionType) { $0.connection = "maxWriteSize" },
        Row(.pointer) { $0.pointer = "tls" }, Row(.pointer) { $0.pointer = "role" },
        Row(.pointer) { $0.pointer = "parentContext" }, Row(.context) { $0.context = "ssl" },
        Row(.context) { $0.context = "shared" }, Row(.contextPointer) { $0.contextPointer = "boringSSL" },
        Row(.contextPointer) { $0.contextPointer = "configuration" },
    ]

    @Test("A different layout causes an error that names the piece", arguments: rows)
    func otherLayout(row: Row) throws {
        let handler = try Self.handler()
        #expect(throws: NIOSSLLayoutError(row.piece)) { try NIOSSLInternals(handler, layout: row.layout) }
    }

    @Test("A name in an unexpected field causes an error", arguments: ["hostname", "role", "ssl"])
    func otherName(field: String) throws {
        var layout = NIOSSLInternals.Layout()
        layout.serverName = field
        let internals = try NIOSSLInternals(Self.handler(), layout: layout)
        #expect(throws: NIOSSLLayoutError(.serverName)) { try internals.serverName() }
    }

    @Test("A server-side handler causes an error")
    func server() throws {
        let identity = try TestAuthority.root().issue(.leaf("api.lab.test"))
        let context = try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: [.certificate(NIOSSLCertificate(bytes: identity.certificate.der, format: .der))],
                privateKey: .privateKey(
                    NIOSSLPrivateKey(bytes: Array(identity.key.pemRepresentation().utf8), format: .pem))))
        #expect(throws: NIOSSLLayoutError(.role)) { try NIOSSLInternals(NIOSSLServerHandler(context: context)) }
    }

    @Test("A connection can be read after its handler has left the pipeline")
    func removed() throws {
        let handler = try Self.handler()
        let channel = EmbeddedChannel(handler: handler)
        let internals = try NIOSSLInternals(handler)
        _ = try? channel.finish()
        #expect(try internals.serverName() == "api.lab.test")
        #expect(internals.staple == nil)
    }

    @Test("With readsStaples off, the handler reads nothing inside NIOSSL, so a different layout doesn't matter")
    func readsNoStaples() async throws {
        let server = try await LabServer.start(.good)
        var trust = ServerTrustConfiguration(server)
        trust.readsStaples = false
        var tls = try ServerTrustTLS(trust, versions: .both)
        tls.layout.pointer = "tls"
        let report = try await Caller(tls: tls).call(server)
        await server.stop()
        let evaluated = try report.server.get()
        #expect(evaluated.presentedChain.staple == .unknown && evaluated.presentedChain.evidenceGap == nil)
        #expect(evaluated.verdict.isTrusted && evaluated.verdict.warnings.isEmpty, "\(evaluated.verdict)")
    }

    @Test(
        "With a different layout, verdicts ignore staples and list the gap",
        arguments: [LabScenario.good, .mustStaple, .revokedByOCSP, .expired])
    func adapters(scenario: LabScenario) async throws {
        let server = try await LabServer.start(scenario)
        var trust = ServerTrustConfiguration(server)
        if scenario == .mustStaple {
            // The lab's evaluator knows that its server doesn't staple.
            trust.manager = try ServerTrustManager(
                evaluators: [server.host.description: DefaultTrustEvaluator()], memory: nil)
        }
        var tls = try ServerTrustTLS(trust, versions: .both)
        tls.layout.pointer = "tls"
        let report = try await Caller(tls: tls).call(server)
        await server.stop()
        let verdict: TrustVerdict? =
            switch report.server {
            case .success(let server): server.verdict
            case .failure(let error): (error as? TrustRefusal)?.verdict
            }
        let found = try #require(verdict)
        #expect(found.warnings.contains { $0.contains(NIOSSLLayoutError(.pointer).description) })
        if scenario == .mustStaple {
            #expect(found.isTrusted && found.notChecked.contains(.staple))
        } else {
            #expect(report.finding == scenario.expected)
        }
    }
}
