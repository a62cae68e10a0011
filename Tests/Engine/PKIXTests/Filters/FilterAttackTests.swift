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

    @Test("A filter has at most 4,096 logs and 255 columns, and entries as small as their fields", arguments: [3, 4])
    func limits(version: Int) throws {
        func logs(_ count: Int) -> [UInt8] {
            Self.filter(version) { filter in
                filter.logs = (0..<count).map { number in
                    ([UInt8(number >> 8), UInt8(number & 0xff)] + [UInt8](repeating: 0, count: 30), 1, 2)
                }
            }
        }
        #expect(try RevocationFilter(logs(4_096)).coverageEntries(5_000).count == 4_096)
        #expect(Self.problem(logs(4_097))?.contains("is more than 4096") == true)
        func columns(_ count: Int) -> [UInt8] {
            Self.filter(version) { ($0.columns, $0.entries) = (Array(repeating: [], count: count), []) }
        }
        #expect(Self.problem(columns(255)) == nil)
        if version == 3 { #expect(Self.problem(columns(256))?.contains("is more than 255") == true) }
        // The most columns an entry can need, each of them read.
        let most = Self.filter(version) {
            ($0.columns, $0.entries[0].rank) = (Array(repeating: Self.zeros, count: 255), 255)
        }
        #expect(try Self.status(most) == "Revoked")
        let short = Self.filter(version) {
            ($0.columns, $0.entries[0].rank) = (Array(repeating: Self.zeros, count: 254) + [[0]], 255)
        }
        #expect(Self.problem(short)?.contains("needs 320 bits of a column that has 64") == true)
        // Nothing follows the entry except empty columns.
        let least = Self.filter(version) {
            $0.logs = []
            ($0.columns, $0.exact, $0.entries) = ([], [], [ClubcardBytes.Entry(key: Self.key)])
        }
        #expect(Self.problem(least) == nil)
        #expect(try RevocationFilter(least).date == Time(secondsSinceEpoch: 0))
        // Exceptions may be empty, and one per byte may follow.
        let empty = Self.filter(version) {
            ($0.columns, $0.exact) = ([], [])
            $0.entries = [ClubcardBytes.Entry(key: Self.key, exceptions: Array(repeating: [], count: 16))]
        }
        #expect(Self.problem(empty) == nil)
    }

    @Test("An error names the first entry with the most of what a column lacks", arguments: [3, 4])
    func namedEntry(version: Int) throws {
        let entry = ClubcardBytes.Entry(
            key: Self.key, approximateSize: 300, approximateOffset: 20, rank: 2, exactSize: 100, exactOffset: 30)
        func problem(_ change: (inout ClubcardBytes.Entry) -> Void, columns: Int = 2) -> String? {
            Self.problem(
                Self.filter(version) {
                    $0.columns = Array(repeating: Self.zeros, count: columns)
                    $0.entries = (1...3).map { number in
                        var copy = entry
                        copy.key[0] = UInt8(number)
                        if number > 1 { change(&copy) }
                        return copy
                    }
                })
        }
        func offset(_ number: Int) throws -> Int {
            let bytes = Self.filter(version) {
                $0.entries = (1...3).map { number in
                    var copy = entry
                    copy.key[0] = UInt8(number)
                    return copy
                }
            }
            let key = [UInt8(number)] + Self.key.dropFirst()
            return try #require(bytes.indices.dropLast(31).first { Array(bytes[$0..<($0 + 32)]) == key })
        }
        // The second and the third entry need equally much.
        let second = try offset(2)
        #expect(problem { $0.rank = 3 } == "not a CRLite filter: rank at byte \(second) is 3, expected 2")
        #expect(problem { $0.exactOffset = 285 }?.contains("exact at byte \(second) needs 385 bits") == true)
        #expect(problem { $0.approximateOffset = 85 }?.contains("approx at byte \(second) needs 385 bits") == true)
        // The first entry and the others need different numbers of columns, but equally many places.
        #expect(
            problem(
                {
                    $0.rank = 1; $0.approximateOffset = 85
                }, columns: 2)?
                .contains("approx at byte \(second) needs 385 bits of a column that has 384") == true)
    }

    @Test("A filter's bytes, hashes and coverage are readable again, and two filters are equal only if they're one")
    func values() throws {
        let bytes = Self.filter(4)
        let filter = try RevocationFilter(bytes)
        #expect(filter.bytes == bytes && filter.version == 4)
        #expect(filter.hashes(of: 5) == [Self.key] && filter.hashes(of: 0).isEmpty)
        let coverage = filter.coverageEntries(5)
        #expect(
            coverage.map(\.log) == [Self.log] && coverage.map(\.first) == [1_000] && coverage.map(\.last) == [2_000])
        #expect(filter.isEnrolled(Self.key) && !filter.isEnrolled(Self.log) && !filter.isEnrolled([]))
        #expect(filter == filter)
        #expect(try filter != RevocationFilter(bytes))
        for (start, code) in [([4, 1], ErrorCode.clubcardMalformed), ([5, 0], .clubcardVersionUnknown)] {
            #expect {
                _ = try RevocationFilter(start.map { UInt8($0) } + bytes.dropFirst(2))
            } throws: { ($0 as? ClubcardError)?.code == code }
        }
    }

    @Test("Entries and exceptions may be as small as the format allows", arguments: [3, 4])
    func smallest(version: Int) throws {
        func status(_ entries: [ClubcardBytes.Entry], _ serial: [UInt8] = [1]) throws -> String {
            try Self.status(Self.filter(version) { ($0.columns, $0.exact, $0.entries) = ([], [], entries) }, serial)
        }
        let bare = (0..<100).map { number in
            ClubcardBytes.Entry(key: [UInt8(number)] + [UInt8](repeating: 0, count: 31))
        }
        #expect(Self.problem(Self.filter(version) { ($0.columns, $0.exact, $0.entries) = ([], [], bare) }) == nil)
        // Without columns and without rank, each serial number is listed unless it is an exception.
        let entry = ClubcardBytes.Entry(key: Self.key, approximateSize: 1)
        #expect(try status([entry]) == "Revoked")
        let many = entry.with { $0.exceptions = Array(repeating: [], count: 40) + [[7]] }
        #expect(try status([many], [7]) == "Good" && status([many], [8]) == "Revoked")
        let long = [UInt8](repeating: 5, count: 200)
        let one = entry.with { $0.exceptions = [long] }
        #expect(try status([one], long) == "Good" && status([one], [8]) == "Revoked")
    }

    @Test("What follows the exceptions isn't an exception", arguments: [3, 4])
    func afterExceptions(version: Int) throws {
        // The number of columns, 1, and the first byte of the column's size look like one more exception.
        let bytes = Self.filter(version) { ($0.columns, $0.entries[0].rank) = ([Self.zeros], 1) }
        #expect(try Self.status(bytes, version == 3 ? [6] : [0]) == "Revoked")
    }

    @Test("Places are checked for one column and one position, too", arguments: [3, 4])
    func fewPlaces(version: Int) throws {
        let exact = Self.filter(version) { ($0.entries[0].exactSize, $0.entries[0].exactOffset) = (1, 384) }
        #expect(Self.problem(exact)?.contains("exact at byte") == true)
        let rank = Self.filter(version) { ($0.entries[0].rank, $0.entries[0].approximateOffset) = (1, 85) }
        #expect(Self.problem(rank)?.contains("approx at byte") == true)
        let none = Self.filter(version) { ($0.entries[0].rank, $0.entries[0].approximateOffset) = (0, 1_000) }
        #expect(try Self.status(none) == "Revoked")
    }

    @Test("Entries in any order are found, and a repeated one isn't accepted", arguments: [3, 4])
    func order(version: Int) throws {
        let entry = ClubcardBytes.Entry(key: Self.key, approximateSize: 300, rank: 2, exactSize: 100)
        func filter(_ numbers: [UInt8]) -> [UInt8] {
            Self.filter(version) {
                $0.entries = numbers.map { number in entry.with { $0.key[0] = number } }
                $0.logs = numbers.map { ([$0] + Self.log.dropFirst(), 1_000, 2_000) }
            }
        }
        for numbers in [[3, 2, 1], [2, 1, 3], [1, 3, 2], [200, 100, 101, 99, 5, 4]] as [[UInt8]] {
            let filter = try RevocationFilter(filter(numbers))
            for number in numbers {
                #expect(filter.isEnrolled([number] + Self.key.dropFirst()))
                let found = filter.status(
                    issuerKey: [number] + Self.key.dropFirst(), serial: [1],
                    timestamps: [([number] + Self.log.dropFirst(), 1_500)])
                #expect(found == .revoked)
            }
            #expect(!filter.isEnrolled([7] + Self.key.dropFirst()))
            #expect(filter.status(issuerKey: Self.key, serial: [1], timestamps: [([], 1_500)]) == .notCovered)
        }
        #expect(Self.problem(filter([2, 1, 2]))?.contains("coverage") == true)
        let entries = Self.filter(version) {
            $0.entries = [2, 1, 2].map { number in entry.with { $0.key[0] = number } }
        }
        #expect(Self.problem(entries)?.contains("index") == true)
    }

    @Test("An error names the byte of a wrong flag, of a wrong version and of a wrong size")
    func places() throws {
        for version in [3, 4] {
            var bytes = Self.filter(version)
            let start = try #require(bytes.indices.dropLast(31).first { Array(bytes[$0..<($0 + 32)]) == Self.key })
            let flag = start + 32 + (version == 3 ? 40 : 17)
            bytes[flag] = 2
            #expect(Self.problem(bytes)?.contains("inverted at byte \(flag) ") == true)
            bytes = Self.filter(version)
            bytes[1] = 1
            #expect(Self.problem(bytes)?.hasSuffix("version at byte 1 is 1, expected 0") == true)
            if version == 3 {
                bytes = Self.filter(version)
                bytes[start - 8] = 31
                #expect(Self.problem(bytes)?.hasSuffix("index at byte \(start - 8) is 31, expected 32") == true)
            }
        }
    }

    @Test("A filter has at most 1,048,576 entries")
    func mostEntries() {
        // The first entry has a wrong flag, so that reading ends there.
        var bytes = [4, 0, 0, 0] + [0, 0x10, 0, 0] + [UInt8](repeating: 0xff, count: 52 << 20 + 52)
        #expect(Self.problem(bytes)?.contains("inverted") == true)
        bytes[7] = 1
        #expect(Self.problem(bytes)?.contains("is more than 1048576") == true)
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
