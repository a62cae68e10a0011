// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX

@Suite("Object identifier names")
struct OIDNamesTests {
    static let rows: [(text: String, named: String)] = [
        ("1.3.132.0.10", "secp256k1 (1.3.132.0.10)"),
        ("1.3.101.110", "X25519 (1.3.101.110)"),
        ("1.3.101.111", "X448 (1.3.101.111)"),
        ("1.2.840.113549.1.1.1", "rsaEncryption (1.2.840.113549.1.1.1)"),
        ("1.2.840.10045.4.3.2", "ecdsa-with-SHA256 (1.2.840.10045.4.3.2)"),
        ("1.2.840.113549.1.1.10", "rsassaPss (1.2.840.113549.1.1.10)"),
        ("1.3.6.1.4.1.311.10.3.3", "msServerGatedCrypto (1.3.6.1.4.1.311.10.3.3)"),
        ("2.16.840.1.113730.4.1", "netscapeServerGatedCrypto (2.16.840.1.113730.4.1)"),
        ("1.3.36.3.3.2.8.1.1.9", "brainpoolP320r1 (1.3.36.3.3.2.8.1.1.9)"),
        ("1.2.156.10197.1.301", "sm2 (1.2.156.10197.1.301)"),
        ("1.2.643.7.1.1.1.1", "gostR3410-2012-256 (1.2.643.7.1.1.1.1)"),
        (
            "1.2.840.113549.1.1.11 without parameters",
            "sha256WithRSAEncryption (1.2.840.113549.1.1.11) without parameters"
        ),
        ("1.2.3.4.5", "1.2.3.4.5"), ("serverAuth", "serverAuth"), ("", ""), (".", "."),
        ("1.3.132.0.10x", "1.3.132.0.10x"),
        (String(repeating: "1.", count: 500), String(repeating: "1.", count: 500)),
    ]

    @Test(
        "A string that begins with a known identifier gets the identifier's name, and any other string stays unchanged",
        arguments: rows)
    func naming(text: String, named: String) { #expect(OIDNames.naming(text) == named) }

    @Test("Every row of the table has a readable identifier that occurs only once")
    func table() {
        let rows = (OIDNameData.rows + OIDNameData.extensionRows + OIDNameData.privateRows).split(separator: "\n")
            .filter { $0.first != "#" }.map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
        #expect(rows.allSatisfy { $0.count == 2 && OID($0[0])?.description == $0[0] })
        #expect(Set(rows.map { $0[0] }).count == rows.count)
    }

    @Test("The identifiers of composite ML-DSA and SLH-DSA all have names")
    func postQuantum() {
        let composites = (37...54).compactMap { OIDNames.name(of: "1.3.6.1.5.5.7.6.\($0)") }
        #expect(Set(composites).count == 18 && composites.allSatisfy { $0.hasPrefix("id-MLDSA") })
        #expect(OIDNames.words(for: "1.3.6.1.5.5.7.6.45") == "composite ML-DSA-65-ECDSA-P256-SHA512")
        let hashed = (20...31).compactMap { OIDNames.words(for: "2.16.840.1.101.3.4.3.\($0)") }
        #expect(Set(hashed).count == 12 && hashed.allSatisfy { $0.hasPrefix("SLH-DSA-") })
        #expect(hashed.last == "SLH-DSA-SHAKE-256f")
    }

    @Test("A message adds the names of identifiers only for codes whose values may be identifiers")
    func codes() {
        let identifier = TrustFailure.Value.text("1.3.132.0.10")
        let naming = TrustFailure.Code.engine.filter {
            TrustFailure($0, expected: identifier, found: identifier).message.contains("secp256k1")
        }
        #expect(
            Set(naming) == [
                .signatureAlgorithmMismatch, .signatureAlgorithmUnsupported, .signatureParametersUnsupported,
                .keyUsesUnsupportedCurve, .keyMalformed, .keyAlgorithmUnsupported, .criticalExtensionUnhandled,
                .extendedKeyUsageNotAllowed, .policyNotAcceptable, .strictExtendedKeyUsage, .strictExtensionNotAllowed,
                .strictExtensionCriticality,
            ])
    }

    @Test("An address in a certificate's names isn't mistaken for an identifier")
    func addresses() {
        let failure = TrustFailure(
            .hostMismatch, certificate: 0, role: .leaf, expected: .text("www.example.com"),
            found: .list(["1.3.101.110"]))
        #expect(!failure.message.contains("X25519"))
        let curve = TrustFailure(.keyUsesUnsupportedCurve, certificate: 0, role: .leaf, found: .text("1.3.132.0.10"))
        #expect(curve.message.contains("secp256k1 (1.3.132.0.10)") && curve.found == .text("1.3.132.0.10"))
    }
}
