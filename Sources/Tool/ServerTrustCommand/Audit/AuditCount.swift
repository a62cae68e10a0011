// SPDX-License-Identifier: Apache-2.0

/// The numbers of trusted, rejected and unreadable answers.
struct AuditCount: TableCount {
    private(set) var trusted = 0
    private(set) var rejected = 0
    private(set) var unreadable = 0

    /// The largest number that the decoder accepts. Sums over all rows of a table can't overflow `Int`.
    static let maximum = 1 << 40

    /// The number of all answers.
    var answers: Int { trusted + rejected + unreadable }

    mutating func add(_ verdict: AuditFacts.Verdict) {
        switch verdict {
        case .trusted: trusted += 1
        case .rejected: rejected += 1
        case .unreadable: unreadable += 1
        }
    }

    static func += (left: inout AuditCount, right: AuditCount) {
        left.trusted += right.trusted
        left.rejected += right.rejected
        left.unreadable += right.unreadable
    }
}

extension AuditCount {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for number in [trusted, rejected, unreadable] { try container.encode(number) }
    }

    /// - Throws: `DecodingError` unless the value is three numbers from 0 to ``maximum``.
    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        trusted = try Self.number(&container)
        rejected = try Self.number(&container)
        unreadable = try Self.number(&container)
        guard container.isAtEnd else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "more than three numbers")
        }
    }

    private static func number(_ container: inout any UnkeyedDecodingContainer) throws -> Int {
        let number = try container.decode(Int.self)
        guard (0...maximum).contains(number) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "expected a number from 0 to \(maximum), found \(number)")
        }
        return number
    }
}
