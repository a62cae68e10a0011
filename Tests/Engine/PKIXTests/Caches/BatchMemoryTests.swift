// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

@Suite("Signature cache for batches")
struct BatchMemoryTests {
    /// The results without their object identities.
    private struct Outcome: Equatable {
        let path: [Certificate]
        let failures: [[TrustFailure]]

        init(_ validation: PathValidation) {
            path = validation.path?.certificates ?? []
            failures = (validation.rejection?.paths ?? []).map(\.failures)
        }
    }

    private func evaluate(
        _ leaf: Certificate, _ others: [Certificate], anchors: [Certificate], memory: SignatureMemory?,
        budget: ValidationBudget = ValidationBudget(), at time: Time = TestAuthority.now
    ) throws -> Outcome {
        Outcome(
            try validate(
                leaf, others, anchors: anchors, policy: ValidationPolicy(budget: budget), at: time, memory: memory))
    }

    @Test("The cache remembers a leaf and its intermediate once, the leaf by its digest")
    func remembers() throws {
        let chain = try TestChain()
        let leaf = try chain.leaf()
        let memory = SignatureMemory.forBatch()
        for _ in 0..<3 {
            let outcome = try evaluate(
                leaf, [chain.intermediate.certificate], anchors: [chain.root.certificate], memory: memory)
            #expect(outcome.path.count == 3)
        }
        #expect(memory.count == 2)
        #expect(memory.hasLeaf(leaf, signedBy: chain.intermediate.certificate))
        #expect(memory.entry(for: leaf, signedBy: chain.intermediate.certificate) == nil)
        #expect(memory.entry(for: chain.intermediate.certificate, signedBy: chain.root.certificate) != nil)
        memory.removeAll()
        #expect(memory.count == 0)
        #expect(!memory.hasLeaf(leaf, signedBy: chain.intermediate.certificate))
    }

    @Test("A cache entry covers one leaf under one key, not other bytes or another issuer")
    func exactLeaf() throws {
        let key = SigningKey.p256()
        let issuer = try CraftedCertificate.authority(key: key).certificate()
        let sameKey = try CraftedCertificate.authority(ASN1.name("Other"), key: key).certificate()
        let sameName = try CraftedCertificate.authority(key: .p256()).certificate()
        let leaf = try CraftedCertificate.leaf().certificate(signedBy: key)
        let memory = SignatureMemory.forBatch(leafCapacity: 64)
        #expect(try evaluate(leaf, [], anchors: [issuer], memory: memory).path.count == 2)
        #expect(memory.hasLeaf(leaf, signedBy: issuer))
        #expect(memory.hasLeaf(leaf, signedBy: sameKey))
        #expect(!memory.hasLeaf(leaf, signedBy: sameName))
        #expect(try evaluate(leaf, [], anchors: [sameName], memory: memory).path.isEmpty)
        for index in leaf.der.indices {
            var altered = leaf.der
            altered[index] ^= 1
            guard let forged = try? Certificate(der: altered) else { continue }
            #expect(!memory.hasLeaf(forged, signedBy: issuer))
            #expect(try evaluate(forged, [], anchors: [issuer], memory: memory).path.isEmpty)
        }
    }

    @Test("The cache never remembers a wrong signature, but remembers a correct one from a rejected path")
    func rejectedPaths() throws {
        let chain = try TestChain()
        let memory = SignatureMemory.forBatch()
        let expired = try chain.leaf(.leaf("a.example").with { $0.notAfter = TestAuthority.now.advanced(by: -1) })
        let rejected = try evaluate(
            expired, [chain.intermediate.certificate], anchors: [chain.root.certificate], memory: memory)
        #expect(rejected.failures.first?.map(\.code) == [.certificateExpired])
        #expect(memory.hasLeaf(expired, signedBy: chain.intermediate.certificate))
        #expect(memory.entry(for: chain.intermediate.certificate, signedBy: chain.root.certificate) != nil)
        // The entry doesn't make the path valid: the engine checks the date each time.
        let again = try evaluate(
            expired, [chain.intermediate.certificate], anchors: [chain.root.certificate], memory: memory)
        #expect(again == rejected)

        // A leaf that names the CA as its issuer but is signed by another key.
        let impostor = try TestChain()
        let forged = try impostor.leaf()
        let count = memory.count
        for _ in 0..<2 {
            let outcome = try evaluate(
                forged, [chain.intermediate.certificate], anchors: [chain.root.certificate], memory: memory)
            #expect(outcome.path.isEmpty)
            #expect(outcome.failures.first?.contains { $0.code == .signatureInvalid } == true)
        }
        #expect(memory.count == count)
        #expect(!memory.hasLeaf(forged, signedBy: chain.intermediate.certificate))
    }

