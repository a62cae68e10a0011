// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import NIOPosix
import ServerTrust
import ServerTrustNIO
import Testing

@testable import ServerTrustLab

/// Each test runs in its own process, where no other test opens or closes descriptors.
@Suite("Resources that connections leave behind", .serialized)
struct LeftBehindTests {
    private static func descriptors() -> Int {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0) - 1
    }

    @Test("Trusted, refused, interrupted and waiting connections leave no descriptor open")
    func everyKind() async {
        await #expect(processExitsWith: .success) {
            // Opens the descriptors that stay open for good: event loops, the random source, the task timer.
            try await Self.round()
            try await Task.sleep(for: .milliseconds(1))
            let before = Self.descriptors()
            for _ in 0..<3 { try await Self.round() }
            for _ in 0..<400 where Self.descriptors() > before { try await Task.sleep(for: .milliseconds(25)) }
            #expect(Self.descriptors() <= before)
        }
    }

    private static func round() async throws {
        for scenario in [LabScenario.good, .expired, .noTLS, .handshakeCutOff] {
            let server = try await LabServer.start(scenario)
            let report = try await Caller(tls: ServerTrustTLS(server)).call(server)
            #expect(report.finding == scenario.expected)
            await server.stop()
        }
        let silent = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let trust = ServerTrustConfiguration(try ServerTrustManager(evaluators: [:], allHostsMustBeEvaluated: false))
        var tls = try ServerTrustTLS(trust)
        tls.handshakeTimeout = .milliseconds(200)
        let report = try await Caller(tls: tls).call(Hostname("api.lab.test"), port: silent.localAddress?.port ?? 0)
        #expect(report.code == .connectionTimedOut)
        try await silent.close().get()
    }
}
