// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX

@Suite("Signatures of evidence")
struct EvidenceSignatureTests {
    private static let sha1 = "1.3.14.3.2.26"
    private static let mgf1 = "1.2.840.113549.1.1.8"

    private static func fields(
        hash: String? = sha1, mask: String = mgf1, maskHash: [UInt8]? = ASN1.algorithm(sha1), salt: Int = 20
    ) -> [UInt8] {
        ASN1.sequence(
            hash.map { ASN1.explicit(0, ASN1.algorithm($0)) } ?? [],
            ASN1.explicit(1, ASN1.algorithm(mask, maskHash ?? [])), ASN1.explicit(2, ASN1.integer(salt)))
    }

    static let rows: [(name: String, parameters: [UInt8], isSHA1: Bool)] = [
        ("defaults", ASN1.sequence(), true), ("every default written out", fields(), true),
        ("a default hash", fields(hash: nil), true), ("a salt of 19", fields(salt: 19), false),
        ("a salt of 21", fields(salt: 21), false), ("another hash", fields(hash: ASN1.sha256), false),
        ("another hash of the mask", fields(maskHash: ASN1.algorithm(ASN1.sha256)), false),
        ("another mask", fields(mask: "1.2.840.113549.1.1.9"), false),
        ("a mask without a hash", fields(maskHash: nil), false), ("none", [], false),
    ]

    @Test("PSS is with SHA-1 if all its parameters are the defaults, absent or written out", arguments: rows)
    func pss(name: String, parameters: [UInt8], isSHA1: Bool) throws {
        let bytes = ASN1.algorithm("1.2.840.113549.1.1.10", parameters)[...]
        var reader = DERReader(bytes.span)
        let algorithm = try reader.nextAlgorithm("algorithm")
        #expect(SHA1Scheme(bytes.span, algorithm) == (isSHA1 ? .rsaPSS : nil))
        let scheme = EvidenceScheme(bytes.span, algorithm)
        #expect((scheme != nil) == isSHA1)
        #expect(scheme?.isWeak != false)
    }

    @Test("Evidence may have RSA keys of 1024 to 8192 bits, and those below 2048 bits are weak")
    func sizes() throws {
        for (bits, isWeak) in [(1023, nil), (1024, true), (2047, true), (2048, false), (8192, false), (8193, nil)] {
            for isPSS in [false, true] {
                let certificate = try CraftedCertificate.leaf().with {
                    $0.publicKey = ASN1.rsaKey(ASN1.odd(bits: bits), isPSS: isPSS)
                }.unsigned()
                #expect(EvidenceKey(certificate)?.isWeak == isWeak, "\(bits), PSS \(isPSS)")
            }
        }
    }

    @Test("Each identifier of a SHA-1 scheme means its scheme, with any parameters, and is weak")
    func identifiers() throws {
        let rows: [(String, SHA1Scheme?)] = [
            ("1.2.840.113549.1.1.5", .rsaPKCS1), ("1.3.14.3.2.29", .rsaPKCS1), ("1.2.840.10045.4.1", .ecdsa),
            ("1.3.14.3.2.3", nil), ("1.3.14.3.2.28", nil), ("1.3.14.3.3.29", nil), ("1.2.840.113549.1.1.4", nil),
        ]
        for (identifier, expected) in rows {
            for parameters in [[], ASN1.null, ASN1.sequence()] {
                let bytes = ASN1.algorithm(identifier, parameters)[...]
                var reader = DERReader(bytes.span)
                let algorithm = try reader.nextAlgorithm("algorithm")
                #expect(SHA1Scheme(bytes.span, algorithm) == expected, "\(identifier)")
                #expect((EvidenceScheme(bytes.span, algorithm)?.isWeak) == (expected == nil ? nil : true))
            }
        }
        let bytes = SigningKey.shared.algorithm[...]
        var reader = DERReader(bytes.span)
        let algorithm = try reader.nextAlgorithm("algorithm")
        let scheme = EvidenceScheme(bytes.span, algorithm)
        #expect(scheme?.isWeak == false && scheme?.weakened.isWeak == true)
    }
}
