// SPDX-License-Identifier: Apache-2.0

/// The characters that the head of a request can have, in every version of HTTP.
///
/// A line break in one of its parts would end it and begin another one, or another request: over HTTP/2 as well, where a server passes it on
/// over HTTP/1.1 (RFC 9112 § 11.1, RFC 9113 § 10.3). All clients ask here before they look up a name, connect or send.
package enum RequestSyntax {
    /// Whether a text is a token (RFC 9110 § 5.6.2), as methods and names of fields are.
    package static func isToken(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(\.isTokenByte)
    }

    /// Whether a text can be the value of a field (RFC 9110 § 5.5): no control character but a tab. Bytes beyond ASCII are allowed.
    package static func isValue(_ text: some StringProtocol) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == UInt8(ascii: "\t") }
    }

    /// Whether a text can be the target of a request: ASCII without control characters and spaces (RFC 9112 § 3.2).
    package static func isTarget(_ text: some StringProtocol) -> Bool {
        text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
    }

    /// Checks a method and fields.
    /// - Returns: a sentence about the part that can't be sent, or nil if you can send them all. It never shows a value, which may be a secret.
    package static func problem(
        method: String, fields: some Sequence<(name: String, value: String)>
    ) -> String? {
        guard isToken(method) else { return "the method has a character that a method can't have" }
        for (name, value) in fields {
            guard isToken(name) else { return "the name of a field has a character that a name can't have" }
            guard isValue(value) else {
                return "the value of the field \(name.prefix(64)) has a control character, such as a line break"
            }
        }
        return nil
    }
}

extension UInt8 {
    /// Whether the byte can be in a token (RFC 9110 § 5.6.2).
    package var isTokenByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }
}
