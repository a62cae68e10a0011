// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import Testing

/// Sites whose certificates CAs revoked for tests, each at its own verify date, with filters from Mozilla's builder.
/// The corpus is next to the checkout.
@Suite(
    "Revoked sites in a batch",
    .enabled(if: RevokedSites.folder != nil, "no ct and crlite in SERVERTRUST_CORPORA or in ../shared/corpora"),
    .timeLimit(.minutes(10)))
struct RevokedSitesTests {
    @Test(
        "Each of 115 sites has the status from Mozilla's reader, and only sites with that status are good",
        arguments: ["v3", "v4"])
    func statuses(format: String) throws {
        let folder = try #require(RevokedSites.folder)
        let filter = folder.appendingPathComponent("crlite/\(format).filter").path
        let sites = try RevokedSites.all()
        #expect(sites.count == 115)
        let newest = try RevocationFilter(contentsOfFile: filter).date
        let expected = sites.map { $0.expected(newest) }
        let input = try sites.reduce(into: Data()) { $0 += try $1.request("bestEffort") }
        let answers = try Tool.batch(input, options: ["--filter", filter])
        try #require(answers.count == sites.count)
        for (index, answer) in answers.enumerated() {
            let leaf = try #require(answer.revocation?.first)
            let found = RevokedSites.Expected(status: leaf.status, reason: leaf.reason)
            #expect(answer.id == String(index) && found == expected[index], "site \(index)")
            #expect(leaf.source == (leaf.status == "unknown" ? nil : "filter"), "site \(index)")
            #expect(answer.verdict == (leaf.status == "revoked" ? "rejected" : "trusted"), "site \(index)")
            let failures = answer.failures.map { "\($0.code) \($0.certificate ?? -1)" }
            #expect(failures == (leaf.status == "revoked" ? ["certificateRevoked 0"] : []), "site \(index)")
            // No filter covers a CA, because its certificate has no timestamps.
            #expect(answer.revocation?.dropFirst().allSatisfy { $0.status == "unknown" } == true, "site \(index)")
        }
        let counts = expected.reduce(into: [:]) { $0["\($1.status) \($1.reason ?? "")", default: 0] += 1 }
        #expect(
            counts == [
                "revoked ": 63, "good ": 24, "unknown filterNotEnrolled": 15, "unknown filterNotCovered": 6,
                "unknown filterTooOld": 7,
            ])
    }

    @Test("If a revocation check is required, the batch trusts only a good site", arguments: ["v3", "v4"])
    func required(format: String) throws {
        let folder = try #require(RevokedSites.folder)
        let filter = folder.appendingPathComponent("crlite/\(format).filter").path
        let sites = try RevokedSites.all()
        let newest = try RevocationFilter(contentsOfFile: filter).date
        let input = try sites.reduce(into: Data()) { $0 += try $1.request("required") }
        let answers = try Tool.batch(input, options: ["--filter", filter])
        try #require(answers.count == sites.count)
        var trusted = 0
        for (index, answer) in answers.enumerated() {
            let isGood = sites[index].expected(newest).status == "good"
            // In a longer path, the CA has no answer.
            #expect((answer.verdict == "trusted") == (isGood && answer.path.count == 2), "site \(index)")
            if answer.verdict == "trusted" { trusted += 1 }
        }
        #expect(trusted > 0)
        // Without a filter, there is no status.
        let without = try Tool.batch(input)
        #expect(without.count == sites.count && without.allSatisfy { $0.verdict == "rejected" })
    }
}

/// The sites with the statuses from Mozilla's reader.
private enum RevokedSites {
    /// The status of a leaf in an answer.
    struct Expected: Equatable {
        let status: String
        let reason: String?
    }

    struct Site {
        let index: Int
        let chain: [Data]
        /// A date after a quarter of the leaf's validity period.
        let time: Time
        /// The status in `test-answers.json`, which ignores the age of the filter.
        let status: String

        /// Returns the status for a filter with the given date. A filter that is older than ten days can't show that a
        /// certificate is good.
        func expected(_ newest: Time) -> Expected {
            switch status {
            case "Revoked": Expected(status: "revoked", reason: nil)
            case "Good" where time > newest.advanced(by: 864_000): Expected(status: "unknown", reason: "filterTooOld")
            case "Good": Expected(status: "good", reason: nil)
            default: Expected(status: "unknown", reason: "filter\(status)")
            }
        }

        /// Returns a batch line that uses the last certificate the site sends as the anchor.
        func request(_ revocation: String) throws -> Data {
            let request: [String: Any] = [
                "id": String(index), "time": time.description, "revocation": revocation,
                "chain": chain.map { $0.base64EncodedString() },
                "anchors": chain.suffix(1).map { $0.base64EncodedString() },
            ]
            return try JSONSerialization.data(withJSONObject: request) + [UInt8(ascii: "\n")]
        }
    }

    private struct File: Decodable {
        struct Site: Decodable {
            struct Detail: Decodable {
                let end_entity_cert: Data
                let intermediates: [Data]
            }
            let detail: Detail?
        }
        let sites: [Site]
    }

    private struct Answer: Decodable {
        let site: Int?
        let status: String
    }

    static func all() throws -> [Site] {
        let answers = try JSONDecoder().decode([Answer].self, from: unpacked("crlite/test-answers.json.gz"))
        let statuses = Dictionary(
            answers.compactMap { answer in answer.site.map { ($0, answer.status) } }, uniquingKeysWith: { $1 })
        return try JSONDecoder().decode(File.self, from: unpacked("ct/revoked-sites.json.gz")).sites
            .compactMap(\.detail).enumerated().map { index, detail in
                let leaf = try Certificate(der: Array(detail.end_entity_cert))
                let seconds = leaf.notAfter.secondsSinceEpoch - leaf.notBefore.secondsSinceEpoch
                return Site(
                    index: index, chain: [detail.end_entity_cert] + detail.intermediates,
                    time: leaf.notBefore.advanced(by: seconds / 4), status: try #require(statuses[index]))
            }
    }

    /// The corpora at `SERVERTRUST_CORPORA` or next to the checkout, or nil if neither has sites and filters.
    static let folder: URL? = {
        let package = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let named = ProcessInfo.processInfo.environment["SERVERTRUST_CORPORA"].map { URL(fileURLWithPath: $0) }
        let beside = package.deletingLastPathComponent().appendingPathComponent("shared/corpora")
        return [named, beside].compactMap { $0 }.first { folder in
            ["ct/revoked-sites.json.gz", "crlite/v4.filter"].allSatisfy {
                FileManager.default.fileExists(atPath: folder.appendingPathComponent($0).path)
            }
        }
    }()

    private static func unpacked(_ name: String) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc", try #require(folder).appendingPathComponent(name).path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return data
    }
}
