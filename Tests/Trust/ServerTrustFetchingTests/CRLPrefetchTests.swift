// SPDX-License-Identifier: Apache-2.0

import PKIX
import Testing

@testable import ServerTrust
@testable import ServerTrustTesting

/// Runs of ``CRLPrefetch`` with responses from a table.
@Suite struct CRLPrefetchTests {
    private static let now = TestAuthority.now
    private let authority: TestAuthority
    private let fetcher = CannedFetcher()
    private let cache = DictionaryCache()

    init() throws { authority = try TestAuthority.root() }

    private func crl(_ change: (inout TestCRL.Template) -> Void = { _ in }) throws -> [UInt8] {
        try authority.crl(change).der
    }

    private func run(
        _ addresses: [String], at time: Time = now, refreshesAll: Bool = false,
        _ change: (inout CRLPrefetchLimits) -> Void = { _ in }
    ) async -> CRLPrefetchReport {
        var limits = CRLPrefetchLimits()
        change(&limits)
        return await CRLPrefetch(
            fetcher: fetcher, cache: cache, limits: limits, refreshesAll: refreshesAll, clock: { time }
        ).run(addresses)
    }

    private func delta(_ url: String) -> TestDistributionPoint { TestDistributionPoint(fullName: [.uri(url)]) }

    @Test("The prefetch requests each address once and stores the CRLs in the cache") func once() async throws {
        fetcher["http://a/1.crl"] = .bytes(try crl())
        let report = await run(["http://a/1.crl", "http://a/1.crl"])
        #expect(report.addresses == 1 && report.fetched == 1 && report.isComplete)
        #expect(fetcher.count == 1 && cache.count == 1)
    }

    @Test("A CRL is due when the lifetime that its server gave it ends, or when a fifth of its own lifetime remains")
    func due() async throws {
        // Its window is from an hour ago to seven days from now.
        fetcher["http://a/1.crl"] = .bytes(try crl(), maximumAge: .seconds(600))
        _ = await run(["http://a/1.crl"])
        #expect(await run(["http://a/1.crl"], at: Self.now.advanced(by: 599)).fresh == 1)
        #expect(fetcher.count == 1)
        #expect(await run(["http://a/1.crl"], at: Self.now.advanced(by: 600)).fetched == 1)
        #expect(await run(["http://a/1.crl"], at: Self.now.advanced(by: 601), refreshesAll: true).fetched == 1)
        #expect(fetcher.count == 3)
        // A lifetime of ten years counts as a day, and no lifetime counts as an hour.
        fetcher["http://a/2.crl"] = .bytes(try crl(), maximumAge: .days(3_650))
        fetcher["http://a/3.crl"] = .bytes(try crl())
        _ = await run(["http://a/2.crl", "http://a/3.crl"])
        let later = await run(["http://a/2.crl", "http://a/3.crl"], at: Self.now.advanced(by: 3600))
        #expect(later.fresh == 1 && later.fetched == 1)
        #expect(await run(["http://a/2.crl"], at: Self.now.advanced(by: 86_400)).fetched == 1)
        // A short window: 2,160 s from now, 1,440 of its 7,200 s remain.
        fetcher["http://a/4.crl"] = .bytes(
            try crl { $0.nextUpdate = Self.now.advanced(by: 3600) }, maximumAge: .days(1))
        _ = await run(["http://a/4.crl"])
        #expect(await run(["http://a/4.crl"], at: Self.now.advanced(by: 2159)).fresh == 1)
        #expect(await run(["http://a/4.crl"], at: Self.now.advanced(by: 2160)).fetched == 1)
    }

    @Test("The prefetch fetches the delta CRLs that a CRL names, but not those that a delta CRL names") func deltas()
        async throws
    {
        let base = try crl {
            $0.freshestCRL = [delta("http://a/d1.crl"), delta("ldap://a/d"), delta("http://a/base.crl")]
        }
        // A delta CRL that names another one, and CRLs that name each other.
        let chained = try crl {
            $0.deltaBase = 1
            $0.number = 2
            $0.freshestCRL = [delta("http://a/d2.crl")]
        }
        fetcher["http://a/base.crl"] = .bytes(base)
        fetcher["http://a/d1.crl"] = .bytes(chained)
        fetcher["http://a/d2.crl"] = .bytes(try crl())
        let report = await run(["http://a/base.crl"])
        #expect(report.fetched == 2 && report.deltas == 1 && report.addresses == 2)
        #expect(fetcher.count(of: "http://a/d2.crl") == 0)
        // A later run finds the delta CRLs again while their base is fresh.
        let again = await run(["http://a/base.crl"])
        #expect(again.fresh == 2 && again.deltas == 1)
    }

