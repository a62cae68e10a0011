// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A count that a table has for each of its rows. It is encoded as an array of its numbers.
protocol TableCount: Codable, Hashable, Sendable {
    /// The result of one row of the input.
    associatedtype Result

    /// The largest number that the decoder accepts.
    static var maximum: Int { get }

    /// All numbers of the count. Their number is always the same.
    var numbers: [Int] { get set }
    /// The number of all results.
    var answers: Int { get }

    init()
    mutating func add(_ result: Result)
}

extension TableCount {
    func encode(to encoder: any Encoder) throws { try numbers.encode(to: encoder) }

    /// - Throws: `DecodingError` unless the value has as many numbers as a new count, each from 0 to ``maximum``.
    init(from decoder: any Decoder) throws {
        self.init()
        let read = try [Int](from: decoder)
        guard read.count == numbers.count, read.allSatisfy({ (0...Self.maximum).contains($0) }) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "expected \(numbers.count) numbers from 0 to \(Self.maximum)"))
        }
        numbers = read
    }
}

/// The counts of an audit's answers by a text.
typealias AuditTable = CountTable<AuditCount>

/// The counts of answers by a text, such as the issuer's name, in bounded memory.
///
/// The first ``maximumRows`` different texts have one row each, with an exact count. Answers with any other text are
/// counted as ``other``. Texts are equal if they are canonically equivalent in Unicode. The row keeps the form of the
/// first one.
struct CountTable<Count: TableCount>: Sendable, Equatable {
    struct Row: Sendable, Hashable, Codable {
        var name: String
        var count = Count()
    }

    /// The maximum number of rows. Answers with further texts are counted as ``other``.
    static var maximumRows: Int { 10_000 }
    /// The maximum number of bytes of a row's name, as JSON writes it. Longer names are cut and end with an ellipsis.
    static var maximumName: Int { 256 }

    /// The rows, ordered by their first answers.
    private(set) var rows: [Row] = []
    /// The answers whose text was new after the table was full.
    private(set) var other = Count()
    /// The answers without a text.
    private(set) var none = Count()
    /// The index of each name in ``rows``.
    private var places: [String: Int] = [:]

    /// The rows with the most answers first.
    var ranked: [Row] { rows.ranked(by: \.answers) }

    /// Whether a name, as ``name(_:)`` returns it, has a row.
    func hasRow(_ name: String) -> Bool { places[name] != nil }

    /// Counts an answer in the row of its text, or in ``none`` if it has no text.
    mutating func add(_ text: String?, _ result: Count.Result) {
        guard let text else { return none.add(result) }
        let name = Self.name(text)
        if let place = places[name] {
            rows[place].count.add(result)
        } else if rows.count < Self.maximumRows {
            places[name] = rows.count
            rows.append(Row(name: name))
            rows[rows.count - 1].count.add(result)
        } else {
            other.add(result)
        }
    }

    /// Returns the text, or its start if it is long.
    static func name(_ text: String) -> String { text.abridged(toBytes: maximumName) }
}

extension Array {
    /// Returns the rows with the highest number first. Rows with equal numbers are ordered by the UTF-8 bytes of their
    /// names.
    func ranked<Count>(by number: (Count) -> Int) -> Self where Element == CountTable<Count>.Row {
        sorted { left, right in
            let (first, second) = (number(left.count), number(right.count))
            return first != second ? first > second : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
        }
    }
}

extension CountTable: Codable {
    private enum CodingKeys: String, CodingKey { case rows, other, none }

    /// - Throws: `DecodingError` if there are too many rows, a name occurs twice, or a name is too long.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        other = try container.decode(Count.self, forKey: .other)
        none = try container.decode(Count.self, forKey: .none)
        var list = try container.nestedUnkeyedContainer(forKey: .rows)
        while !list.isAtEnd {
            let row = try list.decode(Row.self)
            guard rows.count < Self.maximumRows, Self.isName(row.name), places[row.name] == nil else {
                throw DecodingError.dataCorruptedError(
                    in: list,
                    debugDescription: "row \(rows.count) is one too many, or its name is too long or occurs twice")
            }
            places[row.name] = rows.count
            rows.append(row)
        }
    }

    /// Whether a text is short enough for a name, including its ellipsis.
    private static func isName(_ text: String) -> Bool {
        text.utf8.count <= maximumName + 3 && text.writtenSize <= maximumName + 3
    }
}
