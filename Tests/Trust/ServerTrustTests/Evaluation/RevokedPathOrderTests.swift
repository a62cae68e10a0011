// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

@Suite("Order of rejected paths with revocations")
struct RevokedPathOrderTests {
    private static let leaf = TrustFailure(.certificateRevoked, certificate: 0, role: .leaf)
    private static let authority = TrustFailure(.certificateRevoked, certificate: 1, role: .intermediate)
    private static let expired = TrustFailure(.certificateExpired, certificate: 0, role: .leaf)
    private static let wrong = TrustFailure(.signatureInvalid, certificate: 0, role: .leaf)

    /// Returns the failures of the paths in their order.
    private func order(_ failures: [TrustFailure]...) -> [[TrustFailure]] {
        let paths = failures.map { RejectedPath(certificates: [], reachesAnchor: $0.count == 1, failures: $0) }
        let ordered = PathRejection(paths: paths).revocationFirst.paths
        #expect(Set(ordered.filter { $0.failures.count == 1 }.map(\.reachesAnchor)).isSubset(of: [true]))
        return ordered.map(\.failures)
    }

    @Test("The path with a revoked leaf comes first, and the others keep their order")
    func revokedLeaf() {
        #expect(order([Self.expired], [Self.leaf]) == [[Self.leaf], [Self.expired]])
        #expect(order([Self.wrong], [Self.expired], [Self.leaf]) == [[Self.leaf], [Self.wrong], [Self.expired]])
        #expect(order([Self.leaf], [Self.wrong], [Self.authority]) == [[Self.leaf], [Self.wrong], [Self.authority]])
        #expect(order([Self.wrong], [Self.expired]) == [[Self.wrong], [Self.expired]])
    }

    @Test("The path with a revoked CA comes first only instead of a path with a wrong signature")
    func revokedAuthority() {
        #expect(order([Self.expired], [Self.authority]) == [[Self.expired], [Self.authority]])
        #expect(order([Self.wrong], [Self.authority]) == [[Self.authority], [Self.wrong]])
    }

    @Test("The first path says once that the search stopped early")
    func stopped() {
        for code in [
            TrustFailure.Code.signatureBudgetExceeded, .stepBudgetExceeded, .comparisonBudgetExceeded,
            .workBudgetExceeded,
        ] {
            let stop = TrustFailure(code)
            #expect(order([Self.expired, stop], [Self.leaf]) == [[Self.leaf, stop], [Self.expired, stop]])
            #expect(order([Self.expired, stop], [Self.leaf, stop]) == [[Self.leaf, stop], [Self.expired, stop]])
        }
    }
}
