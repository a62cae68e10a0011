// SPDX-License-Identifier: Apache-2.0

/// The comparison of a record's verdict with the verdict of its replay.
enum ReplayOutcome: Int, CaseIterable, Codable, Sendable {
    /// Both verdicts trust the peer.
    case stillTrusted
    /// Both verdicts refuse the peer.
    case stillRefused
    case newlyRefused
    case newlyTrusted
    /// The verdict depends on something that the record doesn't contain.
    case notReproducible
    /// The line isn't a record, or its record or one of its large values is damaged.
    case unreadable

    /// The order of the rows of a host: a refusal first.
    var rank: Int {
        switch self {
        case .newlyRefused: 0
        case .notReproducible: 1
        case .newlyTrusted: 2
        case .unreadable, .stillRefused, .stillTrusted: 3
        }
    }

    /// The name in JSON.
    var name: String { "\(self)" }

    /// The name in texts.
    var words: String {
        switch self {
        case .stillTrusted: "still trusted"
        case .stillRefused: "still refused"
        case .newlyRefused: "newly refused"
        case .newlyTrusted: "newly trusted"
        case .notReproducible: "not reproducible"
        case .unreadable: "unreadable"
        }
    }
}

/// The result of one line, for counts.
struct ReplayResult: Sendable {
    var outcome: ReplayOutcome
    /// The number of connections that the line represents.
    var connections = 1
    /// Whether the replay's verdict differs from the recorded one, apart from ``outcome``: another code, path, or
    /// without changes another warning.
    var hasOtherDetails = false
}

/// The numbers of records and connections by outcome.
struct ReplayCount: TableCount {
    /// The numbers of lines, in the order of ``ReplayOutcome``.
    private var lines = Self.zeros
    /// The numbers of connections, in the same order.
    private var connections = Self.zeros
    /// The lines with the same outcome and other details.
    private(set) var otherDetails = 0

    private static let zeros = [Int](repeating: 0, count: ReplayOutcome.allCases.count)
    /// The maximum of each number. A hostile record may claim any number of connections. The sum of several can't
    /// overflow `Int`.
    static let maximum = 1 << 53

    /// The number of connections. Unreadable lines represent one.
    var answers: Int { connections.reduce(0, +) }
    /// The number of lines.
    var allLines: Int { lines.reduce(0, +) }

    func lines(_ outcome: ReplayOutcome) -> Int { lines[outcome.rawValue] }
    func connections(_ outcome: ReplayOutcome) -> Int { connections[outcome.rawValue] }

    /// The number of readable connections.
    var readable: Int { answers - connections(.unreadable) }

    /// The number of connections with a verdict of the replay.
    var evaluated: Int { readable - connections(.notReproducible) }

    /// The lines whose replay has another verdict, code, path or warning.
    var differences: Int { lines(.newlyRefused) + lines(.newlyTrusted) + otherDetails }

    mutating func add(_ result: ReplayResult) {
        let place = result.outcome.rawValue
        lines[place] += 1
        connections[place] = min(Self.maximum, connections[place] + min(Self.maximum, result.connections))
        if result.hasOtherDetails { otherDetails += 1 }
    }

    static func += (left: inout ReplayCount, right: ReplayCount) {
        for place in left.lines.indices {
            left.lines[place] += right.lines[place]
            left.connections[place] = min(maximum, left.connections[place] + right.connections[place])
        }
        left.otherDetails += right.otherDetails
    }
}

extension ReplayCount {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for number in lines + connections + [otherDetails] { try container.encode(number) }
    }

    /// - Throws: `DecodingError` unless the value is thirteen numbers from 0 to ``maximum``.
    init(from decoder: any Decoder) throws {
        let numbers = try decoder.singleValueContainer().decode([Int].self)
        let size = Self.zeros.count
        guard numbers.count == 2 * size + 1, numbers.allSatisfy({ (0...Self.maximum).contains($0) }) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "expected \(2 * size + 1) numbers from 0 to \(Self.maximum)"))
        }
        lines = Array(numbers.prefix(size))
        connections = Array(numbers.dropFirst(size).prefix(size))
        otherDetails = numbers[2 * size]
    }
}
