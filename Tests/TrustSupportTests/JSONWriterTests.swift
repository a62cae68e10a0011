// SPDX-License-Identifier: Apache-2.0

import Testing
import TrustSupport

@Suite("Writing of JSON")
struct JSONWriterTests {
    @Test(
        "Quotes, backslashes and control characters are escaped, all else stays",
        arguments: [
            ("", #""""#), ("plain", #""plain""#), ("a\"b", #""a\"b""#), ("a\\b", #""a\\b""#), ("a/b", #""a/b""#),
            ("\n\r\t", #""\n\r\t""#), ("\r\n", #""\r\n""#), ("\0\u{1}\u{1f}", #""\u0000\u0001\u001f""#),
            ("\u{8}\u{c}", #""\u0008\u000c""#), ("\u{7f}\u{2028}", "\"\u{7f}\u{2028}\""),
            ("Zürich 漢字 🔒", "\"Zürich 漢字 🔒\""),
        ])
    func strings(text: String, expected: String) { #expect(JSONWriter.quoted(text) == expected) }

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

    @Test("Without indentation there is no white space") func compact() {
        let expected =
            #"{"text":"a","a\"b":-1,"absent":null,"digits":1e3,"list":[true,false],"empty":[],"nested":{"none":{}}}"#
        #expect(written(isIndented: false, writeSample) == expected)
    }

    @Test("With indentation there is one member a line") func indented() {
        let expected = """
            {
              "text": "a",
              "a\\"b": -1,
              "absent": null,
              "digits": 1e3,
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

    @Test("Values on lines of their own have no comma between them") func lines() {
        let text = written(isIndented: false) { json in
            for number in 1...3 {
                json.number(number)
                json.lineFeed()
            }
        }
        #expect(text == "1\n2\n3\n")
    }

    @Test("After everything is removed the next value stands first") func reuse() {
        let text = written(isIndented: false) { json in
            json.array { $0.number(1) }
            json.removeAll()
            json.boolean(true)
        }
        #expect(text == "true")
    }
}
