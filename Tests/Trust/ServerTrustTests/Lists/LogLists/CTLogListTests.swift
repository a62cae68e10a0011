// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import Testing

@testable import ServerTrust
@testable import ServerTrustTesting

/// Lists as JSON objects that a test changes and reads.
private struct ListDraft {
    var members: [String: Any]

    init(_ logs: [TestLog], at date: Time = TestAuthority.now) throws {
        let object = try JSONSerialization.jsonObject(with: Data(TestLog.list(logs, at: date)))
        members = try #require(object as? [String: Any])
    }

    /// Changes the first operator.
    mutating func changeOperator(_ change: (inout [String: Any]) -> Void) {
        guard var operators = members["operators"] as? [[String: Any]] else { return }
        change(&operators[0])
        members["operators"] = operators
    }

    /// Changes the first log of the first operator.
    mutating func changeLog(_ change: (inout [String: Any]) -> Void) {
        changeOperator { provider in
            guard var logs = provider["logs"] as? [[String: Any]] else { return }
            change(&logs[0])
            provider["logs"] = logs
        }
    }

    func bytes() throws -> [UInt8] { Array(try JSONSerialization.data(withJSONObject: members)) }

    func read(now: Time = TestAuthority.now) throws -> CTLogList { try CTLogList(json: bytes(), now: now) }
}

/// A change to a list with two logs.
struct LogListCase: Sendable, CustomTestStringConvertible {
    let sentence: String
    /// The number of logs and of warnings, or nil if the list is rejected.
    let expected: (logs: Int, warnings: Int)?
    fileprivate let change: @Sendable (inout ListDraft) -> Void

    fileprivate init(
        _ sentence: String, _ expected: (logs: Int, warnings: Int)?,
        _ change: @escaping @Sendable (inout ListDraft) -> Void
    ) {
        self.sentence = sentence
        self.expected = expected
        self.change = change
    }

    var testDescription: String { sentence }
}

@Suite struct CTLogListTests {
    private static let later = TestAuthority.now.advanced(by: 1).description

