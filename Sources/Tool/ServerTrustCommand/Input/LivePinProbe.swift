// SPDX-License-Identifier: Apache-2.0

import PKIX
import PinLint
import ServerTrust
import ServerTrustNIO

/// Probes servers for `servertrust pins make`.
struct LivePinProbe: Sendable {
    var anchors: TrustAnchors
    var verifyDate: VerifyDate
    var connection: ServerConnection
    /// The protocol for servers without a scheme, or nil for `https`.
    var startTLS: StartTLSProtocol?

    /// Connects to a server and returns the keys of its valid paths. It sends only the TLS handshake.
    ///
    /// An untrusted server yields no pins, because they might be an attacker's.
    /// - Throws: ``CommandFailure`` if there is no verdict. `ExitCodes.rejected` for an untrusted server, after writing
    ///   the reasons.
    func probe(_ endpoint: ServerEndpoint, namedAs argument: String) async throws -> LivePinSource {
        let (server, configuration) = try await connection.observe(endpoint, notFile: "the name \(argument)") {
            $0.anchors = anchors
            $0.verifyDate = verifyDate
        }
        let report = server.report
        guard report.verdict.isTrusted else {
            for failure in report.verdict.failures {
                let message = failure.message(on: report.verdict.path, sentIn: report.presentedChain)
                Diagnostics.error("\(endpoint): \(message) [\(failure.code)]")
            }
            Diagnostics.hint(
                "nothing was pinned; name your own CA with --anchors, or run servertrust check for details")
            throw ExitCodes.rejected
        }
        return LivePinSource(
            name: argument, server: endpoint.host, paths: report.validPaths(with: configuration))
    }
}

/// The certificates in the valid paths of a trusted server. Other certificates that it sends are not candidates.
struct LivePinSource: PinCandidateSource {
    let name: String
    let server: Hostname
    let paths: [ValidatedPath]

    var host: Hostname? { server }

    func objects() -> [PinSource.Origin] {
        var seen: Set<Certificate> = []
        return paths.flatMap(\.certificates).filter { seen.insert($0).inserted }.map { .certificate($0) }
    }
}
