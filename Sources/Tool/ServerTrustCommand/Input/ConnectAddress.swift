// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PKIX
import ServerTrust

/// The value of `--connect`: `192.0.2.7`, `192.0.2.7:8443`, `[::1]:8443`, `::1` or a name.
struct ConnectAddress: Hashable, Sendable {
    /// The name or address to connect to, or nil for the host itself.
    var host: String?
    /// The port, or nil for the host's own.
    var port: Int?

    /// Creates an address from its text. With nil, it connects to the host itself.
    /// - Throws: `ValidationError` if the text isn't a server's name or address.
    init(_ text: String?) throws {
        guard let text else { return }
        do throws(ServerEndpointError) {
            let endpoint = try ServerEndpoint(text)
            host = endpoint.host.resolverName
            let namesPort = text.hasSuffix(":\(endpoint.port)") && text != endpoint.host.description
            port = namesPort ? endpoint.port : nil
        } catch {
            throw ValidationError(error.description)
        }
    }
}

/// The options for connections to servers and for the anchors.
struct ConnectOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Trust only these anchors. May be repeated.", valueName: "file"),
        completion: .file())
    var anchors: [String] = []

    @Option(
        help: ArgumentHelp(
            "Connect to this address: addr or addr:port. (default: the servers' own)",
            valueName: "addr"))
    var connect: String?

    @Option(
        help: .wholePage(
            "Limit the time for each server: once for the DNS lookup, and again from connecting to the response. (default: 5s)",
            valueName: "time"),
        transform: reading(TimeSpan.init))
    var timeout = TimeSpan.fiveSeconds

    @OptionGroup(visibility: .wholePage) var passphrases: PassphraseOptions

    func validate() throws { _ = try address() }

    func address() throws -> ConnectAddress { try ConnectAddress(connect) }

    /// Returns the anchors that the options name, or nil for the system's.
    /// - Throws: ``CommandFailure`` if they can't be read.
    func anchorStore() throws -> AnchorStore? {
        anchors.isEmpty ? nil : try CertificateInput.anchors(anchors, passphrases: passphrases)
    }
}
