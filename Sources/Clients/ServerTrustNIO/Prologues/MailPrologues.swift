// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

extension TLSPrologue {
    /// SMTP's `EHLO` and `STARTTLS` (RFC 3207), usually on ports 25 and 587. If the server doesn't list `STARTTLS`, the
    /// connection fails.
    ///
    /// `EHLO` contains the name `client.invalid`. When TLS is established, a client sends `EHLO` again with its own
    /// name, because capabilities that arrive in the clear prove nothing.
    public static let smtp = mail("SMTP", hello: "EHLO client.invalid")

    /// LMTP's `LHLO` and `STARTTLS` (RFC 2033, RFC 3207). See ``smtp``.
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

    /// IMAP's `STARTTLS` (RFC 9051 § 6.2.1), usually on port 143. If the server doesn't list it in `CAPABILITY`, the
    /// connection fails.
    ///
    /// The connection also fails if the server greets with `PREAUTH`, because it would start a session in the clear.
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

    /// An IMAP command, and its answer up to the line with the command's tag.
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

    /// POP3's `STLS` (RFC 2595 § 4), usually on port 110.
    public static let pop3 = TLSPrologue("POP3", [positive(nil), positive("STLS")])

    /// A POP3 command, or nil for the greeting, and its answer of one line.
    private static func positive(_ command: String?) -> Step {
        .command(command, of: "POP3") { line, answer throws(PrologueRefusal) in
            if line.isKeyword("+OK") { return true }
            guard line.isKeyword("-ERR") else { throw answer.foreign() }
            throw answer.declined(line)
        }
    }

    /// ManageSieve's `STARTTLS` (RFC 5804 § 2.2), usually on port 4190. If the server doesn't list it in its greeting,
    /// the connection fails.
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

    /// A ManageSieve command, or nil for the greeting, and its answer up to `OK`.
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
    /// Whether the line begins with these words, in upper or lower case. Either the line ends after them, or a space
    /// follows.
    func isKeyword(_ words: String) -> Bool {
        guard prefix(words.count).uppercased() == words.uppercased() else { return false }
        return dropFirst(words.count).first.map { $0 == " " } ?? true
    }
}

extension TLSPrologue {
    /// FTP's `AUTH TLS` on the control connection (RFC 4217 § 4), usually on port 21. It doesn't cover data
    /// connections.
    public static let ftp = TLSPrologue(
        "FTP",
        [.command(nil, of: "FTP", expecting: ["220"]), .command("AUTH TLS", of: "FTP", expecting: ["234"])])

    /// NNTP's `STARTTLS` (RFC 4642), usually on port 119.
    public static let nntp = TLSPrologue(
        "NNTP",
        [
            .command(nil, of: "NNTP", expecting: ["200", "201"]),
            .command("STARTTLS", of: "NNTP", expecting: ["382"]),
        ])
}

#endif
