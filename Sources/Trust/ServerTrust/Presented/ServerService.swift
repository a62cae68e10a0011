// SPDX-License-Identifier: Apache-2.0

/// A protocol that begins without TLS and then switches to it. The raw values are the words of `--starttls`.
package enum StartTLSProtocol: String, Hashable, Sendable, CaseIterable {
    case smtp
    case lmtp
    case imap
    case pop3
    case sieve
    case ftp
    case nntp
    case ldap
    case xmpp
    case xmppServer = "xmpp-server"
    case postgres
    case mysql
}

/// The protocol of a server: a URL's scheme, its port, and how TLS begins.
package struct ServerService: Hashable, Sendable {
    /// In lower case, as in `https`.
    package let scheme: String
    /// The port for a URL that names none.
    package let port: Int
    /// The exchange before TLS, or nil if the connection begins with TLS.
    package let startTLS: StartTLSProtocol?

    private init(_ scheme: String, _ port: Int, _ startTLS: StartTLSProtocol? = nil) {
        self.scheme = scheme
        self.port = port
        self.startTLS = startTLS
    }

    /// Returns the service of a scheme in any case, or nil if the scheme isn't known.
    init?(scheme: String) {
        let scheme = scheme.lowercased()
        guard let service = Self.all.first(where: { $0.scheme == scheme }) else { return nil }
        self = service
    }

    /// Creates the service of a protocol that begins without TLS.
    package init(_ startTLS: StartTLSProtocol) {
        self = Self.all.first { $0.startTLS == startTLS } ?? ServerService(startTLS.rawValue, 443, startTLS)
    }

    /// HTTP over TLS: the service of a server without a scheme.
    package static let https = ServerService("https", 443)

    /// Services with IANA's names and ports, and the schemes of database URLs. If several services use the same
    /// STARTTLS protocol, the first one has the protocol's name.
    package static let all = [
        https,
        ServerService("smtp", 25, .smtp), ServerService("submission", 587, .smtp), ServerService("smtps", 465),
        ServerService("submissions", 465), ServerService("lmtp", 24, .lmtp),
        ServerService("imap", 143, .imap), ServerService("imaps", 993),
        ServerService("pop3", 110, .pop3), ServerService("pop3s", 995),
        ServerService("sieve", 4190, .sieve),
        ServerService("ftp", 21, .ftp), ServerService("ftps", 990),
        ServerService("nntp", 119, .nntp), ServerService("nntps", 563),
        ServerService("ldap", 389, .ldap), ServerService("ldaps", 636),
        ServerService("xmpp", 5222, .xmpp), ServerService("xmpps", 5223),
        ServerService("xmpp-server", 5269, .xmppServer),
        ServerService("postgres", 5432, .postgres), ServerService("postgresql", 5432, .postgres),
        ServerService("mysql", 3306, .mysql), ServerService("mariadb", 3306, .mysql),
    ]
}
