// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Testing

@testable import PKIX

@Suite("Keys that verify")
struct VerificationKeyTests {
    private static func certificate(_ publicKey: [UInt8]) throws -> Certificate {
        try CraftedCertificate.leaf().with { $0.publicKey = publicKey }.unsigned()
    }

    // MARK: Cost

    /// The costs of ``ValidationBudget/signatures``. RSA's cost grows with the square of the modulus' size, and doubles
    /// for an exponent over three bytes.
    static let costs: [(name: String, make: @Sendable () throws -> [UInt8], cost: Int)] = [
        ("P-256", { SigningKey.p256().publicKey }, 1), ("P-384", { SigningKey.p384().publicKey }, 10),
        ("P-521", { SigningKey.p521().publicKey }, 20), ("Ed25519", { SigningKey.ed25519().publicKey }, 2),
        ("RSA-2048", { ASN1.rsaKey(ASN1.odd(bits: 2048)) }, 1), ("RSA-2049", { ASN1.rsaKey(ASN1.odd(bits: 2049)) }, 4),
        ("RSA-4096", { ASN1.rsaKey(ASN1.odd(bits: 4096)) }, 4), ("RSA-4097", { ASN1.rsaKey(ASN1.odd(bits: 4097)) }, 9),
        ("RSA-8192", { ASN1.rsaKey(ASN1.odd(bits: 8192)) }, 16),
        ("exponent 3", { ASN1.rsaKey(ASN1.odd(bits: 2048), [3]) }, 1),
        ("an exponent of four bytes", { ASN1.rsaKey(ASN1.odd(bits: 2048), [1, 0, 0, 1]) }, 2),
        ("RSA-4096, an exponent of four bytes", { ASN1.rsaKey(ASN1.odd(bits: 4096), [1, 0, 0, 1]) }, 8),
        ("RSA only for PSS", { ASN1.rsaKey(ASN1.odd(bits: 3072), isPSS: true) }, 4),
    ]

    @Test("A verification costs as many units as the budget documents", arguments: costs)
    func cost(name: String, make: @Sendable () throws -> [UInt8], cost: Int) throws {
        #expect(try Self.certificate(make()).makeVerificationKey()?.cost == cost)
    }

    // MARK: ECDSA

    /// A key on a curve, which signs a digest. The signature is r and s.
    private struct CurveKey {
        let publicKey: [UInt8]
        let sign: (any Digest) throws -> [UInt8]
    }

    private static func curveKeys() -> [CurveKey] {
        let (p256, p384, p521) = (P256.Signing.PrivateKey(), P384.Signing.PrivateKey(), P521.Signing.PrivateKey())
        return [
            CurveKey(publicKey: [UInt8](p256.publicKey.derRepresentation)) {
                [UInt8](try p256.signature(for: $0).rawRepresentation)
            },
            CurveKey(publicKey: [UInt8](p384.publicKey.derRepresentation)) {
                [UInt8](try p384.signature(for: $0).rawRepresentation)
            },
            CurveKey(publicKey: [UInt8](p521.publicKey.derRepresentation)) {
                [UInt8](try p521.signature(for: $0).rawRepresentation)
            },
        ]
    }

    private static let message = Array("a message".utf8)

    /// Whether the key verifies the signature over ``message``: with SHA-256, with SHA-1, and by the digest.
    private static func results(_ key: VerificationKey, _ signature: [UInt8]) -> [Bool] {
        let bytes = (message + signature)[...]
        let (over, at) = (ByteRange(0, message.count), ByteRange(message.count, bytes.count))
        return [
            key.isValid(at, over: over, of: bytes.span, scheme: .ecdsa(.sha256)),
            key.insecurelyIsValid(at, over: over, of: bytes.span, scheme: .ecdsa),
            key.isValid(signature, for: SHA256.hash(data: message)),
        ]
    }

