// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Foundation
import PKIX
import ServerTrustTesting
import Testing

/// A root with `issuer`'s key and a leaf below it, both handwritten.
private func pair(
    issuer: SigningKey = .shared, signer: SigningKey? = nil, leafKey: SigningKey = .shared,
    _ change: (inout CraftedCertificate) -> Void = { _ in }
) throws -> (leaf: Certificate, root: Certificate) {
    let signer = signer ?? issuer
    let root = try CraftedCertificate.authority(key: issuer).certificate(signedBy: signer)
    let leaf = try CraftedCertificate.leaf(key: leafKey).with(change).certificate(signedBy: signer)
    return (leaf, root)
}

private func codes(_ pair: (leaf: Certificate, root: Certificate), policy: ValidationPolicy = ValidationPolicy()) throws
    -> [TrustFailure.Code]
{
    try PKIXTests.codes(pair.leaf, anchors: [pair.root], policy: policy)
}

private enum Algorithm {
    static let rsa = "1.2.840.113549.1.1"
    static let pss = "1.2.840.113549.1.1.10"
    static let ecdsa = "1.2.840.10045.4.3"
    static let ecKey = "1.2.840.10045.2.1"
    static let sha1 = "1.3.14.3.2.26"
    static let sha512 = "2.16.840.1.101.3.4.2.3"
}

@Suite("Signature algorithms")
struct SignatureAlgorithmTests {
    static let goodRows: [(name: String, make: @Sendable () throws -> SigningKey)] = [
        ("P-256 with SHA-256", { .p256() }), ("P-384 with SHA-384", { .p384() }), ("P-521 with SHA-512", { .p521() }),
        ("Ed25519", { .ed25519() }), ("RSA with SHA-256", { try .rsa() }),
        ("RSA-PSS with SHA-256", { try .rsa(isPSS: true) }),
        (
            "P-256 with SHA-512",
            {
                let key = P256.Signing.PrivateKey()
                return SigningKey(
                    publicKey: [UInt8](key.publicKey.derRepresentation),
                    algorithm: ASN1.algorithm(Algorithm.ecdsa + ".4")
                ) { [UInt8](try key.signature(for: SHA512.hash(data: $0)).derRepresentation) }
            }
        ),
        (
            "P-384 with SHA-256",
            {
                let key = P384.Signing.PrivateKey()
                return SigningKey(
                    publicKey: [UInt8](key.publicKey.derRepresentation),
                    algorithm: ASN1.algorithm(Algorithm.ecdsa + ".2")
                ) { [UInt8](try key.signature(for: SHA256.hash(data: $0)).derRepresentation) }
            }
        ),
        (
            "RSA with SHA-384",
            { try rsa(SHA384.self, ASN1.algorithm(Algorithm.rsa + ".12", ASN1.null), .insecurePKCS1v1_5) }
        ),
        (
            "RSA with SHA-512",
            { try rsa(SHA512.self, ASN1.algorithm(Algorithm.rsa + ".13", ASN1.null), .insecurePKCS1v1_5) }
        ),
        // RFC 4055 § 5: implementations must accept absent parameters.
        ("RSA without parameters", { try rsa(SHA256.self, ASN1.algorithm(Algorithm.rsa + ".11"), .insecurePKCS1v1_5) }),
        (
            "RSA-PSS with SHA-384",
            {
                try rsa(
                    SHA384.self,
                    ASN1.algorithm(
                        Algorithm.pss, ASN1.pssParameters(hash: ASN1.sha384, maskHash: ASN1.sha384, salt: 48)), .PSS)
            }
        ),
        (
            "RSA-PSS with SHA-512",
            {
                try rsa(
                    SHA512.self,
                    ASN1.algorithm(
                        Algorithm.pss, ASN1.pssParameters(hash: Algorithm.sha512, maskHash: Algorithm.sha512, salt: 64)),
                    .PSS)
            }
        ),
    ]

    private static func rsa<Function: HashFunction>(
        _ function: Function.Type, _ algorithm: [UInt8], _ padding: _RSA.Signing.Padding
    ) throws -> SigningKey {
        let key = try _RSA.Signing.PrivateKey(pemRepresentation: FixedKeys.rsa2048)
        return SigningKey(publicKey: [UInt8](key.publicKey.derRepresentation), algorithm: algorithm) {
            [UInt8](try key.signature(for: Function.hash(data: $0), padding: padding).rawRepresentation)
        }
    }

