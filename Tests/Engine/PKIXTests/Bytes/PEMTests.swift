// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX

@Suite("PEM")
struct PEMTests {
    static let begin = "-----BEGIN CERTIFICATE-----\n"
    static let end = "-----END CERTIFICATE-----\n"
    /// Any bytes work, because the PEM reader doesn't parse them.
    static let object = PEM.Block(label: "CERTIFICATE", der: Array("foobar".utf8))
    static let text = begin + "Zm9vYmFy\n" + end

    static let oneRows: [(name: String, text: String)] = [
        ("alone", text),
        ("text before and after", "subject=CN = x\n# comment\n" + text + "more text\n"),
        ("CRLF", text.replacing("\n", with: "\r\n")),
        ("CR alone", text.replacing("\n", with: "\r")),
        ("no trailing line feed", String(text.dropLast())),
        ("base64 broken anywhere", begin + "Zm9\nvYm\nF\ny\n" + end),
        ("empty lines in it", begin + "\nZm9vYmFy\n\n" + end),
        ("spaces and tabs around", begin + " \tZm9vYmFy \t\n" + end),
        ("one long line", begin + "Zm9vYmFy\n" + end),
        ("a leading byte order mark", "\u{feff}" + text),
        ("four dashes before it", "----\n" + text),
        ("a ruler of dashes before it", String(repeating: "-", count: 70) + "\n" + text),
        ("an END line without a BEGIN line", "-----END CERTIFICATE-----\n" + text),
        ("text with dashes in it", "a-b--c---d----e\n" + text),
        ("text with umlauts", "Größe: 2048\n" + text),
    ]

    @Test("The reader reads one object, with any text around it", arguments: oneRows)
    func one(name: String, text: String) throws {
        #expect(try PEM.decode(Array(text.utf8), labels: ["CERTIFICATE"]) == [Self.object.der], "\(name)")
        #expect(PEM.isPEM(Array(text.utf8)))
    }

