// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting
import Testing

@testable import ServerTrustCommand

/// Input for `verify --batch` that tries to hide rows or to use a lot of time or memory.
@Suite("Hostile batch input", .timeLimit(.minutes(30))) struct HostileInputTests {
    private func blocks(_ text: Data, _ make: (StreamWindow) -> any BlockReader) throws -> [RowBlock] {
        try TemporaryFolder.with { folder in
            let file = try folder.write("rows", text).path
            let reader = make(StreamWindow(try ByteStream(file), name: file, at: InputPosition()))
            var blocks: [RowBlock] = []
            while let block = try reader.next() { blocks.append(block) }
            return blocks
        }
    }

    /// Returns the records of a table, or nil for a line whose record never ends. The search restarts at each record.
    private func records(_ text: [UInt8]) -> [[UInt8]?] {
        var (records, start): ([[UInt8]?], Int) = ([], 0)
        while start < text.count {
            var scanner = CSVRecordScanner()
            if let end = text.indices[start...].first(where: { scanner.take(text[$0]) }) {
                records.append(Array(text[start...end]))
                start = end + 1
            } else if scanner.isInQuotes {
                records.append(nil)
                start = text[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? text.count
            } else {
                records.append(Array(text[start...]))
                start = text.count
            }
        }
        return records
    }

    @Test("An unclosed quote spoils only its own line, as if the reader tried each line separately", arguments: 0..<300)
    func unclosedQuotes(_ seed: Int) throws {
        var random = Generator(state: UInt64(seed) &+ 7000)
        let alphabet = Array("a,\"\"\n\r".utf8)
        let text = (0..<Int.random(in: 0...60, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0 }
        var found: [[UInt8]?] = []
        for block in try blocks(Data(text), { RecordBlockReader($0, maximumRecordSize: 1000) }) {
            guard case .lines(let data) = block.content else {
                found.append(nil)
                continue
            }
            let bytes = Array(data)
            bytes.withUnsafeBytes { pointer in
                for range in CSVRecordScanner.records(in: pointer) { found.append(Array(bytes[range])) }
            }
        }
        #expect(found == records(text))
    }

    @Test(
        "Reading a table with unclosed quotes takes time in proportion to its size, not to its size times its number of lines",
        arguments: ["a\",\"\n", "x\na\",\"\n"])
    func unclosedTable(_ line: String) throws {
        let text = Data(String(repeating: line, count: 400_000).utf8)
        for maximum in [64 << 10, 16 << 20] {
            let blocks = try blocks(text) { RecordBlockReader($0, maximumRecordSize: maximum) }
            #expect(blocks.last?.end?.offset == text.count)
            let rows = blocks.reduce(0) { count, block in
                guard case .lines(let data) = block.content else { return count + 1 }
                return count + data.count { $0 == UInt8(ascii: "\n") }
            }
            #expect(rows == text.count { $0 == UInt8(ascii: "\n") })
        }
    }

    static let endLineTexts: [(String, Int)] = [
        ("-----END x\n", 0), ("-----END ", 0), ("-----END -----BEGIN ", 0), ("-----END CERTIFICATE", 0),
        ("-----END CERTIFICATE-----", 500_000),
    ]

    @Test(
        "Reading a stream of END lines, whole, truncated or without line ends, takes time in proportion to its size",
        arguments: endLineTexts)
    func endLines(_ line: String, rows: Int) throws {
        let text =
            Data(repeating: UInt8(ascii: "x"), count: 8 << 20) + Data(String(repeating: line, count: 500_000).utf8)
        let blocks = try blocks(text) { PEMBlockReader($0, maximumObjectSize: 16 << 20) }
        let counts = blocks.map { if case .chains(let chains) = $0.content { chains.count } else { -1 } }
        #expect(counts.reduce(0, +) == rows && counts.allSatisfy { (0...RowBlock.maximumRows).contains($0) })
    }

    @Test("The number of very short rows in a block is limited")
    func shortRows() throws {
        let text = Data(String(repeating: "0\n", count: 300_000).utf8)
        for format in [InputFormat.requests, .csv] {
            let blocks = try blocks(text) { window -> any BlockReader in
                if format == .csv { return RecordBlockReader(window, maximumRecordSize: 1 << 20) }
                return LineBlockReader(window, maximumLineSize: 1 << 20)
            }
            #expect(blocks.allSatisfy { $0.size <= 2 * RowBlock.maximumRows })
            #expect(blocks.reduce(0) { $0 + $1.size } == text.count)
            #expect(blocks.map(\.firstLine).max() ?? 0 > 298_000)
        }
    }

    @Test("The batch reads the last chain in a stream without a final line end, whatever comes before it")
    func lastChain() throws {
        try InputFormatTests.Scene.with { scene in
            let crl =
                "-----BEGIN X509 CRL-----\n" + String(repeating: "A", count: 60_000) + "\n-----END X509 CRL-----\n"
            for before in [
                "", String(repeating: "text\n", count: 14_000), crl, crl + String(repeating: "y", count: 6000),
            ] {
                let text = before + "\n" + scene.lab.leaf.pem.dropLast()
                let rows = try scene.rows(
                    [
                        "--input", "pem", "--without-host", "--intermediates",
                        scene.file("i", pem(scene.lab.intermediate)),
                    ],
                    input: Data(text.utf8))
                #expect(rows.map { $0.split(separator: " ")[1] } == ["trusted"], "\(before.count)")
            }
        }
    }

    @Test("A million BEGIN lines without an END produce only a few rows, each with its own line number")
    func unendedObjects() throws {
        try InputFormatTests.Scene.with { scene in
            let begin = "-----BEGIN CERTIFICATE-----\n"
            let text = "text\n" + String(repeating: begin, count: 500_000) + scene.chain.dropFirst(begin.utf8.count)
            let rows = try scene.rows(["--input", "pem", "--host", Lab.host], input: Data(text.utf8))
            #expect(rows.count == 22 && rows.last?.hasSuffix(" trusted ") == true)
            #expect(Set(rows.map { $0.prefix { $0 != " " } }).count == 22)
            // A truncated chain, followed by a complete one.
            let cut = begin + "AAAA\n" + scene.chain
            #expect(
                try scene.rows(["--input", "pem", "--host", Lab.host], input: Data(cut.utf8)) == [
                    "-:1 unreadable certificateMalformed", "-:3 trusted ",
                ])
        }
    }

    @Test("A certificate that names another certificate as its issuer doesn't hide that certificate's row")
    func neighbours() throws {
        try InputFormatTests.Scene.with { scene in
            let authority = try TestAuthority.root(.authority(Lab.host).with { $0.organization = nil })
            let guest = try authority.issue(.leaf("guest.example"))
            let text = guest.certificate.pem + scene.lab.leaf.pem + scene.lab.intermediate.pem
            let rows = try scene.rows(["--input", "pem", "--host", Lab.host], input: Data(text.utf8))
            #expect(rows.count == 2 && rows.last?.hasSuffix(" trusted ") == true)
        }
    }

    @Test("The batch writes an answer for a certificate with a damaged BEGIN or END line, or without its beginning")
    func damagedLabels() throws {
        try InputFormatTests.Scene.with { scene in
            func rows(_ leaf: String) throws -> [String] {
                let text = scene.chain + leaf + scene.lab.intermediate.pem
                return try scene.rows(["--input", "pem", "--without-host"], input: Data(text.utf8)).map {
                    String($0.split(separator: " ")[1])
                }
            }
            let leaf = scene.lab.leaf.pem
            let key = "-----BEGIN PRIVATE KEY-----\nAAAA\n"
            let trusted = leaf.replacing("CERTIFICATE", with: "TRUSTED CERTIFICATE")
            for damaged in [
                leaf.replacing("BEGIN CERTIFICATE", with: "BEGIN CERTIFICAT"),
                leaf.replacing("END CERTIFICATE", with: "END CERTIFICAT"),
                leaf.replacing("-----BEGIN", with: "----BEGIN"), leaf.replacing("BEGIN", with: "BEGIM"),
                key + leaf.replacing("-----BEGIN", with: "----BEGIN"),
                String(leaf.dropFirst(100)), trusted.replacing("MII", with: "!!"),
                trusted.replacing("BEGIN TRUSTED", with: "BEGIN"),
            ] {
                let found = try rows(damaged)
                #expect(found.prefix(2) == ["trusted", "unreadable"] && found.count == 3, "\(damaged.prefix(80))")
            }
            // On one line.
            let line = (scene.chain + leaf.replacing("-----BEGIN", with: "----BEGIN") + scene.lab.intermediate.pem)
                .replacing("\n", with: "\r")
            let inLine = try scene.rows(["--input", "pem", "--without-host"], input: Data(line.utf8))
            #expect(inLine.count == 3 && inLine[1] == "-:1 unreadable certificateMalformed")
            // In a cell, and in a file of a folder.
            let cell = leaf.replacing("-----BEGIN", with: "----BEGIN") + scene.lab.intermediate.pem
            let table = Data("id,pem\nx,\"\(cell)\"\n".utf8)
            let options = ["--without-host", "--purpose", "any"]
            #expect(
                try scene.rows(["--input", "csv"] + options, input: table) == ["x unreadable requestValueInvalid"])
            try FileManager.default.createDirectory(
                at: scene.folder.url.appendingPathComponent("d"), withIntermediateDirectories: true)
            try scene.folder.write("d/x.pem", Data(cell.utf8))
            #expect(
                try scene.rows(["--input", "der-dir", "d"] + options) == ["d/x.pem unreadable certificateMalformed"])
            // The reader skips objects that aren't certificates, damaged or not.
            for other in [key, "-----END PRIVATE KEY-----\n", "-----END \n"] {
                let found = try rows(other)
                #expect(found.count == 2 && found[0] == "trusted" && found[1] != "unreadable")
            }
        }
    }

    @Test("The batch reads files that were joined without a line end, and a line with many objects, like one file")
    func joined() throws {
        try InputFormatTests.Scene.with { scene in
            let chain = scene.chain.dropLast()
            for text in [
                chain + chain, scene.lab.leaf.pem.dropLast() + scene.lab.intermediate.pem + chain,
                (scene.chain + scene.chain).replacing("\n", with: "\r")[...],
            ] {
                let rows = try scene.rows(["--input", "pem", "--host", Lab.host], input: Data(text.utf8))
                #expect(rows.count == 2 && rows.allSatisfy { $0.hasSuffix(" trusted ") })
            }
        }
    }

    @Test("The batch writes answers for the chains before the end of a truncated compressed stream")
    func cutStream() throws {
        try InputFormatTests.Scene.with { scene in
            let text = String(repeating: scene.chain, count: 20)
            let bytes = try CompressedInputTests.gzip(Array(text.utf8)).dropLast(10)
            _ = try scene.file("cut.pem.gz", Data(bytes))
            let outcome = try scene.run(["--input", "pem", "--host", Lab.host, "--short", "cut.pem.gz"])
            #expect(outcome.status == 2 && outcome.errors.contains("ends in the middle of gzip"))
            // The last chain might be incomplete.
            #expect(outcome.lines.count == 19)
        }
    }

    @Test("An object with an unsupported label doesn't disappear from its chain")
    func otherLabels() throws {
        try InputFormatTests.Scene.with { scene in
            let chain =
                scene.lab.leaf.pem.replacing("CERTIFICATE", with: "TRUSTED CERTIFICATE") + scene.lab.intermediate.pem
            let table = Data("id,pem\nx,\"\(chain)\"\n".utf8)
            #expect(
                try scene.rows(["--input", "csv", "--without-host"], input: table) == [
                    "x unreadable requestValueInvalid"
                ])
            let rows = try scene.rows(["--input", "pem", "--without-host"], input: Data(chain.utf8))
            #expect(rows.first == "-:1 unreadable certificateMalformed" && rows.count == 2)
        }
    }

    @Test("The batch doesn't open a pipe only to determine its size")
    func pipe() throws {
        try TemporaryFolder.with { folder in
            let path = folder.url.appendingPathComponent("pipe").path
            #expect(mkfifo(path, 0o600) == 0)
            #expect(InputSource(files: [path], maximumRowSize: 1).totalSize() == nil)
            let file = try folder.write("file", Data("12345".utf8)).path
            try FileManager.default.createSymbolicLink(atPath: path + ".link", withDestinationPath: file)
            #expect(InputSource(files: [file, path + ".link"], maximumRowSize: 1).totalSize() == 10)
        }
    }
}
