// SPDX-License-Identifier: Apache-2.0

import Crypto
import PKIX
import Testing

@testable import ServerTrust

@Suite("Pin sets")
struct SPKIPinSetTests {
    /// Returns a pin that differs for each number.
    static func text(_ number: Int) -> String {
        "sha256/" + Base64.encode(Array(SHA256.hash(data: Array("\(number)".utf8))))
    }

    static func pin(_ number: Int) throws -> SPKIPin { try SPKIPin(text(number)) }

    @Test("A set keeps its pins in the given order and knows which of them are backups")
    func holds() throws {
        let set = try SPKIPinSet(pins: [Self.pin(1), Self.pin(2)], backup: [Self.pin(3)])
        #expect(try set.pins == [Self.pin(1), Self.pin(2)])
        #expect(try set.backup == [Self.pin(3)])
        #expect(set.warnings.isEmpty)
        for (number, isContained, isBackup) in [(1, true, false), (2, true, false), (3, true, true), (4, false, false)]
        {
            #expect(try set.contains(Self.pin(number)) == isContained)
            #expect(try set.isBackup(Self.pin(number)) == isBackup)
        }
    }

    @Test("Strings give the same set as values")
    func texts() throws {
        let set = try SPKIPinSet(pins: [Self.text(1), Self.text(2)], backup: [Self.text(3)])
        #expect(try set == SPKIPinSet(pins: [Self.pin(1), Self.pin(2)], backup: [Self.pin(3)]))
        #expect(set.pins.map(\.description) == [Self.text(1), Self.text(2)])
    }

    @Test("Sets are equal in any order, but not if a pin has another role")
    func equality() throws {
        let set = try SPKIPinSet(pins: [Self.text(1), Self.text(2)], backup: [Self.text(3), Self.text(4)])
        let turned = try SPKIPinSet(pins: [Self.text(2), Self.text(1)], backup: [Self.text(4), Self.text(3)])
        #expect(set == turned)
        #expect(set.hashValue == turned.hashValue)
        #expect(try set != SPKIPinSet(pins: [Self.text(3), Self.text(4)], backup: [Self.text(1), Self.text(2)]))
        #expect(try set != SPKIPinSet(pins: [Self.text(1), Self.text(2)], backup: [Self.text(3)]))
    }

    @Test("A set without a backup must be explicitly requested, and causes a warning")
    func withoutBackup() throws {
        for set in [
            try SPKIPinSet(pinsRiskingLockout: [Self.text(1)]), try SPKIPinSet(pinsRiskingLockout: [Self.pin(1)]),
        ] {
            #expect(set.warnings == [.noBackup])
            #expect(set.warnings.map(\.code) == ["noBackup"])
            #expect(try set.pins == [Self.pin(1)])
            #expect(set.backup.isEmpty)
            #expect(try set.contains(Self.pin(1)))
            #expect(try !set.isBackup(Self.pin(1)))
        }
    }

    @Test("A set of 10,000 pins finds each of them and no other pin")
    func large() throws {
        let pins = try (0..<10_000).map(Self.pin)
        let set = try SPKIPinSet(pins: Array(pins[..<5_000]), backup: Array(pins[5_000...]))
        #expect(pins.allSatisfy(set.contains))
        #expect(pins.count(where: set.isBackup) == 5_000)
        let strangers = try (10_000..<20_000).map(Self.pin)
        #expect(!strangers.contains(where: set.contains))
    }
}

// MARK: - Refusals

extension SPKIPinSetTests {
    struct Refused: CustomTestStringConvertible {
        var testDescription: String
        var pins: [String]
        var backup: [String]
        var problems: [SPKIPinSetError.Problem]
    }

    private static func notAPin(
        _ text: String, _ code: ErrorCode, _ place: SPKIPinSet.Place, byteCount: Int? = nil
    ) -> SPKIPinSetError.Problem {
        SPKIPinSetError.Problem(SPKIPinError(text, code, byteCount: byteCount), at: place)
    }

    private static let noPin = SPKIPinSetError.Problem(.pinSetEmpty)
    private static let noBackup = SPKIPinSetError.Problem(.pinSetWithoutBackup)

    private static func duplicate(_ pin: SPKIPin, _ places: [SPKIPinSet.Place]) -> SPKIPinSetError.Problem {
        SPKIPinSetError.Problem(duplicate: pin, at: places)
    }

    static let short = "sha256/" + Base64.encode([UInt8](repeating: 7, count: 31))
    static let long = "sha256/" + Base64.encode([UInt8](repeating: 7, count: 33))

