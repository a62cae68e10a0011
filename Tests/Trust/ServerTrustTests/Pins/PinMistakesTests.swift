// SPDX-License-Identifier: Apache-2.0

import Crypto
import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

/// Digests of something other than a key, and the remedies for pins made from them.
@Suite struct PinMistakesTests {
    /// A certificate with its key.
    struct Subject: Sendable {
        let certificate: Certificate
        let key: TestKey
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Whether the mistake only applies to RSA keys.
        var isRSA = false
        let input: @Sendable (Subject) -> [UInt8]
    }

    private static func pem(_ subject: Subject) -> String {
        PEM.encode(subject.certificate.der, label: "CERTIFICATE")
    }

    /// The modulus of a 2048-bit key: after the headers of the sequence and the number, and its leading zero.
    private static func modulus(_ subject: Subject) -> [UInt8] { Array(subject.key.publicKeyBits[9..<265]) }

    static let rows: [Row] = [
        Row(testDescription: "the whole certificate") { $0.certificate.der },
        Row(testDescription: "its PEM text") { Array(pem($0).utf8) },
        Row(testDescription: "its PEM text with carriage returns") {
            Array(pem($0).replacing("\n", with: "\r\n").utf8)
        },
        Row(testDescription: "its PEM text without the last line feed") { Array(pem($0).utf8.dropLast()) },
        Row(testDescription: "its base64") { Array(Base64.encode($0.certificate.der).utf8) },
        Row(testDescription: "the key's PEM text") {
            Array(PEM.encode($0.certificate.subjectPublicKeyInfo.der, label: "PUBLIC KEY").utf8)
        },
        Row(testDescription: "the key without its header") { $0.key.publicKeyBits },
        Row(testDescription: "the pin's own digest") { SPKIPin($0.certificate).sha256 },
        Row(testDescription: "the modulus", isRSA: true) { modulus($0) },
        Row(testDescription: "the modulus with its leading zero", isRSA: true) { [0] + modulus($0) },
        Row(testDescription: "the modulus as openssl prints it", isRSA: true) {
            Array("Modulus=\(Hex.encode(modulus($0)).uppercased())\n".utf8)
        },
    ]

    private static func pin(_ input: [UInt8]) throws -> SPKIPin {
        try SPKIPin("sha256/" + Base64.encode(Array(SHA256.hash(data: input))))
    }

    @Test(
        "The package recognizes a pin of something other than a key, and the refusal contains the key's pin",
        arguments: rows
    )
    func mistakes(_ row: Row) throws {
        let lab = try TrustLab()
        let keys: [TestKey] = row.isRSA ? [try .rsa()] : [.p256(), .ed25519()]
        for key in keys {
            let subject = Subject(certificate: try lab.leaf(key: key), key: key)
            let pin = try Self.pin(row.input(subject))
            let others = [lab.root.certificate, subject.certificate, subject.certificate]
            #expect(PinMistakes(others).mistake(of: pin)?.meant == SPKIPin(subject.certificate))
            #expect(PinMistakes([lab.root.certificate]).mistake(of: pin) == nil)
            let trust = try lab.trust(subject.certificate)
            let pins = try SPKIPinSet(pins: [pin], backup: [.unused()])
            let verdict = SPKIPinsTrustEvaluator(pins).evaluate(trust)
            #expect(verdict.failures.map(\.code) == [.pinNotMatched])
            let advice = verdict.advice(presented: trust.presentedChain)
            #expect(
                advice.contains {
                    $0.subject == .failure(.pinNotMatched) && $0.text.contains("\(SPKIPin(subject.certificate))")
                })
        }
    }

    @Test("A pin of a key isn't a mistake, and a pin that the path doesn't explain keeps its advice")
    func keysAreNoMistakes() throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        let mistakes = PinMistakes([leaf, lab.root.certificate])
        for certificate in [leaf, lab.root.certificate, lab.intermediate.certificate] {
            #expect(mistakes.mistake(of: SPKIPin(certificate)) == nil)
        }
        let trust = try lab.trust(leaf)
        let pins = try SPKIPinSet(pins: [SPKIPin(try lab.leaf())], backup: [.unused()])
        let verdict = SPKIPinsTrustEvaluator(pins).evaluate(trust)
        let advice = verdict.advice(presented: trust.presentedChain)
        #expect(advice.contains { $0.subject == .failure(.pinNotMatched) && !$0.text.contains("sha256/") })
    }

    @Test(
        "For a pin of another certificate in the path, the advice contains the pin of the certificate in scope",
        arguments: [(1, SPKIPinsTrustEvaluator.Scope.leaf, 0), (0, .authority, 1)])
    func otherCertificates(_ pinned: Int, _ scope: SPKIPinsTrustEvaluator.Scope, _ meant: Int) throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        let path = [leaf, lab.intermediate.certificate, lab.root.certificate]
        let trust = try lab.trust(leaf)
        let pins = try SPKIPinSet(pins: [SPKIPin(path[pinned])], backup: [.unused()])
        let verdict = SPKIPinsTrustEvaluator(pins, scope: scope).evaluate(trust)
        #expect(verdict.failures.map(\.code) == [.pinNotMatched])
        let advice = verdict.advice(presented: trust.presentedChain)
        #expect(
            advice.contains { $0.subject == .failure(.pinNotMatched) && $0.text.contains("\(SPKIPin(path[meant]))") })
    }
}
