// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

/// Reports stay short, whatever the certificates contain and however many failures there are.
@Suite("Reports about many problems")
struct LongReportTests {
    /// The maximum size of a report in bytes, in addition to its certificates.
    static let limit = 64 << 10

    private static let code = TrustFailure.Code(
        "com.example.refused", rank: 55, severity: .recoverable, message: "{subject}: {found} of {expected}",
        explanation: "Ask for another.", source: "house rule")

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