    @Test(
        "A correct signature is valid, but one over other bytes or from another key of the same kind isn't",
        arguments: goodRows)
    func good(name: String, make: @Sendable () throws -> SigningKey) throws {
        let key = try make()
        let pair = try pair(issuer: key)
        for policy in [ValidationPolicy(), .plain] { #expect(try codes(pair, policy: policy) == [], "\(name)") }
        let other = key.with { try key.sign($0 + [0]) }
        let wrong = try CraftedCertificate.leaf().certificate(signedBy: other)
        #expect(try PKIXTests.codes(wrong, anchors: [pair.root]) == [.signatureInvalid], "\(name)")
        #expect(try PKIXTests.failures(wrong, anchors: [pair.root]).first?.certificate == 0)
        let unrelated = try CraftedCertificate.authority(
            key: key.algorithm.count > 30 || name.hasPrefix("RSA") ? .rsa(FixedKeys.otherRSA2048) : make()
        )
        .certificate()
        #expect(try PKIXTests.codes(pair.leaf, anchors: [unrelated]) == [.signatureInvalid], "\(name)")
    }

    @Test("The engine verifies ML-DSA-65 and refuses it if a single bit changes")
    func mldsa() throws {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        let key = try SigningKey.mldsa65()
        let pair = try pair(issuer: key)
        #expect(try codes(pair) == [])
        for index in [pair.leaf.der.count - 1, pair.leaf.der.count - 3_000, 30] {
            var altered = pair.leaf.der
            altered[index] ^= 1
            guard let leaf = try? Certificate(der: altered) else { continue }
            #expect(try !PKIXTests.codes(leaf, anchors: [pair.root]).isEmpty)
        }
        let other = try SigningKey.mldsa65()
        let forged = try CraftedCertificate.leaf().certificate(signedBy: other)
        #expect(try PKIXTests.codes(forged, anchors: [pair.root]) == [.signatureInvalid])
        // The leaf's own key can be an ML-DSA key too.
        #expect(try codes(PKIXTests.pair(leafKey: key)) == [])
        #expect(
            try codes(
                PKIXTests.pair(issuer: key) { $0.innerAlgorithm = ASN1.algorithm("2.16.840.1.101.3.4.3.18", ASN1.null) }
            ) == [.signatureParametersUnsupported])
        #expect(
            try codes(PKIXTests.pair(issuer: key) { $0.innerAlgorithm = ASN1.algorithm("2.16.840.1.101.3.4.3.19") })
                == [.signatureInvalid])
    }

    static let refusedRows: [(name: String, algorithm: [UInt8], code: TrustFailure.Code)] = [
        ("MD2 with RSA", ASN1.algorithm(Algorithm.rsa + ".2", ASN1.null), .signatureUsesMD5),
        ("MD4 with RSA", ASN1.algorithm(Algorithm.rsa + ".3", ASN1.null), .signatureUsesMD5),
        ("MD5 with RSA", ASN1.algorithm(Algorithm.rsa + ".4", ASN1.null), .signatureUsesMD5),
        ("MD5 with RSA by OIW", ASN1.algorithm("1.3.14.3.2.3", ASN1.null), .signatureUsesMD5),
        ("SHA-1 with RSA", ASN1.algorithm(Algorithm.rsa + ".5", ASN1.null), .signatureUsesSHA1),
        ("SHA-1 with RSA by OIW", ASN1.algorithm("1.3.14.3.2.29", ASN1.null), .signatureUsesSHA1),
        ("SHA-1 with ECDSA", ASN1.algorithm("1.2.840.10045.4.1"), .signatureUsesSHA1),
        ("SHA-1 with DSA", ASN1.algorithm("1.2.840.10040.4.3"), .signatureUsesDSA),
        ("SHA-224 with DSA", ASN1.algorithm("2.16.840.1.101.3.4.3.1"), .signatureUsesDSA),
        ("SHA-256 with DSA", ASN1.algorithm("2.16.840.1.101.3.4.3.2"), .signatureUsesDSA),
        ("SHA-512 with DSA", ASN1.algorithm("2.16.840.1.101.3.4.3.4"), .signatureUsesDSA),
        ("a number before DSA's", ASN1.algorithm("2.16.840.1.101.3.4.3.0"), .signatureAlgorithmUnsupported),
        ("SHA-3 with DSA", ASN1.algorithm("2.16.840.1.101.3.4.3.5"), .signatureAlgorithmUnsupported),
        (
            "RSA's number outside of PKCS #1", ASN1.algorithm("1.2.840.113549.1.2.11", ASN1.null),
            .signatureAlgorithmUnsupported
        ),
        ("SHA-224 with ECDSA", ASN1.algorithm(Algorithm.ecdsa + ".1"), .signatureAlgorithmUnsupported),
        ("SHA-224 with RSA", ASN1.algorithm(Algorithm.rsa + ".14", ASN1.null), .signatureAlgorithmUnsupported),
        ("plain RSA", ASN1.algorithm(Algorithm.rsa + ".1", ASN1.null), .signatureAlgorithmUnsupported),
        ("ECDSA with its own hash", ASN1.algorithm("1.2.840.10045.4.3"), .signatureAlgorithmUnsupported),
        ("Ed448", ASN1.algorithm("1.3.101.113"), .signatureAlgorithmUnsupported),
        ("SM2", ASN1.algorithm("1.2.156.10197.1.501"), .signatureAlgorithmUnsupported),
        ("SHA-256 alone", ASN1.algorithm(ASN1.sha256, ASN1.null), .signatureAlgorithmUnsupported),
        ("an unknown algorithm", ASN1.algorithm("1.2.3.4"), .signatureAlgorithmUnsupported),
        (
            "RSA with parameters", ASN1.algorithm(Algorithm.rsa + ".11", ASN1.integer(1)),
            .signatureParametersUnsupported
        ),
        (
            "RSA with an empty sequence", ASN1.algorithm(Algorithm.rsa + ".11", ASN1.sequence()),
            .signatureParametersUnsupported
        ),
        (
            "ECDSA with an empty sequence", ASN1.algorithm(Algorithm.ecdsa + ".2", ASN1.sequence()),
            .signatureParametersUnsupported
        ),
        ("Ed25519 with NULL", ASN1.algorithm("1.3.101.112", ASN1.null), .signatureParametersUnsupported),
    ]

    @Test(
        "A weak or unknown algorithm and wrong parameters are each refused with their own code",
        arguments: refusedRows)
    func refused(name: String, algorithm: [UInt8], code: TrustFailure.Code) throws {
        // Signed as correctly as possible, with a key that would sign this way.
        let rsa = try SigningKey.rsa()
        for key in [rsa.with(algorithm: algorithm), SigningKey.shared.with(algorithm: algorithm)] {
            for policy in [ValidationPolicy(), .plain] {
                let found = try codes(pair(issuer: key), policy: policy)
                #expect(found == [code], "\(name)")
            }
        }
    }

    @Test("Only the plain profile accepts ECDSA with NULL as parameters", arguments: ["2", "3", "4"])
    func ecdsaWithNull(hash: String) throws {
        let algorithm = ASN1.algorithm("\(Algorithm.ecdsa).\(hash)", ASN1.null)
        let key = P256.Signing.PrivateKey()
        let signing = SigningKey(publicKey: [UInt8](key.publicKey.derRepresentation), algorithm: algorithm) { message in
            let signature =
                switch hash {
                case "2": try key.signature(for: SHA256.hash(data: message))
                case "3": try key.signature(for: SHA384.hash(data: message))
                default: try key.signature(for: SHA512.hash(data: message))
                }
            return [UInt8](signature.derRepresentation)
        }
        let pair = try pair(issuer: signing)
        #expect(try codes(pair, policy: .plain) == [])
        let found = try failures(pair.leaf, anchors: [pair.root])
        #expect(found.map(\.code) == [.signatureParametersUnsupported])
        #expect(
            found.first?.found == .text("\(Algorithm.ecdsa).\(hash) with NULL, expected none (RFC 5758 § 3.2)"))
        // A signature that the cache remembers under the plain profile isn't accepted under the other profile.
        let memory = SignatureMemory()
        #expect(try PKIXTests.codes(pair.leaf, anchors: [pair.root], policy: .plain, memory: memory) == [])
        #expect(
            try PKIXTests.codes(pair.leaf, anchors: [pair.root], memory: memory) == [.signatureParametersUnsupported])
        // The engine verifies the signature, and the inner and outer parameters must be the same.
        var altered = pair.leaf.der
        altered[altered.count - 1] ^= 1
        #expect(
            try PKIXTests.codes(Certificate(der: altered), anchors: [pair.root], policy: .plain) == [.signatureInvalid])
        let mixed = try PKIXTests.pair(issuer: signing) {
            $0.innerAlgorithm = ASN1.algorithm("\(Algorithm.ecdsa).\(hash)")
            $0.outerAlgorithm = algorithm
        }
        #expect(try codes(mixed, policy: .plain) == [.signatureAlgorithmMismatch])
    }

    @Test("The engine also refuses a weak algorithm in an intermediate and reports the intermediate's index")
    func intermediates() throws {
        let root = try TestAuthority.root(key: .rsa())
        let middle = try root.intermediate(.authority("Middle").with { $0.signsWithSHA1 = true })
        let leaf = try middle.issue(.leaf("www.example.com")).certificate
        let found = try failures(leaf, [middle.certificate], anchors: [root.certificate])
        #expect(found.map(\.code) == [.signatureUsesSHA1])
        #expect(found.first?.certificate == 1)
        // A SHA-1 signature that is valid in itself.
        let direct = try root.issue(.leaf("www.example.com").with { $0.signsWithSHA1 = true }).certificate
        #expect(try PKIXTests.codes(direct, anchors: [root.certificate]) == [.signatureUsesSHA1])
        #expect(try PKIXTests.codes(middle.certificate, anchors: [middle.certificate]) == [.keyUsageNotForTLS])
    }

    @Test("The engine never checks the signature of an anchor")
    func anchors() throws {
        for algorithm in [
            ASN1.algorithm(Algorithm.rsa + ".4", ASN1.null), ASN1.algorithm(Algorithm.rsa + ".5", ASN1.null),
            ASN1.algorithm("1.2.3.4"),
            SigningKey.shared.algorithm,
        ] {
            let junk = SigningKey.shared.with(algorithm: algorithm) { _ in [1, 2, 3] }
            let root = try CraftedCertificate.authority().certificate(signedBy: junk)
            let leaf = try CraftedCertificate.leaf().certificate()
            #expect(try PKIXTests.codes(leaf, anchors: [root]) == [])
            let own = try CraftedCertificate.leaf().certificate(signedBy: junk)
            #expect(try PKIXTests.codes(own, anchors: [own]) == [])
        }
    }

    @Test("The two algorithm fields must be the same bytes (RFC 5280 § 4.1.1.2)")
    func mismatch() throws {
        let rsa = try SigningKey.rsa()
        let rows: [(SigningKey, [UInt8], [UInt8])] = [
            (.shared, ASN1.algorithm(Algorithm.ecdsa + ".2"), ASN1.algorithm(Algorithm.ecdsa + ".3")),
            (.shared, ASN1.algorithm(Algorithm.ecdsa + ".3"), ASN1.algorithm(Algorithm.ecdsa + ".2")),
            (.shared, ASN1.algorithm(Algorithm.rsa + ".5", ASN1.null), ASN1.algorithm(Algorithm.ecdsa + ".2")),
            (.shared, ASN1.algorithm(Algorithm.ecdsa + ".2"), ASN1.algorithm(Algorithm.rsa + ".5", ASN1.null)),
            (.shared, ASN1.algorithm("1.2.3.4"), ASN1.algorithm(Algorithm.ecdsa + ".2")),
            (rsa, ASN1.algorithm(Algorithm.rsa + ".11"), ASN1.algorithm(Algorithm.rsa + ".11", ASN1.null)),
            (rsa, ASN1.algorithm(Algorithm.rsa + ".11", ASN1.null), ASN1.algorithm(Algorithm.rsa + ".11")),
        ]
        for (key, inner, outer) in rows {
            let pair = try pair(issuer: key) {
                $0.innerAlgorithm = inner
                $0.outerAlgorithm = outer
            }
            for policy in [ValidationPolicy(), .plain] {
                #expect(try codes(pair, policy: policy).contains(.signatureAlgorithmMismatch))
            }
        }
    }

    @Test("The failure of different algorithm fields contains both algorithms, or their parameters")
    func mismatchValues() throws {
        let ecdsa = Algorithm.ecdsa + ".2"
        let long = ASN1.octets([UInt8](repeating: 0xaa, count: 60))
        let rows: [(inner: [UInt8], outer: [UInt8], expected: String, found: String)] = [
            (ASN1.algorithm(ecdsa), ASN1.algorithm("1.2.3.4"), ecdsa, "1.2.3.4"),
            (
                ASN1.algorithm(ecdsa), ASN1.algorithm(ecdsa, ASN1.null), "\(ecdsa) without parameters",
                "\(ecdsa) with parameters 0500"
            ),
            (
                ASN1.algorithm(ecdsa, long), ASN1.algorithm(ecdsa),
                "\(ecdsa) with parameters 043c"
                    + String(repeating: "aa", count: 30), "\(ecdsa) without parameters"
            ),
        ]
        for row in rows {
            let pair = try pair {
                $0.innerAlgorithm = row.inner
                $0.outerAlgorithm = row.outer
            }
            let failures = try PKIXTests.failures(pair.leaf, anchors: [pair.root])
            let failure = try #require(failures.first { $0.code == .signatureAlgorithmMismatch })
            #expect(failure.expected == .text(row.expected) && failure.found == .text(row.found))
        }
    }

    @Test("The engine accepts no signature with an algorithm that doesn't fit the issuer's key")
    func wrongKind() throws {
        let rsa = try SigningKey.rsa()
        let kinds: [SigningKey] = [.shared, .p384(), .ed25519(), rsa]
        for key in kinds {
            for other in kinds where other.algorithm != key.algorithm {
                let root = try CraftedCertificate.authority(key: key).certificate()
                let leaf = try CraftedCertificate.leaf().certificate(signedBy: other)
                let found = try PKIXTests.codes(leaf, anchors: [root])
                #expect(found == [.signatureInvalid])
            }
        }
    }

    @Test("An ECDSA signature must be in canonical encoding, with numbers in range")
    func ecdsaEncodings() throws {
        let order: [UInt8] = [
            0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xbc, 0xe6, 0xfa, 0xad,
            0xa7, 0x17,
            0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51,
        ]
        let zero: [UInt8] = [0x02, 0x01, 0x00]
        let key = P256.Signing.PrivateKey()
        typealias Encoding = @Sendable (_ r: [UInt8], _ s: [UInt8]) -> [UInt8]
        let rows: [(String, Bool, Encoding)] = [
            ("the correct encoding", true, { ASN1.sequence(ASN1.unsigned($0), ASN1.unsigned($1)) }),
            ("nothing", false, { _, _ in [] }),
            ("only the numbers", false, { $0 + $1 }),
            ("a trailing byte", false, { ASN1.sequence(ASN1.unsigned($0), ASN1.unsigned($1)) + [0] }),
            ("a third number", false, { ASN1.sequence(ASN1.unsigned($0), ASN1.unsigned($1), zero) }),
            ("one number", false, { r, _ in ASN1.sequence(ASN1.unsigned(r)) }),
            ("a leading zero", false, { ASN1.sequence(ASN1.value(0x02, [0, 0] + $0), ASN1.unsigned($1)) }),
            (
                "a long length", false,
                { [0x30, 0x81] + ASN1.sequence(ASN1.unsigned($0), ASN1.unsigned($1)).dropFirst() }
            ),
            ("an indefinite length", false, { [0x30, 0x80] + ASN1.unsigned($0) + ASN1.unsigned($1) + [0, 0] }),
            ("a SET", false, { [0x31] + ASN1.sequence(ASN1.unsigned($0), ASN1.unsigned($1)).dropFirst() }),
            ("r zero", false, { _, s in ASN1.sequence(zero, ASN1.unsigned(s)) }),
            ("s zero", false, { r, _ in ASN1.sequence(ASN1.unsigned(r), zero) }),
            ("both zero (CVE-2022-21449)", false, { _, _ in ASN1.sequence(zero, zero) }),
            ("both equal to the order", false, { _, _ in ASN1.sequence(ASN1.unsigned(order), ASN1.unsigned(order)) }),
            ("r and s swapped", false, { ASN1.sequence(ASN1.unsigned($1), ASN1.unsigned($0)) }),
            ("a negative r", false, { ASN1.sequence(ASN1.value(0x02, [0xff] + $0), ASN1.unsigned($1)) }),
            ("r of 33 bytes", false, { ASN1.sequence(ASN1.unsigned([1] + $0), ASN1.unsigned($1)) }),
        ]
        for (name, isGood, encode) in rows {
            let signer = SigningKey(
                publicKey: [UInt8](key.publicKey.derRepresentation), algorithm: ASN1.algorithm(Algorithm.ecdsa + ".2")
            ) {
                let raw = [UInt8](try key.signature(for: $0).rawRepresentation)
                return encode(Array(raw.prefix(32)), Array(raw.suffix(32)))
            }
            #expect(try codes(pair(issuer: signer)) == (isGood ? [] : [.signatureInvalid]), "\(name)")
        }
    }

    @Test("An RSA signature must be as long as the modulus and padded as its standard requires")
    func rsaEncodings() throws {
        let key = try SigningKey.rsa()
        let pss = try SigningKey.rsa(isPSS: true)
        let rows: [(String, @Sendable ([UInt8]) throws -> [UInt8])] = [
            ("empty", { _ in [] }), ("a leading zero", { [0] + (try key.sign($0)) }),
            ("a trailing byte", { try key.sign($0) + [0] }),
            ("cut off", { Array(try key.sign($0).dropLast()) }), ("zeros", { _ in [UInt8](repeating: 0, count: 256) }),
            ("one", { _ in [UInt8](repeating: 0, count: 255) + [1] }),
            ("ones", { _ in [UInt8](repeating: 0xff, count: 256) }),
            ("PSS under the other algorithm", { try pss.sign($0) }),
        ]
        for (name, sign) in rows {
            #expect(try codes(pair(issuer: key.with(sign: sign))) == [.signatureInvalid], "\(name)")
        }
        #expect(try codes(pair(issuer: pss.with { try key.sign($0) })) == [.signatureInvalid])
    }
}

