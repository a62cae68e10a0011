// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The answer of a server in a protocol of lines, tested as each line ends.
///
/// Each byte costs constant time and each line its own length, whatever a server sends: a test of the whole answer at each byte would
/// cost its square.
struct TextAnswer {
    /// The protocol, for messages.
    let name: String
    /// The command that is answered; nil for the greeting.
    let command: String?
    let received: [UInt8]

    /// Returns the line that the last byte ends, without its end; nil in the middle of a line.
    /// - Throws: ``PrologueRefusal`` for a byte that no protocol of lines has.
    func lastLine() throws(PrologueRefusal) -> Substring? {
        guard let last = received.last else { return nil }
        guard last == 0x0a else {
            if last < 0x20, last != 0x0d, last != 0x09 { throw foreign() }
            return nil
        }
        let start = received.dropLast().lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
        return Self.text(received[start...])
    }

    /// The lines so far, without their ends.
    var lines: [Substring] { received.split(separator: 0x0a).map(Self.text) }

    private static func text(_ line: ArraySlice<UInt8>) -> Substring {
        var line = line
        while line.last == 0x0a || line.last == 0x0d { line.removeLast() }
        return Substring(decoding: line, as: UTF8.self)
    }

    /// The refusal of a server that answers in no line of the protocol.
    func foreign() -> PrologueRefusal {
        // The types of TLS's alert and handshake records (RFC 8446 § 5.1).
        guard received.first != 0x15, received.first != 0x16 else {
            return PrologueRefusal(.otherProtocol, "the server doesn't speak \(name) but TLS at once")
        }
        let words = PrologueRefusal.quoted(received)
        return PrologueRefusal(.otherProtocol, "the server doesn't speak \(name): it says \(words)")
    }

    /// The refusal of a server that answers with this line.
    func declined(_ line: Substring) -> PrologueRefusal {
        let words = PrologueRefusal.quoted(line.utf8)
        return PrologueRefusal(
            .declined, command.map { "the server answers \($0) with \(words)" } ?? "the server greets with \(words)")
    }

    /// The refusal of a server that doesn't have a command.
    static func notOffered(_ command: String) -> PrologueRefusal {
        PrologueRefusal(.declined, "the server doesn't offer \(command)")
    }
}

extension TLSPrologue.Step {
    /// The maximum size in bytes of an answer in lines; lists of capabilities have some hundred.
    private static let maximumTextSize = 16 << 10

    /// A command, or none for the greeting, whose answer ends with the line that a test accepts.
    /// - Parameters:
    ///   - command: without the end of the line.
    ///   - protocolName: the protocol's name for messages.
    ///   - isLast: called with each line when it ends. Throws if the server declines.
    static func command(
        _ command: String?, of protocolName: String,
        until isLast: @escaping @Sendable (_ line: Substring, _ answer: TextAnswer) throws(PrologueRefusal) -> Bool
    ) -> Self {
        Self(sending: command.map { Array("\($0)\r\n".utf8) } ?? [], maximumSize: maximumTextSize) { received in
            let answer = TextAnswer(name: protocolName, command: command, received: received)
            return try answer.lastLine().map { line throws(PrologueRefusal) in try isLast(line, answer) } ?? false
        }
    }

    /// A command, or none for the greeting, whose answer begins with a number of three digits, as in SMTP, FTP and NNTP. The last of several
    /// lines has a space behind the number (RFC 5321 § 4.2.1, RFC 959 § 4.2).
    /// - Parameters:
    ///   - codes: the numbers that accept.
    ///   - verify: called with the whole answer. Throws if the server declines.
    static func command(
        _ command: String?, of protocolName: String, expecting codes: Set<String>,
        verify: @escaping @Sendable (TextAnswer) throws(PrologueRefusal) -> Void = { _ in }
    ) -> Self {
        .command(command, of: protocolName) { line, answer throws(PrologueRefusal) in
            let code = answer.received.prefix(3)
            guard code.count == 3, code.allSatisfy({ (0x30...0x39).contains($0) }) else { throw answer.foreign() }
            let isContinued = answer.received.dropFirst(3).first == UInt8(ascii: "-")
            if isContinued {
                guard line.utf8.starts(with: code), line.utf8.dropFirst(3).first != UInt8(ascii: "-") else {
                    return false
                }
            }
            guard codes.contains(String(decoding: code, as: UTF8.self)) else { throw answer.declined(line) }
            try verify(answer)
            return true
        }
    }
}
