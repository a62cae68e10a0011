// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import Testing

@Suite("Characters in a request's head")
struct RequestSyntaxTests {
    @Test("A token, a value and a target may contain exactly the bytes that RFC 9110 and RFC 9112 allow")
    func bytes() {
        let separators = "\"(),/:;<=>?@[\\]{}".utf8
        for byte in UInt8.min..<0x80 {
            let text = String(decoding: [0x61, byte, 0x62], as: UTF8.self)
            let isVisible = byte > 0x20 && byte < 0x7f
            #expect(RequestSyntax.isToken(text) == (isVisible && !separators.contains(byte)), "\(byte)")
            #expect(RequestSyntax.isValue(text) == (isVisible || byte == 0x20 || byte == 9), "\(byte)")
            #expect(RequestSyntax.isTarget(text) == isVisible, "\(byte)")
        }
        #expect(!RequestSyntax.isToken("") && RequestSyntax.isValue(""))
        #expect(
            !RequestSyntax.isToken("\u{e4}") && RequestSyntax.isValue("\u{e4}") && !RequestSyntax.isTarget("\u{e4}"))
    }

    @Test("A problem names the field, and never repeats a value or a name that can't be sent")
    func problems() {
        #expect(
            RequestSyntax.problem(method: "GET", fields: [(name: "a", value: "b c\t\u{e4}"), (name: "x-y", value: "")])
                == nil)
        for method in ["", "G T", "GET\r\nsecret: x", "GET\u{0}secret"] {
            let problem = RequestSyntax.problem(method: method, fields: [])
            #expect(problem?.contains("secret") == false, "\(method)")
        }
        for end in ["\r", "\n", "\r\n", "\u{0}", "\u{7f}"] {
            let name = RequestSyntax.problem(
                method: "GET", fields: [(name: "a", value: "b"), (name: "secret" + end, value: "c")])
            #expect(name?.contains("secret") == false)
            let value = RequestSyntax.problem(
                method: "GET", fields: [(name: "a", value: "b"), (name: "x-key", value: "secret" + end)])
            #expect(value?.contains("secret") == false)
            #expect(value?.contains("x-key") == true)
        }
    }
}
