// SPDX-License-Identifier: Apache-2.0

import TrustSupport

/// The protocol that a server speaks in the clear where a client began TLS, as its first bytes show it.
package enum ClearGreeting: Sendable, Hashable {
    /// HTTP, which answers a ClientHello with an error.
    case http
    /// A protocol that goes over to TLS on request: the name of `STARTTLS`'s protocol for tools, such as `smtp`.
    case startTLS(String)
    /// A protocol without TLS on this port, by its name.
    case other(String)
    /// Bytes of a protocol that isn't known here.
    case unknown

    /// - Parameter bytes: the first bytes of the server; not those of a TLS record, and not empty.
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

    /// In capitals.
    private static let starts: [(String, ClearGreeting)] = [
        ("HTTP/", .http), ("<!DOCTYPE HTML", .http), ("<HTML", .http), ("* OK", .startTLS("imap")),
        ("* BYE", .startTLS("imap")), ("* PREAUTH", .startTLS("imap")), ("+OK", .startTLS("pop3")),
        ("-ERR ", .other("POP3 or Redis")), ("<?XML", .startTLS("xmpp")), ("<STREAM:STREAM", .startTLS("xmpp")),
        ("SSH-", .other("SSH")), ("RFB ", .other("VNC")), ("AMQP", .other("AMQP")),
        ("\"IMPLEMENTATION\"", .startTLS("sieve")), ("200 ", .startTLS("nntp")), ("201 ", .startTLS("nntp")),
    ]

    /// A packet with number 0: protocol version 10, or an error.
    private static func isMySQL(_ bytes: [UInt8]) -> Bool {
        bytes.count > 5 && bytes[2] == 0 && bytes[3] == 0 && (bytes[4] == 10 || bytes[4] == 0xff)
    }

    /// A notice of disconnection (RFC 4511 § 4.4.1): message 0 with an extended response.
    private static func isLDAP(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 6, bytes[0] == 0x30 else { return false }
        let body = bytes[1] < 0x80 ? 2 : 2 + Int(bytes[1] & 0x7f)
        return bytes.count > body + 3 && bytes[body] == 2 && bytes[body + 1] == 1 && bytes[body + 3] == 0x78
    }

    /// An error message, with its length and the field of the severity.
    private static func isPostgreSQL(_ bytes: [UInt8]) -> Bool {
        bytes.count > 5 && bytes[0] == UInt8(ascii: "E") && bytes[1] == 0 && bytes[5] == UInt8(ascii: "S")
    }
}
