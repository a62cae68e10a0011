// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import PKIX

/// Faults that the self-test plants, each with the kind of finding that must follow.
enum PlantedFault: String, CaseIterable, Sendable {
    case crash
    case hang
    case earlyByte = "early byte"
    case descriptors
    case memory
    case nextRequest = "next request"
    case status
    case error
    case accepted

    /// The client that shows the fault.
    var client: ClientKind { self == .earlyByte || self == .accepted ? .http1 : .clear }
}

/// A client with a planted fault. It shows the fault only if a byte of the script has a certain value.
final class FaultyClient: TestedClient {
    private struct UnknownError: Error {}
    private static let leaked = Locked<[[UInt8]]>([])

    private let client: any TestedClient
    private let fault: PlantedFault
    private let port: Int
    private let isActive: Bool

    init(_ client: any TestedClient, _ fault: PlantedFault, port: Int, isActive: Bool) {
        self.client = client
        self.fault = fault
        self.port = port
        self.isActive = isActive
    }

    func send(_ request: Request) async throws -> Answer {
        guard isActive else { return try await client.send(request) }
        switch fault {
        case .crash: fatalError("a planted crash")
        case .hang: await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        case .earlyByte: try await sendByte()
        case .descriptors: _ = open("/dev/null", O_RDONLY)
        case .memory: Self.leaked.withLock { $0.append([UInt8](repeating: 1, count: 1 << 21)) }
        case .nextRequest: throw CancellationError()
        case .status: return Answer(status: 42, body: [])
        case .error: throw UnknownError()
        case .accepted: return Answer(status: 200, body: [])
        }
        return try await client.send(request)
    }

    /// Sends a byte over TLS without a verdict.
    private func sendByte() async throws {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.certificateVerification = .none
        let context = try NIOSSLContext(configuration: tls)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        NIOSSLClientHandler(context: context, serverHostname: nil))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        try? await channel.writeAndFlush(ByteBuffer(string: "G"))
        try await Task.sleep(for: .milliseconds(50))
        try? await channel.close()
    }

    func close() async { await client.close() }
}
