// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import ServerTrustLab

/// Lab servers in this process and a file with their anchors, for runs of `check`.
struct LabServers {
    let servers: [LabServer]
    let folder: TemporaryFolder
    /// The options that make `check` reach the servers and trust their roots.
    let options: [String]

    init(_ scenarios: [LabScenario]) async throws {
        var servers: [LabServer] = []
        for scenario in scenarios { servers.append(try await LabServer.start(scenario)) }
        self.servers = servers
        folder = try TemporaryFolder.make()
        let anchors = servers.map(\.certificates.anchorsPEM).joined()
        options = [
            "--connect", "127.0.0.1", "--anchors", try folder.write("anchors.pem", Data(anchors.utf8)).path,
        ]
    }

    /// `HOST:PORT` of each server.
    var names: [String] { servers.map { "\($0.host):\($0.port)" } }

    func check(_ arguments: [String], input: String = "") throws -> Tool.Outcome {
        try Tool.run(["check"] + options + arguments, input: Data(input.utf8))
    }

    func stop() async {
        for server in servers { await server.stop() }
        folder.remove()
    }
}
