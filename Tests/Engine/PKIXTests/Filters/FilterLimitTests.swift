// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import PKIX

@Suite("Limits of filters")
struct FilterLimitTests {
    private func problem(_ bytes: [UInt8]) -> ClubcardError? {
        do throws(ClubcardError) {
            _ = try RevocationFilter(bytes)
            return nil
        } catch { return error }
    }

    @Test("A filter with more logs than any honest one is refused")
    func logs() throws {
        func filter(_ count: Int) -> [UInt8] {
            let logs = (0..<count).map { number -> (id: [UInt8], first: UInt64, last: UInt64) in
                ([UInt8(number & 0xff), UInt8(number >> 8)] + [UInt8](repeating: 1, count: 30), 0, 1)
            }
            return ClubcardBytes(version: 4, logs: logs, entries: [], columns: [], exact: []).bytes
        }
        #expect(problem(filter(4_096)) == nil)
        let error = try #require(problem(filter(4_097)))
        #expect(error.reason == .limitExceeded(limit: 4_096) && error.field == "coverage" && error.offset == 2)
        #expect(error.code == .clubcardMalformed && error.message.contains("more than 4096"))
    }

    @Test("A filter with more issuers than any honest one is refused before they are read")
    func issuers() throws {
        let count: UInt32 = 1 << 20 + 1
        var bytes: [UInt8] = [4, 0, 0, 0] + withUnsafeBytes(of: count.bigEndian) { Array($0) }
        bytes += [UInt8](repeating: 0, count: Int(count) * ClubcardBlock.minimumSize)
        #expect(problem(bytes)?.reason == .limitExceeded(limit: 1 << 20))
    }

    @Test("A filter of 4 GiB is refused before it is read")
    func size() throws {
        // The system provides a page only when somebody reads it.
        let count = Int(UInt32.max) + 1
        let start = mmap(nil, count, PROT_READ, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0)
        let pages = try #require(start == MAP_FAILED ? nil : start)
        defer { munmap(pages, count) }
        for (count, reason) in [
            (count, ClubcardError.Reason.limitExceeded(limit: Int(UInt32.max))), (count - 1, .unknownVersion(0)),
        ] {
            let bytes = UnsafeRawBufferPointer(start: pages, count: count).bindMemory(to: UInt8.self)
            var error: ClubcardError?
            do throws(ClubcardError) { _ = try ClubcardLayout(bytes.span) } catch let thrown { error = thrown }
            #expect(error?.reason == reason && error?.offset == 0)
        }
    }

    @Test("An unknown version has its own code and is named")
    func version() throws {
        let error = try #require(problem([5, 0, 0, 0]))
        #expect(error.code == .clubcardVersionUnknown && error.version == 5)
    }

    /// A file that another program changes after it was read.
    private final class ChangedFile: ByteStorage {
        private let (old, new): ([UInt8], [UInt8])
        private let isRead = Locked(false)

        init(_ old: [UInt8], then new: [UInt8]) { (self.old, self.new) = (old, new) }

        func withBytes<Result, Failure: Error>(
            _ body: (Span<UInt8>) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            let bytes = isRead.withLock { isRead in
                defer { isRead = true }
                return isRead ? new : old
            }
            return try body(bytes.span)
        }
    }

    @Test("If an entry no longer fits its file, its serial numbers count as revoked", arguments: [3, 4])
    func changedFile(version: Int) throws {
        let (log, key) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
        let entry = ClubcardBytes.Entry(key: key, approximateSize: 1, exceptions: [[7]])
        let old = ClubcardBytes(version: version, logs: [(log, 0, 9)], entries: [entry], columns: [], exact: []).bytes
        var new = old
        let end = try #require(old.indices.last { old[$0] == 7 })
        // The size of the exception.
        new[version == 3 ? end - 8 : end - 1] = 255
        for (bytes, status) in [(old, RevocationFilter.Status.good), (new, .revoked)] {
            let filter = try RevocationFilter(storage: ChangedFile(old, then: bytes), isDelta: false)
            #expect(filter.status(issuerKey: key, serial: [7], timestamps: [(log, 5)]) == status)
        }
    }
}
