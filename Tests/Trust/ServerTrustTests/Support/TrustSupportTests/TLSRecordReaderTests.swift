// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import Testing

@Suite("TLS records and messages") struct TLSRecordReaderTests {
    private static func record(_ fragment: [UInt8], kind: UInt8 = 22) -> [UInt8] {
        [kind, 3, 3, UInt8(fragment.count >> 8), UInt8(fragment.count & 0xff)] + fragment
    }

    private static func message(_ body: [UInt8], kind: UInt8 = 11) -> [UInt8] {
        [kind, UInt8(body.count >> 16), UInt8(body.count >> 8 & 0xff), UInt8(body.count & 0xff)] + body
    }

    /// The fragments of all complete records in these pieces.
    private static func fragments(_ pieces: [ArraySlice<UInt8>]) throws(TLSFramingError) -> [[UInt8]] {
        var reader = TLSRecordReader()
        var fragments: [[UInt8]] = []
        for piece in pieces {
            reader.append(piece)
            while let record = try reader.next() { fragments.append(record.fragment) }
        }
        return fragments
    }

    @Test("The reader returns the same records, however the bytes are split in two, and never an unfinished record")
    func pieces() throws {
        let bytes = Self.record([1, 2, 3]) + Self.record([]) + Self.record([2, 40], kind: 21)
        for cut in 0...bytes.count {
            #expect(try Self.fragments([bytes[..<cut], bytes[cut...]]) == [[1, 2, 3], [], [2, 40]])
        }
        #expect(try Self.fragments([bytes.dropLast()]) == [[1, 2, 3], []])
    }

    @Test(
        "The reader rejects bytes that don't begin a record as soon as possible",
        arguments: [
            ([0x48], .notTLS([0x48])), ([22, 2], .notTLS([22, 2])), ([24], .notTLS([24])),
            ([23, 3, 3, 0, 1], .notTLS([23, 3, 3, 0, 1])), ([22, 3, 3, 0x40, 1], .notTLS([22, 3, 3, 0x40, 1])),
            (record([1]) + [0], .notRecord), (record([1]) + [22, 4], .notRecord),
            (record([1]) + [22, 3, 3, 0x40, 1], .recordTooLarge(16_385, limit: 16_384)),
            (record([1]) + [23, 3, 3, 0x41, 1], .recordTooLarge(16_641, limit: 16_640)),
        ] as [([UInt8], TLSFramingError)])
    func refused(_ bytes: [UInt8], _ error: TLSFramingError) {
        #expect(throws: error) { try Self.fragments([bytes[...]]) }
    }

    @Test("The reader accepts records up to the limit for their kind")
    func largest() throws {
        let plain = [UInt8](repeating: 1, count: 16_384)
        let encrypted = [UInt8](repeating: 1, count: 16_640)
        let bytes = Self.record(plain) + Self.record(encrypted, kind: 23)
        #expect(try Self.fragments([bytes[...]]) == [plain, encrypted])
    }

    @Test("The reader joins messages from fragments of any size, with their headers")
    func messages() throws {
        let messages = [Self.message([1, 2, 3]), Self.message([], kind: 14), Self.message([4], kind: 13)]
        let bytes = Array(messages.joined())
        for size in 1...bytes.count {
            var reader = TLSMessageReader()
            var found: [[UInt8]] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                reader.append(bytes[start..<min(start + size, bytes.count)])
                while let message = try reader.next(limit: { _ in 3 }) { found.append(message) }
            }
            #expect(found == messages && !reader.isInMessage)
        }
    }

    @Test("The reader rejects a message of an unknown kind or over its limit before its bytes arrive")
    func refusedMessages() {
        var unknown = TLSMessageReader()
        unknown.append([9])
        #expect(throws: TLSFramingError.unknownMessage(9)) { try unknown.next(limit: { $0 == 9 ? nil : 5 }) }
        var large = TLSMessageReader()
        large.append([11, 0, 1])
        #expect(throws: Never.self) { try large.next(limit: { _ in 255 }) }
        #expect(large.isInMessage)
        large.append([0])
        #expect(throws: TLSFramingError.messageTooLarge(256, limit: 255)) { try large.next(limit: { _ in 255 }) }
    }
}
