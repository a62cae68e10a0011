// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

@Suite("Root lists in JSON")
struct RootListJSONTests {
    let root: Certificate

    init() throws { root = try TestAuthority.root(.authority("Root")).certificate }

    /// Returns a list with the root under these constraint sets.
    func list(_ sets: String, _ more: String = "") throws(RootListError) -> RootList {
        try RootListTexts.list(
            """
            { "schemaVersion": 1, "program": "Test", "date": "2026-11-01",
              "roots": { "\(Hex.encode(root.sha256))": [\(sets)] }\(more) }
            """)
    }

    func alternatives(_ sets: String) throws -> [AnchorConstraints]? { try list(sets).alternatives(root) }

    @Test("The reader reads every constraint")
    func constraints() throws {
        func limit(_ side: IssuanceLimit.Side, _ clock: IssuanceLimit.Clock) throws -> AnchorConstraints {
            let limit = IssuanceLimit(side, try .at("2026-04-15T23:59:59Z"), clock: clock)
            return .with { $0.dates = [limit] }
        }
        #expect(try alternatives("") == [AnchorConstraints()])
        let rows: [(String, AnchorConstraints)] = [
            (#""issuedNotAfter": "2026-04-15T23:59:59Z""#, try limit(.notAfter, .notBeforeOrTimestamp)),
            (#""issuedAfter": "2026-04-15T23:59:59Z""#, try limit(.after, .notBefore)),
            (#""timestampNotAfter": "2026-04-15T23:59:59Z""#, try limit(.notAfter, .timestamps)),
            (#""allTimestampsAfter": "2026-04-15T23:59:59Z""#, try limit(.after, .timestamps)),
            (#""permittedDomains": ["tr", ".example.com"]"#, .with { $0.permittedDomains = ["tr", "example.com"] }),
            (#""permittedDomains": []"#, .with { $0.permittedDomains = [] }),
            (#""excludedDomains": ["ex\u0061mple.org"]"#, .with { $0.excludedDomains = ["example.org"] }),
            (#""purposes": ["clientAuth"]"#, .with { $0.purposes = [.clientAuth] }),
            (#""purposes": []"#, .with { $0.purposes = [] }),
        ]
        for (text, expected) in rows { #expect(try alternatives("{ \(text) }") == [expected], "\(text)") }
        #expect(try alternatives(rows.map { "{ \($0.0) }" }.joined(separator: ",")) == rows.map(\.1))
    }

    @Test("A list is complete only if it declares itself complete, and its source contains the program and the date")
    func header() throws {
        let list = try list("")
        #expect(!list.isComplete && list.source == "Test, 2026-11-01")
        #expect(try self.list("", #", "complete": true"#).isComplete)
    }

    @Test("Distrust outweighs an entry for the same root")
    func distrusted() throws {
        #expect(try list("", #", "distrusted": ["\#(Hex.encode(root.sha256))"]"#).alternatives(root) == [])
    }

    @Test("Extended validation policies apply only to the roots that they name")
    func extendedValidation() throws {
        #expect(try list("").entries[root.sha256]?.extendedValidationPolicies == nil)
        #expect(try list("", #", "extendedValidation": {}"#).entries[root.sha256]?.extendedValidationPolicies == [])
        let named = try list("", #", "extendedValidation": { "\#(Hex.encode(root.sha256))": ["2.23.140.1.1"] }"#)
        #expect(named.entries[root.sha256]?.extendedValidationPolicies == ["2.23.140.1.1"].compactMap { OID($0) })
    }

    @Test(
        "Unknown, contradictory or impossible constraints cause errors with a line",
        arguments: [
            #"{ "issuedNotafter": "2026-04-15" }"#, #"{ "issuedNotAfter": 7 }"#, #"{ "issuedNotAfter": "soon" }"#,
            #"{ "issuedNotAfter": null }"#, #"{ "issuedNotAfter": "2026-01-01", "issuedNotAfter": "2027-01-01" }"#,
            #"{ "excludedDomains": [""] }"#, #"{ "excludedDomains": ["*.example.com"] }"#,
            #"{ "excludedDomains": ["bücher.example"] }"#, #"{ "excludedDomains": ["example.com."] }"#,
            #"{ "excludedDomains": ["192.0.2.1"] }"#, #"{ "excludedDomains": "example.com" }"#,
            #"{ "permittedDomains": [7] }"#, #"{ "purposes": ["codeSigning"] }"#, "[]", "7", "{", #"{ "x": "\ud800" }"#,
            "null", "[[[[[[[[[[[[]]]]]]]]]]]]", #"{ "purposes": [,] }"#, #"{ "purposes": [] "x" }"#, "{ purposes: [] }",
        ])
    func errors(_ sets: String) {
        let error = #expect(throws: RootListError.self) { try list(sets) }
        #expect(error?.line != nil)
    }

    @Test(
        "A file that isn't a root list causes an error",
        arguments: [
            "{}", "{ \"schemaVersion\": 2, \"program\": \"x\" }", #"{ "schemaVersion": 1, "program": "x" }"#,
            #"{ "schemaVersion": 1, "program": "x", "roots": {} }"#,
            #"{ "schemaVersion": 1, "program": "x", "roots": [] }"#,
            #"{ "schemaVersion": 1, "program": "x", "roots": { "ab": [] } }"#,
            #"{ "schemaVersion": 1, "program": "x", "distrusted": ["ab"] }"#,
            #"{ "schemaVersion": 1, "program": "x", "unknown": 1, "distrusted": [] }"#,
            #"{ "schemaVersion": 1, "program": "x", "complete": true, "distrusted": ["\#(String(repeating: "ab", count: 32))"] }"#,
            #"{ "schemaVersion": 1, "program": "x", "distrusted": ["\#(String(repeating: "ab", count: 32))"] } x"#,
            String(repeating: "{\"a\":", count: 100_000), "{\"", "{\"\\", "{\"\\u", "{\"\\u00",
        ])
    func wrongFiles(_ text: String) {
        #expect(throws: RootListError.self) { try RootListTexts.list(text) }
    }

    @Test("An error names the line")
    func line() {
        let text = "{\n\"schemaVersion\": 1,\n\"program\": \"x\",\n\"roots\": {\n\"ab\": []\n}\n}"
        let error = #expect(throws: RootListError.self) { try RootListTexts.list(text) }
        #expect(error?.line == 5)
    }
}
