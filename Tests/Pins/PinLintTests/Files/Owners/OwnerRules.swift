// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import Testing

@testable import PinLint
@testable import ServerTrustPins

/// The decision about a file, made by the owner of its format or by this package.
enum OwnerDecision: Sendable, Hashable, CustomStringConvertible {
    /// The file can't be used, or no server can satisfy it.
    case refused
    /// The file is used, and its hosts are treated like this.
    case accepted([String: Treatment])

    /// The treatment of a host.
    enum Treatment: Sendable, Hashable, CustomStringConvertible {
        /// The host has this number of pins that a key can match.
        case pinned(Int)
        /// The host has this number of pins, which are only reported.
        case reported(Int)
        case notPinned
        /// Every server is refused, because there is no anchor or no pin that a key can match.
        case locked

        var description: String {
            switch self {
            case .pinned(let count): "\(count) pins"
            case .reported(let count): "\(count) pins, reported"
            case .notPinned: "not pinned"
            case .locked: "every server refused"
            }
        }
    }

    var description: String {
        switch self {
        case .refused: "refused"
        case .accepted(let hosts):
            hosts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
        }
    }
}

/// An owner's rule: a sentence, its source, a file, and the decision.
struct OwnerRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The function or test in the owner's sources.
    let source: String
    let text: String
    let owner: OwnerDecision
    /// This package's decision and the reason, if it differs from the owner's.
    let ours: (decision: OwnerDecision, reason: String)?
    let time: String

    init(
        _ sentence: String, _ source: String, _ text: String, _ owner: OwnerDecision,
        ours: (decision: OwnerDecision, reason: String)? = nil, at time: String = "2026-11-22"
    ) {
        self.testDescription = sentence
        self.source = source
        self.text = text
        self.owner = owner
        self.ours = ours
        self.time = time
    }

    /// Returns this package's decision for the hosts in the owner's decision.
    func decision(_ format: PinFormat) throws -> OwnerDecision {
        let configuration: PinConfiguration
        do throws(PinFileError) {
            configuration = try PinConfiguration(importing: Array(text.utf8), as: format, file: "file")
        } catch {
            return .refused
        }
        let owner = if let ours { ours.decision } else { owner }
        guard case .accepted(let hosts) = owner else { return .accepted([:]) }
        var found: [String: OwnerDecision.Treatment] = [:]
        for name in hosts.keys {
            found[name] = try treatment(of: try Hostname(name), configuration)
        }
        return .accepted(found)
    }

    private func treatment(
        of host: Hostname, _ configuration: PinConfiguration
    ) throws -> OwnerDecision.Treatment {
        let rule = PinTable(configuration).rule(for: host)
        let anchors = rule.map(\.anchors).flatMap { $0.isEmpty ? nil : $0 } ?? configuration.anchors
        if !anchors.isEmpty, anchors.allSatisfy({ $0.kind == .none }) { return .locked }
        guard let rule, rule.mode != .unpinned else { return .notPinned }
        if let expiry = rule.expiry, expiry.hasPassed(at: try Time(rfc3339: time)) {
            return expiry.onExpiry == .failOpen ? .notPinned : .locked
        }
        let zero = [UInt8](repeating: 0, count: 32)
        let count = rule.pins.count { pin in
            if case .key(let key) = pin.value { Array(key.sha256) != zero } else { true }
        }
        guard count > 0 else { return .locked }
        return rule.mode == .reportOnly ? .reported(count) : .pinned(count)
    }
}

/// Pins for the rows. No key has these digests.
enum OwnerPins {
    static let all = (1...4).map { first in Base64.encode((0..<32).map { UInt8(first + $0) }) }
    static let a = all[0]
    static let b = all[1]
    static let c = all[2]
}

/// The share of rules for which this package makes the owner's decision.
struct OwnerSummary {
    let name: String
    let rows: [OwnerRow]

    var same: Int { rows.count { $0.ours == nil } }

    /// Prints the share and the reasons for the differences.
    func report() {
        print("\(name): \(rows.count) rules, \(same) as the owner, \(rows.count - same) different for a reason")
        for row in rows {
            if let ours = row.ours {
                print("  \(row.testDescription): \(row.owner) there, \(ours.decision) here: \(ours.reason)")
            }
        }
    }
}

@Suite("The owners' rules") struct OwnerSummaryTests {
    static let owners = [
        OwnerSummary(name: "Android", rows: AndroidRules.rows),
        OwnerSummary(name: "TrustKit", rows: TrustKitRules.rows),
        OwnerSummary(name: "App Transport Security", rows: ATSRules.rows),
        OwnerSummary(name: "OkHttp", rows: OkHttpRules.rows), OwnerSummary(name: "curl", rows: CurlRules.rows),
    ]

    @Test("The package makes the owners' decisions for at least 95 of 100 rules, with 25 rules for each owner")
    func share() {
        for owner in Self.owners {
            owner.report()
            #expect(owner.rows.count >= 25)
            #expect(Set(owner.rows.map(\.testDescription)).count == owner.rows.count)
            #expect(owner.rows.allSatisfy { !$0.source.isEmpty })
        }
        let rows = Self.owners.flatMap(\.rows)
        let same = Self.owners.map(\.same).reduce(0, +)
        print("all: \(rows.count) rules, \(same) as the owners, \(rows.count - same) different for a reason")
        #expect(same * 100 >= rows.count * 95)
    }
}

/// Checks that the package's decision on a row equals the owner's decision, or the different one that the row states.
func expectOwnersDecision(_ row: OwnerRow, _ format: PinFormat) throws {
    let found = try row.decision(format)
    guard let ours = row.ours else {
        #expect(found == row.owner, "\(row.source)")
        return
    }
    #expect(found == ours.decision, "\(row.source)")
    #expect(ours.decision != row.owner, "this isn't a difference: \(ours.reason)")
}
