// SPDX-License-Identifier: Apache-2.0

extension TLSPrologue {
    /// SMTP's `EHLO` and `STARTTLS` (RFC 3207), as on ports 25 and 587. A server that doesn't list `STARTTLS` fails the connection.
    ///
    /// `EHLO` has the name `client.invalid`. A client sends it again with its own name when TLS is up, as capabilities that came in the clear
    /// prove nothing.
    public static let smtp = mail("SMTP", hello: "EHLO client.invalid")

    /// LMTP's `LHLO` and `STARTTLS` (RFC 2033, RFC 3207), as ``smtp``.
    public static let lmtp = mail("LMTP", hello: "LHLO client.invalid")

    private static func mail(_ name: String, hello: String) -> TLSPrologue {
        TLSPrologue(
            name,
            [
                .command(nil, of: name, expecting: ["220"]),
                .command(hello, of: name, expecting: ["250"]) { answer throws(PrologueRefusal) in
                    let isOffered = answer.lines.contains { $0.dropFirst(4).isKeyword("STARTTLS") }
                    guard isOffered else { throw TextAnswer.notOffered("STARTTLS") }
                },
                .command("STARTTLS", of: name, expecting: ["220"]),
            ])
    }

    /// IMAP's `STARTTLS` (RFC 9051 § 6.2.1), as on port 143. A server that doesn't list it in `CAPABILITY` fails the connection, and so does
    /// one that greets with `PREAUTH`: it would carry a session in the clear.
    public static let imap = TLSPrologue(
        "IMAP",
        [
            .command(nil, of: "IMAP") { line, answer throws(PrologueRefusal) in
                if line.isKeyword("* OK") { return true }
                guard line.isKeyword("* BYE") || line.isKeyword("* PREAUTH") else { throw answer.foreign() }
                throw answer.declined(line)
            },
            tagged("a1", "CAPABILITY") { answer throws(PrologueRefusal) in
                let isOffered = answer.lines.contains {
                    $0.isKeyword("* CAPABILITY") && $0.uppercased().split(separator: " ").contains("STARTTLS")
                }
                guard isOffered else { throw TextAnswer.notOffered("STARTTLS") }
            },
            tagged("a2", "STARTTLS"),
        ])

    /// A command of IMAP, and the answer up to the line with its tag.
    private static func tagged(
        _ tag: String, _ command: String,
        verify: @escaping @Sendable (TextAnswer) throws(PrologueRefusal) -> Void = { _ in }
    ) -> Step {
        .command("\(tag) \(command)", of: "IMAP") { line, answer throws(PrologueRefusal) in
            if line.hasPrefix("* ") { return false }
            guard line.isKeyword(tag) else { throw answer.foreign() }
            guard line.isKeyword("\(tag) OK") else { throw answer.declined(line) }
            try verify(answer)
            return true
        }
    }

    /// POP3's `STLS` (RFC 2595 § 4), as on port 110.
    public static let pop3 = TLSPrologue("POP3", [positive(nil), positive("STLS")])

    /// A command of POP3, or none for the greeting, and its answer of one line.
    private static func positive(_ command: String?) -> Step {
        .command(command, of: "POP3") { line, answer throws(PrologueRefusal) in
            if line.isKeyword("+OK") { return true }
            guard line.isKeyword("-ERR") else { throw answer.foreign() }
            throw answer.declined(line)
        }
    }

    /// ManageSieve's `STARTTLS` (RFC 5804 § 2.2), as on port 4190. A server that doesn't list it in its greeting fails the connection.
    public static let sieve = TLSPrologue(
        "ManageSieve",
        [
            sieve(nil) { answer throws(PrologueRefusal) in
                guard answer.lines.contains(where: { $0.isKeyword("\"STARTTLS\"") }) else {
                    throw TextAnswer.notOffered("STARTTLS")
                }
            },
            sieve("STARTTLS"),
        ])

    /// A command of ManageSieve, or none for the greeting, and its answer up to `OK`.
    private static func sieve(
        _ command: String?, verify: @escaping @Sendable (TextAnswer) throws(PrologueRefusal) -> Void = { _ in }
    ) -> Step {
        .command(command, of: "ManageSieve") { line, answer throws(PrologueRefusal) in
            if line.hasPrefix("\"") { return false }
            if line.isKeyword("NO") || line.isKeyword("BYE") { throw answer.declined(line) }
            guard line.isKeyword("OK") else { throw answer.foreign() }
            try verify(answer)
            return true
        }
    }
}

extension Substring {
    /// Whether the line begins with these words, in upper or lower case, and with nothing or a space behind them.
    func isKeyword(_ words: String) -> Bool {
        guard prefix(words.count).uppercased() == words.uppercased() else { return false }
        return dropFirst(words.count).first.map { $0 == " " } ?? true
    }
}
