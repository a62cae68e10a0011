// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

/// The growth that Documentation/Generated/Scaling.md states, in the meter's units. Compares the charges for a size
/// with those for twice that size. No test here measures time.
@Suite("Growth of a validation's work")
struct GrowthTests {
    private struct Charges: Equatable {
        let signatures: Int
        let steps: Int
        let comparisons: Int
        let work: Int

        init(_ meter: WorkMeter) {
            (signatures, steps) = (meter.signatures, meter.steps)
            (comparisons, work) = (meter.comparisons, meter.work)
        }
    }

    private func charges(
        _ chain: [Certificate], anchors: [Certificate], host: String = "www.example.com"
    ) throws -> Charges {
        let leaf = try #require(chain.first)
        let (validation, meter) = PathValidator(anchors: AnchorStore(anchors), memory: nil).measured(
            leaf, presented: Array(chain.dropFirst()), host: try Hostname(host), at: TestAuthority.now)
        #expect(validation.isValid)
        return Charges(meter)
    }

    @Test("Anchors, constant: with twice as many anchors, a validation charges the same")
    func anchors() throws {
        let chain = try TestChain()
        let presented = [try chain.leaf(), chain.intermediate.certificate]
        let others = try (0..<399).map { try CraftedCertificate.authority(ASN1.name("Root \($0)")).unsigned() }
        let one = try charges(presented, anchors: [chain.root.certificate])
        for count in [200, 400] {
            #expect(try charges(presented, anchors: others.prefix(count - 1) + [chain.root.certificate]) == one)
        }
    }

    @Test(
        "Certificates, n: a chain charges a signature for each certificate below its root, and twice the work for twice as many additional certificates"
    )
    func certificates() throws {
        let root = try TestAuthority.root()
        /// The charges for a chain with this many signatures.
        func charges(_ signatures: Int) throws -> Charges {
            var authority = root
            for index in 1..<signatures { authority = try authority.intermediate(.authority("Intermediate \(index)")) }
            return try self.charges(
                authority.chain(authority.issue(.leaf("www.example.com"))), anchors: [root.certificate])
        }
        let counts = [2, 4, 8]
        let all = try counts.map(charges)
        #expect(all.map(\.signatures) == counts)
        #expect(all.allSatisfy { $0.comparisons == 0 })
        #expect(all[2].steps - all[1].steps <= 2 * (all[1].steps - all[0].steps))
        // The first signature costs less than the others, because the anchor's key is prepared. Signatures differ by a
        // few bytes.
        let (four, two) = (all[2].work - all[1].work, all[1].work - all[0].work)
        #expect(Double(four) <= 2.02 * Double(two), "\(all.map(\.work))")
    }

    @Test("Names, n: a leaf with twice as many names charges at most twice the work, and the same steps")
    func names() throws {
        let root = try CraftedCertificate.authority().certificate()
        /// The charges for a leaf with this many names. The host is the last of them.
        func charges(_ count: Int) throws -> Charges {
            let names = (1000..<(1000 + count)).map { "host\($0).example.com" }
            let leaf = try CraftedCertificate.leaf().with {
                $0.extensions = [Extension.alternativeNames(names.map { ASN1.dns($0) }).encoded]
            }.certificate()
            return try self.charges([leaf], anchors: [root], host: names[count - 1])
        }
        for count in [250, 500] {
            let (one, two) = (try charges(count), try charges(2 * count))
            #expect(two.work <= 2 * one.work, "\(two.work) and \(one.work)")
            // The charges do grow: the check reads every name.
            #expect(two.work - one.work >= count * "host1000.example.com".utf8.count)
            // Hashing 16 KB costs as much as a signature.
            #expect(two.signatures <= 2 * one.signatures)
            #expect(two.steps == one.steps && two.comparisons == 0)
        }
    }

    @Test(
        "Threads, constant: validations that share a validator and a memory charge the same for each",
        arguments: [1, 2, 4])
    func threads(count: Int) async throws {
        let chain = try TestChain()
        let leaf = try chain.leaf()
        let host = try Hostname("www.example.com")
        let validator = PathValidator(anchors: [chain.root.certificate], memory: SignatureMemory())
        @Sendable func charges() -> Charges? {
            let (validation, meter) = validator.measured(
                leaf, presented: [chain.intermediate.certificate], host: host, at: TestAuthority.now)
            return validation.isValid ? Charges(meter) : nil
        }
        // The first validation verifies the signatures, and the cache stores them.
        let first = try #require(charges())
        let expected = try #require(charges())
        #expect(first.signatures == 2 && expected.signatures == 0)
        let different = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<count { group.addTask { (0..<(256 / count)).filter { _ in charges() != expected }.count } }
            return await group.reduce(0, +)
        }
        #expect(different == 0)
    }
}