@Suite("RSASSA-PSS (RFC 4055 § 3.1)")
struct PSSTests {
    typealias Row = (name: String, parameters: [UInt8], code: TrustFailure.Code)

    private static func parameters(
        _ hash: String?, _ mask: String?, _ salt: Int?, trailer: Int? = nil
    ) -> [UInt8] {
        ASN1.pssParameters(hash: hash, maskHash: mask, salt: salt, trailer: trailer)
    }

    /// Good parameters with additional bytes inside a field.
    private static func fields(afterMask: [UInt8] = [], afterSalt: [UInt8] = []) -> [UInt8] {
        let hash = ASN1.algorithm(ASN1.sha256)
        return ASN1.sequence(
            ASN1.explicit(0, hash), ASN1.explicit(1, ASN1.algorithm("1.2.840.113549.1.1.8", hash) + afterMask),
            ASN1.explicit(2, ASN1.integer(32) + afterSalt))
    }

    static let rows: [Row] = [
        ("all defaults, which are SHA-1", parameters(nil, nil, nil), .signatureUsesSHA1),
        ("no hash, which is SHA-1", parameters(nil, ASN1.sha256, 32), .signatureUsesSHA1),
        ("no mask, which is SHA-1", parameters(ASN1.sha256, nil, 32), .signatureUsesSHA1),
        ("no salt length, which is 20", parameters(ASN1.sha256, ASN1.sha256, nil), .signatureParametersUnsupported),
        ("a salt of 20", parameters(ASN1.sha256, ASN1.sha256, 20), .signatureParametersUnsupported),
        ("a salt of 0", parameters(ASN1.sha256, ASN1.sha256, 0), .signatureParametersUnsupported),
        ("a salt of 33", parameters(ASN1.sha256, ASN1.sha256, 33), .signatureParametersUnsupported),
        ("another hash for the mask", parameters(ASN1.sha256, ASN1.sha384, 32), .signatureParametersUnsupported),
        ("a smaller hash for the mask", parameters(ASN1.sha384, ASN1.sha256, 48), .signatureParametersUnsupported),
        ("SHA-1 for the mask", parameters(ASN1.sha256, "1.3.14.3.2.26", 32), .signatureParametersUnsupported),
        (
            "SHA-224", parameters("2.16.840.1.101.3.4.2.4", "2.16.840.1.101.3.4.2.4", 28),
            .signatureParametersUnsupported
        ),
        (
            "trailer 1 written out", parameters(ASN1.sha256, ASN1.sha256, 32, trailer: 1),
            .signatureParametersUnsupported
        ),
        ("trailer 2", parameters(ASN1.sha256, ASN1.sha256, 32, trailer: 2), .signatureParametersUnsupported),
        ("NULL", ASN1.null, .signatureParametersUnsupported),
        ("none", [], .signatureParametersUnsupported),
        (
            "a mask that isn't MGF1",
            ASN1.sequence(
                ASN1.explicit(0, ASN1.algorithm(ASN1.sha256)),
                ASN1.explicit(1, ASN1.algorithm("1.2.3", ASN1.algorithm(ASN1.sha256))),
                ASN1.explicit(2, ASN1.integer(32))), .signatureParametersUnsupported
        ),
        (
            "a mask without a hash",
            ASN1.sequence(
                ASN1.explicit(0, ASN1.algorithm(ASN1.sha256)), ASN1.explicit(1, ASN1.algorithm("1.2.840.113549.1.1.8")),
                ASN1.explicit(2, ASN1.integer(32))), .signatureParametersUnsupported
        ),
        (
            "fields out of order",
            ASN1.sequence(
                ASN1.explicit(1, ASN1.algorithm("1.2.840.113549.1.1.8", ASN1.algorithm(ASN1.sha256))),
                ASN1.explicit(0, ASN1.algorithm(ASN1.sha256)), ASN1.explicit(2, ASN1.integer(32))), .signatureUsesSHA1
        ),
        (
            "a byte after a field", ASN1.sequence(ASN1.explicit(0, ASN1.algorithm(ASN1.sha256) + ASN1.null)),
            .signatureParametersUnsupported
        ),
        ("a value after the mask", fields(afterMask: ASN1.null), .signatureParametersUnsupported),
        ("a value after the salt length", fields(afterSalt: ASN1.null), .signatureParametersUnsupported),
    ]

