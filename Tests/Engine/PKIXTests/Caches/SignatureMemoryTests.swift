// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

@Suite("Signature cache")
struct SignatureMemoryTests {
    private func validate(
        _ leaf: Certificate, _ others: [Certificate] = [], anchors: [Certificate], memory: SignatureMemory,
        policy: ValidationPolicy = ValidationPolicy(), at time: Time = TestAuthority.now
    ) -> PathValidation {
        PathValidator(anchors: AnchorStore(anchors), policy: policy, memory: memory).validate(
            leaf, intermediates: others, host: nil, at: time)
    }

    @Test("The cache remembers each signature of a valid path once")
    func remembers() throws {
        let chain = try TestChain()
        let leaf = try chain.leaf()
        let memory = SignatureMemory()
        #expect(memory.count == 0)
        for _ in 0..<5 {
            #expect(
                validate(leaf, [chain.intermediate.certificate], anchors: [chain.root.certificate], memory: memory)
                    .isValid)
        }
        #expect(memory.count == 2)
        #expect(memory.entry(for: leaf, signedBy: chain.intermediate.certificate) != nil)
        #expect(memory.entry(for: chain.intermediate.certificate, signedBy: chain.root.certificate) != nil)
        memory.removeAll()
        #expect(memory.count == 0)
        #expect(memory.entry(for: leaf, signedBy: chain.intermediate.certificate) == nil)
    }

    @Test("A cache without leaves remembers only intermediates")
    func withoutLeaves() throws {
        let chain = try TestChain()
        let leaf = try chain.leaf()
        let memory = SignatureMemory(includesLeaves: false)
        #expect(
            validate(leaf, [chain.intermediate.certificate], anchors: [chain.root.certificate], memory: memory).isValid)
        #expect(memory.count == 1)
        #expect(memory.entry(for: leaf, signedBy: chain.intermediate.certificate) == nil)
    }

    @Test("A rejected path adds no entry to the cache")
    func rejected() throws {
        let chain = try TestChain()
        let memory = SignatureMemory()
        let expired = try chain.leaf(.leaf("a.example").with { $0.notAfter = TestAuthority.now.advanced(by: -1) })
        #expect(
            !validate(expired, [chain.intermediate.certificate], anchors: [chain.root.certificate], memory: memory)
                .isValid)
        let unrelated = try TestChain()
        #expect(
            !validate(
                try unrelated.leaf(), [chain.intermediate.certificate], anchors: [chain.root.certificate],
                memory: memory
            ).isValid)
        let outcome = PathValidator(anchors: AnchorStore([chain.root.certificate]), memory: memory).validate(
            try chain.leaf(), intermediates: [chain.intermediate.certificate], host: nil, at: TestAuthority.now,
            additionalChecks: { _ in [TrustFailure(.hostMismatch)] })
        #expect(!outcome.isValid)
        #expect(memory.count == 0)
    }

    @Test("The cache never exceeds its capacity, however many signatures it remembers")
    func bounded() throws {
        let root = try CraftedCertificate.authority().certificate()
        let memory = SignatureMemory(capacity: 64)
        #expect(memory.capacity == 64)
        for index in 0..<400 {
            let leaf = try CraftedCertificate.leaf().with { $0.serialNumber = ASN1.integer(index) }.certificate()
            memory.remember(leaf, signedBy: root, key: PreparedKey())
            #expect(memory.count <= memory.capacity)
            #expect(memory.entry(for: leaf, signedBy: root) != nil)
        }
        #expect(memory.count > 32)
    }

    @Test(
        "The cache rounds its capacity up to a multiple of 64",
        arguments: [(0, 64), (1, 64), (64, 64), (65, 128), (1024, 1024), (-5, 64), (.min, 64)] as [(Int, Int)])
    func capacity(asked: Int, given: Int) {
        #expect(SignatureMemory(capacity: asked).capacity == given)
    }

    @Test("An entry covers exactly one certificate and one key, byte for byte")
    func exact() throws {
        let key = SigningKey.p256()
        let other = SigningKey.p256()
        let issuer = try CraftedCertificate.authority(key: key).certificate()
        // Another certificate with the same key is the same issuer. The same name with another key isn't.
        let sameKey = try CraftedCertificate.authority(ASN1.name("Other"), key: key).certificate()
        let sameName = try CraftedCertificate.authority(key: other).certificate()
        let leaf = try CraftedCertificate.leaf().certificate(signedBy: key)
        let memory = SignatureMemory()
        memory.remember(leaf, signedBy: issuer, key: PreparedKey())
        #expect(memory.entry(for: leaf, signedBy: issuer) != nil)
        #expect(memory.entry(for: leaf, signedBy: sameKey) != nil)
        #expect(memory.entry(for: leaf, signedBy: sameName) == nil)
        #expect(memory.entry(for: try CraftedCertificate.leaf().certificate(signedBy: key), signedBy: issuer) == nil)
        // The same signature on another signed part: it maps to the same slot of the cache.
        for index in stride(from: 8, to: leaf.der.count - leaf.signature.count - 20, by: 5) {
            var altered = leaf.der
            altered[index] ^= 1
            guard let forged = try? Certificate(der: altered) else { continue }
            #expect(memory.entry(for: forged, signedBy: issuer) == nil)
            #expect(forged.signature == leaf.signature)
            #expect(!validate(forged, anchors: [issuer], memory: memory).isValid)
        }
    }

    @Test("The engine verifies a certificate over 16 KB but doesn't remember it")
    func large() throws {
        let root = try CraftedCertificate.authority().certificate()
        let memory = SignatureMemory()
        let leaf = try CraftedCertificate.leaf().with {
            $0.extensions?.append(Extension.unknown(critical: false, [UInt8](repeating: 0, count: 17_000)).encoded)
        }.certificate()
        for _ in 0..<2 { #expect(validate(leaf, anchors: [root], memory: memory).isValid) }
        #expect(memory.count == 0)
    }

    @Test("No cache remembers a pair if the certificate or its issuer has more than 16 KB")
    func largePairs() throws {
        func padded(_ certificate: CraftedCertificate, _ size: Int) throws -> Certificate {
            func made(_ count: Int) throws -> Certificate {
                try certificate.with {
                    $0.extensions?.append(
                        Extension.unknown(critical: false, [UInt8](repeating: 0, count: count)).encoded)
                }.unsigned()
            }
            return try made(15_000 + size - made(15_000).der.count)
        }
        let leaves = try [16_384, 16_385].map { try padded(.leaf(), $0) }
        let issuers = try [16_384, 16_385].map { try padded(.authority(), $0) }
        for (leaf, isSmallLeaf) in zip(leaves, [true, false]) {
            for (issuer, isSmallIssuer) in zip(issuers, [true, false]) {
                let isKept = isSmallLeaf && isSmallIssuer
                let (memory, batch) = (SignatureMemory(), SignatureMemory.forBatch(leafCapacity: 64))
                memory.remember(leaf, signedBy: issuer, key: PreparedKey())
                #expect((memory.entry(for: leaf, signedBy: issuer) != nil) == isKept)
                batch.rememberLeaf(leaf, signedBy: issuer)
                #expect(memory.count == (isKept ? 1 : 0) && batch.count == (isKept ? 1 : 0))
                #expect(batch.hasLeaf(leaf, signedBy: issuer) == isKept)
                let size = leaf.der.count + issuer.subjectPublicKeyInfo.der.count
                #expect(batch.hashedSize(of: leaf, signedBy: issuer) == (isKept ? size : nil))
                #expect(memory.hashedSize(of: leaf, signedBy: issuer) == nil)
            }
        }
    }

    @Test("A signature remembered under one policy or store makes nothing valid under another")
    func otherPolicies() throws {
        let chain = try TestChain(intermediate: .authority("CA").with { $0.maximumPathLength = 0 })
        let leaf = try chain.leaf()
        let memory = SignatureMemory()
        let others = [chain.intermediate.certificate]
        #expect(validate(leaf, others, anchors: [chain.root.certificate], memory: memory).isValid)
        #expect(!validate(leaf, others, anchors: [], memory: memory).isValid)
        #expect(!validate(leaf, others, anchors: [try TestAuthority.root().certificate], memory: memory).isValid)
        #expect(
            !validate(
                leaf, others, anchors: [chain.root.certificate], memory: memory,
                policy: ValidationPolicy(purpose: .clientAuth)
            )
            .isValid)
        #expect(
            !validate(
                leaf, others, anchors: [chain.root.certificate], memory: memory,
                policy: ValidationPolicy(maximumIntermediates: 0)
            )
            .isValid)
        #expect(
            !validate(
                leaf, others, anchors: [chain.root.certificate], memory: memory,
                at: TestAuthority.notAfter.advanced(by: 1)
            ).isValid)
        // A root with the same name and another key.
        let impostor = try TestAuthority.root().certificate
        #expect(impostor.subject == chain.root.certificate.subject)
        let found = validate(leaf, others, anchors: [impostor], memory: memory)
        #expect(found.codes == [.signatureInvalid])
    }

    @Test("A remembered chain uses none of the signature budget, but an unknown chain does")
    func budget() throws {
        let chain = try TestChain()
        let leaf = try chain.leaf()
        let memory = SignatureMemory()
        let others = [chain.intermediate.certificate]
        let none = ValidationPolicy(budget: ValidationBudget(signatures: 0))
        #expect(
            validate(leaf, others, anchors: [chain.root.certificate], memory: memory, policy: none).codes
                == [.signatureBudgetExceeded])
        #expect(validate(leaf, others, anchors: [chain.root.certificate], memory: memory).isValid)
        #expect(validate(leaf, others, anchors: [chain.root.certificate], memory: memory, policy: none).isValid)
    }

    @Test("Eight tasks that share a cache and a store all get the correct results")
    func concurrency() async throws {
        let memory = SignatureMemory(capacity: 64)
        let root = try TestAuthority.root()
        let intermediates = try (0..<4).map { try root.intermediate(.authority("CA \($0)")) }
        let leaves = try (0..<40).map { try intermediates[$0 % 4].issue(.leaf("host\($0).example.com")).certificate }
        let certificates = intermediates.map(\.certificate)
        // The altered twin of each leaf has the same signature, so it maps to the same slot of the cache.
        let forged = try leaves.map { leaf in
            var der = leaf.der
            let index = try #require(der.indices.first { der[$0...].starts(with: Array("host".utf8)) })
            der[index] ^= 0x01
            return try Certificate(der: der)
        }
        let store = AnchorStore([root.certificate])
        let wrong = await withTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask {
                    let validator = PathValidator(anchors: store, memory: memory)
                    var wrong = 0
                    for round in 0..<120 {
                        let index = (round * 7 + task * 5) % leaves.count
                        if !validator.validate(
                            leaves[index], intermediates: certificates, host: nil, at: TestAuthority.now
                        ).isValid {
                            wrong += 1
                        }
                        if validator.validate(
                            forged[index], intermediates: certificates, host: nil, at: TestAuthority.now
                        ).isValid {
                            wrong += 1
                        }
                        if round % 50 == 49 { memory.removeAll() }
                    }
                    return wrong
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wrong == 0)
        #expect(memory.count <= memory.capacity)
    }
}
