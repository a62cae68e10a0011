// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrustTesting
import Testing
import TrustScenes

@testable import PKIX
@testable import ServerTrust

/// Reports stay short, whatever the certificates contain and however many failures there are.
@Suite("Reports about many problems")
struct LongReportTests {
    /// The maximum size of a report in bytes, in addition to its certificates.
    static let limit = 64 << 10

    private static let code = TrustFailure.Code(
        "com.example.refused", rank: 55, severity: .recoverable, message: "{subject}: {found} of {expected}")

    private static let texts: [(name: String, value: TrustFailure.Value)] = [
        ("names", .list((0..<5_000).map { "DNS:host\($0).example.com" })),
        ("long names", .list((0..<2_000).map { String(repeating: "x", count: 400) + "\($0)" })),
        ("control characters", .list((0..<2_000).map { _ in String(repeating: "\u{1b}\n", count: 500) })),
        ("backslashes and quotes", .text(String(repeating: "\\\"/", count: 100_000))),
        ("one control character a thousand times", .text(String(repeating: "\u{0}", count: 1_000))),
        ("invisible characters", .text(String(repeating: "\u{200b}", count: 100_000))),
        ("one list member", .list([String(repeating: "ü", count: 100_000)])),
    ]

    private func verdict(_ value: TrustFailure.Value, count: Int, paths: Int) throws -> TrustVerdict {
        let lab = try TrustLab()
        let failures = (0..<count).map { _ in
            TrustFailure(Self.code, certificate: 0, role: .leaf, expected: value, found: value)
        }
        var verdict = try lab.trust(lab.expiredLeaf()).evaluate()
        verdict.failures = failures
        verdict.excused = failures
        verdict.reported = failures
        verdict.warnings = (0..<count).map { _ in value.description }
        verdict.fetched = (0..<count).map { number in
            TrustFetchRecord(.crl, url: "http://ca.example/\(number)", source: .network, failure: nil)
        }
        verdict.rejectedPaths = (0..<paths).map { _ in
            RejectedPath(certificates: verdict.path, reachesAnchor: true, failures: failures)
        }
        return verdict
    }

    private func certificateBytes(_ verdict: TrustVerdict) -> Int {
        let all = Set(verdict.path + verdict.rejectedPaths.flatMap(\.certificates))
        return all.reduce(0) { $0 + ($1.der.count + 2) / 3 * 4 }
    }

