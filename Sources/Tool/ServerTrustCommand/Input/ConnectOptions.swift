// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PKIX
import ServerTrust
import ServerTrustNIO

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
    @Option(help: .book("check --anchors"), completion: .file())
    var anchors: [String] = []

    @Option(help: .book("check --connect"))
    var connect: String?

    @Option(help: .book("check --timeout"), transform: reading(TimeSpan.init))
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

/// The options for the machines and names behind a host.
struct NodeOptions: ParsableArguments {
    @Flag(help: "Check each address of a host, IPv4 and IPv6, and show how they differ.")
    var allAddresses = false

    @OptionGroup var sent: ServerNameOptions

    /// Rejects options that can't be combined with checking every address.
    func validate(_ connecting: ConnectOptions, _ proxies: ProxyOptions, follows: Bool) throws {
        try OptionRule.check(
            .excludes(
                ["--all-addresses": allAddresses, "--connect": connecting.connect],
                ": the first connects to every address of the host, the second to one"),
            .excludes(
                ["--all-addresses": allAddresses, "--proxy": proxies.proxy],
                ": the first looks names up on this machine, with the second the proxy does"),
            .excludes(["--all-addresses": allAddresses, "--follow": follows]))
    }
}

/// The option for the server name in the handshake.
struct ServerNameOptions: ParsableArguments {
    @Option(help: .book("check --servername"), transform: reading(EndpointArgument.host))
    var servername: Hostname?

    func validate() throws {
        if case .ip = servername?.kind {
            throw ValidationError("--servername takes a name: SNI can't contain an address")
        }
    }
}

/// The options for a client certificate.
struct ClientCertificateOptions: ParsableArguments {
    @Option(help: .book("check --client-cert"), completion: .file())
    var clientCert: String?

    @Option(help: .book("check --client-key"), completion: .file())
    var clientKey: String?

    func validate() throws {
        try OptionRule.check(.requires(["--client-cert": clientCert], for: ["--client-key": clientKey]))
    }

    /// Returns the client's certificate and key, or nil without these options.
    /// - Throws: ``CommandFailure`` if one of them can't be read, or the key doesn't match the certificate.
    func identity() throws(CommandFailure) -> ClientIdentity? {
        guard let clientCert else { return nil }
        let chain = try CertificateInput.presentedChain([clientCert])
        let keyFile = clientKey ?? clientCert
        let key = try InputFile.read(keyFile)
        return try CommandFailure.of(InputFile.displayName(keyFile)) {
            try ClientIdentity(certificates: chain.certificates, key: key)
        }
    }
}
