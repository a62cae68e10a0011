// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import Testing

@testable import ServerTrust
@testable import ServerTrustCommand

/// Lines of JSON with requests.
@Suite struct RequestLinesTests {
    /// Lines in which Foundation's decoder traps, and lines that it accepts although they aren't JSON.
    static let invalidLines = [
        String(repeating: "[", count: 513), String(repeating: "[", count: 512) + "[",
        String(repeating: "{\"a\":", count: 600), "{\"x\":" + String(repeating: "[", count: 600), #"{"raw":"AA==",}"#,
        #"{"raw":"AA==","x":[1,]}"#, #"{"raw":"AA==","x":1-1}"#, #"{"raw":"AA==","x":"\ud800"}"#,
        #"{"raw":"AA==","x":"\q"}"#, #"{"raw":"AA==","x":{"\u00g0":1}}"#, "{\"raw\":\"AA==\",\"x\":\"\u{1}\"}",
    ]

    @Test("A line with invalid JSON in any place is unreadable", arguments: invalidLines)
    func rejectsInvalidLines(_ line: String) {
        let request = line.replacing(#""raw":"AA==""#, with: #""id":"a","chain":["AA=="]"#)
        let error = #expect(throws: BatchRequest.Unreadable.self) {
            try BatchRequest.read(Data(request.utf8), BatchSettings())
        }
        #expect(error?.failures.map(\.code) == [.requestNotJSON] && error?.id == nil)
    }

