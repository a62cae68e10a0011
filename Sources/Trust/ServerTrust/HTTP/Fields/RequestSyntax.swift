// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The characters that a request's head may contain, in every version of HTTP.
///
/// A line break in one part would end that part and begin another part or another request. This also applies to HTTP/2,
/// if a server forwards the request over HTTP/1.1 (RFC 9112 § 11.1, RFC 9113 § 10.3). All clients check this before
/// they look up a name, connect or send.
package enum RequestSyntax {
    /// Returns whether a text is a token (RFC 9110 § 5.6.2). Methods and field names must be tokens.
    package static func isToken(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(\.isTokenByte)
    }

    /// Returns whether a text is a valid field value (RFC 9110 § 5.5): it has no control character except tabs. Bytes
    /// outside ASCII are allowed.
    package static func isValue(_ text: some StringProtocol) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == UInt8(ascii: "\t") }
    }

    /// Returns whether a text is a valid request target: ASCII without control characters and spaces (RFC 9112 § 3.2).
    package static func isTarget(_ text: some StringProtocol) -> Bool {
        text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
    }

    /// Checks a method and fields.
    /// - Returns: a sentence about the invalid part, or nil if all parts are valid. The sentence never contains a
    ///   value, which may be secret.
    package static func problem(
        method: String, fields: some Sequence<(name: String, value: String)>
    ) -> String? {
        guard isToken(method) else { return "the method contains an invalid character" }
        for (name, value) in fields {
            guard isToken(name) else { return "the name of a field contains an invalid character" }
            guard isValue(value) else {
                return "the value of the field \(name.prefix(64)) contains a control character, such as a line break"
            }
        }
        return nil
    }
}

extension UInt8 {
    /// Whether the byte is allowed in a token (RFC 9110 § 5.6.2).
    package var isTokenByte: Bool { isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(self) }
}
