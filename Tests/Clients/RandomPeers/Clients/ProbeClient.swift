// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerObservation
import ServerTrust
import ServerTrustNIO

/// The probe of `servertrust check`. A trusted server is an answer with the status 200, a refused one with 403.
struct ProbeTestClient: TestedClient {
    private let kind: ClientKind
    private let trust: ServerTrustConfiguration
    private let port: Int

    init(_ kind: ClientKind, port: Int, _ trust: ServerTrustConfiguration) {
        self.kind = kind
        self.trust = trust
        self.port = port
    }

    func send(_ request: Request) async throws -> Answer {
        var probe = TrustProbe(trust)
        probe.timeout = request.limit
        if kind == .probeStart { probe.prologue = .postgreSQL }
        let observing = ObservingProbe(probe, minimumVersion: .tls12)
        let server = try await observing.probe(
            try Hostname(Site.host), port: port, connectingTo: "127.0.0.1",
            requesting: request.method == "POST" ? "/" : nil)
        return Answer(status: server.report.verdict.isTrusted ? 200 : 403, body: Array("hello".utf8))
    }

    func close() async {}
}
