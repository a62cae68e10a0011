// SPDX-License-Identifier: Apache-2.0

import PinTestSupport
import ServerTrust
import ServerTrustPins
import Testing

@testable import PinLint

/// Problems in sources and tool files.
@Suite struct ToolProblemsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let format: PinFormat
        let text: String
        let problem: (code: ErrorCode, line: Int, key: String)

        init(
            _ sentence: String, _ format: PinFormat, _ text: String,
            _ problem: (code: ErrorCode, line: Int, key: String)
        ) {
            self.testDescription = sentence
            self.format = format
            self.text = text
            self.problem = problem
        }
    }

    static let refused: [Row] = [
        Row("curl: one slash", .curl, "sha256/{CA}", (.pinFileBadDigest, 1, "")),
        Row(
            "curl: an unsupported digest", .curl, "sha1//AQIDBAUGBwgJCgsMDQ4PEBESExQ=",
            (.pinFileBadDigest, 1, "")),
        Row(
            "curl: an unsupported digest on a command line", .curl,
            "curl --pinnedpubkey sha1//AQIDBAUGBwgJCgsMDQ4PEBESExQ= https://a.test/", (.pinFileBadDigest, 1, "")),
        Row("curl: one slash in the second", .curl, "sha256//{CA};sha256/{OTHER}", (.pinFileBadBase64, 1, "[0]")),
        Row("curl: a semicolon after the only pin", .curl, "sha256//{CA};", (.pinFileBadBase64, 1, "[0]")),
        Row(
            "OkHttp: two pinners", .okHttp,
            "val a = CertificatePinner.Builder()\n.add(\"a.test\", \"sha256/{CA}\").build()\nval b = CertificatePinner.Builder()\n.add(\"a.test\", \"sha256/{OTHER}\").build()",
            (.pinFileContradiction, 4, "a.test")),
    ]

    @Test("A file that its tool refuses is refused with the problem's location", arguments: refused)
    func refuses(_ row: Row) throws {
        let text = Array(try PinFixture.shared().filled(row.text).utf8)
        let error = try #require(throws: PinFileError.self) {
            try PinConfiguration(importing: text, as: row.format, file: "file")
        }
        expect(error.problems, row, .refused)
    }

    // curl: vtls.c. OkHttp: CertificatePinner.kt.
    static let odd: [Row] = [
        Row(
            "OkHttp: a pinner without a pin", .okHttp, "CertificatePinner.Builder().build()", (.pinFileEmptyList, 1, "")
        ),
        Row(
            "curl: a pin that isn't a digest", .curl, "sha256//{CA};sha256//AAAA", (.pinFileUnmatchablePin, 1, "[1]")),
        Row(
            "curl: a semicolon at the end", .curl, "sha256//{CA};sha256//{OTHER};", (.pinFileUnmatchablePin, 1, "[1]")),
    ]

    @Test("A file that its tool accepts is read, and every odd value is reported", arguments: odd)
    func readsOddValues(_ row: Row) throws {
        let text = Array(try PinFixture.shared().filled(row.text).utf8)
        let configuration = try PinConfiguration(importing: text, as: row.format, file: "file")
        expect(configuration.oddities, row, .odd)
        var strict = PinEnforcement()
        strict.refusesOddities = true
        let bound = configuration.bound(to: try Hostname("a.test"))
        #expect(throws: PinEnforcementError.self) { try bound.serverTrustConfiguration(strict) }
        _ = try bound.serverTrustConfiguration()
    }

    private func expect(_ problems: [PinFileProblem], _ row: Row, _ grade: PinFileProblem.Grade) {
        #expect(problems.map(\.code) == [row.problem.code], "\(problems)")
        #expect(problems.map(\.location.line) == [row.problem.line], "\(problems)")
        #expect(problems.allSatisfy { $0.grade == grade && $0.location.file == "file" })
        #expect(problems.allSatisfy { $0.location.keyPath.hasSuffix(row.problem.key) }, "\(problems)")
    }
}
