// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import ServerTrust

/// A challenge of a `WWW-Authenticate` header (RFC 9110 § 11.6.1): a scheme, and parameters or a token.
struct HTTPChallenge: Sendable, Hashable {
    /// The scheme in lowercase.
    let scheme: String
    /// The parameters, with names in lowercase. If a name occurs twice, the first value counts (RFC 9110 § 11.2 forbids
    /// repeated names).
    let parameters: [String: String]
    /// The token that some schemes use instead of parameters (`Negotiate oYIB…`).
    let token: String?

    var realm: String? { parameters["realm"] }

    /// Returns all challenges of a response, in the server's order. A part that can't be parsed ends the list of its
    /// header field: it is better not to guess which server wants a password.
    /// - Parameter fields: the values of all `WWW-Authenticate` fields. A value over 64 KiB is ignored.
    static func challenges(in fields: some Sequence<String>) -> [HTTPChallenge] {
        fields.flatMap { field -> [HTTPChallenge] in
            guard field.utf8.count <= 1 << 16 else { return [] }
            var reader = HTTPFieldReader(field)
            return reader.challenges()
        }
    }

    /// Parses a field that only contains parameters, such as `Authentication-Info` (RFC 7615 § 3).
    static func parameters(in field: String) -> [String: String] {
        guard field.utf8.count <= 1 << 16 else { return [:] }
        var reader = HTTPFieldReader("x " + field)
        return reader.challenges().first?.parameters ?? [:]
    }
}

/// A parser of tokens, quoted strings and separators of a header field.
private struct HTTPFieldReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) { self.bytes = Array(text.utf8) }

    /// Parses `challenge = auth-scheme [ 1*SP ( token68 / #auth-param ) ]`, and lists of challenges. A comma separates
    /// both challenges and parameters, so a token without a following `=` begins the next challenge.
    mutating func challenges() -> [HTTPChallenge] {
        var challenges: [HTTPChallenge] = []
        skipSeparators()
        while let scheme = token() {
            var parameters: [String: String] = [:]
            var opaque: String?
            // The token belongs to the scheme before it because no comma is between them.
            if skipSpaces() > 0, let token = token68() {
                opaque = token
            } else {
                while let (name, value) = parameter() {
                    if parameters[name] == nil { parameters[name] = value }
                    let start = position
                    guard skipSeparators() else { break }
                    if !isParameter() {
                        position = start
                        break
                    }
                }
            }
            challenges.append(
                HTTPChallenge(scheme: scheme.asciiLowercased, parameters: parameters, token: opaque))
            skipSpaces()
            guard position == bytes.count || bytes[position] == UInt8(ascii: ",") else { return challenges }
            skipSeparators()
        }
        return challenges
    }

    // MARK: - Pieces

    private mutating func parameter() -> (String, String)? {
        let start = position
        guard let name = token() else { return nil }
        skipSpaces()
        guard take("=") else {
            position = start
            return nil
        }
        skipSpaces()
        guard let value = quotedString() ?? token() else {
            position = start
            return nil
        }
        return (name.asciiLowercased, value)
    }

    /// Whether a parameter follows. Doesn't consume it.
    private func isParameter() -> Bool {
        var copy = self
        guard copy.token() != nil else { return false }
        copy.skipSpaces()
        return copy.take("=")
    }

    /// Parses a `token68` that ends at a comma or at the end of the field. Leaves other text to the parser of
    /// parameters.
    private mutating func token68() -> String? {
        let start = position
        while position < bytes.count, bytes[position].isToken68 { position += 1 }
        guard position > start else { return nil }
        while position < bytes.count, bytes[position] == UInt8(ascii: "=") { position += 1 }
        let end = position
        skipSpaces()
        guard position == bytes.count || bytes[position] == UInt8(ascii: ",") else {
            position = start
            return nil
        }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    private mutating func token() -> String? {
        let start = position
        while position < bytes.count, bytes[position].isTokenByte { position += 1 }
        return position > start ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
    }

    /// Parses a quoted string (RFC 9110 § 5.6.4), or returns nil if the closing quotation mark is missing.
    private mutating func quotedString() -> String? {
        let start = position
        guard take("\"") else { return nil }
        var value: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: value, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard position < bytes.count else { break }
                value.append(bytes[position])
                position += 1
            default: value.append(byte)
            }
        }
        position = start
        return nil
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    @discardableResult
    private mutating func skipSpaces() -> Int {
        let start = position
        while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x09 { position += 1 }
        return position - start
    }

    /// Skips commas and the spaces around them.
    /// - Returns: whether there was a comma.
    @discardableResult
    private mutating func skipSeparators() -> Bool {
        var hasComma = false
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: ","): hasComma = true
            case 0x20, 0x09: break
            default: return hasComma
            }
            position += 1
        }
        return hasComma
    }
}

extension UInt8 {
    private var isAlphanumeric: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    /// RFC 9110 § 5.6.2.

    /// RFC 9110 § 11.2, without the equals signs at the end.
    fileprivate var isToken68: Bool { isAlphanumeric || "-._~+/".utf8.contains(self) }
}

#endif