    static let rows: [LogListCase] = [
        LogListCase("an unchanged list", (2, 0)) { _ in },
        LogListCase("an operator without logs", (1, 0)) {
            $0.changeOperator {
                $0["logs"] = nil
                $0["tiled_logs"] = nil
            }
        },
        LogListCase("an operator with null instead of logs", (1, 0)) { $0.changeOperator { $0["logs"] = NSNull() } },
        LogListCase("unknown members everywhere", (2, 0)) {
            $0.members["more"] = ["deep": [1, 2]]
            $0.changeOperator { $0["more"] = 1 }
            $0.changeLog { $0["more"] = NSNull() }
        },
        LogListCase("no version", (2, 0)) { $0.members["version"] = nil },
        LogListCase("no description", (2, 0)) { $0.changeLog { $0["description"] = nil } },
        LogListCase("a log without a state, as in lists of every log", (1, 1)) {
            $0.changeLog { $0["state"] = nil }
        },
        LogListCase("a log with two states", (1, 1)) {
            $0.changeLog {
                $0["state"] = [
                    "usable": ["timestamp": "2026-01-01T00:00:00Z"], "retired": ["timestamp": "2026-01-01T00:00:00Z"],
                ]
            }
        },
        LogListCase("a log with an unknown state", (1, 1)) {
            $0.changeLog { $0["state"] = ["frozen": ["timestamp": "2026-01-01T00:00:00Z"]] }
        },
        LogListCase("a log whose state begins after reading", (1, 1)) {
            $0.changeLog { $0["state"] = ["usable": ["timestamp": later]] }
        },
        LogListCase("a log for tests", (1, 1)) { $0.changeLog { $0["log_type"] = "test" } },
        LogListCase("a log explicitly for production", (2, 0)) { $0.changeLog { $0["log_type"] = "prod" } },
        LogListCase("a date with an offset to the west", (2, 0)) {
            $0.members["log_list_timestamp"] = "2026-11-17T23:00:00-05:00"
        },
        LogListCase("no date of the list", nil) { $0.members["log_list_timestamp"] = nil },
        LogListCase("a date of the list after reading", nil) { $0.members["log_list_timestamp"] = later },
        LogListCase("a date without a time", nil) { $0.members["log_list_timestamp"] = "2026-11-18" },
        LogListCase("a date without a zone", nil) { $0.members["log_list_timestamp"] = "2026-11-18T00:00:00" },
        LogListCase("no operators", nil) { $0.members["operators"] = nil },
        LogListCase("an identifier that isn't the key's", nil) {
            $0.changeLog { $0["log_id"] = Base64.encode([UInt8](repeating: 7, count: 32)) }
        },
        LogListCase("a key that isn't a key", nil) { $0.changeLog { $0["key"] = "AAAA" } },
        LogListCase("a key that isn't base64", nil) { $0.changeLog { $0["key"] = "%%" } },
        LogListCase("one log at two operators", nil) {
            guard let operators = $0.members["operators"] as? [[String: Any]] else { return }
            $0.members["operators"] = operators + [operators[0].merging(["name": "Other"]) { $1 }]
        },
        LogListCase("one log at two operators, skipped at the first", nil) {
            guard let operators = $0.members["operators"] as? [[String: Any]] else { return }
            $0.changeLog { $0["log_type"] = "test" }
            let changed = $0.members["operators"] as? [[String: Any]] ?? []
            $0.members["operators"] = changed + [operators[0].merging(["name": "Other"]) { $1 }]
        },
        LogListCase("one log with tiles and without", nil) { $0.changeOperator { $0["tiled_logs"] = $0["logs"] } },
        LogListCase("dates of a shard in the wrong order", nil) {
            $0.changeLog {
                $0["temporal_interval"] = [
                    "start_inclusive": "2027-01-01T00:00:00Z", "end_exclusive": "2026-01-01T00:00:00Z",
                ]
            }
        },
        LogListCase("a shard without its end", nil) {
            $0.changeLog { $0["temporal_interval"] = ["start_inclusive": "2027-01-01T00:00:00Z"] }
        },
        LogListCase("a previous operator without a date", nil) {
            $0.changeLog { $0["previous_operators"] = [["name": "Other"]] }
        },
    ]

    @Test("The reader parses lists leniently, but rejects lists that contradict themselves", arguments: rows)
    func row(_ row: LogListCase) throws {
        var draft = try ListDraft([TestLog("One", operatedBy: "A"), TestLog("Two", operatedBy: "B")])
        row.change(&draft)
        guard let expected = row.expected else {
            #expect(throws: CTLogListError.self) { try draft.read() }
            return
        }
        let list = try draft.read()
        #expect(list.count == expected.logs)
        #expect(list.warnings.count == expected.warnings)
        #expect(list.mimicCount == 0)
    }

    @Test("The reader skips logs whose private keys are public, whatever the list says") func mimics() throws {
        #expect(CTLogList.mimics.count == 2)
        #expect(CTLogList.mimics.allSatisfy { $0.count == 32 })
        // We can't ship lists with the real logs, so a custom log replaces them.
        let logs = try [TestLog("Mimic", operatedBy: "A"), TestLog("Two", operatedBy: "B")]
        let json = try TestLog.list(logs)
        let list = try CTLogList(json: json, now: TestAuthority.now, mimics: [logs[0].logID])
        #expect(list.mimicCount == 1)
        #expect(list.warnings.count == 1)
        #expect(list.logs.keys.elementsEqual([logs[1].logID]))
    }

    @Test("The reader skips keys of kinds that RFC 6962 doesn't define", arguments: [TestKey.ed25519(), .p384()])
    func otherKeys(_ key: TestKey) throws {
        let list = try ListDraft([TestLog("One", operatedBy: "A", key: key), TestLog("Two", operatedBy: "B")]).read()
        #expect(list.count == 1)
        #expect(list.warnings.count == 1)
    }

    @Test("The reader rejects bytes that aren't a list") func noList() throws {
        let list = try ListDraft([TestLog("One", operatedBy: "A")]).bytes()
        let deep = Array(String(repeating: "[", count: 100_000).utf8)
        for bytes in [[], Array("{}".utf8), Array("[]".utf8), list.dropLast(), [0xff] + list, deep, list + list] {
            #expect(throws: CTLogListError.self) { try CTLogList(json: Array(bytes), now: TestAuthority.now) }
        }
    }

