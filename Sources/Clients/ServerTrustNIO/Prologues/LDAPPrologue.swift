// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

extension TLSPrologue {
    /// LDAP's extended operation StartTLS (RFC 4511 § 4.14), usually on port 389.
    public static let ldap = TLSPrologue(
        "LDAP",
        [
            Step(sending: LDAPResponse.startTLS, maximumSize: LDAPResponse.maximumSize) { received in
                guard let response = try LDAPResponse(received) else { return false }
                guard response.resultCode == 0 else {
                    throw PrologueRefusal(
                        .declined,
                        "the server answers StartTLS with result \(response.result): \(PrologueRefusal.quoted(response.diagnosticMessage))"
                    )
                }
                return true
            }
        ])
}

/// An LDAP message with an extended response, in BER. Lengths may be longer than necessary.
struct LDAPResponse {
    /// The size limit in bytes. A response from slapd consists of 14 bytes and a message.
    static let maximumSize = 8192

    let resultCode: Int
    let diagnosticMessage: ArraySlice<UInt8>

    /// Message 1: an extended request with the name 1.3.6.1.4.1.1466.20037.
    static let startTLS: [UInt8] =
        [0x30, 29, 0x02, 1, 1, 0x77, 24, 0x80, 22] + Array("1.3.6.1.4.1.1466.20037".utf8)

    /// Parses a response. Returns nil while bytes are missing.
    /// - Throws: ``PrologueRefusal`` for anything else.
    init?(_ bytes: [UInt8]) throws(PrologueRefusal) {
        let foreign = PrologueRefusal(
            .otherProtocol, "the server doesn't speak LDAP: its answer begins with \(PrologueRefusal.quoted(bytes))")
        guard bytes.first == 0x30 else { throw foreign }
        guard let header = BERHeader(bytes[...]) else {
            if bytes.count < 6 { return nil }
            throw foreign
        }
        guard header.size <= Self.maximumSize, header.count > 0 else { throw foreign }
        guard bytes.count >= header.size else { return nil }
        var rest = bytes[...].dropFirst(header.start)
        guard let message = BERHeader.element(0x02, &rest), var operation = BERHeader.element(0x78, &rest),
            let code = BERHeader.element(0x0a, &operation), code.count == 1, let resultCode = code.first,
            BERHeader.element(0x04, &operation) != nil, let text = BERHeader.element(0x04, &operation)
        else { throw foreign }
        // Message 0 is the server's notice of disconnection (RFC 4511 § 4.4.1).
        guard message.elementsEqual([1]) else {
            throw PrologueRefusal(.declined, "the server ends the session: \(PrologueRefusal.quoted(text))")
        }
        self.resultCode = Int(resultCode)
        diagnosticMessage = text
    }

    /// The result code. Codes that StartTLS can have include their name (RFC 4511 § 4.1.9).
    var result: String {
        let names = [1: "operationsError", 2: "protocolError", 10: "referral", 51: "busy", 52: "unavailable"]
        return names[resultCode].map { "\(resultCode) (\($0))" } ?? "\(resultCode)"
    }
}

/// The tag and the length of a BER element. The tag is one byte long, and the length is at most five bytes long.
private struct BERHeader {
    /// The size of the tag and the length.
    let start: Int
    /// The size of the contents.
    let count: Int

    var size: Int { start + count }

    /// Parses a header. Returns nil if bytes are missing, or if the length is indefinite or takes more than four bytes.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= 2 else { return nil }
        let first = Int(bytes[bytes.startIndex + 1])
        guard first >= 0x80 else {
            start = 2
            count = first
            return
        }
        let digits = bytes.dropFirst(2).prefix(first - 0x80)
        guard (1...4).contains(first - 0x80), digits.count == first - 0x80 else { return nil }
        start = 2 + digits.count
        count = digits.reduce(0) { $0 << 8 | Int($1) }
    }

    /// Removes an element with the given tag from the start of the bytes and returns its contents. Nil for a different
    /// tag, and for an element that is longer than the bytes.
    static func element(_ tag: UInt8, _ bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard bytes.first == tag, let header = BERHeader(bytes), header.size <= bytes.count else { return nil }
        let contents = bytes.dropFirst(header.start).prefix(header.count)
        bytes = bytes.dropFirst(header.size)
        return contents
    }
}

#endif
