// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import Testing

@testable import ServerTrustTesting

/// The remedies from `servertrust verify`: who can act, and which options change the result.
@Suite("Remedies of servertrust verify")
struct VerifyAdviceTests {
    private struct Record: Decodable {
        let verdict: String
        let remedies: [Remedy]?
    }

    struct Remedy: Decodable, Hashable {
        let code: String?
        let certificates: [Int]
        let party: String
        var options: [String]?
        var revocationGap: String?

        init(
            _ code: String, _ party: String, at certificates: [Int], options: [String]? = nil, gap: String? = nil
        ) {
            (self.code, self.party, self.certificates) = (code, party, certificates)
            (self.options, revocationGap) = (options, gap)
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var root = CertificateTemplate.authority("Test Root")
        var leaf = CertificateTemplate.leaf(Lab.host)
        /// Whether the anchor is another root with the same name.
        var isRootMadeAgain = false
        var options: [String] = []
        let expected: [Remedy]
    }

    private static let past = TestAuthority.now.advanced(by: -86_400)

    static let rows: [Row] = [
        Row(
            testDescription: "An expired root from a file", root: .authority("Test Root").with { $0.notAfter = past },
            expected: [Remedy("certificateExpired", "user", at: [2], options: ["--time \(past)"])]),
        Row(
            testDescription: "A recreated root from a file", isRootMadeAgain: true,
            expected: [Remedy("signatureInvalid", "user", at: [1])]),
        Row(
            testDescription: "A root from a file with CA:FALSE",
            root: .authority("Test Root").with { $0.isAuthority = false },
            expected: [Remedy("notCertificateAuthority", "user", at: [2])]),
        Row(
            testDescription: "A server certificate used by a client", options: ["--purpose", "clientAuth"],
            expected: [Remedy("extendedKeyUsageNotAllowed", "client", at: [0])]),
        Row(
            testDescription: "Revocation required, but no address in the certificates",
            options: ["--revocation", "required"],
            expected: [Remedy("revocationUnavailable", "user", at: [0, 1], options: ["--crl FILE"], gap: "noAddress")]),
        Row(
            testDescription: "Revocation required, but nothing fetched",
            leaf: .leaf(Lab.host).with { $0.ocspResponders = ["http://ocsp.test/"] },
            options: ["--revocation", "required"],
            expected: [
                Remedy("revocationUnavailable", "user", at: [0], options: ["--fetch", "--crl FILE"], gap: "noSource"),
                Remedy("revocationUnavailable", "user", at: [1], options: ["--crl FILE"], gap: "noAddress"),
            ]),
        Row(
            testDescription: "A Java 11 signature, which the plain profile accepts",
            leaf: .leaf(Lab.host).with { $0.signatureAlgorithm = .ecdsaSHA256Null },
            expected: [
                Remedy(
                    "signatureParametersUnsupported", "server", at: [0], options: ["--profile rfc5280"])
            ]),
        Row(
            testDescription: "A Java 11 signature and another name, which no profile accepts",
            leaf: .leaf("other.example").with { $0.signatureAlgorithm = .ecdsaSHA256Null },
            expected: [
                Remedy("signatureParametersUnsupported", "server", at: [0]), Remedy("hostMismatch", "server", at: [0]),
            ]),
    ]

    @Test("The text and the JSON for a refused chain show a remedy for the party that can act", arguments: rows)
    func remedies(_ row: Row) throws {
        let root = try TestAuthority.root(row.root)
        let intermediate = try root.intermediate()
        let leaf = try intermediate.issue(row.leaf).certificate
        let anchor = row.isRootMadeAgain ? try TestAuthority.root(row.root, key: .p384()).certificate : root.certificate
        try TemporaryFolder.with { folder in
            let chain = try folder.write("chain.pem", pem(leaf, intermediate.certificate)).path
            let file = try folder.write("ca.pem", pem(anchor)).path
            let verify =
                ["verify", chain, "--anchors", file, "--time", Lab.time, "--host", Lab.host] + row.options
            let outcome = try Tool.run(verify + ["--format", "json"])
            #expect(outcome.status == 1)
            let record = try #require(try outcome.json([Record].self).first)
            #expect(record.verdict == "rejected")
            #expect(record.remedies == row.expected)
            let text = try Tool.run(verify).text
            for option in row.expected.compactMap(\.options).joined() { #expect(text.contains(option)) }
            // The user can find the file with the root.
            let isOfAnchor = row.expected.contains { $0.party == "user" && $0.revocationGap == nil }
            #expect(!isOfAnchor || text.contains(file))
        }
    }
}