    /// The members of a complete request, each with another value for its key.
    private static let members: [(key: String, value: String, other: String)] =
        [
            ("id", #""a""#, "null"), ("host", #""a.test""#, #""b.test""#), ("chain", #"["AA=="]"#, "[]"),
            ("intermediates", #"["AA=="]"#, "[]"), ("anchors", #"["AA=="]"#, "[]"),
            ("time", #""2026-11-21""#, #""2026-11-22""#), ("purpose", #""any""#, #""serverAuth""#),
            ("profile", #""webPKI""#, #""rfc5280""#), ("strict", "true", "false"), ("maximumIntermediates", "1", "2"),
            ("revocation", #""off""#, #""required""#), ("crls", #"["AA=="]"#, "[]"),
            ("ocspResponses", #"["AA=="]"#, "[]"), ("exemptShortLived", "true", "false"),
            (
                "policies", #"{"acceptable":["1.2"],"requireExplicit":true,"inhibitMapping":true,"inhibitAny":true}"#,
                "{}"
            ),
            ("pins", #"["sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]"#, "[]"),
            ("ct", #"{"policy":"chrome","mode":"report"}"#, "{}"),
        ]

    private static func line(_ members: [String]) -> Data { Data("{\(members.joined(separator: ","))}".utf8) }

    /// Returns a key in quotes, with its second character as an escape.
    private static func escaped(_ key: String) -> String {
        let second = Array(key.utf8)[1]
        return "\"\(key.prefix(1))\\u00\(String(second, radix: 16))\(key.dropFirst(2))\""
    }

    @Test("A request has every known key", arguments: [false, true])
    func samples(_ isTable: Bool) throws {
        #expect(Set(Self.members.map(\.key) + ["record"]) == Set(RequestKey.allCases.map(\.rawValue)))
        var settings = BatchSettings()
        if isTable { settings.columns = RowColumns() }
        let line = Self.line(Self.members.map { "\"\($0.key)\":\($0.value)" })
        #expect(try BatchRequest.read(line, settings).id == "a")
    }

    @Test(
        "A known key that occurs twice makes the line unreadable, and the failure names it with its place",
        arguments: [false, true])
    func repeatedKeys(_ isTable: Bool) throws {
        var settings = BatchSettings()
        if isTable { settings.columns = RowColumns() }
        let members = Self.members.map { "\"\($0.key)\":\($0.value)" }
        func check(_ line: Data, _ key: String, _ second: String) throws {
            let error = #expect(throws: BatchRequest.Unreadable.self, "\(key)") {
                try BatchRequest.read(line, settings)
            }
            let place = try #require(line.range(of: Data(second.utf8), options: .backwards)).lowerBound + 1
            let found = "the key \"\(key)\" occurs twice, the second time at byte \(place), expected once"
            #expect(error?.failures == [TrustFailure(.requestValueInvalid, found: .text(found))])
            #expect(error?.id == (key == "id" ? nil : "a"))
        }
        for member in Self.members {
            for key in ["\"\(member.key)\"", Self.escaped(member.key)] {
                for value in [member.value, member.other] {
                    try check(Self.line(members + ["\(key):\(value)"]), member.key, key)
                }
                // The first of two comes first, and its value is invalid.
                try check(Self.line(["\(key):7"] + members), member.key, "\"\(member.key)\"")
            }
        }
        for (outer, keys) in [
            ("policies", RequestKey.Policies.allCases.map(\.rawValue)),
            ("ct", RequestKey.Transparency.allCases.map(\.rawValue)),
        ] {
            let others = Self.members.filter { $0.key != outer }.map { "\"\($0.key)\":\($0.value)" }
            for inner in keys {
                for key in ["\"\(inner)\"", Self.escaped(inner)] {
                    let object = "\"\(outer)\":{\"\(inner)\":true,\"x\":0,\(key) : false}"
                    try check(Self.line(others + [object]), "\(outer).\(inner)", key)
                }
            }
        }
        // A key that only records have, below an array.
        let list = #""filters":[0,[{"bytes":1,"bytes":2}]]"#
        try check(Self.line(members + [list]), "filters[1][0].bytes", #""bytes":2"#)
    }

    @Test("Unknown keys may occur twice, and a column that an option names may not")
    func otherRepeatedKeys() throws {
        let line = Data(
            #"{"x":1,"id":"a","x":{"id":1,"id":2},"chain":["AA=="],"x":0,"host":"a.test","Id":1,"Id":2}"#.utf8)
        #expect(try BatchRequest.read(line, BatchSettings()).id == "a")
        var settings = BatchSettings()
        settings.columns = RowColumns(id: "x")
        let error = #expect(throws: BatchRequest.Unreadable.self) { try BatchRequest.read(line, settings) }
        #expect(error?.failures.first?.message.contains(#"the key "x" occurs twice"#) == true && error?.id == nil)
    }

    @Test("Second 60 is read at the end of June and December in UTC, and refused elsewhere")
    func leapSeconds() throws {
        func time(_ text: String) throws -> Time? {
            try BatchRequest.read(Data(#"{"id":"a","chain":["AA=="],"time":"\#(text)"}"#.utf8), BatchSettings()).time
        }
        #expect(try time("2015-07-01T01:59:60+02:00") == Time(rfc3339: "2015-07-01T00:00:00Z"))
        for text in ["2026-11-21T23:59:60Z", "2026-12-31T23:59:60+01:00", "2026-06-30T12:00:60Z"] {
            let error = #expect(throws: BatchRequest.Unreadable.self) { try time(text) }
            #expect(error?.failures.map(\.code) == [.requestValueInvalid])
            #expect(error?.failures.first?.message.contains("\"\(text)\" has second 60, expected only after") == true)
        }
    }

    @Test("An integer may be written in any notation of JSON")
    func integers() throws {
        func limit(_ digits: String) throws -> Int? {
            let line = #"{"chain":["AA=="],"maximumIntermediates":\#(digits)}"#
            return try BatchRequest.read(Data(line.utf8), BatchSettings()).policy.maximumIntermediates
        }
        for (digits, value) in [("3", 3), ("-0", 0), ("2.0", 2), ("1e2", 100), ("9223372036854775807", Int.max)] {
            #expect(try limit(digits) == value)
        }
        for digits in ["1.5", "9223372036854775808", "9007199254740993.0", "1e30", "1e400", "-1", "\"1\"", "true"] {
            let error = #expect(throws: BatchRequest.Unreadable.self) { try limit(digits) }
            #expect(error?.failures.count == 1)
        }
    }

    @Test("The reader rejects a line with a run of combining characters before it compares keys")
    func combining() throws {
        let run = "a" + String(repeating: "\u{301}\u{316}", count: 40)
        let escaped = "a" + String(repeating: "\\u0301\\u0316", count: 40)
        for text in [run, escaped] {
            let line = "{\"\(text)\": 1, \"chain\": [\"AA==\"], \"host\": \"a.test\"}"
            do throws(BatchRequest.Unreadable) {
                _ = try BatchRequest.read(Data(line.utf8), BatchSettings())
                Issue.record("read")
            } catch {
                #expect(error.failures.map(\.code) == [.requestValueInvalid])
            }
        }
        let short = "{\"chain\": [\"AA==\"], \"e\u{301}\": 1}"
        #expect(try BatchRequest.read(Data(short.utf8), BatchSettings()).chain == [.base64("AA==")])
        let wide = Data(short.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] })
        let error = #expect(throws: BatchRequest.Unreadable.self) { try BatchRequest.read(wide, BatchSettings()) }
        #expect(error?.failures.map(\.code) == [.requestNotJSON])
        #expect(throws: CSVError.self) { try CSVField(bytes: Array(run.utf8), place: TextPlace()).text() }
        #expect(throws: CommandFailure.self) {
            try HostList.endpoints(in: Array("a.test\n\(run).test\n".utf8), name: "hosts", startTLS: nil)
        }
    }
}