    @Test("The prefetch fetches at most the first eight delta CRLs of a CRL, within the limit on addresses")
    func manyDeltas() async throws {
        let points = (0..<100).map { delta("http://a/d\($0).crl") }
        fetcher["http://a/base.crl"] = .bytes(try crl { $0.freshestCRL = points })
        let report = await run(["http://a/base.crl"])
        #expect(report.deltas == 8 && fetcher.count == 9)
        let few = await run(["http://a/base.crl"], refreshesAll: true) { $0.maximumAddresses = 3 }
        #expect(few.deltas == 2 && few.unusedDeltas == 6 && !few.isComplete)
        let long = try crl { $0.freshestCRL = [delta("http://a/" + String(repeating: "x", count: 5000))] }
        fetcher["http://a/long.crl"] = .bytes(long)
        #expect(await run(["http://a/long.crl"]).unusedDeltas == 1)
    }

    @Test("The prefetch stores only a current CRL, and otherwise keeps the previous one") func refused() async throws {
        let good = try crl()
        fetcher["http://a/1.crl"] = .bytes(good)
        _ = await run(["http://a/1.crl"])
        let older = try crl { $0.thisUpdate = Self.now.advanced(by: -7200) }
        let ended = try crl { $0.nextUpdate = Self.now.advanced(by: -1) }
        let future = try crl { $0.thisUpdate = Self.now.advanced(by: 7200) }
        let refused: [(CannedFetcher.Answer, String)] = [
            (.bytes(Array("<html>not found</html>".utf8)), "malformed"), (.bytes([]), "malformed"),
            (.bytes(Array(good.dropLast())), "malformed"), (.bytes(good + [0]), "malformed"),
            (.bytes(older), "olderThanKnown"), (.bytes(ended), "outOfDate"), (.bytes(future), "outOfDate"),
            (.failure(.fetchStatus), "status"), (.failure(.fetchForbiddenAddress), "forbiddenAddress"),
        ]
        for (answer, reason) in refused {
            fetcher["http://a/1.crl"] = answer
            let report = await run(["http://a/1.crl"], refreshesAll: true)
            #expect(report.failures.map(\.reason) == [reason])
            #expect(report.failures.map(\.isHeld) == [true])
            #expect(try await cache.entry(for: TrustResource(.crl, url: "http://a/1.crl"))?.bytes == good)
        }
        fetcher["http://a/2.crl"] = .bytes(good)
        let large = await run(["http://a/2.crl"]) { $0.maximumCRLBytes = good.count - 1 }
        #expect(large.failures.map(\.reason) == ["tooLarge"] && large.failures.map(\.isHeld) == [false])
        #expect(cache.count == 1)
    }

    @Test("Limits on addresses, time and size skip addresses and report them") func limits() async throws {
        let addresses = (0..<6).map { "http://a/\($0).crl" }
        for address in addresses { fetcher[address] = .bytes(try crl()) }
        let few = await run(addresses) { $0.maximumAddresses = 4 }
        #expect(few.fetched == 4 && few.skipped.map(\.reason) == ["tooManyAddresses", "tooManyAddresses"])
        let late = await run(addresses, refreshesAll: true) { $0.timeout = .zero }
        #expect(late.skipped.map(\.reason) == Array(repeating: "timedOut", count: 6))
        let small = await run(addresses, refreshesAll: true) {
            $0.maximumTotalBytes = 1
            $0.jobs = 1
        }
        #expect(small.fetched == 1 && small.skipped.map(\.reason) == Array(repeating: "cacheFull", count: 5))
    }

    @Test("The prefetch doesn't immediately contact a host again after three failures to reach it") func deadHost()
        async throws
    {
        let addresses = (0..<10).map { "http://dead/\($0).crl" }
        for address in addresses { fetcher[address] = .failure(.fetchUnreachable) }
        let report = await run(addresses) { $0.jobs = 1 }
        #expect(report.failures.count == 3 && report.skipped.count == 7)
        #expect(report.skipped.allSatisfy { $0.reason == "backingOff" })
        #expect(fetcher.count == 3)
    }

    @Test("A cache that isn't writable ends the run") func brokenCache() async throws {
        let addresses = (0..<10).map { "http://a/\($0).crl" }
        for address in addresses { fetcher[address] = .bytes(try crl()) }
        cache.breakDown()
        let report = await run(addresses) { $0.jobs = 1 }
        #expect(report.failures.map(\.reason) == Array(repeating: "cacheFailed", count: 3))
        #expect(report.skipped.count == 7 && fetcher.count == 3)
    }

    @Test(
        "Validators are entity tags and dates that consist of visible characters",
        arguments: [
            ("\"abc\"", true), ("W/\"abc\"", true), ("\"\"", true), ("abc", false), ("\"a\r\nx: y\"", false),
            ("\"a\"b\"", false), ("", false), ("\"", false), ("\"\u{e4}\"", false),
            ("\"" + String(repeating: "a", count: 300) + "\"", false),
        ])
    func validators(tag: String, counts: Bool) {
        #expect((TrustResourceValidators(entityTag: tag, modified: nil) != nil) == counts)
        #expect(TrustResourceValidators(entityTag: nil, modified: "Sun, 06 Nov 1994 08:49:37 GMT") != nil)
        #expect(TrustResourceValidators(entityTag: nil, modified: "Sun, 06 Nov 1994 08:49:37\r\nx: y") == nil)
    }
}
