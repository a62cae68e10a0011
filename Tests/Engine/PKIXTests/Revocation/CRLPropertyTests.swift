// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX
@testable import ServerTrustTesting

/// Compares the findings for random sets of current CRLs with a plain implementation of the rules. Both keys of a CA
/// sign them, and so does a signer that the CA's own CA didn't appoint.
@Suite("Random CRLs")
struct CRLPropertyTests {
    private struct List {
        let key: Int
        let scope: Int
        let number: UInt64
        let hours: Int64
        let reason: RevocationReason?
        let isListing: Bool

        func isSuperseded(by other: List) -> Bool {
            other.key == key && other.scope == scope && other.hours > hours && other.number >= number
        }
    }

    private static func part(_ number: Int) -> GeneralName { .uri("http://crl.example.com/\(number)") }

    @Test("The finding follows the rules in every order, and lists from another signer change nothing")
    func random() throws {
        var random = Repeatable(6)
        let fixture = try RenewedKeyFixture(
            leaf: .leaf("a.example").with { $0.crlDistributionPoints = [.init(fullName: [Self.part(1)])] })
        let rogue = try fixture.root.intermediate(.authority("Rogue"))
        let impostor = try rogue.intermediate(.authority("CA"))
        let pool = [fixture.old, fixture.new, impostor, rogue].map(\.certificate)
        var counts: [String: Int] = [:]
        for _ in 0..<400 {
            let lists = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                List(
                    key: .random(in: 0...2, using: &random), scope: .random(in: 0...2, using: &random),
                    number: .random(in: 1...3, using: &random), hours: .random(in: -4 ... -1, using: &random),
                    reason: [nil, .certificateHold, .superseded].randomElement(using: &random) ?? nil,
                    isListing: .random(in: 0...3, using: &random) == 0)
            }
            let crls = try lists.map { list in
                try [fixture.old, fixture.new, impostor][list.key].crl {
                    ($0.number, $0.thisUpdate) = (list.number, TestAuthority.now.advanced(by: list.hours * 3600))
                    if list.scope > 0 { $0.scope { $0.fullName = [Self.part(list.scope)] } }
                    if list.isListing { $0.revoke(fixture.leaf, reason: list.reason) }
                }
            }
            let authorized = lists.filter { $0.key < 2 }
            let standing = authorized.filter { list in !authorized.contains { list.isSuperseded(by: $0) } }
            let isRevoked = standing.contains(where: \.isListing)
            // Scope 2 is another part. Only whole lists and the leaf's own part can prove the leaf good.
            let vouching = standing.filter { $0.scope < 2 }
            let isGood = !isRevoked && !vouching.isEmpty
            counts[isRevoked ? "revoked" : isGood ? "good" : "open", default: 0] += 1
            for crls in [crls, crls.reversed(), crls.shuffled(using: &random)] {
                let found = try fixture.finding(crls, certificates: pool)
                #expect(found.isRevoked == isRevoked, "\(lists)")
                #expect((found.status == .good) == isGood, "\(lists)")
                let needsOther = isGood && !vouching.contains { $0.key == 0 }
                #expect(isRevoked || found.notes.contains(.crlSignedWithOtherKey) == needsOther, "\(lists)")
            }
        }
        #expect(counts.values.allSatisfy { $0 > 20 } && counts.count == 3, "\(counts)")
    }
}