    @Test(
        "Parameters must be SHA-2, MGF1 with the same hash, and a salt as long as the hash",
        arguments: rows)
    func parameters(row: Row) throws {
        let key = try SigningKey.rsa(isPSS: true).with(algorithm: ASN1.algorithm(Algorithm.pss, row.parameters))
        #expect(try codes(pair(issuer: key)) == [row.code], "\(row.name)")
    }

    @Test("Hash parameters may be NULL or absent")
    func hashParameters() throws {
        let absent = ASN1.sequence(
            ASN1.explicit(0, ASN1.algorithm(ASN1.sha256)),
            ASN1.explicit(1, ASN1.algorithm("1.2.840.113549.1.1.8", ASN1.algorithm(ASN1.sha256))),
            ASN1.explicit(2, ASN1.integer(32)))
        #expect(
            try codes(pair(issuer: SigningKey.rsa(isPSS: true).with(algorithm: ASN1.algorithm(Algorithm.pss, absent))))
                == [])
    }

    @Test(
        "A signature whose salt isn't as long as its parameters require is refused",
        .disabled(if: OpenSSL.isMissing, "there is no openssl on the path"), arguments: [32, 20, 0, 64])
    func actualSalt(length: Int) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("pss-\(UUID()).pem")
        try FixedKeys.rsa2048.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let path = file.path
        let key = try SigningKey.rsa(isPSS: true).with { message in
            try OpenSSL.run(
                [
                    "dgst", "-sha256", "-sign", path, "-sigopt", "rsa_padding_mode:pss", "-sigopt",
                    "rsa_pss_saltlen:\(length)",
                ], input: message)
        }
        #expect(try codes(pair(issuer: key)) == (length == 32 ? [] : [.signatureInvalid]))
    }

    @Test("A PSS-only key verifies only PSS signatures, and only with its own hash if it specifies one")
    func keys() throws {
        let pss = try SigningKey.rsa(isPSS: true)
        let bits = try SubjectPublicKeyInfoTests.bits(of: pss.publicKey)
        func key(_ parameters: [UInt8]) -> SigningKey {
            pss.with(publicKey: ASN1.publicKey(ASN1.algorithm(Algorithm.pss, parameters), bits))
        }
        let sha256 = ASN1.pssParameters(hash: ASN1.sha256, maskHash: ASN1.sha256, salt: 32)
        let sha384 = ASN1.pssParameters(hash: ASN1.sha384, maskHash: ASN1.sha384, salt: 48)
        #expect(try codes(pair(issuer: key([]))) == [])
        #expect(try codes(pair(issuer: key(sha256))) == [])
        #expect(try codes(pair(issuer: key(sha384))) == [.signatureInvalid])
        let pkcs1 = try SigningKey.rsa()
        for parameters in [[], sha256] {
            let wrong = pkcs1.with(publicKey: key(parameters).publicKey)
            #expect(try codes(pair(issuer: wrong)) == [.signatureInvalid])
        }
        #expect(try codes(pair(issuer: key(ASN1.null))).contains(.keyMalformed))
        // RFC 4055 § 1.2: absent fields mean SHA-1 here too.
        #expect(try codes(pair(issuer: key(ASN1.sequence()))).contains(.keyMalformed))
    }
}

