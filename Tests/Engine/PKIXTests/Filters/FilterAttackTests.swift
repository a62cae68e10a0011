// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX

/// Filters that no builder creates. They cause an error, or give the answer that the format's rules require.
@Suite("Hostile filters", .timeLimit(.minutes(10)))
struct FilterAttackTests {
    private static let (log, key) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
    private static let zeros: [UInt64] = [0, 0, 0, 0, 0, 0]

    /// Serial numbers, including ones that no CA is allowed to issue: empty, longer than 20 bytes, negative, with
    /// leading zeros.
    private static let serials: [[UInt8]] = [
        [], [0], [1], [0, 0, 1], [0x80], [0, 0x80], [0xff, 0xff], [UInt8](repeating: 0x7f, count: 20),
        [UInt8](repeating: 0x81, count: 21), [UInt8](repeating: 3, count: 1_000),
    ]

    /// A filter with two columns of zeros. Each row has the value 0, so all serial numbers are revoked.
    private static func filter(_ version: Int, _ change: (inout ClubcardBytes) -> Void = { _ in }) -> [UInt8] {
        var filter = ClubcardBytes(
            version: version, logs: [(log, 1_000, 2_000)],
            entries: [
                ClubcardBytes.Entry(
                    key: key, approximateSize: 300, approximateOffset: 20, rank: 2, exactSize: 100, exactOffset: 30)
            ], columns: [zeros, zeros], exact: zeros)
        change(&filter)
        return filter.bytes
    }

    private static func status(_ bytes: [UInt8], _ serial: [UInt8] = [1], at time: UInt64 = 1_500) throws -> String {
        try RevocationFilter(bytes).status(issuerKey: key, serial: serial, timestamps: [(log, time)]).rawValue
    }

    private static func problem(_ bytes: [UInt8]) -> String? {
        do throws(ClubcardError) {
            _ = try RevocationFilter(bytes)
            return nil
        } catch {
            return error.description
        }
    }

    @Test("Every serial number has an answer, and an exception matches only its exact bytes", arguments: [3, 4])
    func serials(version: Int) throws {
        for isInverted in [false, true] {
            let plain = Self.filter(version) { $0.entries[0].isInverted = isInverted }
            for serial in Self.serials {
                #expect(try Self.status(plain, serial) == (isInverted ? "Good" : "Revoked"))
                guard serial.count < 256 else { continue }
                let excepting = Self.filter(version) {
                    ($0.entries[0].isInverted, $0.entries[0].exceptions) = (isInverted, [[9, 9], serial])
                }
                for other in Self.serials {
                    let isListed = isInverted == (other == serial)
                    #expect(try Self.status(excepting, other) == (isListed ? "Revoked" : "Good"))
                }
            }
        }
    }

    @Test(
        "An entry without approximate places contains no serial number, or all of them if it is inverted",
        arguments: [3, 4])
    func noPlaces(version: Int) throws {
        for isInverted in [false, true] {
            for exact in [0, 5, UInt64(UInt32.max)] {
                let bytes = Self.filter(version) {
                    $0.entries[0] = ClubcardBytes.Entry(
                        key: Self.key, approximateSize: 0, approximateOffset: 7, rank: 200, exactSize: exact,
                        exactOffset: exact, isInverted: isInverted, exceptions: [[1]])
                }
                for serial in Self.serials {
                    #expect(try Self.status(bytes, serial) == (isInverted ? "Revoked" : "Good"))
                }
            }
        }
    }