    @Test("An ECDSA signature is a sequence of two positive numbers in their shortest form, and nothing else")
    func encodings() throws {
        for (index, curve) in Self.curveKeys().enumerated() {
            let key = try #require(try Self.certificate(curve.publicKey).makeVerificationKey())
            let hashes: [any Digest] = [
                SHA256.hash(data: Self.message), Insecure.SHA1.hash(data: Self.message),
                SHA256.hash(data: Self.message),
            ]
            for (way, hash) in hashes.enumerated() {
                let raw = try curve.sign(hash)
                let (r, s) = (Array(raw[..<(raw.count / 2)]), Array(raw[(raw.count / 2)...]))
                let good = ASN1.sequence(ASN1.unsigned(r), ASN1.unsigned(s))
                // Only P-256 verifies a digest alone.
                #expect(Self.results(key, good)[way] == (way < 2 || index == 0), "\(index), \(way)")
                let long = ASN1.value(0x02, [1] + [UInt8](repeating: 0, count: r.count))
                let rows: [[UInt8]] = [
                    [], raw, ASN1.set([ASN1.unsigned(r), ASN1.unsigned(s)]), good + [0], Array(good.dropLast()),
                    ASN1.sequence(ASN1.unsigned(r)), ASN1.sequence(ASN1.unsigned(r), ASN1.unsigned(s), ASN1.integer(1)),
                    ASN1.sequence(ASN1.integer(0), ASN1.unsigned(s)), ASN1.sequence(ASN1.unsigned(r), ASN1.integer(0)),
                    ASN1.sequence(long, ASN1.unsigned(s)), ASN1.sequence(ASN1.unsigned(r), long),
                    ASN1.sequence(ASN1.octets(r), ASN1.unsigned(s)),
                    ASN1.sequence(ASN1.unsigned(s), ASN1.unsigned(r)),
                ]
                for (row, signature) in rows.enumerated() {
                    #expect(!Self.results(key, signature)[way], "\(index), \(way), \(row)")
                }
            }
        }
    }

    @Test("A number of a signature with a superfluous zero, or without its necessary zero, isn't valid")
    func shortestForms() throws {
        let curve = Self.curveKeys()[0]
        let key = try #require(try Self.certificate(curve.publicKey).makeVerificationKey())
        func isValid(_ r: [UInt8], _ s: [UInt8]) -> Bool {
            Self.results(key, ASN1.sequence(ASN1.value(0x02, r), ASN1.value(0x02, s)))[0]
        }
        // About one signature in 256 has an r whose first byte is 0x80, the smallest that needs a zero before it.
        var (hasPadded, hasNegative) = (false, false)
        for _ in 0..<20_000 where !hasPadded || !hasNegative {
            let raw = try curve.sign(SHA256.hash(data: Self.message))
            let (r, s) = (Array(raw[..<32]), Array(raw[32...]))
            let other = Array(ASN1.unsigned(s)[2...])
            if r[0] > 0, r[0] < 0x80 {
                hasPadded = true
                #expect(isValid(r, other) && !isValid([0] + r, other))
            } else if r[0] == 0x80 {
                hasNegative = true
                #expect(isValid([0] + r, other) && !isValid(r, other))
            }
        }
        #expect(hasPadded && hasNegative)
    }

