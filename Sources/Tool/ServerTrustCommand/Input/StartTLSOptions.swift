// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust
import ServerTrustHTTP
import ServerTrustNIO

extension StartTLSProtocol: ExpressibleByArgument {}

/// The option for protocols that begin without TLS.
struct StartTLSOptions: ParsableArguments {
    @Option(help: .book("check --starttls"))
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

/// The option for the proxy to reach servers through.
struct ProxyOptions: ParsableArguments {
    @Option(help: .book("check --proxy"))
    var proxy: String?

    func validate() throws { _ = try selection() }

    /// Returns the rule that selects a proxy.
    /// - Throws: `ValidationError` if the address can't be parsed. The error doesn't repeat it, because it may contain
    ///   a password.
    func selection() throws -> ProxySelection {
        guard let proxy else { return .none }
        guard proxy != "environment" else { return .environment }
        do throws(ProxyAddressError) {
            return .always(try ConnectionProxy(address: proxy))
        } catch {
            throw ValidationError("--proxy: \(error)")
        }
    }
}

extension ProxySelection {
    /// Returns the proxy for a server, or nil for a direct connection.
    /// - Throws: ``CommandFailure`` if an environment variable can't be parsed.
    func proxy(for endpoint: ServerEndpoint) throws(CommandFailure) -> ConnectionProxy? {
        try CommandFailure.of("\(endpoint)") { try proxy(RequestTarget(endpoint.httpsURL).origin) }
    }
}

extension TrustProbe {
    /// Connects through a proxy. A proxy that uses TLS needs a trusted certificate for its host. The rules of the server
    /// don't apply to the proxy, but the settings do.
    mutating func use(_ proxy: ConnectionProxy?, _ settings: TrustSettings) throws {
        self.proxy = proxy
        guard let host = proxy?.tlsHost else { return }
        let manager = try ServerTrustManager(evaluators: [host.description: DefaultTrustEvaluator()], memory: nil)
        proxySource = VerdictSource(ServerTrustConfiguration(manager, settings: settings))
    }
}
