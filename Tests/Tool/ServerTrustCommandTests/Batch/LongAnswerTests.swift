// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting
import Testing

/// However many failures there are, an answer is less than 64 KB long, not counting the certificates.
@Suite("Answers with many failures")
struct LongAnswerTests {
    private static let limit = 64 << 10

    /// A leaf with thousands of names that violate the constraints of thirty CAs, any of which could be its issuer.
    private struct Crowd {
        let root: TestAuthority
        let others: [Certificate]
        let leaf: Certificate

        init() throws {
            let key = TestKey.p256()
            let root = try TestAuthority.root(.authority("Root"))
            self.root = root
            self.others = try (0..<30).map { index in
                try root.intermediate(
                    .authority("CA").with { $0.permittedDNSNames = ["n\(index).example", "m\(index).example"] },
                    key: key
                ).certificate
            }
            let issuer = try root.intermediate(.authority("CA"), key: key)
            let names = (0..<600).map { "host-with-a-long-name-\($0).example.com" }
            self.leaf = try issuer.issue(
                .leaf("x").with {
                    $0.dnsNames = names
                    $0.notAfter = TestAuthority.now.advanced(by: -1)
                }
            ).certificate
        }
    }

    @Test("A batch answer about hundreds of names and thousands of unreadable certificates is short")
    func batch() throws {
        let crowd = try Crowd()
        let lab = try Lab.shared()
        let input = try BatchLine(
            lab,
            [
                "chain": .strings(([crowd.leaf] + crowd.others).map(\.base64)),
                "anchors": .strings([crowd.root.certificate.base64] + (0..<3_000).map { _ in "AAAA" }),
                "intermediates": .strings((0..<3_000).map { _ in "AAAA" }),
            ]
        ).data()
        let outcome = try Tool.run(["verify", "--batch"], input: input)
        #expect(outcome.status == 0)
        #expect(outcome.output.count < Self.limit)
        let object = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
        #expect(object["verdict"] as? String == "rejected")
        let codes = (object["failures"] as? [[String: Any]])?.compactMap { $0["code"] as? String }
        #expect(codes?.contains("certificateExpired") == true)
        #expect(codes?.contains("nameNotPermitted") == true)
        let warnings = try #require(object["warnings"] as? [String])
        #expect(!warnings.isEmpty && warnings.count <= 20)
    }

    @Test("The answer counts the unreadable values of a request instead of listing them")
    func unreadable() throws {
        let lab = try Lab.shared()
        let junk = String(repeating: "!\u{1}\\\"", count: 500)
        let input = try BatchLine(
            lab, ["chain": .strings([lab.leaf.base64] + (0..<500).map { _ in junk }), "crls": .strings([junk])]
        ).data()
        let outcome = try Tool.run(["verify", "--batch"], input: input)
        #expect(outcome.output.count < Self.limit)
        let object = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
        #expect(object["verdict"] as? String == "unreadable")
    }

    @Test("verify writes less than 64 KB, not counting the certificates, as text and as JSON")
    func verify() throws {
        let crowd = try Crowd()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let anchors = folder.appendingPathComponent("anchors.pem")
        try pem(crowd.root.certificate).write(to: anchors)
        let chain = ([crowd.leaf] + crowd.others).reduce(into: Data()) { $0 += pem($1) }
        let arguments = [
            "verify", "-", "--host", "www.example.com", "--anchors", anchors.path, "--time", Lab.time, "--strict",
        ]
        let text = try Tool.run(arguments, input: chain)
        #expect(text.status == 1)
        #expect(text.output.count < Self.limit)
        let json = try Tool.run(arguments + ["--format", "json"], input: chain)
        #expect(json.status == 1)
        #expect(json.output.count < Self.limit + chain.count + crowd.root.certificate.der.count * 4 / 3)
        let record = try #require(try JSONSerialization.jsonObject(with: json.output) as? [[String: Any]])[0]
        let paths = try #require(record["rejectedPaths"] as? [Any])
        #expect(!paths.isEmpty)
        #expect(paths.count + (record["rejectedPathsOmitted"] as? Int ?? 0) == 30)
    }
}