    @Test("The cache doesn't remember a leaf over 16 KB")
    func largeLeaf() throws {
        let root = try CraftedCertificate.authority().certificate()
        let leaf = try CraftedCertificate.leaf().with {
            $0.extensions?.append(Extension.unknown(critical: false, [UInt8](repeating: 0, count: 17_000)).encoded)
        }.certificate()
        let memory = SignatureMemory.forBatch(leafCapacity: 64)
        for _ in 0..<2 { #expect(try evaluate(leaf, [], anchors: [root], memory: memory).path.count == 2) }
        #expect(memory.count == 0)
    }

    @Test("The cache keeps no more leaves than its capacity, and no leaf evicts an intermediate")
    func bounded() throws {
        let chain = try TestChain()
        let memory = SignatureMemory.forBatch(leafCapacity: 64)
        _ = try evaluate(
            try chain.leaf(), [chain.intermediate.certificate], anchors: [chain.root.certificate], memory: memory)
        for index in 0..<400 {
            let leaf = try CraftedCertificate.leaf().with { $0.serialNumber = ASN1.integer(index) }.certificate()
            memory.rememberLeaf(leaf, signedBy: chain.intermediate.certificate)
            #expect(memory.count <= 65)
            #expect(memory.hasLeaf(leaf, signedBy: chain.intermediate.certificate))
        }
        #expect(memory.count > 32)
        #expect(memory.entry(for: chain.intermediate.certificate, signedBy: chain.root.certificate) != nil)
    }

    @Test("Every budget runs out at the same point, no matter what was evaluated earlier")
    func answersDependOnNothingBefore() throws {
        // A CA whose key costs ten units, and a CA with two certificates, one of them expired.
        let root = try TestAuthority.root()
        let costly = try root.intermediate(.authority("Costly CA"), key: .p384())
        let lower = try costly.intermediate(.authority("Lower CA"))
        let expired = try costly.intermediate(
            .authority("Lower CA").with { $0.notAfter = TestAuthority.now.advanced(by: -1) }, key: lower.key)
        let leaf = try lower.issue(.leaf("www.example.com")).certificate
        let old = try lower.issue(.leaf("b.example").with { $0.notAfter = TestAuthority.now.advanced(by: -1) })
            .certificate
        let stranger = try TestAuthority.root().issue(.leaf("c.example")).certificate
        let others = [expired, lower, costly].map(\.certificate)
        let anchors = [root.certificate]
        let leaves = [leaf, old, stranger]

        let warm = SignatureMemory.forBatch(leafCapacity: 64)
        // A cache that makes remembered signatures free. It shows that these chains and budgets reveal the difference.
        let ordinary = SignatureMemory()
        for leaf in leaves {
            _ = try evaluate(leaf, others, anchors: anchors, memory: warm)
            _ = try evaluate(leaf, others, anchors: anchors, memory: ordinary)
        }
        let needed = warm.count
        #expect(needed >= 4)
        var codes: Set<TrustFailure.Code> = []
        var accepted = 0
        var ordinaryDiffers = 0
        let budgets =
            (0...25).map { ValidationBudget(signatures: $0) }
            + stride(from: 0, through: 120_000, by: 251).map { ValidationBudget(work: $0) }
            + (0...12).map { ValidationBudget(steps: $0) }
        for budget in budgets {
            for leaf in leaves {
                let cold = try evaluate(
                    leaf, others, anchors: anchors, memory: .forBatch(leafCapacity: 64), budget: budget)
                let remembered = try evaluate(leaf, others, anchors: anchors, memory: warm, budget: budget)
                #expect(cold == remembered, "\(budget)")
                // Only for the signature budget: in a batch, hashing costs work too.
                if budget.work == ValidationBudget().work,
                    try evaluate(leaf, others, anchors: anchors, memory: ordinary, budget: budget) != cold
                {
                    ordinaryDiffers += 1
                }
                codes.formUnion(cold.failures.flatMap { $0 }.map(\.code))
                if !cold.path.isEmpty { accepted += 1 }
            }
        }
        #expect(warm.count == needed)
        #expect(codes.isSuperset(of: [.signatureBudgetExceeded, .workBudgetExceeded, .stepBudgetExceeded]))
        #expect(accepted > 0)
        #expect(accepted < budgets.count)
        #expect(ordinaryDiffers > 0)
    }

    @Test("Eight tasks that share a batch's cache all get the correct results")
    func concurrency() async throws {
        let memory = SignatureMemory.forBatch(leafCapacity: 64)
        let root = try TestAuthority.root()
        let intermediate = try root.intermediate(.authority("CA"))
        let leaves = try (0..<80).map { try intermediate.issue(.leaf("host\($0).example.com")).certificate }
        // The altered twin of each leaf has the same signature.
        let forged = try leaves.map { leaf in
            var der = leaf.der
            let index = try #require(der.indices.first { der[$0...].starts(with: Array("host".utf8)) })
            der[index] ^= 0x01
            return try Certificate(der: der)
        }
        let validator = PathValidator(anchors: AnchorStore([root.certificate]), memory: memory)
        let others = [intermediate.certificate]
        let wrong = await withTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask {
                    var wrong = 0
                    for round in 0..<160 {
                        let index = (round * 7 + task * 5) % leaves.count
                        for (leaf, expected) in [(leaves[index], true), (forged[index], false)]
                        where validator.validate(leaf, intermediates: others, host: nil, at: TestAuthority.now).isValid
                            != expected
                        {
                            wrong += 1
                        }
                    }
                    return wrong
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }
}