    @Test("An entry without exact places is compared with the exact column at its offset", arguments: [3, 4])
    func noExactPlaces(version: Int) throws {
        for offset in [0, 383, 384, UInt64(UInt32.max)] {
            let bytes = Self.filter(version) { ($0.entries[0].exactSize, $0.entries[0].exactOffset) = (0, offset) }
            #expect(try Self.status(bytes) == "Revoked")
        }
        // A row's first bit is always 1.
        let set = Self.filter(version) {
            ($0.entries[0].exactSize, $0.entries[0].exactOffset, $0.exact) = (0, 127, [0, 1 << 63])
        }
        for serial in Self.serials { #expect(try Self.status(set, serial) == "Good") }
    }

    @Test("Entries may share places", arguments: [3, 4])
    func sharedPlaces(version: Int) throws {
        let other = [UInt8](repeating: 9, count: 32)
        let bytes = Self.filter(version) { filter in
            filter.entries.append(filter.entries[0].with { ($0.key, $0.isInverted) = (other, true) })
        }
        let filter = try RevocationFilter(bytes)
        for (key, status) in [(Self.key, RevocationFilter.Status.revoked), (other, .good)] {
            #expect(filter.status(issuerKey: key, serial: [1], timestamps: [(Self.log, 1_000)]) == status)
        }
    }

    @Test(
        "Places beyond a column cause an error that names the entry, whether it is inverted or not", arguments: [3, 4]
    )
    func placesBeyond(version: Int) {
        // 6 words: the last places.
        #expect(Self.problem(Self.filter(version) { $0.entries[0].approximateOffset = 84 }) == nil)
        #expect(Self.problem(Self.filter(version) { $0.entries[0].exactOffset = 284 }) == nil)
        let large = version == 3 ? UInt64.max : UInt64(UInt32.max)
        let changes: [(String, (inout ClubcardBytes) -> Void)] = [
            ("approx at byte", { $0.entries[0].approximateOffset = 85 }),
            ("approx at byte", { $0.entries[0].approximateOffset = large }),
            ("approx at byte", { $0.entries[0].approximateSize = large }),
            ("approx at byte", { $0.columns[1].removeLast(2) }), ("approx at byte", { $0.columns[0] = [] }),
            ("exact at byte", { $0.entries[0].exactOffset = 285 }),
            ("exact at byte", { $0.entries[0].exactSize = large }), ("exact at byte", { $0.exact = [] }),
            ("rank at byte", { $0.entries[0].rank = 3 }), ("rank at byte", { $0.entries[0].rank = min(large, 255) }),
            ("rank at byte", { $0.columns = [] }),
        ]
        for (index, change) in changes.enumerated() {
            for isInverted in [false, true] {
                let problem = Self.problem(
                    Self.filter(version) {
                        $0.entries[0].isInverted = isInverted
                        change.1(&$0)
                    })
                #expect(problem?.contains(change.0) == true, "row \(index): \(problem ?? "read")")
            }
        }
        // A column that an entry doesn't use may be shorter.
        let shorter = Self.filter(version) { ($0.entries[0].rank, $0.columns[1]) = (1, []) }
        #expect(Self.problem(shorter) == nil)
    }

    @Test("A log or issuer that occurs twice causes an error, whatever its contents", arguments: [3, 4])
    func duplicates(version: Int) {
        let log = Self.filter(version) { $0.logs.append((Self.log, 5_000, 6_000)) }
        #expect(
            Self.problem(log)?.hasSuffix("appears twice") == true && Self.problem(log)?.contains("coverage") == true)
        let issuer = Self.filter(version) { filter in
            filter.entries.append(filter.entries[0].with { $0.isInverted = true })
        }
        #expect(Self.problem(issuer)?.hasSuffix("appears twice") == true)
        #expect(Self.problem(issuer)?.contains("index") == true)
    }

    @Test("Coverage includes both ends, and is empty if the ends are reversed", arguments: [3, 4])
    func coverage(version: Int) throws {
        let bytes = Self.filter(version)
        for (time, isCovered) in [
            (0, false), (999, false), (1_000, true), (2_000, true), (2_001, false), (.max, false),
        ]
            as [(UInt64, Bool)]
        {
            #expect(try Self.status(bytes, at: time) == (isCovered ? "Revoked" : "NotCovered"))
        }
        let reversed = Self.filter(version) { $0.logs = [(Self.log, 2_000, 1_000)] }
        for time in [999, 1_000, 1_500, 2_000, 2_001] as [UInt64] {
            #expect(try Self.status(reversed, at: time) == "NotCovered")
        }
        let all = Self.filter(version) { $0.logs = [(Self.log, 0, .max)] }
        for time in [0, .max] as [UInt64] { #expect(try Self.status(all, at: time) == "Revoked") }
        // The date is useless, but it is a date.
        let date = try RevocationFilter(all).date
        #expect(date > Time(secondsSinceEpoch: 0) && date.advanced(by: .max) >= date && !date.description.isEmpty)
    }

    @Test("Counts that exceed the file's contents cost neither memory nor time", arguments: [3, 4])
    func promises(version: Int) {
        let empty = ClubcardBytes(version: version, logs: [], entries: [], columns: [], exact: [])
        #expect(Self.problem(empty.bytes) == nil)
        let zero = [UInt8](repeating: 0, count: 512)
        for count in [UInt64(UInt8.max), UInt64(UInt32.max), .max, .max / 8, 1 << 61 | 1] {
            let start = [UInt8(version), 0]
            func number(_ value: UInt64, _ size: Int) -> [UInt8] { empty.number(value, size) }
            let files: [[UInt8]] = [
                start + number(count, 2), start + number(0, 2) + number(count, 4),
                start + number(0, 2) + number(0, 4) + number(count, 1),
                start + number(0, 2) + number(0, 4) + number(1, 1) + number(count, 4),
                start + number(0, 2) + number(0, 4) + number(0, 1) + number(count, 4),
            ]
            for file in files { #expect(Self.problem(file) != nil && Self.problem(file + zero) != nil) }
        }
    }
}
