// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import Testing

/// A line for `verify --batch`: a good request with changes.
struct BatchLine: Sendable {
    enum Value: Sendable {
        case string(String)
        case strings([String])
        case number(Double)
        case boolean(Bool)
        case null
        /// The request doesn't contain the key.
        case absent
        case object([String: Value])
        case array([Value])

        var json: Any {
            switch self {
            case .string(let text): text
            case .strings(let texts): texts
            case .number(let number): number
            case .boolean(let value): value
            case .null, .absent: NSNull()
            case .object(let members): members.mapValues(\.json)
            case .array(let elements): elements.map(\.json)
            }
        }
    }

    private var members: [String: Value]

    /// Creates a request that is trusted if there are no changes.
    init(_ lab: Lab, _ changes: [String: Value] = [:]) {
        members = [
            "id": .string("row"), "host": .string(Lab.host), "time": .string(Lab.time),
            "chain": .strings([lab.leaf.base64, lab.intermediate.base64]), "anchors": .strings([lab.root.base64]),
        ]
        for (key, value) in changes {
            if case .absent = value { members[key] = nil } else { members[key] = value }
        }
    }

    func data() throws -> Data {
        try JSONSerialization.data(withJSONObject: members.mapValues(\.json), options: .sortedKeys) + [
            UInt8(ascii: "\n")
        ]
    }
}

/// An answer of `verify --batch`.
struct BatchAnswer: Decodable {
    struct Failure: Decodable {
        var code: String
        var certificate: Int?
        var message: String
    }
    var id: String?
    var verdict: String
    var result: String
    var path: [String]
    var failures: [Failure]
    var warnings: [String]?
    var ct: Transparency?
    var revocation: [Revocation]?

    /// A member of `revocation`.
    struct Revocation: Decodable {
        var status: String
        var source: String?
        var reason: String?
    }

    /// The member `ct`.
    struct Transparency: Decodable {
        struct Timestamp: Decodable {
            var log: String
            var `operator`: String?
            var state: String?
            var timestamp: UInt64
            var signature: String
            var counts: Bool
            var reason: String?
        }
        var outcome: String
        var code: String?
        var scts: [Timestamp]
        var sctsOmitted: Int?
    }
}

extension Tool {
    /// Returns the answers to `input`, and expects that every run exits with 0.
    static func batch(
        _ input: Data, jobs: Int? = nil, anchors: URL? = nil, options: [String] = []
    ) throws -> [BatchAnswer] {
        let outcome = try run(
            ["verify", "--batch"] + (jobs.map { ["--jobs", String($0)] } ?? []) + options, input: input,
            anchors: anchors)
        #expect(outcome.status == 0)
        // Only the closing line is expected.
        #expect(outcome.errors.hasPrefix("servertrust: ") && outcome.errors.contains(" \(outcome.lines.count) answer"))
        #expect(outcome.errors.split(separator: "\n").count == 1)
        return try outcome.lines.map { try JSONDecoder().decode(BatchAnswer.self, from: Data($0.utf8)) }
    }
}
