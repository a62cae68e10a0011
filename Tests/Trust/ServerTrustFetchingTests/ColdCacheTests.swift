// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing

@testable import ServerTrust

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Fetches by a server that starts under load with empty memory and an empty cache.
@Suite(.serialized) struct ColdCacheTests {
    @Test("Ten thousand evaluations of fifty hosts fetch each resource once", .timeLimit(.minutes(10)))
    func tenThousandEvaluationsOfFiftyHostsFetchEachResourceOnce() async throws {
        let (hosts, evaluations) = (50, 10_000)
        let root = try TestAuthority.root()
        let fetcher = CannedFetcher()
        let anchors = TrustAnchors.only([root.certificate])
        var trusts: [Trust] = []
        for number in 0..<hosts {
            let url = "http://ca\(number).example/ca.cer"
            let authority = try root.intermediate(.authority("CA \(number)"))
            fetcher[url] = .slow(.milliseconds(20), authority.certificate.der)
            let leaf = try authority.issue(.leaf("host\(number).example").with { $0.caIssuers = [url] }).certificate
            var trust = Trust(presentedChain: [leaf], host: try Hostname("host\(number).example"))
            trust.anchors = anchors
            trust.verifyDate = .at(TestAuthority.now)
            trusts.append(trust)
        }
        let limits = TrustResourceLimits.patient
        let resources = TrustFetchCoordinator(fetcher: fetcher, limits: limits, clock: { TestAuthority.now })
        let before = Self.residentBytes
        let start = ContinuousClock.now
        let trusted = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<evaluations {
                let trust = trusts[number % hosts]
                group.addTask { await trust.evaluate(fetching: resources).isTrusted }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        let elapsed = ContinuousClock.now - start
        let grown = max(0, Self.residentBytes - before)
        let statistics = await resources.statistics
        let kept = await resources.memoryInUse
        print(
            "\(evaluations) evaluations of \(hosts) hosts, cold cache: \(elapsed), \(statistics.fetches) fetches, "
                + "\(statistics.joined) joined, \(statistics.foundInMemory) from memory, at most "
                + "\(statistics.mostConcurrentFetches) at once, \(kept) bytes kept, resident memory +\(grown >> 10) KiB"
        )
        #expect(trusted == evaluations)
        #expect(fetcher.count == hosts)
        #expect(fetcher.mostRunning <= limits.maximumConcurrentFetches)
        #expect(statistics.failures == 0)
        #expect(kept < hosts * 2048)
        // For each waiting evaluation: tasks, trust object, verdict, and its place in the queue. In a debug build, that
        // is about 17 KB, mostly for tasks.
        #expect(grown < evaluations * 40 << 10)
        #expect(await resources.deadlineCount <= 2 * evaluations + 2048)
    }

    private static var residentBytes: Int {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
            let number = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({ Int($0) })
        else { return 0 }
        return number << 10
    }
}

extension TrustFetchCoordinator {
    fileprivate var deadlineCount: Int { deadlines.count }
}
