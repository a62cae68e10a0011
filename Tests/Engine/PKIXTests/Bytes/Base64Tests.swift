// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import Testing

@Suite("Base64")
struct Base64Tests {
    static let vectorsRows: [(plain: String, encoded: String)] = [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ]

    @Test("The test vectors of RFC 4648 § 10 encode and decode as listed", arguments: vectorsRows)
    func vectors(plain: String, encoded: String) throws {
        #expect(Base64.encode(Array(plain.utf8)) == encoded)
        #expect(try Base64.decode(encoded) == Array(plain.utf8))
    }

    @Test("Any bytes survive a round trip, and Foundation encodes them the same way")
    func roundTrip() throws {
        var random = Repeatable(6)
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let text = Base64.encode(bytes)
            #expect(text == Data(bytes).base64EncodedString())
            #expect(try Base64.decode(text) == bytes)
        }
    }

    static let refusedRows: [(text: String, offset: Int)] = [
        // Truncated text, or padding that doesn't fit.
        ("Z", 1), ("Zg", 2), ("Zg=", 3), ("Zm8", 3), ("Zm9vY", 5), ("=", 0), ("==", 0), ("Z=", 1), ("Z===", 1),
        ("Zg===", 4), ("Zm8==", 4), ("Zm9v=", 4), ("Zm9v====", 4), ("Zg=Z", 3), ("Zg==Zg==", 4), ("Z=g=", 1),
        // Unused bits that are set: another encoding of the same bytes.
        ("Zh==", 1), ("Zm9=", 2), ("Zm9vYh==", 5), ("Zv==", 1),
        // Characters outside the alphabet.
        ("Zm9-", 3), ("Zm9_", 3), ("Zm 9v", 2), ("Zm9v\n", 4), (" Zm9v", 0), ("Zm9v ", 4), ("Zm9\u{0}", 3),
        ("Zm9é", 3), ("Zm9v%3D", 4), ("Zm\r\n9v", 2), ("\u{feff}Zm9v", 0),
    ]

    @Test(
        "The decoder rejects text that isn't the canonical encoding of its bytes and reports the offset",
        arguments: refusedRows
    )
    func refused(text: String, offset: Int) {
        #expect(throws: Base64.DecodingError.self) { try Base64.decode(text) }
        do {
            _ = try Base64.decode(text)
        } catch {
            #expect(error.offset == offset)
        }
    }

    @Test("No two four-character strings decode to the same bytes")
    func injective() {
        var seen: Set<[UInt8]> = []
        var count = 0
        for a in "AZ/" {
            for b in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/" {
                for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=" {
                    for d in "AB=" {
                        guard let bytes = try? Base64.decode(String([a, b, c, d])) else { continue }
                        count += 1
                        seen.insert(bytes)
                    }
                }
            }
        }
        #expect(seen.count == count)
    }
}
