// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PKIX
import PinLint

/// `--connect`: `192.0.2.7`, `192.0.2.7:8443`, `[::1]:8443`, `::1` or a name.
struct ConnectAddress: Hashable, Sendable {
    /// nil for the host itself.
    var host: String?
    /// nil for the host's own.
    var port: Int?

    /// - Throws: `ValidationError` with what is wrong with `text`.
    init(_ text: String?) throws {
        guard let text else { return }
        do throws(ServerEndpointError) {
            let endpoint = try ServerEndpoint(text)
            host = endpoint.host.description
            let namesPort = text.hasSuffix(":\(endpoint.port)") && text != endpoint.host.description
            port = namesPort ? endpoint.port : nil
        } catch {
            throw ValidationError(error.description)
        }
    }
}

/// How a server that is looked at is reached, and what its path may end in.
struct ConnectOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The only anchors, instead of the system's. May be repeated.", valueName: "file"),
        completion: .file())
    var anchors: [String] = []

    @Option(help: ArgumentHelp("Where to connect to instead of the servers: addr or addr:port.", valueName: "addr"))
    var connect: String?

    @Option(
        help: ArgumentHelp("For each server, from DNS to the answer.", valueName: "time"),
        transform: reading(TimeSpan.init))
    var timeout = TimeSpan.fiveSeconds

    func validate() throws { _ = try address() }

    func address() throws -> ConnectAddress { try ConnectAddress(connect) }

    /// - Returns: nil for the system's.
    /// - Throws: ``CommandFailure`` if they can't be read.
    func anchorStore() throws -> AnchorStore? { anchors.isEmpty ? nil : try CertificateInput.anchors(anchors) }
}
