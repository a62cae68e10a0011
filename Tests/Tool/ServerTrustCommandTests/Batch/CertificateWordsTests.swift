// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import ServerTrustTesting
import Testing

/// The descriptions of keys and signatures for columns and counts, compared with complete descriptions.
@Suite struct CertificateWordsTests {
    static let keys = ["P-256", "P-384", "P-521", "Ed25519", "RSA"]

    @Test("Keys and signatures have the same description as in a complete description", arguments: keys)
    func agreement(_ kind: String) throws {
        let key: TestKey =
            switch kind {
            case "P-256": .p256()
            case "P-384": .p384()
            case "P-521": .p521()
            case "Ed25519": .ed25519()
            default: try .rsa()
            }
        let certificate = try TestAuthority.selfSigned(.leaf("a.example"), key: key).certificate
        let facts = CertificateDescription(der: certificate.der).facts(at: TestAuthority.now)
        func text(_ name: String) -> String? { facts.first { $0.name == name }?.texts.first }
        let words = CertificateWords(certificate)
        #expect(words.key == text("key") && words.signature == text("signature"))
    }
}
