// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import ServerTrust

/// The protocol that a server speaks in the clear although the client began with TLS, detected from the server's first
/// bytes.
package enum ClearGreeting: Sendable, Hashable {
    /// HTTP, which answers a ClientHello with an error.
    case http
    /// A protocol that switches to TLS on request, by its name in the `STARTTLS` options of tools, such as `smtp`.
    case startTLS(String)
    /// A protocol without TLS on this port, by its name.
    case other(String)
    /// An unknown protocol.
    case unknown

    /// - Parameter bytes: the first bytes of the server. They must not be empty, and must not be a TLS record.
    package init(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let upper = text.uppercased()
        for (start, greeting) in Self.starts where upper.hasPrefix(start) {
            self = greeting
            return
        }
        if upper.hasPrefix("220") || upper.hasPrefix("421") || upper.hasPrefix("554") {
            self = .startTLS(upper.contains("FTP") ? "ftp" : "smtp")
        } else if Self.isMySQL(bytes) {
            self = .startTLS("mysql")
        } else if Self.isLDAP(bytes) {
            self = .startTLS("ldap")
        } else if Self.isPostgreSQL(bytes) {
            self = .startTLS("postgres")
        } else {
            self = .unknown
        }
    }

    /// The beginnings are in upper case.
    private static let starts: [(String, ClearGreeting)] = [
        ("HTTP/", .http), ("<!DOCTYPE HTML", .http), ("<HTML", .http), ("* OK", .startTLS("imap")),
        ("* BYE", .startTLS("imap")), ("* PREAUTH", .startTLS("imap")), ("+OK", .startTLS("pop3")),
        ("-ERR ", .other("POP3 or Redis")), ("<?XML", .startTLS("xmpp")), ("<STREAM:STREAM", .startTLS("xmpp")),
        ("SSH-", .other("SSH")), ("RFB ", .other("VNC")), ("AMQP", .other("AMQP")),
        ("\"IMPLEMENTATION\"", .startTLS("sieve")), ("200 ", .startTLS("nntp")), ("201 ", .startTLS("nntp")),
    ]

    /// Whether this is packet number 0 with protocol version 10, or with an error.
    private static func isMySQL(_ bytes: [UInt8]) -> Bool {
        bytes.count > 5 && bytes[2] == 0 && bytes[3] == 0 && (bytes[4] == 10 || bytes[4] == 0xff)
    }

    /// Whether this is a notice of disconnection (RFC 4511 § 4.4.1): message 0 with an extended response.
    private static func isLDAP(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 6, bytes[0] == 0x30 else { return false }
        let body = bytes[1] < 0x80 ? 2 : 2 + Int(bytes[1] & 0x7f)
        return bytes.count > body + 3 && bytes[body] == 2 && bytes[body + 1] == 1 && bytes[body + 3] == 0x78
    }

    /// Whether this is an error message, with its length and the severity field.
    private static func isPostgreSQL(_ bytes: [UInt8]) -> Bool {
        bytes.count > 5 && bytes[0] == UInt8(ascii: "E") && bytes[1] == 0 && bytes[5] == UInt8(ascii: "S")
    }
}

#endif
