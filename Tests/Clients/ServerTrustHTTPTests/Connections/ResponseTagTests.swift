// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import ServerTrustHTTP

@Suite("Response tags")
struct ResponseTagTests {
    static let numbers = [0, 1, 63, 64, 4095, 4096, 1 << 20, (1 << 42) - 1]

    @Test("A tag contains both numbers in a string that needs no heap allocation", arguments: numbers, numbers)
    func roundTrip(connection: Int, number: Int) {
        let tag = ResponseTag(connection, number)
        #expect(tag.text.utf8.count <= 15)
        #expect(tag.text.utf8.allSatisfy { (0x21...0x7e).contains($0) })
        #expect(ResponseTag(tag.text) == tag)
    }

    @Test(
        "A tag contains the time of the request, too, if the client records it",
        arguments: [0, 1, 63, 64, 1 << 60, UInt64(Int64.max), .max])
    func time(nanoseconds: UInt64) {
        let tag = ResponseTag(64, 63, sent: .uptimeNanoseconds(nanoseconds))
        #expect(tag.text.utf8.allSatisfy { (0x21...0x7e).contains($0) })
        #expect(ResponseTag(tag.text) == tag)
        #expect(ResponseTag(tag.text) != ResponseTag(64, 63))
    }

    @Test(
        "The parser rejects every other string",
        arguments: [
            "", "0", "1 1", "0000000000000", "000000000000000", "0000000 000000", "0000000p000000", "/0000000000000",
            "0000000é00000", String(repeating: "0", count: 24), String(repeating: "0", count: 26),
            String(repeating: "0", count: 1 << 16),
        ])
    func other(text: String) { #expect(ResponseTag(text) == nil) }
}
