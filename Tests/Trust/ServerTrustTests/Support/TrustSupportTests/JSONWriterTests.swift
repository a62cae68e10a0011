// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import Testing

@Suite("JSON writing")
struct JSONWriterTests {
    @Test(
        "The writer escapes quotes, backslashes and unprintable characters, and nothing else",
        arguments: [
            ("", #""""#), ("plain", #""plain""#), ("a\"b", #""a\"b""#), ("a\\b", #""a\\b""#), ("a/b", #""a/b""#),
            ("\n\r\t", #""\n\r\t""#), ("\r\n", #""\r\n""#), ("\0\u{1}\u{1f}", #""\u0000\u0001\u001f""#),
            ("\u{8}\u{c}", #""\u0008\u000c""#), ("a\u{7f}\u{2028}\u{2029}", #""a\u007f\u2028\u2029""#),
            ("\u{80}\u{9b}31m\u{9f}\u{a0}", "\"\\u0080\\u009b31m\\u009f\u{a0}\""),
            ("a\u{202a}\u{202e}b\u{202c}", #""a\u202a\u202eb\u202c""#), ("\u{2066}\u{2069}", #""\u2066\u2069""#),
            ("\u{61c}\u{200e}\u{200f}", #""\u061c\u200e\u200f""#),
            ("a\u{200b}\u{feff}\u{ad}", #""a\u200b\ufeff\u00ad""#),
            ("\u{e0041}x", #""\udb40\udc41x""#), ("\u{e000}", #""\ue000""#),
            ("Zürich 漢字 עברית 🔒", "\"Zürich 漢字 עברית 🔒\""),
        ])
    func strings(text: String, expected: String) { #expect(JSONWriter.quoted(text) == expected) }

    /// Characters of every plane: all of the first blocks, and some of the others.
    private static let characters: [Unicode.Scalar] =
        (Array(0...0x30ff) + Array(stride(from: UInt32(0x3100), through: 0x10ffff, by: 61))).compactMap {
            Unicode.Scalar($0)
        }

    @Test("Every string survives a round trip, and its JSON has only printable characters")
    func roundTrip() throws {
        for start in stride(from: 0, to: Self.characters.count, by: 1000) {
            var text = ""
            for scalar in Self.characters[start...].prefix(1000) { text.unicodeScalars.append(scalar) }
            let json = JSONWriter.quoted(text)
            #expect(json.escapingUnprintable == json)
            let read = try JSONDecoder().decode([String].self, from: Data("[\(json)]".utf8))
            #expect(read.map { Array($0.unicodeScalars) } == [Array(text.unicodeScalars)])
        }
    }

    @Test("The writer escapes another encoder's JSON in the same way, and keeps its escapes and white space")
    func otherEncoder() throws {
        let text = "a\"\\\n\u{1}\u{7f}\u{9b}\u{202e}\u{200b}\u{e0041}é🔒"
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let encoded = try encoder.encode([text: [text]])
        let json = JSONWriter.escaping(encoded)
        let shown = String(decoding: json, as: UTF8.self)
        #expect(shown.split(separator: "\n").allSatisfy { String($0).escapingUnprintable == String($0) })
        #expect(shown.contains(#"\u007f\u009b\u202e\u200b\udb40\udc41é🔒"#))
        #expect(try JSONDecoder().decode([String: [String]].self, from: Data(json)) == [text: [text]])
        let plain = Array(#"{"a" : [1, "b\u0000é"]}"#.utf8)
        #expect(JSONWriter.escaping(plain) == plain && JSONWriter.escaping([UInt8]()).isEmpty)
    }

    @Test(
        "The writer copies bytes that aren't UTF-8 unchanged",
        arguments: [
            [0x80], [0xc2], [0xc2, 0x22], [0xe2, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xff, 0xfe],
        ])
    func noText(bytes: [UInt8]) { #expect(JSONWriter.escaping(bytes) == bytes) }

    private func written(isIndented: Bool, _ write: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter(isIndented: isIndented)
        write(&json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func writeSample(_ json: inout JSONWriter) {
        json.object { json in
            json.key("text")
            json.string("a")
            json.key(escaping: "a\"b")
            json.number(-1)
            json.key("absent")
            json.string(nil)
            json.key("digits")
            json.number(digits: "1e3")
            json.key("bytes")
            json.hexadecimal([0, 0x9a, 0xff])
            json.key("list")
            json.array(of: [true, false]) { $0.boolean($1) }
            json.key("empty")
            json.array { _ in }
            json.key("nested")
            json.object { json in
                json.key("none")
                json.object { _ in }
            }
        }
    }

    @Test("Without indentation, there is no white space") func compact() {
        let expected =
            #"{"text":"a","a\"b":-1,"absent":null,"digits":1e3,"bytes":"009aff","list":[true,false],"empty":[],"nested":{"none":{}}}"#
        #expect(written(isIndented: false, writeSample) == expected)
    }

    @Test("With indentation, each line has one member") func indented() {
        let expected = """
            {
              "text": "a",
              "a\\"b": -1,
              "absent": null,
              "digits": 1e3,
              "bytes": "009aff",
              "list": [
                true,
                false
              ],
              "empty": [],
              "nested": {
                "none": {}
              }
            }
            """
        #expect(written(isIndented: true, writeSample) == expected)
    }

    @Test("Values on separate lines have no comma between them") func lines() {
        let text = written(isIndented: false) { json in
            for number in 1...3 {
                json.number(number)
                json.lineFeed()
            }
        }
        #expect(text == "1\n2\n3\n")
    }

    @Test("After everything is removed, the next value comes first") func reuse() {
        let text = written(isIndented: false) { json in
            json.array { $0.number(1) }
            json.removeAll()
            json.boolean(true)
        }
        #expect(text == "true")
    }
}