@Suite("Keys")
struct KeyTests {
    /// Expects these failures for a key in each of its roles.
    private func expect(
        _ publicKey: [UInt8], _ code: TrustFailure.Code, _ name: String, leaf: Bool = true, plainLeaf: Bool = true
    ) throws {
        for policy in [ValidationPolicy(), .plain] {
            let inLeaf = try codes(pair { $0.publicKey = publicKey }, policy: policy)
            let isTold = policy.profile == .webPKI ? leaf : plainLeaf
            #expect(inLeaf == (isTold ? [code] : []), "\(name), leaf, \(policy.profile)")

            let anchor = try CraftedCertificate.authority().with { $0.publicKey = publicKey }.certificate()
            let found = try PKIXTests.failures(
                CraftedCertificate.leaf().certificate(), anchors: [anchor], policy: policy)
            #expect(found.contains { $0.code == code && $0.certificate == 1 }, "\(name), anchor")

            let root = try CraftedCertificate.authority().certificate()
            let middle = try CraftedCertificate.authority(ASN1.name("CA"), issuer: ASN1.name("Handmade Root"))
                .with { $0.publicKey = publicKey }.certificate()
            let below = try CraftedCertificate.leaf(issuer: ASN1.name("CA")).certificate()
            let path = try PKIXTests.failures(below, [middle], anchors: [root], policy: policy)
            #expect(path.contains { $0.code == code && $0.certificate == 1 }, "\(name), intermediate")
        }
    }

