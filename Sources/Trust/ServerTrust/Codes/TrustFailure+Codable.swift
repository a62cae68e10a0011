// SPDX-License-Identifier: Apache-2.0

import PKIX

extension Time: Codable {
    /// Encodes the time as RFC 3339 in UTC, in the form of ``/PKIX/Time/description``. Throws for years before 0 and
    /// after 9999, which RFC 3339 can't represent.
    public func encode(to encoder: any Encoder) throws {
        guard self >= .earliest, self <= .latest else {
            throw EncodingError.invalidValue(
                self, .init(codingPath: encoder.codingPath, debugDescription: "\(self): expected a year from 0 to 9999")
            )
        }
        try description.encode(to: encoder)
    }

    /// The earliest time with an RFC 3339 form: 0000-01-01T00:00:00Z.
    package static let earliest = Time(secondsSinceEpoch: -62_167_219_200)
    /// The date 9999-12-31T23:59:59Z, which RFC 5280 § 4.1.2.5 uses for certificates that don't expire.
    package static let latest = Time(secondsSinceEpoch: 253_402_300_799)

    /// Decodes an RFC 3339 time.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do throws(TimeFormatError) {
            try self.init(rfc3339: container.decodeText())
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
        }
    }
}

extension SingleValueDecodingContainer {
    /// Decodes text. Any other value becomes the empty text, which no type here accepts.
    fileprivate func decodeText() -> String { (try? decode(String.self)) ?? "" }
}

extension TrustFailure.Value: Codable {
    private enum Key: String, CodingKey { case text }

    /// Encodes a number, a list of texts, or a text. Times are encoded as RFC 3339, so a text in that form is encoded
    /// as an object with `text`.
    public func encode(to encoder: any Encoder) throws {
        if case .text(let text) = self, Self.time(text) != nil {
            var container = encoder.container(keyedBy: Key.self)
            return try container.encode(text, forKey: .text)
        }
        var container = encoder.singleValueContainer()
        switch self {
        case .time(let time): try container.encode(time)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let members): try container.encode(members)
        }
    }

    private static func time(_ text: String) -> Time? {
        guard text.utf8.count >= 20, let time = try? Time(rfc3339: text), time.description == text else { return nil }
        return time
    }

    /// Decodes a value.
    public init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Key.self) {
            self = .text(try container.decode(String.self, forKey: .text))
            return
        }
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
            self = .number(number)
        } else if let members = try? container.decode([String].self) {
            self = .list(members)
        } else {
            let text = try container.decode(String.self)
            self = Self.time(text).map { .time($0) } ?? .text(text)
        }
    }
}

extension TrustFailure: Codable {
    private enum Key: String, CodingKey {
        case code, severity, certificate, role, expected, found, constrainedBy, message, hint
    }

    /// Encodes the code, the place and both values. Adds severity, message and, for a code of this package, a hint for readers.
    ///
    /// Long lists and texts are cut, because a record is for reading. The values of an exception are encoded
    /// completely.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(code.name, forKey: .code)
        try container.encode(code.severity, forKey: .severity)
        try container.encode(certificate, forKey: .certificate)
        try container.encode(role, forKey: .role)
        try container.encode(expected?.abridged, forKey: .expected)
        try container.encode(found?.abridged, forKey: .found)
        try container.encodeIfPresent(constrainedBy, forKey: .constrainedBy)
        try container.encode(message, forKey: .message)
        try container.encodeIfPresent(code.explanation, forKey: .hint)
    }

    /// Decodes a failure. A code from a custom evaluator or a later version keeps its name, severity and message.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let name = try container.decode(String.self, forKey: .code)
        let code =
            try TrustFailure.Code.named(name)
            ?? TrustFailure.Code(
                name, rank: 0, severity: container.decode(TrustFailure.Code.Severity.self, forKey: .severity),
                message: container.decodeIfPresent(String.self, forKey: .message) ?? name)
        self.init(
            code, certificate: try container.decodeIfPresent(Int.self, forKey: .certificate),
            role: try container.decodeIfPresent(Role.self, forKey: .role),
            expected: try container.decodeIfPresent(Value.self, forKey: .expected),
            found: try container.decodeIfPresent(Value.self, forKey: .found))
        constrainedBy = try container.decodeIfPresent(Int.self, forKey: .constrainedBy)
    }
}
