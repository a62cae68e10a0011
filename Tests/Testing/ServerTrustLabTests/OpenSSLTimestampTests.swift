// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import Testing

@testable import ServerTrustLab

@Suite("Timestamps from the lab's servers, verified by openssl", .enabled(if: OtherClient.areAvailable))
struct OpenSSLTimestampTests {
    @Test(
        "openssl reports the same outcome for each timestamp, in a different order",
        arguments: [
            ("ct-good", ["valid", "valid"]), ("ct-one-operator", ["valid", "valid"]),
            ("ct-tiled-only", ["valid", "valid"]), ("ct-too-few", ["valid"]), ("ct-none", []),
            ("ct-bad-signature", ["valid", "invalid"]), ("ct-unknown-log", ["valid", "unknown log"]),
            ("ct-mimic", ["unknown log", "unknown log"]),
        ])
    func statuses(name: String, expected: [String]) async throws {
        let server = try await LabServer.start(try #require(LabScenario.named(name)))
        let output = try await Self.connect(server)
        await server.stop()
        let marker = "SCT validation status: "
        let found = output.split(separator: "\n").filter { $0.hasPrefix(marker) }.map {
            String($0.dropFirst(marker.count))
        }
        #expect(found.sorted() == expected.sorted(), "\(output)")
    }

    /// Returns the output of `s_client -ct` with the scenario's anchors and list of logs.
    private static func connect(_ server: LabServer) async throws -> String {
        try await OtherClient.inFolder { folder in
            let anchors = folder.appendingPathComponent("anchors.pem")
            try Data(server.certificates.anchorsPEM.utf8).write(to: anchors)
            let logs = folder.appendingPathComponent("logs.cnf")
            try Data(configuration(try #require(server.certificates.client.logList)).utf8).write(to: logs)
            return try await OtherClient.openssl.run(
                [
                    "s_client", "-connect", "\(server.address.rawValue):\(server.port)", "-servername",
                    server.host.description, "-CAfile", anchors.path, "-no-CApath", "-no-CAstore", "-ct",
                    "-ctlogfile", logs.path,
                ], in: folder
            ).output
        }
    }

    private struct List: Decodable {
        struct Operator: Decodable {
            var logs: [Log]
            var tiled_logs: [Log]
        }
        struct Log: Decodable {
            var description: String
            var key: String
        }
        var operators: [Operator]
    }

    /// Returns a list of logs in the format of CTLOG_STORE_new(3).
    private static func configuration(_ json: [UInt8]) throws -> String {
        let list = try JSONDecoder().decode(List.self, from: Data(json))
        let logs = list.operators.flatMap { $0.logs + $0.tiled_logs }
        let names = logs.indices.map { "log\($0)" }
        return
            (["enabled_logs = \(names.joined(separator: ","))"]
            + zip(names, logs).flatMap { ["[\($0)]", "description = \($1.description)", "key = \($1.key)"] })
            .joined(separator: "\n") + "\n"
    }
}
