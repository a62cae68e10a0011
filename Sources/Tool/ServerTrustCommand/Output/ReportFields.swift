// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust

/// The members of an object for programs: the keys of the contracts with their values, in order.
///
/// ```swift
/// let fields: ReportFields = [
///     "code": .text(failure.code.name),
///     "certificate": .number(failure.certificate),             // null for nil
///     "options": options.isEmpty ? nil : .texts(options),      // without the key for nil
/// ]
/// ```
struct ReportFields: ExpressibleByDictionaryLiteral {
    /// A record in its own format, whose members come in addition.
    var record: (any Encodable)?
    private(set) var members: [(key: String, value: ReportValue)]

    init(dictionaryLiteral members: (String, ReportValue?)...) {
        self.members = members.compactMap { key, value in value.map { (key, $0) } }
    }

    mutating func add(_ key: String, _ value: ReportValue) { members.append((key, value)) }

    static func + (fields: ReportFields, more: ReportFields) -> ReportFields {
        var sum = fields
        sum.members += more.members
        return sum
    }
}

/// A value in ``ReportFields``.
indirect enum ReportValue {
    case text(String?)
    case number(Int?)
    case flag(Bool)
    case list([ReportValue])
    case fields(ReportFields)

    static func texts(_ texts: [String]) -> ReportValue { .list(texts.map { .text($0) }) }
    static func objects(_ objects: [ReportFields]) -> ReportValue { .list(objects.map { .fields($0) }) }
}

// MARK: - JSON

extension ReportFields: Encodable {
    func encode(to encoder: any Encoder) throws {
        try record?.encode(to: encoder)
        var container = encoder.container(keyedBy: JSONName.self)
        for (key, value) in members { try container.encode(value, forKey: JSONName(key)) }
    }

    /// Returns JSON with sorted keys and a line feed.
    /// - Parameter isIndented: whether to write one member per line for people to read.
    static func json(_ value: some Encodable, isIndented: Bool = true) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if isIndented { encoder.outputFormatting.insert(.prettyPrinted) }
        return JSONWriter.escaping(try encoder.encode(value)) + [0x0a]
    }
}

extension ReportValue: Encodable {
    func encode(to encoder: any Encoder) throws {
        switch self {
        case .text(let text): try text.encode(to: encoder)
        case .number(let number): try number.encode(to: encoder)
        case .flag(let flag): try flag.encode(to: encoder)
        case .list(let list): try list.encode(to: encoder)
        case .fields(let fields): try fields.encode(to: encoder)
        }
    }
}

extension JSONWriter {
    /// Writes the members into an object, without those of a record.
    mutating func members(_ fields: ReportFields) {
        for (key, value) in fields.members {
            self.key(escaping: key)
            write(value)
        }
    }

    private mutating func write(_ value: ReportValue) {
        switch value {
        case .text(let text): string(text)
        case .number(let number): self.number(number)
        case .flag(let flag): boolean(flag)
        case .list(let list): array(of: list) { $0.write($1) }
        case .fields(let fields): object { $0.members(fields) }
        }
    }
}

/// A key of a JSON object with any name.
struct JSONName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
