// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import PKIX

/// The codes and values of errors in bytes. Users decide by them, not by messages.
@Suite("Errors in bytes")
struct ErrorCodeTests {
    @Test("A DER error has the code of its kind, and the limit or the tags")
    func der() {
        let rows: [(DERError.Reason, code: String, limit: Int?, tags: [UInt8?])] = [
            (.truncated, "derCutOff", nil, [nil, nil]), (.trailingBytes, "derTrailingBytes", nil, [nil, nil]),
            (.limitExceeded(limit: 7), "derLimitExceeded", 7, [nil, nil]), (.empty, "derMalformed", nil, [nil, nil]),
            (.unexpectedTag(expected: 0x30, found: 0x31), "derMalformed", nil, [0x30, 0x31]),
        ]
        for (reason, code, limit, tags) in rows {
            let error = DERError(reason, in: "field", at: 12, detail: "a detail")
            #expect(error.code.name == code && error.limit == limit)
            #expect([error.expectedTag, error.foundTag] == tags)
            #expect(error.message.hasPrefix("field: ") && error.message.hasSuffix(" at byte 12: a detail"))
        }
    }

    @Test("A tag's name has its class and number")
    func tags() {
        let rows: [(UInt8, String)] = [
            (0x30, "a SEQUENCE (0x30)"), (0xa3, "the tag [3] (0xa3)"), (0x41, "the application tag 1 (0x41)"),
            (0xc2, "the private tag 2 (0xc2)"), (0x1f, "the tag 31 (0x1f)"),
        ]
        for (tag, name) in rows { #expect(DERError.name(ofTag: tag) == name) }
    }

    @Test("A code survives its encoding, even if this version doesn't know it")
    func coding() throws {
        for code in [ErrorCode.derCutOff, ErrorCode("ofALaterVersion")] {
            let data = try JSONEncoder().encode([code])
            #expect(data == Data("[\"\(code.name)\"]".utf8))
            #expect(try JSONDecoder().decode([ErrorCode].self, from: data) == [code])
        }
        #expect(throws: (any Error).self) { try JSONDecoder().decode([ErrorCode].self, from: Data("[1]".utf8)) }
    }

    @Test("Only pairs of hexadecimal digits are decoded")
    func hex() {
        #expect(Hex.decode("00fFA9") == [0x00, 0xff, 0xa9] && Hex.decode("") == [])
        for text in ["0", "0g", "g0", "00 ", "é"] { #expect(Hex.decode(text) == nil) }
    }

    @Test("An identifier's encoding has a limit, and a digest of a part covers only that part")
    func limits() {
        #expect(OID("1.2" + String(repeating: ".9", count: 60)) != nil)
        #expect(OID("1.2" + String(repeating: ".9", count: 4_000)) == nil)
        let bytes: [UInt8] = [1, 2, 3]
        #expect(Digests.sha256(bytes.span) == Digests.sha256(bytes))
        #expect(Digests.sha256(bytes) != Digests.sha256([1, 2]))
    }

    @Test("The digests of abc are those of FIPS 180")
    func digests() {
        let bytes = Array("abc".utf8)
        #expect(Hex.encode(Digests.insecureSHA1(of: bytes)) == "a9993e364706816aba3e25717850c26c9cd0d89d")
        #expect(
            Hex.encode(Digests.sha256(bytes)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test("Names of identifiers are the standard's or clearer words, and unknown identifiers have none")
    func names() {
        #expect(OIDNames.name(of: "2.5.29.17") == "subjectAltName")
        #expect(OIDNames.words(for: "1.3.6.1.5.5.7.3.1") == "TLS server authentication")
        #expect(OIDNames.words(for: "2.5.29.17") != nil && OIDNames.words(for: "1.2.3.4.5.6") == nil)
        #expect(OIDNames.attribute(of: "2.5.4.3") == "CN" && OIDNames.attribute(of: "2.5.29.17") == nil)
    }

    @Test("A PEM object that ends with another label and a text that isn't a time have their codes")
    func texts() throws {
        let text = Array("-----BEGIN A-----\nAA==\n-----END B-----\n".utf8)
        #expect(throws: (any Error).self) { try PEM.decode(text, labels: ["A"]) }
        let error = #expect(throws: TimeFormatError.self) { try Time(rfc3339: "yesterday") }
        #expect(error?.code == .timeMalformed && error?.message.contains("\"yesterday\"") == true)
    }
}
