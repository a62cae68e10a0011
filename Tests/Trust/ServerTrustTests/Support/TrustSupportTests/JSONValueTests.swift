// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ServerTrust

@Suite("JSON with line numbers") struct JSONValueTests {
    private static func value(
        _ text: String, _ repeatedKeys: JSONValue.RepeatedKeys = .refused, depth: Int = 9, count: Int = 1_000
    ) throws(JSONError) -> JSONValue {
        try JSONValue(
            parsing: Array(text.utf8), maximumDepth: depth, maximumCount: count, repeatedKeys: repeatedKeys)
    }

    /// A value on one line, with its members and elements in order.
    private static func shown(_ value: JSONValue) -> String {
        switch value.content {
        case .object(let members): "{" + members.map { "\($0.key):\(shown($0.value))" }.joined(separator: ",") + "}"
        case .array(let elements): "[" + elements.map(shown).joined(separator: ",") + "]"
        case .string(let text): "'\(text)'"
        case .number(let digits): digits
        case .boolean(let flag): "\(flag)"
        case .null: "null"
        }
    }

    @Test(
        "The parser reads a value of each kind",
        arguments: [
            ("{}", "{}"), ("[ ]", "[]"), (" {\"b\":1,\"a\" : [true,false,null]}\r\n", "{b:1,a:[true,false,null]}"),
            ("-0.50E+7", "-0.50E+7"), ("0", "0"), ("[1e5,-1]", "[1e5,-1]"), (#""a\"\\\/\n\u0041""#, "'a\"\\/\nA'"),
            (#""\ud83d\ude00""#, "'\u{1f600}'"), ("\"b\u{fc}cher\"", "'b\u{fc}cher'"), ("\u{feff}1", "1"),
        ])
    func reads(_ text: String, _ expected: String) throws {
        #expect(Self.shown(try Self.value(text)) == expected)
    }

    @Test(
        "Text that isn't JSON causes an error with a line",
        arguments: [
            "", " ", "{", "[", "\"", "{\"", "{\"\\", "{\"\\u", "{\"\\u00", "{\"a\"", "{\"a\":", "{\"a\":1",
            "{\"a\":1,}",
            "{a:1}", "{1:1}", "{\"a\" 1}", "[1,]", "[,1]", "[1 2]", "1 1", "{} x", "tru", "True", "nul", "nan", "-",
            "-inf", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "0x1f", "1_000", "'a'", "// a\n1", "[1] // a",
            "\"\t\"", "\"\n\"", "\"\\x\"", "\"\\u12\"", "\"\\u00g0\"", #""\ud83d""#, #""\ude00""#, #""\ud83d\n""#,
            #""\ud83d\u0041""#, #""\ude00\ud83d""#, "\u{feff}\u{feff}1", "1\u{0}", "\u{a0}1",
        ])
    func refuses(_ text: String) {
        let error = #expect(throws: JSONError.self) { try Self.value(text) }
        #expect(error?.line != nil && error?.isTooLarge == false)
    }

    @Test("Bytes that aren't UTF-8 cause an error")
    func otherBytes() {
        for bytes: [UInt8] in [[0x22, 0xff, 0x22], [0x22, 0xc3, 0x22], [0xfe, 0xff, 0, 0x31]] {
            #expect(throws: JSONError.self) {
                try JSONValue(parsing: bytes, maximumDepth: 9, maximumCount: 9, repeatedKeys: .kept)
            }
        }
    }

    @Test("A value has its own line, and a member has the line of its key")
    func lines() throws {
        guard case .object(let members) = try Self.value("\n{ \"a\":\n1,\n\"b\": [\n2 ] }").content else {
            Issue.record("no object")
            return
        }
        #expect(members.map(\.value.line) == [2, 4])
        guard case .array(let elements)? = members.last?.value.content else {
            Issue.record("no array")
            return
        }
        #expect(elements.map(\.line) == [5])
        let error = #expect(throws: JSONError.self) { try Self.value("[\n1,\n2\n3]") }
        #expect(error?.line == 4)
    }

    @Test("A repeated key is kept or rejected as the caller chooses, in every object and in any spelling")
    func repeatedKeys() throws {
        for text in [
            #"{"a":1,"a":2}"#, #"[{"b":{"a":1,"b":3,"a":2}}]"#, #"{"a":1,"\u0061":2}"#, "{\"\u{e9}\":1,\"e\u{301}\":2}",
        ] {
            let error = #expect(throws: JSONError.self) { try Self.value(text) }
            #expect(error?.line == 1 && error?.isTooLarge == false && error?.isRepeatedKey == true)
            #expect(throws: Never.self) { try Self.value(text, .kept) }
        }
        #expect(Self.shown(try Self.value(#"{"a":1,"b":0,"a":2}"#, .kept)) == "{a:1,b:0,a:2}")
        // Two objects may have the same key.
        #expect(throws: Never.self) { try Self.value(#"[{"a":1},{"a":{"a":2}}]"#) }
    }

    static let repeatedKeyPlaces: [(text: String, place: String, byte: Int)] = [
        (#"{"a":1,"a":2}"#, "a", 8), (#"{"a":{"b":[0,{"c":1,"d":2,"\u0063":3}]}}"#, "a.b[1].c", 27),
        (#"[[],[{"a":1,"a":2}]]"#, "[1][0].a", 13), (#"{"x y":{"\n":1,"\n":2}}"#, #"x y.\u{a}"#, 16),
    ]

    @Test("The error names a repeated key, its place and its position", arguments: repeatedKeyPlaces)
    func repeatedKeyPlace(_ text: String, _ place: String, _ byte: Int) {
        let error = #expect(throws: JSONError.self) { try Self.value(text) }
        #expect(error?.detail == "the key \"\(place)\" occurs twice, the second time at byte \(byte), expected once")
    }

    @Test("A repeated key in a member that isn't kept is an error only if the caller says so")
    func repeatedKeysInKeptMembers() throws {
        func isRead(_ text: String, _ keys: JSONValue.RepeatedKeys) -> Bool {
            (try? JSONValue(parsing: Array(text.utf8), maximumDepth: 9, maximumCount: 9, repeatedKeys: keys) {
                $0 == "a"
            }) != nil
        }
        for (text, isKept) in [
            (#"{"a":1,"b":2,"a":3}"#, true), (#"{"a":{"b":1,"b":2}}"#, true), (#"{"a":[{"b":1,"b":2}]}"#, true),
            (#"{"b":1,"b":2}"#, false), (#"{"b":{"a":1,"a":2}}"#, false), (#"{"b":[{"c":1,"c":2}]}"#, false),
        ] {
            #expect(!isRead(text, .refused) && isRead(text, .kept) && isRead(text, .refusedIfKept) != isKept, "\(text)")
        }
    }

    @Test("A repeated key below long keys and many objects gives a short error in linear time")
    func longRepeatedKeys() {
        let key = String(repeating: "k", count: 20_000)
        let text =
            String(repeating: "{\"\(key)\":[", count: 200) + "{\"a\":1,\"a\":2}" + String(repeating: "]}", count: 200)
        let error = #expect(throws: JSONError.self) { try Self.value(text, depth: 512) }
        #expect(error?.isRepeatedKey == true && (error?.detail.count ?? 0) < 600)
    }

    @Test("The depth and number of values are limited, however long the text is")
    func limits() throws {
        #expect(throws: Never.self) { try Self.value("[[1]]", depth: 3, count: 3) }
        for (text, depth, count) in [
            ("[[1]]", 2, 3), ("[[1]]", 3, 2), ("{\"a\":{}}", 1, 9), ("[1,2,3]", 9, 3),
            (String(repeating: "[", count: 100_000), 9, 1_000_000),
            (String(repeating: "{\"a\":", count: 100_000), 9, 1_000_000),
        ] {
            let error = #expect(throws: JSONError.self) { try Self.value(text, depth: depth, count: count) }
            #expect(error?.isTooLarge == true)
        }
    }

    @Test("The parser stores only the members that the caller keeps, and checks the others as strictly")
    func keptMembers() throws {
        func kept(_ text: String, depth: Int = 9, count: Int = 4) throws(JSONError) -> String {
            let value = try JSONValue(
                parsing: Array(text.utf8), maximumDepth: depth, maximumCount: count, repeatedKeys: .kept
            ) { $0 == "a" }
            return Self.shown(value)
        }
        // The members of inner objects are all kept, and values that aren't stored don't count.
        let skipped = #"[1,-2e3,"x\n",{"a":null,"c":[true,false]},[[]],{}]"#
        #expect(try kept(#"{"b":\#(skipped),"a":{"b":1},"\u0061":2,"A":3}"#) == "{a:{b:1},a:2}")
        #expect(try kept(#"{"b":1}"#) == "{}" && kept("[1,2]") == "[1,2]")
        for wrong in [
            "01", "1.", "tru", "\"\\x\"", #""\ud83d""#, "\"\t\"", "[1,]", "{\"c\":1,}", "{c:1}", "[", "{", "", "1 2",
        ] {
            let error = #expect(throws: JSONError.self) { try kept("{\"b\":\(wrong),\"a\":1}") }
            #expect(error?.isTooLarge == false, "\(wrong)")
        }
        for (text, depth) in [(#"{"b":[1]}"#, 2), (#"{"b":\#(String(repeating: "[", count: 100_000))"#, 9)] {
            let error = #expect(throws: JSONError.self) { try kept(text, depth: depth) }
            #expect(error?.isTooLarge == true)
        }
        let many = #expect(throws: JSONError.self) { try kept(#"{"a":[1,2,3]}"#) }
        #expect(many?.isTooLarge == true)
    }

    @Test("A string ends at its first quotation mark, wherever that is")
    func strings() throws {
        for length in 0..<40 {
            for special in ["\\\"", "\\\\", "\\u0041", "\u{e9}", "\u{7f}", "!", "#", "[", "]"] {
                for place in 0...length {
                    let text =
                        String(repeating: "a", count: place) + special + String(repeating: "b", count: length - place)
                    let decoded = text.replacing("\\u0041", with: "A").replacing("\\\"", with: "\"").replacing(
                        "\\\\", with: "\\")
                    #expect(Self.shown(try Self.value("[\"\(text)\",1]")) == "['\(decoded)',1]")
                }
            }
            for byte in UInt8(0)..<0x20 {
                let text = "\"" + String(repeating: "a", count: length) + String(Unicode.Scalar(byte)) + "\""
                #expect(throws: JSONError.self) { try Self.value(text) }
            }
        }
    }

    @Test("Twice the values take twice the work")
    func work() {
        let works = [1_000, 2_000, 4_000].map { count in
            let text = "[\(Array(repeating: "1", count: count).joined(separator: ","))]"
            var reader = JSONReader(
                Array(text.utf8), maximumDepth: 9, maximumCount: 10_000, repeatedKeys: .refused)
            #expect(reader.document() != nil)
            return reader.count
        }
        #expect(works == [1_001, 2_001, 4_001])
    }

    @Test("No input causes a trap, and an error's description is one line of printable characters")
    func noise() {
        let parts = [
            "{", "}", "[", "]", "\"", ":", ",", "a", "1", "-", "e", ".", "\\", "\\u", "d83d", "\n", "\u{1b}", "t",
        ]
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...20, using: &generator)).map { _ in
                parts.randomElement(using: &generator) ?? ""
            }.joined()
            do throws(JSONError) { _ = try Self.value(text) } catch {
                #expect(error.detail.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f })
            }
        }
    }
}