    static let curveRows: [(name: String, parameters: [UInt8], code: TrustFailure.Code)] = [
        ("secp256k1", ASN1.oid("1.3.132.0.10"), .keyUsesUnsupportedCurve),
        ("P-192", ASN1.oid("1.2.840.10045.3.1.1"), .keyUsesUnsupportedCurve),
        ("P-224", ASN1.oid("1.3.132.0.33"), .keyUsesUnsupportedCurve),
        ("brainpoolP256r1", ASN1.oid("1.3.36.3.3.2.8.1.1.7"), .keyUsesUnsupportedCurve),
        ("sect283k1", ASN1.oid("1.3.132.0.16"), .keyUsesUnsupportedCurve),
        ("SM2", ASN1.oid("1.2.156.10197.1.301"), .keyUsesUnsupportedCurve),
        ("an unknown curve", ASN1.oid("1.2.3.4"), .keyUsesUnsupportedCurve),
        (
            "a curve in numbers",
            ASN1.sequence(ASN1.integer(1), ASN1.sequence(ASN1.oid("1.2.840.10045.1.1"), ASN1.integer(23))),
            .keyUsesExplicitCurve
        ),
        ("an empty curve in numbers", ASN1.sequence(), .keyUsesExplicitCurve),
        ("an implicit curve", ASN1.null, .keyMalformed), ("no curve", [], .keyMalformed),
        ("a number", ASN1.integer(5), .keyMalformed),
    ]

    @Test("Only the named curves P-256, P-384 and P-521 are allowed", arguments: curveRows)
    func curves(name: String, parameters: [UInt8], code: TrustFailure.Code) throws {
        let point: [UInt8] = [4] + [UInt8](repeating: 7, count: 64)
        let key = ASN1.publicKey(ASN1.algorithm(Algorithm.ecKey, parameters), point)
        try expect(key, code, name)
        guard code == .keyUsesUnsupportedCurve else { return }
        let pair = try pair { $0.publicKey = key }
        let failure = try #require(try PKIXTests.failures(pair.leaf, anchors: [pair.root]).first { $0.code == code })
        let curve = OID(contents: Array(parameters.dropFirst(2)))
        #expect(failure.found == .text(curve.description))
    }

    @Test(
        "The engine refuses the explicit parameters of P-256 itself, even with a key that would verify the signature (CVE-2020-0601)"
    )
    func explicitP256() throws {
        let bits = Array(SigningKey.shared.publicKey.suffix(65))
        let parameters = ASN1.sequence(
            ASN1.integer(1),
            ASN1.sequence(ASN1.oid("1.2.840.10045.1.1"), ASN1.unsigned([UInt8](repeating: 0xff, count: 32))),
            ASN1.sequence(ASN1.octets([1]), ASN1.octets([1])), ASN1.octets([4] + [UInt8](repeating: 1, count: 64)),
            ASN1.integer(7))
        let key = SigningKey.shared.with(publicKey: ASN1.publicKey(ASN1.algorithm(Algorithm.ecKey, parameters), bits))
        #expect(try codes(pair(issuer: key)).contains(.keyUsesExplicitCurve))
    }

    @Test("The engine refuses DSA keys")
    func dsa() throws {
        let parameters = ASN1.sequence(ASN1.integer(23), ASN1.integer(11), ASN1.integer(4))
        try expect(ASN1.publicKey(ASN1.algorithm("1.2.840.10040.4.1", parameters), ASN1.integer(8)), .keyUsesDSA, "DSA")
        try expect(
            ASN1.publicKey(ASN1.algorithm("1.3.14.3.2.12", parameters), ASN1.integer(8)), .keyUsesDSA, "DSA by OIW")
    }

