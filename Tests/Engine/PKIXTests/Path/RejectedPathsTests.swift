// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

@Suite("Rejected paths")
struct RejectedPathsTests {
    /// A path with these failures. The number of its first failure identifies it.
    private func path(_ number: Int, _ codes: TrustFailure.Code...) -> RejectedPath {
        RejectedPath(
            certificates: [], reachesAnchor: true, failures: codes.map { TrustFailure($0, found: .number(number)) })
    }

    private func numbers(_ paths: RejectedPaths) -> [Int] {
        paths.sorted().map { path in
            guard case .number(let number) = path.failures[0].found else { return -1 }
            return number
        }
    }

    @Test("Paths without a fatal failure come first, then paths with fewer failures, then the path found first")
    func order() {
        var paths = RejectedPaths()
        let given = [
            path(8, .signatureInvalid, .certificateExpired, .hostMismatch), path(6, .signatureInvalid, .hostMismatch),
            path(3, .certificateExpired, .hostMismatch), path(5, .workBudgetExceeded), path(1, .certificateExpired),
            path(7, .certificateDenied, .hostMismatch), path(4, .hostMismatch, .certificateExpired, .nameExcluded),
            path(2, .hostMismatch),
        ]
        for path in given { paths.keep(path) }
        #expect(numbers(paths) == [1, 2, 3, 4, 5, 6, 7, 8])
    }

    @Test("At the limit, a better path replaces the worst one, wherever that is, and a worse path replaces none")
    func limit() {
        let last = RejectedPaths.maximumCount - 1
        for worst in [0, 1, 2, last / 2, last - 1, last] {
            var paths = RejectedPaths()
            for number in 0...last {
                paths.keep(
                    number == worst ? path(number, .signatureInvalid) : path(number, .hostMismatch, .certificateExpired)
                )
            }
            let others = (0...last).filter { $0 != worst }
            #expect(numbers(paths) == others + [worst])
            paths.keep(path(99, .signatureInvalid))
            paths.keep(path(99, .signatureInvalid, .hostMismatch))
            #expect(numbers(paths) == others + [worst])
            paths.keep(path(100, .hostMismatch))
            #expect(numbers(paths) == [100] + others)
            paths.keep(path(101, .hostMismatch, .certificateExpired))
            #expect(numbers(paths) == [100] + others)
            // Among equals, the path found first stays, and the order of discovery too.
            paths.keep(path(102, .hostMismatch))
            #expect(numbers(paths) == [100, 102] + others.dropLast())
            #expect(!paths.isEmpty)
        }
    }

    @Test("At the limit, equal paths stay in the order of their discovery")
    func orderAtLimit() {
        let last = RejectedPaths.maximumCount - 1
        var paths = RejectedPaths()
        for number in 0...last { paths.keep(path(number, number < 2 ? .signatureInvalid : .hostMismatch)) }
        paths.keep(path(100, .hostMismatch))
        #expect(numbers(paths) == Array(2...last) + [100, 0])
    }

    @Test("The last certificate of a path is its anchor only if the path reaches one")
    func roles() {
        let rows: [(count: Int, reachesAnchor: Bool, roles: [TrustFailure.Role])] = [
            (1, true, [.leaf]), (1, false, [.leaf]), (2, true, [.leaf, .anchor]), (2, false, [.leaf, .intermediate]),
            (3, true, [.leaf, .intermediate, .anchor]), (3, false, [.leaf, .intermediate, .intermediate]),
        ]
        for (count, reachesAnchor, roles) in rows {
            let found = (0..<count).map { TrustFailure.Role(at: $0, of: count, reachesAnchor: reachesAnchor) }
            #expect(found == roles)
        }
    }
}
