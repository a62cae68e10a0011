// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import Testing

@testable import ServerTrust
@testable import ServerTrustCommand

/// Lines from zgrab2 and zcertificate.
@Suite struct ScanLinesTests {
    private func rows(_ line: String) -> [BatchRow] {
        let reader = ZGrab2Lines()
        return reader.rows(of: Data(line.utf8))
    }

    private func line(_ object: [String: Any]) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
    }

    private func log(_ chain: [String], serverName: String? = nil) -> [String: Any] {
        var handshake: [String: Any] = [
            "server_certificates": ["certificate": ["raw": chain[0]], "chain": chain.dropFirst().map { ["raw": $0] }]
        ]
        if let serverName { handshake["client_hello"] = ["server_name": serverName] }
        return ["handshake_log": handshake]
    }

    @Test("The reader gets the certificates in zgrab2's samples with the digests that zgrab2 computed") func samples()
        throws
    {
        for sample in ZGrab2Samples.all {
            let rows = rows(sample.line)
            #expect(rows.count == 1 && rows[0].failures.isEmpty && rows[0].place == nil, "\(sample.name)")
            #expect(
                rows[0].id?.hasPrefix("target 172.17.0.") == true && rows[0].host == "target"
                    && rows[0].chain.count == 1)
            guard case .base64(let text)? = rows[0].chain.first else { continue }
            #expect(Hex.encode(try Certificate(der: Base64.decode(text)).sha256) == sample.fingerprint)
        }
        let input = Data(ZGrab2Samples.all.map { $0.line + "\n" }.joined().utf8)
        let outcome = try Tool.run(["verify", "--batch", "--input", "zgrab2", "--short"], input: input)
        #expect(outcome.status == 0 && outcome.lines.count == 3)
        #expect(outcome.lines.allSatisfy { $0.hasPrefix("target 172.17.0.") && $0.contains("\trejected\t") })
    }

    @Test(
        "A line with several handshakes produces a row for each handshake, in module order, with redirects first"
    )
    func several() throws {
        let request: ([String], String) -> [String: Any] = { ["request": ["host": $1, "tls_log": log($0)]] }
        let rows = rows(
            try line([
                "ip": "192.0.2.1", "domain": "a.example", "port": 443,
                "data": [
                    "smtp": ["status": "success", "result": ["tls": log(["AA==", "BB=="])]],
                    "http": [
                        "status": "success",
                        "result": [
                            "redirect_response_chain": [
                                request(["CC=="], "a.example:443"), request(["CC=="], "a.example"),
                            ],
                            "response": request(["CC=="], "www.example:8443"),
                        ],
                    ],
                    "imap": ["status": "connection-timeout"],
                ],
            ]))
        #expect(rows.map(\.place) == ["http.redirect[0]", "http.response", "smtp"])
        #expect(rows.map(\.host) == ["a.example", "www.example", "a.example"])
        #expect(rows.map(\.id) == Array(repeating: "a.example 192.0.2.1 443", count: 3))
        #expect(rows[2].chain == [.base64("AA=="), .base64("BB==")] && rows.allSatisfy { $0.failures.isEmpty })
    }

    @Test("After a redirect, the host comes from the URL, as zgrab2 writes it, and never from the line's domain")
    func redirects() throws {
        func response(_ request: [String: Any], _ raw: String) -> [String: Any] {
            ["request": request.merging(["tls_log": log([raw])]) { $1 }]
        }
        func hosts(_ chain: [[String: Any]], _ last: [String: Any]) throws -> [String?] {
            let result: [String: Any] = ["redirect_response_chain": chain, "response": last]
            return rows(try line(["domain": "a.example", "data": ["http": ["result": result]]])).map(\.host)
        }
        // A redirected request has no separate host.
        #expect(
            try hosts(
                [response(["host": "a.example", "url": ["host": "a.example"]], "AA==")],
                response(["url": ["scheme": "https", "host": "evil.test:8443"]], "BB==")) == ["a.example", "evil.test"])
        // The URL's host takes precedence.
        #expect(
            try hosts([], response(["host": "a.example", "url": ["host": "[2001:db8::1]:443"]], "AA==")) == [
                "2001:db8::1"
            ])
        // Without either, the server is unknown.
        #expect(try hosts([response([:], "AA==")], response(["url": ["path": "/"]], "BB==")) == ["a.example", ""])
    }

    @Test("The reader reports chains and modules over the limits, whatever else is wrong with the line")
    func omissions() throws {
        let redirects = (0..<100).map { ["request": ["host": "h\($0).example", "tls_log": log(["AA=="])]] }
        let chains = rows(
            try line([
                "data": ["a": 5, "http": ["result": ["redirect_response_chain": redirects]]]
            ]))
        #expect(chains.last?.failures.first?.message.contains("more than 63 chains in one line") == true)
        #expect(chains.last?.failures.count == 2)
        var modules: [String: Any] = ["a": ["result": ["tls": log(["AA=="])]]]
        for number in 0..<70 { modules["m\(number)"] = ["result": ["tls": log(["AA=="])]] }
        let rows = rows(try line(["data": modules]))
        #expect(rows.last?.failures.map(\.message).contains { $0.contains("more than 64 modules in one line") } == true)
    }

    @Test("The host is the request's host, the line's domain, the requested server name, or the address") func hosts()
        throws
    {
        func host(_ object: [String: Any], _ log: [String: Any]) throws -> String? {
            rows(try line(object.merging(["data": ["tls": ["status": "success", "result": log]]]) { $1 }))[0].host
        }
        #expect(
            try host(["ip": "192.0.2.1", "domain": "a.example"], log(["AA=="], serverName: "b.example")) == "a.example")
        #expect(try host(["ip": "192.0.2.1"], log(["AA=="], serverName: "b.example")) == "b.example")
        #expect(try host(["ip": "192.0.2.1", "domain": ""], log(["AA=="])) == "192.0.2.1")
        #expect(try host([:], log(["AA=="]))?.isEmpty == true)
    }

    static let unreadable: [(String, String, String)] = [
        ("no JSON", "nonsense", "requestNotJSON"), ("an array", "[]", "requestNotJSON"),
        ("half a line", #"{"ip":"1","data":{"#, "requestNotJSON"), ("nothing", "{}", "requestKeyMissing"),
        ("no modules", #"{"data":{}}"#, "requestKeyMissing"),
        ("data of another type", #"{"data":5}"#, "requestKeyWrongType"),
        ("a module of another type", #"{"data":{"tls":5}}"#, "requestKeyWrongType"),
        ("no result", #"{"data":{"tls":{"status":"io-timeout","result":null}}}"#, "requestKeyMissing"),
        ("a result of another type", #"{"data":{"tls":{"result":[]}}}"#, "requestKeyMissing"),
        (
            "a string instead of the response",
            #"{"data":{"irc":{"status":"success","result":{"response":"x","tls":true}}}}"#,
            "requestKeyMissing"
        ),
        (
            "a certificate of another type",
            #"{"data":{"tls":{"result":{"handshake_log":{"server_certificates":{"certificate":"x"}}}}}}"#,
            "requestKeyWrongType"
        ),
        (
            "no bytes", #"{"data":{"tls":{"result":{"handshake_log":{"server_certificates":{"certificate":{}}}}}}}"#,
            "requestKeyMissing"
        ),
        (
            "redirects of another type", #"{"data":{"http":{"result":{"redirect_response_chain":5}}}}"#,
            "requestKeyWrongType"
        ),
        (
            "a chain of another type",
            #"{"data":{"tls":{"result":{"handshake_log":{"server_certificates":{"certificate":{"raw":"AA=="},"chain":5}}}}}}"#,
            "requestKeyWrongType"
        ),
        (
            "a certificate without bytes in the chain",
            #"{"data":{"tls":{"result":{"handshake_log":{"server_certificates":{"certificate":{"raw":"AA=="},"chain":[{}]}}}}}}"#,
            "requestKeyMissing"
        ),
        ("deep nesting", String(repeating: #"{"data":"#, count: 10_000), "requestNotJSON"),
    ]

    @Test("An unreadable line produces one row with the reason", arguments: unreadable.indices)
    func failures(_ index: Int) {
        let (name, text, code) = Self.unreadable[index]
        let rows = rows(text)
        #expect(rows.count == 1 && rows[0].chain.isEmpty && rows[0].failures.first?.code.name == code, "\(name)")
    }

    @Test("The reader reads the readable parts of a line and adds a row with the reason for the rest") func partly()
        throws
    {
        let rows = rows(try line(["ip": "192.0.2.1", "data": ["a": 5, "b": ["result": ["tls": log(["AA=="])]]]]))
        try #require(rows.count == 2)
        #expect(rows[0].failures.isEmpty && rows[0].place == "b")
        #expect(rows[1].failures.map(\.code.name) == ["requestKeyWrongType"])
        let states = self.rows(
            try line([
                "ip": "192.0.2.1",
                "data": ["http": ["status": "io-timeout", "error": "\u{1b}[31m"], "tls": ["status": "x"]],
            ]))
        #expect(
            states[0].failures[0].message == "server_certificates (http is io-timeout: \\1b[31m, tls is x) is missing")
    }

    @Test("The reader compares chains and hosts as bytes, not as text") func sameBytes() throws {
        func redirect(_ host: String, _ raw: String) -> [String: Any] {
            ["request": ["host": host, "tls_log": log([raw])]]
        }
        let responses = [
            redirect("k.example", "AAAK"), redirect("k.example", "AAA\u{212a}"), redirect("\u{212a}.example", "AAAK"),
            redirect("k.example", "AAAK"),
        ]
        let rows = rows(try line(["data": ["http": ["result": ["redirect_response_chain": responses]]]]))
        #expect(rows.count == 3)
    }

    @Test("The reader limits the number of rows per line, and the last row reports the limit") func limit() throws {
        let redirects = (0..<200).map { ["request": ["host": "h\($0).example", "tls_log": log(["AA=="])]] }
        let rows = rows(try line(["ip": "x", "data": ["http": ["result": ["redirect_response_chain": redirects]]]]))
        #expect(
            rows.count == ZGrab2Lines.maximumRows && rows.last?.failures.map(\.code.name) == ["requestValueInvalid"])
        #expect(rows.dropLast().allSatisfy { $0.failures.isEmpty })
    }

    @Test("Every truncation of a sample and every flipped bit in it get an answer") func hostile() throws {
        let line = Array(ZGrab2Samples.all[2].line.utf8)
        let reader = ZGrab2Lines()
        for size in stride(from: 0, to: line.count, by: 7) {
            #expect(reader.rows(of: Data(line[..<size])).map { $0.failures.isEmpty } == [false])
        }
        for index in stride(from: 0, to: line.count, by: 3) {
            var changed = line
            changed[index] ^= UInt8(1 << (index % 8))
            let rows = reader.rows(of: Data(changed))
            #expect(!rows.isEmpty && rows.allSatisfy { $0.failures.isEmpty != $0.chain.isEmpty })
        }
    }

    @Test("A zcertificate line has the certificate in raw, and its fingerprint becomes the name") func certificates()
        throws
    {
        let reader = ZCertificateLines()
        func rows(_ line: String) -> [BatchRow] { reader.rows(of: Data(line.utf8)) }
        let whole = rows(#"{"raw":"AA==","parsed":{"fingerprint_sha256":"ab","version":3},"zlint":{"lints":{}}}"#)
        #expect(whole.count == 1 && whole[0].id == "ab" && whole[0].chain == [.base64("AA==")] && whole[0].host == nil)
        #expect(rows(#"{"raw":"AA=="}"#).map(\.id) == [nil])
        for (line, code) in [
            ("{}", "requestKeyMissing"), (#"{"raw":null}"#, "requestKeyMissing"),
            (#"{"raw":["AA=="]}"#, "requestKeyWrongType"),
            ("5", "requestNotJSON"), ("", "requestNotJSON"),
        ] {
            let rows = rows(line)
            #expect(rows.count == 1 && rows[0].failures.map(\.code.name) == [code], "\(line)")
        }
        let lab = try Lab.shared()
        try TemporaryFolder.with { folder in
            let files = [
                try folder.write("root", pem(lab.root)).path, try folder.write("ca", pem(lab.intermediate)).path,
            ]
            let outcome = try Tool.run(
                [
                    "verify", "--batch", "--input", "zcertificate", "--short", "--anchors", files[0], "--intermediates",
                    files[1],
                    "--time", Lab.time,
                ], input: Data("{\"raw\":\"\(lab.leaf.base64)\"}\n".utf8))
            #expect(outcome.lines.map { $0.hasPrefix("'-:1\ttrusted\t") } == [true])
        }
    }

    /// Lines in which Foundation's decoder traps, and lines that it accepts although they aren't JSON.
    static let invalidLines = [
        String(repeating: "[", count: 513), String(repeating: "[", count: 512) + "[",
        String(repeating: "{\"a\":", count: 600), "{\"x\":" + String(repeating: "[", count: 600), #"{"raw":"AA==",}"#,
        #"{"raw":"AA==","x":[1,]}"#, #"{"raw":"AA==","x":1-1}"#, #"{"raw":"AA==","x":"\ud800"}"#,
        #"{"raw":"AA==","x":"\q"}"#, #"{"raw":"AA==","x":{"\u00g0":1}}"#, "{\"raw\":\"AA==\",\"x\":\"\u{1}\"}",
    ]

    @Test("All readers of JSON lines reject a line with invalid JSON in any place", arguments: invalidLines)
    func rejectsInvalidLines(_ line: String) {
        #expect(rows(line).map { $0.failures.map(\.code) } == [[.requestNotJSON]])
        #expect(ZCertificateLines().rows(of: Data(line.utf8)).map { $0.failures.map(\.code) } == [[.requestNotJSON]])
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

    @Test("A key that occurs twice anywhere in a scanner's line makes it unreadable")
    func repeatedScanKeys() {
        for line in [
            #"{"raw":"AA==","raw":"AQ=="}"#, #"{"raw":"AA==","r\u0061w":"AQ=="}"#,
            #"{"raw":"AA==","x":{"y":[{"z":1,"z":2}]}}"#,
        ] {
            for rows in [ZGrab2Lines().rows(of: Data(line.utf8)), ZCertificateLines().rows(of: Data(line.utf8))] {
                #expect(rows.map { $0.failures.map(\.code) } == [[.requestValueInvalid]])
                #expect(rows.first?.failures.first?.message.contains("occurs twice") == true)
            }
        }
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

    @Test("The reader rejects a line with a run of combining characters before it compares keys") func combining() {
        let run = "a" + String(repeating: "\u{301}\u{316}", count: 40)
        let escaped = "a" + String(repeating: "\\u0301\\u0316", count: 40)
        for text in [run, escaped] {
            let line = "{\"raw\": \"AA==\", \"\(text)\": 1, \"chain\": [\"AA==\"], \"host\": \"a.test\"}"
            #expect(rows(line).map { $0.failures.map(\.code) } == [[.requestValueInvalid]])
            let certificate = ZCertificateLines().rows(of: Data(line.utf8))
            #expect(certificate.map { $0.failures.map(\.code) } == [[.requestValueInvalid]])
            do throws(BatchRequest.Unreadable) {
                _ = try BatchRequest.read(Data(line.utf8), BatchSettings())
                Issue.record("read")
            } catch {
                #expect(error.failures.map(\.code) == [.requestValueInvalid])
            }
        }
        let short = "{\"raw\": \"AA==\", \"e\u{301}\": 1}"
        #expect(ZCertificateLines().rows(of: Data(short.utf8)).map(\.failures.count) == [0])
        let wide = Data(short.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] })
        #expect(ZCertificateLines().rows(of: wide).map { $0.failures.map(\.code) } == [[.requestNotJSON]])
        #expect(throws: CSVError.self) { try CSVField(bytes: Array(run.utf8), place: TextPlace()).text() }
        #expect(throws: CommandFailure.self) {
            try HostList.endpoints(in: Array("a.test\n\(run).test\n".utf8), name: "hosts", startTLS: nil)
        }
    }
}