    static let unknownRows: [(name: String, algorithm: [UInt8])] = [
        ("Ed448", ASN1.algorithm("1.3.101.113")), ("X25519", ASN1.algorithm("1.3.101.110")),
        ("ML-DSA-44", ASN1.algorithm("2.16.840.1.101.3.4.3.17")),
        ("RSA-OAEP", ASN1.algorithm(Algorithm.rsa + ".7")), ("Diffie-Hellman", ASN1.algorithm("1.2.840.10046.2.1")),
        ("GOST", ASN1.algorithm("1.2.643.7.1.1.1.1")),
        ("RSA's number outside of PKCS #1", ASN1.algorithm("1.2.840.113549.1.2.1", ASN1.null)),
        ("PSS's number outside of PKCS #1", ASN1.algorithm("1.2.840.113549.1.2.10")),
        ("ML-DSA's number outside of NIST's signatures", ASN1.algorithm("2.16.840.1.101.3.4.4.18")),
        ("an unknown algorithm", ASN1.algorithm("1.2.3.4")),
    ]

    @Test(
        "The engine refuses keys with unknown algorithms, except in a leaf under the plain profile",
        arguments: unknownRows)
    func unknown(name: String, algorithm: [UInt8]) throws {
        try expect(
            ASN1.publicKey(algorithm, [UInt8](repeating: 1, count: 57)), .keyAlgorithmUnsupported, name,
            plainLeaf: false)
    }

