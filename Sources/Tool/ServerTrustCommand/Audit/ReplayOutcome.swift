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
    var words: String { name.wordsOfName }
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
    /// The numbers of lines in the order of ``ReplayOutcome``, of connections in the same order, and of lines with the
    /// same outcome and other details.
    var numbers = [Int](repeating: 0, count: 2 * size + 1)

    private static let size = ReplayOutcome.allCases.count

    /// The maximum of each number. A hostile record may claim any number of connections. The sum of several can't
    /// overflow `Int`.
    static let maximum = 1 << 53

    /// The number of connections. Unreadable lines represent one.
    var answers: Int { numbers[Self.size..<2 * Self.size].reduce(0, +) }
    /// The number of lines.
    var allLines: Int { numbers[..<Self.size].reduce(0, +) }
    /// The lines with the same outcome and other details.
    var otherDetails: Int { numbers[2 * Self.size] }

    func lines(_ outcome: ReplayOutcome) -> Int { numbers[outcome.rawValue] }
    func connections(_ outcome: ReplayOutcome) -> Int { numbers[Self.size + outcome.rawValue] }

    /// The number of readable connections.
    var readable: Int { answers - connections(.unreadable) }

    /// The number of connections with a verdict of the replay.
    var evaluated: Int { readable - connections(.notReproducible) }

    /// The lines whose replay has another verdict, code, path or warning.
    var differences: Int { lines(.newlyRefused) + lines(.newlyTrusted) + otherDetails }

    mutating func add(_ result: ReplayResult) {
        let place = Self.size + result.outcome.rawValue
        numbers[result.outcome.rawValue] += 1
        numbers[place] = min(Self.maximum, numbers[place] + min(Self.maximum, result.connections))
        if result.hasOtherDetails { numbers[2 * Self.size] += 1 }
    }
}