    @Test(
        "A verdict record takes less than 64 KB in addition to its certificates, and counts omissions",
        arguments: texts)
    func record(name: String, value: TrustFailure.Value) throws {
        let long = try verdict(value, count: 300, paths: 64)
        for formatting in [[], [.prettyPrinted, .sortedKeys]] as [JSONEncoder.OutputFormatting] {
            let encoder = JSONEncoder()
            encoder.outputFormatting = formatting
            let data = try encoder.encode([long])
            // JSONEncoder escapes slashes in base64.
            #expect(data.count < Self.limit + certificateBytes(long) * 33 / 32, "\(name): \(data.count)")
            let record = try #require(
                try JSONSerialization.jsonObject(with: data) as? [[String: Any]]
            )[0]
            for list in ["failures", "excused", "reported", "warnings", "fetched"] {
                let kept = try #require(record[list] as? [Any])
                #expect(!kept.isEmpty && kept.count + (record[list + "Omitted"] as? Int ?? 0) == 300, "\(list)")
            }
            let paths = try #require(record["rejectedPaths"] as? [[String: Any]])
            #expect(!paths.isEmpty)
            #expect(paths.count + (record["rejectedPathsOmitted"] as? Int ?? 0) == 64)
            for path in paths {
                let written = try #require(path["failures"] as? [Any]).count
                #expect(written > 0 && written + (path["failuresOmitted"] as? Int ?? 0) == 300)
            }
            #expect(try JSONDecoder().decode([TrustVerdict].self, from: data).first?.isTrusted == false)
        }
        #expect(long.description.utf8.count < Self.limit, "\(name): \(long.description.utf8.count)")
        #expect(long.failures.allSatisfy { $0.message.utf8.count < 4_096 }, "\(name)")
    }

    /// The bytes that remain for a record's lists after the certificates of its path, its findings and its anchor.
    private func space(_ verdict: TrustVerdict) -> Int {
        let names = verdict.path.reduce(0) { $0 + $1.subject.description.utf8.count + $1.issuer.description.utf8.count }
        let fixed = names + 560 * verdict.path.count + 320 * verdict.revocation.count
        return (56 << 10) - fixed - (verdict.anchor?.writtenSize ?? 0)
    }

    @Test("Three lists of failures get a third of the rest each, two lists a quarter, and each rejected path half")
    func shares() throws {
        var long = try verdict(.number(7), count: 300, paths: 64)
        long.revocation = (0..<20).map { RevocationFinding(certificate: $0, status: .good) }
        long.fetched = [TrustFetchRecord](repeating: long.fetched[0], count: 300)
        var rest = space(long)
        let (failure, warning) = (long.failures[0].writtenSize, long.warnings[0].utf8.count + 12)
        let sizes = [(3, failure), (3, failure), (3, failure), (4, warning), (4, long.fetched[0].writtenSize)]
        let counts = sizes.map { part, size in
            let count = min(300, rest / part / size)
            rest -= count * size
            return count
        }
        // A path of known certificates takes 80 bytes, and 80 for each of them.
        let path = 80 + 80 * long.path.count
        var inPaths: [Int] = []
        while path + failure <= rest {
            rest -= path
            inPaths.append(max(1, rest / 2 / failure))
            rest -= inPaths[inPaths.count - 1] * failure
        }
        #expect(inPaths.count > 3 && inPaths[0] > 3)
        let record = try TrustVerdictCodableTests.Record(long).object
        for (list, count) in zip(["failures", "excused", "reported", "warnings", "fetched"], counts) {
            #expect((record[list] as? [Any])?.count == count, "\(list)")
            #expect(record[list + "Omitted"] as? Int == (count < 300 ? 300 - count : nil), "\(list)")
        }
        let paths = try #require(record["rejectedPaths"] as? [[String: Any]])
        #expect(paths.map { ($0["failures"] as? [Any])?.count } == inPaths)
        #expect(paths.map { $0["failuresOmitted"] as? Int } == inPaths.map { 300 - $0 })
    }

    @Test("A rejected path that needs all remaining bytes is in the record", arguments: [0, 1])
    func exactFit(missing: Int) throws {
        let code = TrustFailure.Code(
            "com.example.refused", rank: 55, severity: .recoverable, message: "refused")
        let lab = try TrustLab()
        var verdict = try lab.trust(lab.expiredLeaf()).evaluate()
        verdict.failures = []
        func path(_ text: Int, count: Int = 1) -> (path: RejectedPath, size: Int) {
            let failure = TrustFailure(code, found: .text(String(repeating: "x", count: text)))
            let failures = [TrustFailure](repeating: failure, count: count)
            let path = RejectedPath(certificates: verdict.path, reachesAnchor: true, failures: failures)
            return (path, 80 + 80 * verdict.path.count + failure.writtenSize)
        }
        let last = path(500, count: 2)
        var rest = space(verdict) - last.size
        var paths: [RejectedPath] = []
        while rest > 2 * path(1000).size {
            paths.append(path(500).path)
            rest -= path(500).size
        }
        // The last path but one is as long as necessary.
        let half = (rest - path(0).size * 2) / 2
        for text in [half, rest - path(0).size * 2 - half + missing] { paths.append(path(text).path) }
        verdict.rejectedPaths = paths + [last.path]
        let record = try TrustVerdictCodableTests.Record(verdict).object
        let written = try #require(record["rejectedPaths"] as? [[String: Any]])
        #expect(written.count == paths.count + 1 - missing)
        #expect(record["rejectedPathsOmitted"] as? Int == (missing == 0 ? nil : 1))
        #expect(written.compactMap { $0["failuresOmitted"] as? Int } == (missing == 0 ? [1] : []))
    }

    @Test("A record contains more rejected paths if they consist of the same certificates")
    func sharedCertificates() throws {
        let lab = try TrustLab()
        var verdict = try lab.trust(lab.expiredLeaf()).evaluate()
        let leaves = try (0..<220).map { _ in try lab.expiredLeaf() }
        func written(_ leaf: (Int) -> Certificate) throws -> Int {
            verdict.rejectedPaths = leaves.indices.map { index in
                RejectedPath(certificates: [leaf(index), lab.root.certificate], reachesAnchor: true, failures: [])
            }
            let data = try JSONEncoder().encode(verdict)
            #expect(data.count < Self.limit + certificateBytes(verdict) * 33 / 32)
            let record = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            return try #require(record["rejectedPaths"] as? [Any]).count
        }
        #expect(try written { _ in leaves[0] } > written { leaves[$0] })
    }

    @Test("Long names and serial numbers in certificates don't make a report longer")
    func longNames() throws {
        let lab = try TrustLab()
        let names = (0..<6_000).map { "n\($0).example.com" }
        let leaf = try lab.leaf { $0.dnsNames = names }
        let verdict = try lab.trust(leaf).evaluate()
        #expect(verdict.failureCodes == [.hostMismatch])
        let data = try JSONEncoder().encode(verdict)
        #expect(data.count < 8_192 + certificateBytes(verdict) * 33 / 32)
        #expect(verdict.description.utf8.count < 8_192)
    }

    @Test("A short report contains everything")
    func short() throws {
        let short = try verdict(.list(["a", "b"]), count: 2, paths: 2)
        let record = try #require(
            try JSONSerialization.jsonObject(with: JSONEncoder().encode(short)) as? [String: Any])
        #expect(record.keys.allSatisfy { !$0.hasSuffix("Omitted") })
        let read = try JSONDecoder().decode(TrustVerdict.self, from: JSONEncoder().encode(short))
        #expect(read.failures == short.failures)
    }
}
