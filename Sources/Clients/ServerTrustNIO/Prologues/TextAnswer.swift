// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import PKIX

/// A server's answer in a line-based protocol, tested at the end of each line.
///
/// Reading a byte takes constant time, and reading a line takes time in proportion to its length, whatever a server
/// sends. Testing the whole answer after each byte would take quadratic time.
struct TextAnswer {
    /// The name of the protocol in messages.
    let name: String
    /// The command that the server answers, or nil for the greeting.
    let command: String?
    let received: [UInt8]

    /// Returns the line that ends with the last byte, without its line end. Nil in the middle of a line.
    /// - Throws: ``PrologueRefusal`` for a byte that isn't allowed in any line-based protocol.
    func lastLine() throws(PrologueRefusal) -> Substring? {
        guard let last = received.last else { return nil }
        guard last == 0x0a else {
            if last < 0x20, last != 0x0d, last != 0x09 { throw foreign() }
            return nil
        }
        let start = received.dropLast().lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
        return Self.text(received[start...])
    }

    /// The lines so far, without their line ends.
    var lines: [Substring] { received.split(separator: 0x0a).map(Self.text) }

    private static func text(_ line: ArraySlice<UInt8>) -> Substring {
        var line = line
        while line.last == 0x0a || line.last == 0x0d { line.removeLast() }
        return Substring(decoding: line, as: UTF8.self)
    }

    /// Returns the refusal of a server whose answer isn't a line of the protocol.
    func foreign() -> PrologueRefusal {
        // These are the types of TLS's alert and handshake records (RFC 8446 § 5.1).
        guard received.first != 0x15, received.first != 0x16 else {
            return PrologueRefusal(.otherProtocol, "the server starts TLS at once instead of speaking \(name)")
        }
        let words = PrologueRefusal.quoted(received)
        return PrologueRefusal(.otherProtocol, "the server doesn't speak \(name): it says \(words)")
    }

    /// Returns the refusal of a server that answers with this line.
    func declined(_ line: Substring) -> PrologueRefusal {
        let words = PrologueRefusal.quoted(line.utf8)
        return PrologueRefusal(
            .declined, command.map { "the server answers \($0) with \(words)" } ?? "the server greets with \(words)")
    }

    /// Returns the refusal of a server that doesn't offer a command.
    static func notOffered(_ command: String) -> PrologueRefusal {
        PrologueRefusal(.declined, "the server doesn't offer \(command)")
    }
}

extension TLSPrologue.Step {
    /// The size limit of a text-based answer, in bytes. Lists of capabilities are usually a few hundred bytes long.
    private static let maximumTextSize = 16 << 10

    /// A command, or nil for the greeting, whose answer ends with the line that `isLast` accepts.
    /// - Parameters:
    ///   - command: the command, without a line end.
    ///   - protocolName: the name of the protocol in messages.
    ///   - isLast: called at the end of each line. It throws if the server declines.
    static func command(
        _ command: String?, of protocolName: String,
        until isLast: @escaping @Sendable (_ line: Substring, _ answer: TextAnswer) throws(PrologueRefusal) -> Bool
    ) -> Self {
        Self(sending: command.map { Array("\($0)\r\n".utf8) } ?? [], maximumSize: maximumTextSize) { received in
            let answer = TextAnswer(name: protocolName, command: command, received: received)
            return try answer.lastLine().map { line throws(PrologueRefusal) in try isLast(line, answer) } ?? false
        }
    }

    /// A command, or nil for the greeting, whose answer begins with a three-digit number, as in SMTP, FTP and NNTP. In
    /// an answer with several lines, a space follows the number in the last line (RFC 5321 § 4.2.1, RFC 959 § 4.2).
    /// - Parameters:
    ///   - codes: the numbers that accept the command.
    ///   - verify: called with the whole answer. It throws if the server declines.
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

#endif
