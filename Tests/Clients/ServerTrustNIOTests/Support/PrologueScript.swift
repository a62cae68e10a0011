// SPDX-License-Identifier: Apache-2.0

import PKIX
import PeerScripts
import ServerTrustNIO
import Testing

/// A protocol's exchange before TLS: the prologue, and the answers of a server that continues with TLS.
struct PrologueScript: Sendable, CustomTestStringConvertible {
    let name: String
    let prologue: TLSPrologue
    let answers: [[UInt8]]

    init(_ name: String, _ prologue: TLSPrologue, _ answers: [UInt8]...) {
        self.name = name
        self.prologue = prologue
        self.answers = answers
    }

    var testDescription: String { name }

    /// Returns a peer with an answer to the request of each step. The parameter replaces the last answers.
    func peer(
        replacing last: [[UInt8]] = [], dribbles: Bool = false, closes: Bool = false
    ) -> [ScriptedPeer.Answer] {
        // MySQL's last request has no answer: TLS follows immediately.
        let unanswered = [[UInt8]](repeating: [], count: prologue.steps.count - answers.count)
        let answers = answers.dropLast(last.count) + last + unanswered
        return zip(prologue.steps, answers).enumerated().map { index, row in
            ScriptedPeer.Answer(
                bytes: row.1, after: row.0.request.count, dribbles: dribbles,
                closes: closes && index == self.answers.count - 1)
        }
    }

    static let host = Result { try Hostname("api.lab.test") }

    static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    static let stream =
        "<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' id='1' version='1.0'>"
    static let features =
        "<stream:features><starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls></stream:features>"

    /// Returns a MySQL greeting with these capabilities.
    static func mySQL(capabilities: UInt16) -> [UInt8] {
        let payload =
            [10] + bytes("8.0.40\0") + [7, 0, 0, 0] + bytes("12345678") + [0]
            + [UInt8(truncatingIfNeeded: capabilities), UInt8(capabilities >> 8), 45, 2, 0, 0xff, 0xdf, 21]
            + [UInt8](repeating: 0, count: 10) + bytes("abcdefghijkl\0caching_sha2_password\0")
        return [UInt8(payload.count), 0, 0, 0] + payload
    }

    static func ldap(_ code: UInt8, _ text: String = "", message: UInt8 = 1) -> [UInt8] {
        let operation: [UInt8] = [0x0a, 1, code, 0x04, 0, 0x04, UInt8(text.utf8.count)] + bytes(text)
        return [0x30, UInt8(operation.count + 5), 0x02, 1, message, 0x78, UInt8(operation.count)] + operation
    }

    static func all() throws -> [PrologueScript] {
        let host = try host.get()
        return [
            PrologueScript(
                "SMTP", .smtp, bytes("220-mail.lab.test\r\n220 ESMTP\r\n"),
                bytes("250-mail.lab.test\r\n250-SIZE 1000\r\n250-STARTTLS\r\n250 HELP\r\n"), bytes("220 go\r\n")),
            PrologueScript(
                "LMTP", .lmtp, bytes("220 LMTP\r\n"), bytes("250-mail\r\n250 starttls\r\n"), bytes("220 go\r\n")),
            PrologueScript(
                "IMAP", .imap, bytes("* OK [CAPABILITY IMAP4rev1] ready\r\n"),
                bytes("* CAPABILITY IMAP4rev1 StartTLS LOGINDISABLED\r\na1 OK done\r\n"), bytes("a2 ok begin\r\n")),
            PrologueScript("POP3", .pop3, bytes("+OK ready\r\n"), bytes("+OK begin\r\n")),
            PrologueScript(
                "ManageSieve", .sieve, bytes("\"IMPLEMENTATION\" \"Example\"\r\n\"STARTTLS\"\r\nOK \"ready\"\r\n"),
                bytes("OK\r\n")),
            PrologueScript(
                "FTP", .ftp, bytes("220-Welcome\r\n no code here\r\n221-nor the end\r\n220 ready\r\n"),
                bytes("234 go\r\n")),
            PrologueScript("NNTP", .nntp, bytes("201 no posting\r\n"), bytes("382 go\r\n")),
            PrologueScript("LDAP", .ldap, ldap(0)),
            PrologueScript(
                "LDAP of Active Directory", .ldap,
                [0x30, 0x84, 0, 0, 0, 0x10, 2, 1, 1, 0x78, 0x84, 0, 0, 0, 7, 0x0a, 1, 0, 4, 0, 4, 0]),
            PrologueScript(
                "XMPP", .xmpp(domain: host), bytes(stream + features),
                bytes("<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>")),
            PrologueScript(
                "XMPP between servers", .xmppServer(domain: host), bytes(stream + " " + features),
                bytes("<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'></proceed>")),
            PrologueScript("PostgreSQL", .postgreSQL, bytes("S")),
            PrologueScript("MySQL", .mySQL, mySQL(capabilities: 0xffff)),
        ]
    }
}