    @Test("The reader accepts a 1 MiB list, but not one more byte") func size() throws {
        let list = try ListDraft([TestLog("One", operatedBy: "A")]).bytes()
        let padding = [UInt8](repeating: 0x20, count: CTLogList.maximumSize - list.count)
        #expect(try CTLogList(json: list + padding, now: TestAuthority.now).count == 1)
        #expect(throws: CTLogListError.self) {
            try CTLogList(json: list + padding + [0x20], now: TestAuthority.now)
        }
    }

    @Test("The reader accepts a list dated now, but not one dated later") func future() throws {
        let draft = try ListDraft([TestLog("One", operatedBy: "A")])
        #expect(try draft.read(now: TestAuthority.now).date == TestAuthority.now)
        #expect(throws: CTLogListError.self) { try draft.read(now: TestAuthority.now.advanced(by: -1)) }
    }

    @Test("The reader truncates hostile names") func names() throws {
        let name = String(repeating: "x", count: 10_000)
        let list = try ListDraft([TestLog(name, operatedBy: name)]).read()
        let log = try #require(list.logs.values.first)
        #expect(log.description.utf8.count < 200)
        #expect(log.operatorName(at: TestAuthority.now).utf8.count < 200)
    }

    // MARK: - Detached signatures

    @Test("The reader verifies a detached signature over the exact bytes", arguments: ["P-256", "Ed25519", "RSA-4096"])
    func signature(_ kind: String) throws {
        let key: TestKey = try kind == "P-256" ? .p256() : kind == "Ed25519" ? .ed25519() : .rsa(bits: 4096)
        let list = try ListDraft([TestLog("One", operatedBy: "A")]).bytes()
        let signature = try TestLog.signature(of: list, by: key)
        let info = try SubjectPublicKeyInfo(der: key.subjectPublicKeyInfo())
        func read(_ list: [UInt8], _ signature: [UInt8], _ key: SubjectPublicKeyInfo) throws -> CTLogList {
            try CTLogList(json: list, signature: signature, key: key, now: TestAuthority.now)
        }
        #expect(try read(list, signature, info).count == 1)
        var flipped = signature
        flipped[flipped.count / 2] ^= 1
        let other = try SubjectPublicKeyInfo(der: TestKey.p256().subjectPublicKeyInfo())
        #expect(throws: CTLogListError.self) { try read(list, flipped, info) }
        #expect(throws: CTLogListError.self) { try read(list + [0x20], signature, info) }
        #expect(throws: CTLogListError.self) { try read(list, signature, other) }
        #expect(throws: CTLogListError.self) { try read(list, [], info) }
        #expect(throws: CTLogListError.self) { try read(list, signature + [0], info) }
    }

    @Test(
        "A list that isn't JSON is an error, also where Foundation's decoder traps",
        arguments: [
            "", "[", "{}x", "{\"operators\":[],}", String(repeating: "[", count: 513),
            String(repeating: "{\"a\":", count: 600), "{\"x\":" + String(repeating: "[", count: 100_000),
        ])
    func invalidJSON(_ text: String) {
        let error = #expect(throws: CTLogListError.self) {
            try CTLogList(json: Array(text.utf8), now: Time(secondsSinceEpoch: 1_800_000_000))
        }
        #expect(error?.code == .logListInvalid)
    }

    @Test("RSA keys with fewer bits and other curves can't sign a list", arguments: ["RSA-1024", "P-384"])
    func weakKeys(_ kind: String) throws {
        let key: TestKey = try kind == "P-384" ? .p384() : .rsa(bits: 1024)
        let list = try ListDraft([TestLog("One", operatedBy: "A")]).bytes()
        let signature = try TestLog.signature(of: list, by: key)
        let info = try SubjectPublicKeyInfo(der: key.subjectPublicKeyInfo())
        #expect(throws: CTLogListError.self) {
            try CTLogList(json: list, signature: signature, key: info, now: TestAuthority.now)
        }
    }
}
