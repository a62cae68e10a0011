// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustLab
import Testing

@Suite("Faulty certificates, read by openssl", .enabled(if: OtherClient.areAvailable, "no openssl"))
struct FaultTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The certificate's index in the presented chain.
        let index: Int
        /// Strings in openssl's output, each listed as often as it occurs.
        let texts: [String]

        init(_ name: String, at index: Int = 0, _ texts: String...) {
            testDescription = name
            self.index = index
            self.texts = texts
        }
    }

    static let rows: [Row] = [
        Row("md5", "Signature Algorithm: md5WithRSAEncryption", "Signature Algorithm: md5WithRSAEncryption"),
        Row("dsa-signature", "Signature Algorithm: dsa_with_SHA256", "Signature Algorithm: dsa_with_SHA256"),
        Row("ed448-signature", "Signature Algorithm: ED448", "Signature Algorithm: ED448"),
        Row(
            "signature-algorithm-mismatch", "Signature Algorithm: ecdsa-with-SHA384",
            "Signature Algorithm: ecdsa-with-SHA256"),
        Row("explicit-curve", at: 1, "Field Type: prime-field"),
        Row("p-192", at: 1, "ASN1 OID: prime192v1"),
        Row("dsa-key", at: 1, "Public Key Algorithm: dsaEncryption"),
        Row("huge-rsa", at: 1, "Public-Key: (16392 bit)"),
        Row("point-off-curve", at: 1, "Public Key Algorithm: id-ecPublicKey", "Unable to load Public Key"),
        Row("ed448-key", at: 1, "ED448 Public-Key:"),
        Row("strict-key-size", at: 1, "Public-Key: (2050 bit)"),
        Row("maps-any-policy", at: 1, "X509v3 Policy Mappings: critical", "X509v3 Any Policy:1.3.6.1.4.1.32473.2"),
        Row("no-policy", at: 1, "Require Explicit Policy:0"),
        Row("strict-extension-not-allowed", "X509v3 Inhibit Any Policy: critical"),
        Row("strict-extension-criticality", "X509v3 Extended Key Usage: critical"),
        Row("strict-encoding", "X509v3 Basic Constraints: critical"),
        Row("unknown-critical-extension", "1.3.6.1.4.1.32473.1: critical"),
        Row("name-not-comparable", "URI:urn:lab:api"),
        Row("name-not-comparable", at: 1, "Permitted:"),
    ]

    @Test("A certificate has its scenario's fault", arguments: rows)
    func fault(row: Row) async throws {
        let text = try await openssl(row.testDescription, row.index, ["x509", "-noout", "-text"])
        for expected in Set(row.texts) {
            let count = row.texts.count { $0 == expected }
            #expect(text.components(separatedBy: expected).count == count + 1, "\(expected)\n\(text)")
        }
    }

    @Test("Certificates can encode dates before 2050 as GeneralizedTime")
    func time() async throws {
        let text = try await openssl("strict-time-encoding", 0, ["asn1parse"])
        #expect(text.components(separatedBy: "GENERALIZEDTIME").count == 3)
        #expect(!text.contains("UTCTIME"))
    }

    /// Runs openssl on a scenario's certificate.
    private func openssl(_ name: String, _ index: Int, _ arguments: [String]) async throws -> String {
        let scenario = try #require(LabScenario.named(name))
        let certificate = try scenario.certificates(at: .now()).chain[index]
        return try await OtherClient.inFolder { folder in
            let file = folder.appendingPathComponent("certificate.pem")
            try Data(PEM.encode(certificate.der, label: "CERTIFICATE").utf8).write(to: file)
            return try await OtherClient.openssl.run(arguments + ["-in", file.path], in: folder).output
        }
    }
}
