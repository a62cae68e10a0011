// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Diagnosis

/// The number of key derivation iterations that a file is allowed to cost. No test here asserts a duration.
@Suite("Key derivation iterations")
struct IterationTests {
    private static func value(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        precondition(contents.count < 0x10000)
        return [tag, 0x82, UInt8(contents.count >> 8), UInt8(contents.count & 0xff)] + contents
    }

    private static let data: [UInt8] = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x01]
    private static let sha256: [UInt8] = [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]

    private static func short(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        contents.count < 0x80
            ? [tag, UInt8(contents.count)] + contents
            : contents.count < 0x100
                ? [tag, 0x81, UInt8(contents.count)] + contents : value(tag, contents)
    }

    /// Returns a PKCS #12 file (RFC 7292 § 4) without contents, whose MAC requires a thousand iterations.
    private static func file(hasMAC: Bool) -> [UInt8] {
        let contents = short(0x30, data + short(0xa0, short(0x04, short(0x30, []))))
        let digest = short(0x30, short(0x30, sha256) + short(0x04, [UInt8](repeating: 7, count: 32)))
        let mac = short(0x30, digest + short(0x04, [1, 2, 3, 4]) + short(0x02, [0x03, 0xe8]))
        return short(0x30, short(0x02, [3]) + contents + (hasMAC ? mac : []))
    }

    private static func reading(_ bytes: [UInt8], _ passphrases: PassphraseSource?) -> FileReading {
        var limits = ReadingLimits()
        limits.iterations = 2_000
        var reading = FileReading(limits: limits, passphrases: passphrases)
        reading.read(bytes)
        return reading
    }

    @Test(
        "Without a source of passphrases, the reader performs no iterations, however many files there are",
        arguments: [1, 2, 4])
    func withoutSource(count: Int) {
        let reading = Self.reading(Array(repeatElement(Self.file(hasMAC: true), count: count).joined()), nil)
        #expect(reading.iterations == 4_000)
        #expect(
            reading.objects.map { $0.problem?.code }
                == [InspectionProblem.Code?](repeating: .passphraseRequired, count: count))
    }

    @Test("With a source of passphrases, all objects in a file together use at most the limit") func withSource() {
        let reading = Self.reading(Array(repeatElement(Self.file(hasMAC: true), count: 8).joined())) { _ in nil }
        #expect(reading.iterations == 0)
        #expect(reading.objects.count == 8)
        #expect(reading.objects.last?.problem?.code == .iterationsOverLimit)
    }

    @Test("The reader needs no source of passphrases to open a file without key derivation") func plain() {
        let objects = Self.reading(Self.file(hasMAC: false), nil).objects
        #expect(objects.map { $0.problem?.code } == [.unknownStructure])
    }
}
