// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust
import ServerTrustNIO

extension StartTLSProtocol: ExpressibleByArgument {}

/// The option for protocols that begin without TLS.
struct StartTLSOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Speak this protocol before TLS, for servers without a scheme. (default: none)",
            valueName: "protocol"))
    var starttls: StartTLSProtocol?

    /// Returns the servers that a command's arguments name.
    /// - Throws: `ValidationError` for the first argument that doesn't name a server.
    func endpoints(_ servers: [String]) throws -> [ServerEndpoint] {
        do {
            return try servers.map { text throws(ArgumentProblem) in
                try EndpointArgument.endpoint(text, startTLS: starttls)
            }
        } catch {
            throw ValidationError(String(describing: error))
        }
    }
}

extension StartTLSProtocol {
    /// Returns the exchange before TLS.
    /// - Parameter host: the domain to open the XMPP stream to.
    func prologue(to host: Hostname) -> TLSPrologue {
        switch self {
        case .smtp: .smtp
        case .lmtp: .lmtp
        case .imap: .imap
        case .pop3: .pop3
        case .sieve: .sieve
        case .ftp: .ftp
        case .nntp: .nntp
        case .ldap: .ldap
        case .xmpp: .xmpp(domain: host)
        case .xmppServer: .xmppServer(domain: host)
        case .postgres: .postgreSQL
        case .mysql: .mySQL
        }
    }
}

extension TrustProbe {
    /// Sets the exchange before TLS and the ALPN protocols. Only `https` offers the HTTP protocols, because other
    /// servers may reject them.
    mutating func use(_ service: ServerService, host: Hostname) {
        prologue = service.startTLS?.prologue(to: host)
        if service != .https { applicationProtocols = [] }
    }
}