    static func refused() throws -> [Refused] {
        [
            Refused(testDescription: "nothing", pins: [], backup: [], problems: [Self.noPin, Self.noBackup]),
            Refused(testDescription: "no backup", pins: [text(1)], backup: [], problems: [Self.noBackup]),
            Refused(testDescription: "only a backup", pins: [], backup: [text(1)], problems: [Self.noPin]),
            Refused(
                testDescription: "a pin twice", pins: [text(1), text(2), text(1)], backup: [text(3)],
                problems: [Self.duplicate(try pin(1), [.init(.inUse, 0), .init(.inUse, 2)])]),
            Refused(
                testDescription: "a backup twice", pins: [text(1)], backup: [text(3), text(3), text(3)],
                problems: [
                    Self.duplicate(try pin(3), [.init(.backup, 0), .init(.backup, 1), .init(.backup, 2)])
                ]),
            Refused(
                testDescription: "a backup that is in use", pins: [text(1), text(2)], backup: [text(3), text(2)],
                problems: [Self.duplicate(try pin(2), [.init(.inUse, 1), .init(.backup, 1)])]),
            Refused(
                testDescription: "texts that aren't pins", pins: ["sha1/abc", short, "sha256/*", text(1)],
                backup: [long, "", "sha256//" + text(1).dropFirst(7)],
                problems: [
                    notAPin("sha1/abc", .pinPrefixMissing, .init(.inUse, 0)),
                    notAPin(short, .pinLengthWrong, .init(.inUse, 1), byteCount: 31),
                    notAPin("sha256/*", .pinNotBase64, .init(.inUse, 2)),
                    notAPin(long, .pinLengthWrong, .init(.backup, 0), byteCount: 33),
                    notAPin("", .pinPrefixMissing, .init(.backup, 1)),
                    notAPin("sha256//" + text(1).dropFirst(7), .pinNotBase64, .init(.backup, 2)),
                ]),
            Refused(
                testDescription: "a string that isn't a pin doesn't count as a missing pin", pins: ["x"], backup: ["y"],
                problems: [
                    notAPin("x", .pinPrefixMissing, .init(.inUse, 0)),
                    notAPin("y", .pinPrefixMissing, .init(.backup, 0)),
                ]),
            Refused(
                testDescription: "a pin with white space around it", pins: [" " + text(1)], backup: [text(2) + "\n"],
                problems: [
                    notAPin(" " + text(1), .pinPrefixMissing, .init(.inUse, 0)),
                    notAPin(text(2) + "\n", .pinNotBase64, .init(.backup, 0)),
                ]),
            Refused(
                testDescription: "everything at once", pins: [text(1), "x", text(1), text(2), text(2)], backup: [],
                problems: [
                    Self.noBackup, notAPin("x", .pinPrefixMissing, .init(.inUse, 1)),
                    Self.duplicate(try pin(1), [.init(.inUse, 0), .init(.inUse, 2)]),
                    Self.duplicate(try pin(2), [.init(.inUse, 3), .init(.inUse, 4)]),
                ]),
        ]
    }

    @Test("A malformed set of pins is refused with all its problems", arguments: try refused())
    func refused(row: Refused) throws {
        let error = #expect(throws: SPKIPinSetError.self) { try SPKIPinSet(pins: row.pins, backup: row.backup) }
        #expect(error?.problems == row.problems)
    }

    @Test("Pins that were parsed earlier must meet the same rules")
    func parsed() throws {
        let pins = [try Self.pin(1), try Self.pin(2), try Self.pin(1)]
        let error = #expect(throws: SPKIPinSetError.self) { try SPKIPinSet(pins: pins, backup: [SPKIPin]()) }
        #expect(
            try error?.problems
                == [Self.noBackup, Self.duplicate(Self.pin(1), [.init(.inUse, 0), .init(.inUse, 2)])])
    }

    @Test("Accepting the risk of a lockout excuses only the missing backup")
    func riskingLockout() throws {
        let empty = #expect(throws: SPKIPinSetError.self) { try SPKIPinSet(pinsRiskingLockout: [String]()) }
        #expect(empty?.problems == [Self.noPin])
        let none = #expect(throws: SPKIPinSetError.self) { try SPKIPinSet(pinsRiskingLockout: [SPKIPin]()) }
        #expect(none?.problems == [Self.noPin])
        let bad = #expect(throws: SPKIPinSetError.self) {
            try SPKIPinSet(pinsRiskingLockout: [Self.text(1), "x", Self.text(1)])
        }
        #expect(
            try bad?.problems
                == [
                    Self.notAPin("x", .pinPrefixMissing, .init(.inUse, 1)),
                    Self.duplicate(Self.pin(1), [.init(.inUse, 0), .init(.inUse, 2)]),
                ])
    }

    @Test("An error contains the code of its first problem, and each problem contains its positions")
    func codes() throws {
        let error = try #require(throws: SPKIPinSetError.self) {
            try SPKIPinSet(pins: [Self.text(1), Self.short, Self.text(1)], backup: [Self.text(2)])
        }
        #expect(error.code == .pinLengthWrong)
        #expect(error.problems.map(\.code) == [.pinLengthWrong, .pinSetDuplicate])
        #expect(error.problems[0].error?.byteCount == 31 && error.problems[0].error?.text == Self.short)
        #expect(error.problems.map { $0.places.map(\.description) } == [["pins[1]"], ["pins[0]", "pins[2]"]])
        #expect(try error.problems[1].pin == Self.pin(1))
    }

    @Test("Each problem is one line, whatever text it quotes")
    func lines() throws {
        let texts = ["a\nb", "\u{2028}", "\r\n\r\n", String(repeating: "\n", count: 1000), "ok\u{1b}[31m"]
        let error = #expect(throws: SPKIPinSetError.self) { try SPKIPinSet(pins: texts, backup: [Self.text(1)]) }
        let description = try #require(error).description
        #expect(description.split(whereSeparator: \.isNewline).count == texts.count)
        #expect(description.unicodeScalars.allSatisfy { $0 == "\n" || (0x20..<0x7f).contains($0.value) || $0 == "…" })
        #expect(description.count < 1000)
    }
}