    @Test("The reader reads several objects in order and skips those that weren't requested")
    func several() throws {
        let key = PEM.encode([1, 2, 3], label: "PRIVATE KEY")
        let text = "first\n" + Self.text + key + "in between\n" + Self.text + PEM.encode([9], label: "CERTIFICATE")
        let blocks = try PEM.blocks(in: Array(text.utf8)).map { try $0.get() }
        #expect(
            blocks == [
                Self.object, PEM.Block(label: "PRIVATE KEY", der: [1, 2, 3]), Self.object,
                PEM.Block(label: "CERTIFICATE", der: [9]),
            ])
        #expect(
            try PEM.decode(Array(text.utf8), labels: ["CERTIFICATE"]) == [Self.object.der, Self.object.der, [9]])
        #expect(try PEM.decode(Array(text.utf8), labels: ["PRIVATE KEY"]) == [[1, 2, 3]])
        #expect(try PEM.decode(Array(text.utf8), labels: []) == [])
    }

    @Test(
        "Text without a BEGIN line contains no objects",
        arguments: [
            "", "\n", "-----", "----------", "hello", "-----END X-----", "-----BEGIN", "-----BEGIN ",
            "----BEGIN X-----", "-----begin x-----",
        ])
    func none(text: String) throws {
        #expect(PEM.blocks(in: Array(text.utf8)).isEmpty)
        #expect(try PEM.decode(Array(text.utf8), labels: ["CERTIFICATE"]).isEmpty)
    }

    static let brokenRows: [(name: String, text: String, code: ErrorCode)] = [
        ("no END line", begin + "Zm9vYmFy\n", .pemNotTerminated),
        ("nothing after BEGIN", begin, .pemNotTerminated),
        ("a truncated END line", begin + "Zm9vYmFy\n-----END CERTIFIC", .pemNotTerminated),
        ("an END line without its last dash", begin + "Zm9vYmFy\n-----END CERTIFICATE----", .pemNotTerminated),
        ("another BEGIN before END", begin + "Zm9v\n" + begin, .pemNotTerminated),
        ("another label at the end", begin + "Zm9vYmFy\n-----END X509 CRL-----\n", .pemLabelMismatch),
        (
            "the label in lower case at the end", begin + "Zm9vYmFy\n-----END certificate-----\n",
            .pemLabelMismatch
        ),
        ("an asterisk", begin + "Zm9v*mFy\n" + end, .pemNotBase64),
        ("URL-safe base64", begin + "Zm9v_-Fy\n" + end, .pemNotBase64),
        ("a NUL", begin + "Zm9v\u{0}mFy\n" + end, .pemNotBase64),
        ("padding missing", begin + "Zm9vYg\n" + end, .pemNotBase64),
        ("padding in the middle", begin + "Zg==Zm9v\n" + end, .pemNotBase64),
        ("unused bits that are set", begin + "Zh==\n" + end, .pemNotBase64),
        ("one dash in the base64", begin + "Zm9v-mFy\n" + end, .pemNotBase64),
        ("a truncated group", begin + "Zm9vYmF\n" + end, .pemNotBase64),
        ("a sixth dash after BEGIN", "-----BEGIN CERTIFICATE------\nZm9v\n" + end, .pemNotBase64),
        (
            "headers of RFC 1421",
            begin + "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nZm9vYmFy\n" + end, .pemHasHeaders
        ),
    ]

    @Test("An unreadable object causes an error and never yields a shorter or different object", arguments: brokenRows)
    func broken(name: String, text: String, code: ErrorCode) {
        let results = PEM.blocks(in: Array(text.utf8))
        #expect(results.count >= 1, "\(name)")
        guard case .failure(let error) = results.first else {
            Issue.record("\(name) was read")
            return
        }
        #expect(error.code == code, "\(name)")
        #expect((error.endLabel == nil) == (code != .pemLabelMismatch))
        #expect(error.object == 1)
        #expect(error.label == "CERTIFICATE")
        #expect(error.offset <= text.utf8.count)
        #expect(throws: PEM.BlockError.self) { try PEM.decode(Array(text.utf8), labels: ["CERTIFICATE"]) }
        #expect(throws: PEM.BlockError.self, "an object with another label") {
            try PEM.decode(Array(text.utf8), labels: ["PRIVATE KEY"])
        }
    }

    @Test(
        "The reader reads the objects before and after a broken one",
        arguments: brokenRows.filter { $0.name != "no END line" })
    func neighbours(name: String, text: String, code: ErrorCode) {
        let before = PEM.encode([1], label: "CERTIFICATE")
        let after = PEM.encode([2], label: "CERTIFICATE")
        let results = PEM.blocks(in: Array((before + text + "\n" + after).utf8))
        #expect((try? results.first?.get())?.der == [1], "\(name)")
        #expect((try? results.last?.get())?.der == [2], "\(name)")
        #expect(results.contains { if case .failure = $0 { true } else { false } }, "\(name)")
    }

    @Test("The object starts at the last five dashes of a run, at any offset", arguments: 0..<5)
    func dashes(shift: Int) {
        for count in 5...12 {
            let text = String(repeating: "\n", count: shift) + String(repeating: "-", count: count - 5) + Self.text
            #expect(PEM.blocks(in: Array(text.utf8)) == [.success(Self.object)], "\(count) dashes")
        }
    }

    @Test("Only five dashes in a row end the base64, at any offset", arguments: 0..<5)
    func dashesInBase64(shift: Int) {
        let begin = Self.begin + String(repeating: "\n", count: shift) + "Zm9v"
        func expectError(_ rest: String, _ code: ErrorCode, _ offset: Int) {
            let error = PEM.BlockError(
                code, label: "CERTIFICATE", object: 1, offset: begin.utf8.count + offset)
            #expect(PEM.blocks(in: Array((begin + rest).utf8)) == [.failure(error)], "\(rest)")
        }
        for dashes in ["-", "--", "---", "----", "--*--", "-*----", "----*-", "--\n---", "----\n----"] {
            expectError(dashes + "\n" + Self.end, .pemNotBase64, 0)
        }
        for count in 5...9 {
            let dashes = String(repeating: "-", count: count)
            expectError(dashes, .pemNotTerminated, count - 5)
            expectError(dashes + "\n" + Self.end, .pemNotTerminated, count - 5)
        }
        // The base64 contains the sixth dash before END.
        expectError("-" + Self.end, .pemNotBase64, 0)
    }

    @Test(
        "A label of up to 64 printable ASCII characters is read",
        arguments: [
            "", "A", "X509 CRL", "~", "!", "A-B", "A----B", String(repeating: "A", count: 63),
            String(repeating: "A", count: 64),
        ])
    func labels(label: String) {
        let text = Array(PEM.encode([1], label: label).utf8)
        #expect(PEM.blocks(in: text) == [.success(PEM.Block(label: label, der: [1]))])
    }

    @Test(
        "A longer label, or one with other characters, doesn't start an object",
        arguments: ["A\u{7f}", "A\u{1f}", "A\tB", "A\n", "\0", "\u{80}", "é", String(repeating: "A", count: 65)])
    func wrongLabels(label: String) {
        #expect(PEM.blocks(in: Array(PEM.encode([1], label: label).utf8)).isEmpty)
    }

    @Test("An error contains the number of its object and the offset in the text")
    func errorPlace() {
        let text = Self.text + Self.text + Self.begin + "Zm9v*\n" + Self.end
        guard case .failure(let error) = PEM.blocks(in: Array(text.utf8)).last else {
            Issue.record("the third object was read")
            return
        }
        #expect(error.object == 3)
        #expect(error.offset == text.utf8.count - Self.end.utf8.count - 2)
    }

    @Test("Any bytes survive a round trip, in lines of 64 characters")
    func roundTrip() throws {
        var random = Repeatable(7)
        for count in [0, 1, 2, 3, 47, 48, 49, 95, 96, 97, 1000] {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let text = PEM.encode(bytes, label: "CERTIFICATE")
            #expect(try PEM.decode(Array(text.utf8), labels: ["CERTIFICATE"]) == [bytes])
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.first == "-----BEGIN CERTIFICATE-----")
            #expect(lines.dropLast().last == "-----END CERTIFICATE-----")
            #expect(lines.last == "")
            #expect(lines.dropFirst().dropLast(2).dropLast().allSatisfy { $0.utf8.count == 64 })
        }
    }

    @Test("A certificate's DER isn't mistaken for PEM")
    func derIsNoPEM() throws {
        #expect(!PEM.isPEM(try CraftedCertificate.leaf().der()))
        #expect(!PEM.isPEM([]))
    }

    @Test(
        "The reader reads a megabyte of dashes to the end",
        arguments: [
            ("-", 0), ("-----BEGIN A-----", 61_680), ("-----BEGIN ", 47_662), ("-----END A-----", 0),
            ("-----BEGIN A-----\nAAAA\n", 45_590),
        ])
    func hostile(piece: String, objects: Int) {
        let text = [UInt8](String(repeating: piece, count: (1 << 20) / piece.utf8.count).utf8)
        // If the time grew with the square of the length, this would take five hours.
        let blocks = PEM.blocks(in: text)
        #expect(blocks.count == objects)
        #expect(blocks.allSatisfy { (try? $0.get()) == nil })
        #expect(PEM.isPEM(text) == (objects > 0))
    }

    @Test("No input causes a trap")
    func garbage() {
        var random = Repeatable(8)
        let pieces = [
            "-----", "BEGIN ", "END ", "X", "\n", "-", "Zm9v", "=", ":", " ", "-----BEGIN X-----", "-----END X-----",
            "\u{0}",
        ]
        for _ in 0..<3_000 {
            let text = (0..<Int.random(in: 0...14, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }
            .joined()
            for case .failure(let error) in PEM.blocks(in: Array(text.utf8)) {
                #expect(error.offset <= text.utf8.count)
            }
        }
    }
}