    @Test("A signature whose numbers have one byte each is valid")
    func smallNumbers() throws {
        // The key is (R - eG) / 5, where R is the point with x = 5. So r is 5 and s is 1 for this message.
        let point =
            "04066b2a641503114b138bcfa2b799856b08ddf86b60ae9b0a48d457e85cb44cd8"
            + "45e2358f7cfa431774d5f1f813576a2ff7f39266d8ab088b6944e767cae1644c"
        let message = Array("one byte each".utf8)
        let algorithm = ASN1.algorithm("1.2.840.10045.2.1", ASN1.oid("1.2.840.10045.3.1.7"))
        let publicKey = ASN1.publicKey(algorithm, try #require(Hex.decode(point)))
        let key = try #require(try Self.certificate(publicKey).makeVerificationKey())
        for (r, s, isValid) in [(5, 1, true), (5, 2, false), (1, 5, false), (6, 1, false)] {
            let bytes = (message + ASN1.sequence(ASN1.integer(r), ASN1.integer(s)))[...]
            let found = key.isValid(
                ByteRange(message.count, bytes.count), over: ByteRange(0, message.count), of: bytes.span,
                scheme: .ecdsa(.sha256))
            #expect(found == isValid, "\(r), \(s)")
        }
    }

    // MARK: Other algorithms

    @Test("An Ed25519 signature has 64 bytes")
    func ed25519() throws {
        let signing = SigningKey.ed25519()
        let key = try #require(try Self.certificate(signing.publicKey).makeVerificationKey())
        let signature = try signing.sign(Self.message)
        for (signature, isValid) in [
            (signature, true), (Array(signature.dropLast()), false), (signature + [0], false), ([], false),
        ] {
            let bytes = (Self.message + signature)[...]
            let found = key.isValid(
                ByteRange(Self.message.count, bytes.count), over: ByteRange(0, Self.message.count), of: bytes.span,
                scheme: .ed25519)
            #expect(found == isValid, "\(signature.count)")
        }
    }

    @Test("ML-DSA-87 keys have 2592 bytes and verify only their own signatures")
    func mldsa87() throws {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        let signing = try SigningKey.mldsa87()
        #expect(try Self.certificate(signing.publicKey).makeVerificationKey()?.cost == 6)
        #expect(try Self.certificate(SigningKey.mldsa65().publicKey).makeVerificationKey()?.cost == 4)
        let root = try CraftedCertificate.authority(key: signing).certificate(signedBy: signing)
        let leaf = try CraftedCertificate.leaf(key: signing).certificate(signedBy: signing)
        #expect(try codes(leaf, anchors: [root]) == [])
        let forged = try CraftedCertificate.leaf().certificate(signedBy: .mldsa87())
        #expect(try codes(forged, anchors: [root]) == [.signatureInvalid])
        let bits = Array(signing.publicKey.suffix(2592))
        for (bits, isGood) in [(bits, true), (Array(bits.dropLast()), false), (bits + [0], false)] {
            for (parameters, hasParameters) in [([], false), (ASN1.null, true)] {
                let algorithm = ASN1.algorithm("2.16.840.1.101.3.4.3.19", parameters)
                let leaf = try CraftedCertificate.leaf().with { $0.publicKey = ASN1.publicKey(algorithm, bits) }
                    .certificate(signedBy: signing)
                let expected: [TrustFailure.Code] = isGood && !hasParameters ? [] : [.keyMalformed]
                #expect(try codes(leaf, anchors: [root]) == expected, "\(bits.count), \(hasParameters)")
            }
        }
    }

    // MARK: SHA-1

    /// A key, the SHA-1 schemes that fit it, and its signatures.
    private struct EvidenceSigner {
        let name: String
        let publicKey: [UInt8]
        let schemes: Set<SHA1Scheme>
        let sign: ([UInt8], SHA1Scheme) throws -> [UInt8]
    }

    private static func signers() throws -> [EvidenceSigner] {
        var signers = curveKeys().map { key in
            EvidenceSigner(name: "ECDSA", publicKey: key.publicKey, schemes: [.ecdsa]) { message, _ in
                let raw = try key.sign(Insecure.SHA1.hash(data: message))
                let half = raw.count / 2
                return ASN1.sequence(ASN1.unsigned(Array(raw[..<half])), ASN1.unsigned(Array(raw[half...])))
            }
        }
        let edwards = SigningKey.ed25519()
        signers.append(
            EvidenceSigner(name: "Ed25519", publicKey: edwards.publicKey, schemes: []) { message, _ in
                try edwards.sign(message)
            })
        for pem in [FixedKeys.rsa2048, FixedKeys.rsa1024] {
            let key = try _RSA.Signing.PrivateKey(unsafePEMRepresentation: pem)
            let plain = [UInt8](key.publicKey.derRepresentation)
            // The RSAPublicKey of 1024 bits has 140 bytes.
            let isSmall = pem == FixedKeys.rsa1024
            let bits = isSmall ? Array(plain.suffix(140)) : try SubjectPublicKeyInfoTests.bits(of: plain)
            let sha256 = ASN1.pssParameters(hash: ASN1.sha256, maskHash: ASN1.sha256, salt: 32)
            let rows: [([UInt8]?, Set<SHA1Scheme>)] = [(nil, [.rsaPKCS1, .rsaPSS]), ([], [.rsaPSS]), (sha256, [])]
            for (parameters, schemes) in rows {
                let algorithm = parameters.map { ASN1.algorithm("1.2.840.113549.1.1.10", $0) }
                signers.append(
                    EvidenceSigner(
                        name: "RSA", publicKey: algorithm.map { ASN1.publicKey($0, bits) } ?? plain, schemes: schemes
                    ) { message, scheme in
                        let padding: _RSA.Signing.Padding = scheme == .rsaPSS ? .PSS : .insecurePKCS1v1_5
                        return [UInt8](
                            try key.signature(for: Insecure.SHA1.hash(data: message), padding: padding)
                                .rawRepresentation)
                    })
            }
        }
        return signers
    }

    @Test("A key verifies exactly the SHA-1 schemes of its kind, over the signed bytes only")
    func sha1() throws {
        for (index, signer) in try Self.signers().enumerated() {
            let key = try #require(try EvidenceKey(Self.certificate(signer.publicKey)), "\(signer.name), \(index)").key
            for scheme in [SHA1Scheme.rsaPKCS1, .rsaPSS, .ecdsa] {
                let signature = try signer.sign(Self.message, scheme)
                let fits = signer.schemes.contains(scheme)
                #expect(key.fits(scheme) == fits, "\(signer.name), \(index), \(scheme)")
                for (message, isSigned) in [(Self.message, true), (Self.message + [0], false)] {
                    let bytes = (message + signature)[...]
                    let found = key.insecurelyIsValid(
                        ByteRange(message.count, bytes.count), over: ByteRange(0, message.count), of: bytes.span,
                        scheme: scheme)
                    #expect(found == (fits && isSigned), "\(signer.name), \(index), \(scheme)")
                }
            }
        }
    }
}