    @Test("The failure of an unsupported size of ML-DSA names the sizes that the crypto library has")
    func sizes() throws {
        func expected(_ algorithm: String) throws -> TrustFailure.Value? {
            let key = ASN1.publicKey(ASN1.algorithm(algorithm), [UInt8](repeating: 1, count: 1312))
            let root = try CraftedCertificate.authority().certificate()
            let leaf = try CraftedCertificate.leaf().with { $0.publicKey = key }.certificate()
            return try failures(leaf, anchors: [root], host: "www.example.com").first?.expected
        }
        #expect(
            try expected("2.16.840.1.101.3.4.3.17")
                == .text("ML-DSA-65 or ML-DSA-87, because the crypto library has no ML-DSA-44"))
        #expect(try expected("1.3.101.113") == .text("RSA, P-256, P-384, P-521, Ed25519, ML-DSA-65 or ML-DSA-87"))
    }

    private static func rsa(
        _ modulus: [UInt8], _ exponent: [UInt8] = ASN1.integer(65_537), parameters: [UInt8] = ASN1.null,
        trailer: [UInt8] = []
    ) -> [UInt8] {
        ASN1.publicKey(ASN1.algorithm(Algorithm.rsa + ".1", parameters), ASN1.sequence(modulus, exponent) + trailer)
    }

    /// An odd number of this many bits.
    private static func modulus(_ bits: Int) -> [UInt8] { ASN1.odd(bits: bits) }

    @Test("RSA keys must be 2048 to 8192 bits long")
    func rsaSizes() throws {
        for bits in [512, 1024, 1536, 2040, 2047] {
            try expect(Self.rsa(ASN1.unsigned(Self.modulus(bits))), .rsaKeyTooSmall, "\(bits)")
        }
        for bits in [8193, 8200, 16_384] {
            try expect(Self.rsa(ASN1.unsigned(Self.modulus(bits))), .rsaKeyTooLarge, "\(bits)")
        }
        for bits in [2048, 2049, 3072, 4096, 8192] {
            #expect(try codes(pair { $0.publicKey = Self.rsa(ASN1.unsigned(Self.modulus(bits))) }) == [])
        }
        let failure = try PKIXTests.failures(
            pair { $0.publicKey = Self.rsa(ASN1.unsigned(Self.modulus(2047))) }.leaf, anchors: [pair().root]
        ).first
        #expect(failure?.expected == .number(2048) && failure?.found == .number(2047))
    }

    @Test("The engine refuses a real 1024-bit key in every role")
    func rsa1024() throws {
        let weak = try SigningKey.rsa(FixedKeys.rsa1024)
        // The key is small, but nothing else is wrong with it.
        let found = try codes(pair(issuer: weak))
        #expect(found == [.rsaKeyTooSmall])
        #expect(try codes(pair(leafKey: weak)) == [.rsaKeyTooSmall])
        #expect(try codes(pair(leafKey: weak), policy: .plain) == [.rsaKeyTooSmall])
        let leaf = try pair(leafKey: weak).leaf
        #expect(try PKIXTests.codes(leaf, anchors: [leaf]) == [.rsaKeyTooSmall])
    }

    static let malformedRows: [(name: String, key: [UInt8])] = [
        ("RSA without parameters", rsa(ASN1.unsigned(modulus(2048)), parameters: [])),
        ("RSA with a sequence for parameters", rsa(ASN1.unsigned(modulus(2048)), parameters: ASN1.sequence())),
        ("a negative modulus", rsa(ASN1.value(0x02, [0x80] + [UInt8](repeating: 1, count: 255)))),
        ("a modulus of zero", rsa(ASN1.integer(0))),
        ("a padded modulus", rsa(ASN1.value(0x02, [0, 0] + modulus(2048)))),
        ("an exponent of zero", rsa(ASN1.unsigned(modulus(2048)), ASN1.integer(0))),
        ("a negative exponent", rsa(ASN1.unsigned(modulus(2048)), ASN1.value(0x02, [0xff]))),
        ("bytes after the numbers", rsa(ASN1.unsigned(modulus(2048)), trailer: [0])),
        (
            "a third number",
            ASN1.publicKey(
                ASN1.algorithm(Algorithm.rsa + ".1", ASN1.null),
                ASN1.sequence(ASN1.unsigned(modulus(2048)), ASN1.integer(3), ASN1.integer(3)))
        ),
        ("no numbers", ASN1.publicKey(ASN1.algorithm(Algorithm.rsa + ".1", ASN1.null), [])),
        ("Ed25519 of 31 bytes", ASN1.publicKey(ASN1.algorithm("1.3.101.112"), [UInt8](repeating: 1, count: 31))),
        ("Ed25519 of 33 bytes", ASN1.publicKey(ASN1.algorithm("1.3.101.112"), [UInt8](repeating: 1, count: 33))),
        (
            "Ed25519 with NULL",
            ASN1.publicKey(ASN1.algorithm("1.3.101.112", ASN1.null), [UInt8](repeating: 1, count: 32))
        ),
        (
            "ML-DSA-65 of 10 bytes",
            ASN1.publicKey(ASN1.algorithm("2.16.840.1.101.3.4.3.18"), [UInt8](repeating: 1, count: 10))
        ),
        (
            "ML-DSA-87 with the length of ML-DSA-65",
            ASN1.publicKey(ASN1.algorithm("2.16.840.1.101.3.4.3.19"), [UInt8](repeating: 1, count: 1952))
        ),
    ]

    @Test("The engine refuses a key whose form its algorithm's standard doesn't define", arguments: malformedRows)
    func malformed(name: String, key: [UInt8]) throws {
        try expect(key, .keyMalformed, name)
    }

    @Test("The failure for a malformed key contains the reason and the algorithm's name", arguments: malformedRows)
    func reasons(name: String, key: [UInt8]) throws {
        let leaf = try CraftedCertificate.leaf(issuer: ASN1.name("x")).with { $0.publicKey = key }
            .certificate(signedBy: SigningKey.shared)
        let failure = try #require(
            try PKIXTests.failures(leaf, anchors: [leaf]).first { $0.code == .keyMalformed }, "\(name)")
        guard case .text(let reason) = failure.found else { return #expect(Bool(false), "\(name)") }
        #expect(reason.utf8.count > 10 && reason.utf8.count < 256, "\(name)")
        #expect(!failure.message.contains("no 1.") && !failure.message.contains("no 2."), "\(failure.message)")
    }

    static let pointRows: [(name: String, bits: [UInt8])] = {
        let good = Array(SigningKey.shared.publicKey.suffix(65))
        var off = good
        off[64] ^= 1
        return [
            ("a point that isn't on the curve", off), ("a compressed point", [2 + good[64] % 2] + good[1..<33]),
            ("a hybrid point", [6 + good[64] % 2] + good[1...]), ("the point at infinity", [0]), ("nothing", []),
            ("a coordinate short", Array(good.dropLast())),
            ("one byte too many", good + [0]), ("zeros", [4] + [UInt8](repeating: 0, count: 64)),
            ("a point of P-384", Array(SigningKey.p384().publicKey.suffix(97))),
            ("coordinates over the field's prime", [4] + [UInt8](repeating: 0xff, count: 64)),
        ]
    }()

    @Test("An issuer's point must be uncompressed and on its curve", arguments: pointRows)
    func points(name: String, bits: [UInt8]) throws {
        let algorithm = ASN1.algorithm(Algorithm.ecKey, ASN1.oid("1.2.840.10045.3.1.7"))
        let key = SigningKey.shared.with(publicKey: ASN1.publicKey(algorithm, bits))
        let found = try PKIXTests.failures(pair(issuer: key).leaf, anchors: [pair(issuer: key).root])
        #expect(found.map(\.code) == [.keyMalformed], "\(name)")
        #expect(found.first?.certificate == 1)
    }

    @Test("An issuer's RSA key with an even modulus, an even exponent or an exponent of one is malformed")
    func evenNumbers() throws {
        var even = Self.modulus(2048)
        even[255] &= 0xfe
        for key in [
            Self.rsa(ASN1.unsigned(even)), Self.rsa(ASN1.unsigned(Self.modulus(2048)), ASN1.integer(2)),
            Self.rsa(ASN1.unsigned(Self.modulus(2048)), ASN1.integer(1)),
            Self.rsa(ASN1.unsigned(Self.modulus(2048)), ASN1.unsigned([UInt8](repeating: 0xff, count: 100))),
        ] {
            let root = try CraftedCertificate.authority().with { $0.publicKey = key }.certificate()
            let rsa = try SigningKey.rsa()
            let leaf = try CraftedCertificate.leaf().certificate(signedBy: rsa)
            #expect(try PKIXTests.codes(leaf, anchors: [root]) == [.keyMalformed])
        }
    }

    @Test("A key only for PSS is malformed if its modulus is even, and only too small if it has 1024 bits")
    func keysOnlyForPSS() throws {
        let even: [UInt8] = Self.modulus(2048).dropLast() + [0x5a]
        let rows: [(bits: [UInt8], code: TrustFailure.Code)] = [
            (even, .keyMalformed), (Self.modulus(1024), .rsaKeyTooSmall),
        ]
        for (modulus, code) in rows {
            let key = ASN1.rsaKey(modulus, isPSS: true)
            let signer = try SigningKey.rsa(isPSS: true)
            let leaf = try CraftedCertificate.leaf().certificate(signedBy: signer)
            let root = try CraftedCertificate.authority().with { $0.publicKey = key }.certificate()
            let found = try PKIXTests.failures(leaf, anchors: [root])
            #expect(found.map(\.code) == [code])
            #expect(found.first?.certificate == 1 && found.first?.role == .anchor)
        }
    }

    @Test("An exponent of one never makes a signature valid")
    func unitExponent() throws {
        // With e = 1, the padded digest itself would be the signature.
        let digestInfo = ASN1.sequence(ASN1.algorithm(ASN1.sha256, ASN1.null))
        let key = SigningKey(
            publicKey: Self.rsa(ASN1.unsigned(Self.modulus(2048)), ASN1.integer(1)),
            algorithm: ASN1.algorithm(Algorithm.rsa + ".11", ASN1.null)
        ) { message in
            let info = ASN1.sequence(Array(digestInfo.dropFirst(2)), ASN1.octets([UInt8](SHA256.hash(data: message))))
            return [0, 1] + [UInt8](repeating: 0xff, count: 256 - 3 - info.count) + [0] + info
        }
        #expect(try !codes(pair(issuer: key)).isEmpty)
    }
}
