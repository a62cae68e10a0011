// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting
import Testing

@testable import Diagnosis

/// Files that try to be expensive to read. The reader stops and says where.
@Suite("Hostile files", .timeLimit(.minutes(30)))
struct HostileInputTests {
    static let repeated: [(String, String, Int)] = [
        ("BEGIN lines without an end", "-----BEGIN CERTIFICATE-----\n", 40_000),
        ("hyphens", "-----", 200_000),
        ("one-byte objects", "-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n", 20_000),
        ("END lines", "-----END CERTIFICATE-----\n", 40_000),
        ("endless labels", "-----BEGIN AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", 20_000),
        ("quotation marks", "\"-----BEGIN X-----\"\"", 40_000),
        ("backslashes", "-----BEGIN X-----\\\\\\\\\\\\\\\\", 40_000),
        ("base64 values without meaning", "a: MIIBMIIBMIIBMIIBMIIBMIIBMIIBMIIBMIIBMIIBMIIBMIIB\n", 20_000),
        ("percent signs", "BEGIN%20%2525252525", 40_000),
        ("letters", "A", 1_000_000), ("zeros", "0", 1_000_000), ("white space", " \n", 500_000),
    ]

    @Test("The reader parses repeated text only once", arguments: repeated)
    func repeatedText(_ name: String, _ text: String, _ count: Int) {
        let bytes = Array(String(repeating: text, count: count).utf8)
        let file = InspectionReader.read(bytes, name: "file")
        #expect(file.objects.allSatisfy { $0.problem != nil })
        #expect(!file.objects.isEmpty)
    }

    @Test("The reader parses repeated structures only once")
    func repeatedStructures() throws {
        for unit: [UInt8] in [[0x30, 0x80], [0x30, 0x00], [0x30, 0x02, 0x30, 0x00], [0x30, 0x84, 0, 0, 0, 2, 5, 0]] {
            let bytes = Array(repeatElement(unit, count: 100_000).joined())
            let file = InspectionReader.read(bytes, name: "file")
            #expect(file.objects.allSatisfy { $0.problem != nil })
        }
        // Each level is nested in the previous one.
        var nested: [UInt8] = []
        for _ in 0..<2_000 { nested = [0x30, 0x83] + withLength(nested.count) + nested }
        #expect(InspectionReader.read(nested, name: "file").objects.first?.problem != nil)
    }

    private func withLength(_ count: Int) -> [UInt8] {
        [
            UInt8(truncatingIfNeeded: count >> 16), UInt8(truncatingIfNeeded: count >> 8),
            UInt8(truncatingIfNeeded: count),
        ]
    }

    @Test("The reader stops at the limit of nested encodings")
    func depth() throws {
        let samples = try Samples.shared.get()
        var bytes = Array(samples.leafPEM.utf8)
        var certificates: [Int] = []
        for _ in 0...10 {
            let objects = InspectionReader.read(bytes, name: "file").objects
            certificates.append(objects.compactMap(\.certificate).count)
            if certificates.last == 0 { #expect(objects.map { $0.problem?.code } == [.tooDeep]) }
            bytes = Array(Data(bytes).base64EncodedString().utf8)
        }
        #expect(certificates == [1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0])
    }

    @Test("The reader stops at the object limit and rejects an anchor file with more objects")
    func objects() throws {
        let samples = try Samples.shared.get()
        var limits = ReadingLimits()
        limits.objects = 3
        let text = String(repeating: samples.leafPEM, count: 5)
        let file = InspectionReader.read(Array(text.utf8), name: "file", limits: limits)
        #expect(file.objects.compactMap(\.certificate).count == 3)
        #expect(file.objects.last?.problem?.code == .tooManyObjects)
        #expect(file.objects.count == 4)
        let entries = file.certificates(for: .anchor(.serverAuth))
        #expect(throws: InspectionError.self) { try entries.last?.get() }
    }

    @Test("The reader shows file names and labels as printable text and truncates long ones")
    func printable() throws {
        let label = "CERT\u{1b}[31m"
        let text = "-----BEGIN \(label)-----\nAAAA\n-----END \(label)-----\n<\u{202e}\u{7}>"
        for bytes in [
            Array(text.utf8), Array("\u{202e}\u{7}abc".utf8), Array(String(repeating: "x", count: 9_999).utf8),
        ] {
            for object in InspectionReader.read(bytes, name: "file").objects {
                let words = object.problem?.description ?? ""
                #expect(words.utf8.count < 1_000)
                #expect(words.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202e && $0.value != 0x7f })
            }
        }
    }
}
