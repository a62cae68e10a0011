// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustTesting
import Testing

@testable import PinLint
@testable import ServerTrustPins

/// Compares forecasts with renewed servers: the tests issue new certificates and enforce the pins.
@Suite struct ForecastTests {
    static let host = "api.example.com"

    /// A root with two issuers, and a second root with its own issuer.
    struct House {
        let root: TestAuthority
        let first: TestAuthority
        let second: TestAuthority
        let nextRoot: TestAuthority
        let third: TestAuthority
        let leaf: TestIdentity

        init() throws {
            func authority(_ name: String) -> CertificateTemplate {
                CertificateTemplate.authority(name).with { $0.organization = "House" }
            }
            root = try TestAuthority.root(authority("Root 1"))
            first = try root.intermediate(authority("CA 1"))
            second = try root.intermediate(authority("CA 2").with { $0.notBefore = TestAuthority.now })
            nextRoot = try TestAuthority.root(authority("Root 2"))
            third = try nextRoot.intermediate(authority("CA 3"))
            leaf = try first.issue(.leaf(ForecastTests.host))
        }

        var anchors: TrustAnchors { .only([root.certificate, nextRoot.certificate]) }
        var path: [Certificate] { [leaf.certificate] + first.path }

        func forecast(_ rule: PinRule, knowing certificates: [Certificate] = []) throws -> PinForecast {
            PinForecast(
                of: rule, host: try Hostname(ForecastTests.host), paths: [path],
                successors: SuccessorIndex(certificates),
                at: TestAuthority.now)
        }

        /// Returns whether clients with a rule accept a server with these certificates.
        func accepts(_ rule: PinRule, _ chain: [Certificate]) throws -> Bool {
            let host = try Hostname(ForecastTests.host)
            let configuration = try PinConfiguration(rules: [rule])
            var trust = Trust(presentedChain: chain, host: host)
            trust.anchors = anchors
            trust.verifyDate = .at(TestAuthority.now)
            return (try? configuration.serverTrustManager(PinEnforcement(memory: nil)).requireTrust(trust)) != nil
        }

        func accepts(_ rule: PinRule, _ issuer: TestAuthority, key: TestKey) throws -> Bool {
            try accepts(rule, issuer.chain(try issuer.issue(.leaf(ForecastTests.host), key: key)))
        }
    }

    /// Tests every set of up to three pins in every scope. Covers forecasts of all three changes, with and without
    /// knowledge of the next certificates. The servers are renewed with the same key, a new key, and each pinned key.
    @Test("Forecasts match what happens for all sets of up to three pins") func exhaustive() throws {
        let house = try House()
        let spare = TestKey.p256()
        let spareLeaf = try house.first.issue(.leaf(Self.host), key: spare).certificate
        let fresh = TestKey.p256()
        let known = [house.second, house.nextRoot, house.third].map(\.certificate)
        let keys = [
            SPKIPin(house.leaf.certificate), SPKIPin(spareLeaf), SPKIPin(house.first.certificate),
            SPKIPin(house.second.certificate), SPKIPin(house.root.certificate), SPKIPin(house.nextRoot.certificate),
        ]
        let candidates = keys.flatMap { key in PinScope.allCases.map { Pin(.key(key), scope: $0) } }
        var compared = 0
        for (index, pin) in candidates.enumerated() {
            for (other, second) in candidates.enumerated() where other >= index {
                for third in [pin] + candidates.dropFirst(other + 1) {
                    var pins = [pin]
                    for next in [second, third] where !pins.contains(next) { pins.append(next) }
                    let rule = try PinRule(hosts: [.only(try Hostname(Self.host))], pins: pins)
                    guard try house.accepts(rule, [house.leaf.certificate] + house.first.path.dropLast()) else {
                        #expect(try house.forecast(rule, knowing: known).events.isEmpty)
                        continue
                    }
                    try compare(rule, house, known, spare: spare, fresh: fresh)
                    compared += 1
                }
            }
        }
        #expect(compared > 200)
    }

    private func compare(
        _ rule: PinRule, _ house: House, _ known: [Certificate], spare: TestKey, fresh: TestKey
    ) throws {
        let informed = try house.forecast(rule, knowing: known)
        for (change, issuer) in zip(PinForecast.Change.allCases, [house.first, house.second, house.third]) {
            let event = try #require(informed.events.first { $0.change == change })
            let withFresh = try house.accepts(rule, issuer, key: fresh)
            let withKept = try house.accepts(rule, issuer, key: house.leaf.key)
            let withSpare = try house.accepts(rule, issuer, key: spare)
            let pins = rule.pins.map { "\($0.scope) \($0.value)" }
            switch event.outcome {
            case .survives: #expect(withFresh && withKept && withSpare, "\(change) \(pins)")
            case .keptKey(let reserves):
                #expect(!withFresh && withKept, "\(change) \(pins)")
                #expect(withSpare == !reserves.isEmpty, "\(change) \(pins)")
            case .reserve(let reserves):
                // A pin that matches only CAs would have to be the next CA's key.
                let isForLeaf = rule.pins.contains { $0.scope != .authority && reserves.contains($0.key) }
                #expect(!withFresh && !withKept && withSpare == isForLeaf, "\(change) \(pins)")
            case .breaks: #expect(!withFresh && !withKept && !withSpare, "\(change) \(pins)")
            }
            try checkAdditions(event, rule, house, issuer, fresh: fresh)
        }
    }

    /// Checks that the pins survive the change with the keys that a forecast recommends.
    private func checkAdditions(
        _ event: PinForecast.Event, _ rule: PinRule, _ house: House, _ issuer: TestAuthority, fresh: TestKey
    ) throws {
        guard !event.additions.isEmpty else { return }
        let additions = rule.scopes.filter { $0 != .leaf }.flatMap { scope in
            event.additions.map { Pin(.key($0.key), scope: scope) }
        }
        let better = try PinRule(hosts: rule.hosts, pins: rule.pins + additions.filter { !rule.pins.contains($0) })
        #expect(try house.accepts(better, issuer, key: fresh), "\(event.change) \(rule.pins.map(\.value))")
    }

    @Test("Without data about the CA, the keys of other issuers and roots are unknown") func unknown()
        throws
    {
        let house = try House()
        func outcomes(_ certificate: Certificate) throws -> [PinForecast.Outcome] {
            let pins = [Pin(.key(SPKIPin(certificate)))]
            return try house.forecast(PinRule(hosts: [], pins: pins)).events.map(\.outcome)
        }
        #expect(
            try outcomes(house.leaf.certificate) == [
                .keptKey(orReserve: []), .keptKey(orReserve: []), .keptKey(orReserve: []),
            ])
        #expect(try outcomes(house.first.certificate) == [.survives, .breaks, .breaks])
        #expect(try outcomes(house.root.certificate) == [.survives, .survives, .breaks])
    }

    @Test("The successors are the organization's issuers for the same purpose, newest first")
    func successors() throws {
        let house = try House()
        let stranger = try house.root.intermediate(.authority("Other CA").with { $0.organization = "Somewhere else" })
        let mail = try house.root.intermediate(
            .authority("Mail CA").with {
                $0.organization = "House"
                $0.extendedKeyUsage = [.clientAuth]
            })
        let old = try house.root.intermediate(
            .authority("Old CA").with {
                $0.organization = "House"
                $0.notAfter = TestAuthority.now.advanced(by: -1)
            })
        let rule = try PinRule(hosts: [], pins: [Pin(.key(SPKIPin(house.first.certificate)))])
        let known = [stranger, mail, old, house.second, house.third, house.nextRoot, house.first, house.root].map(
            \.certificate)
        let events = try house.forecast(rule, knowing: known).events
        #expect(events.map(\.change) == [.renewal, .nextIssuer, .nextRoot])
        #expect(events[1].successors.map(\.key) == [SPKIPin(house.second.certificate)])
        #expect(events[2].successors.map(\.key) == [SPKIPin(house.nextRoot.certificate)])
        #expect(events[1].additions.map(\.key) == [SPKIPin(house.root.certificate)])
        #expect(events[1].due.until == house.first.certificate.notAfter)
    }

    @Test("An issuer under a new root that the old root also signed belongs to the old root") func crossSigned() throws
    {
        let house = try House()
        let cross = try house.nextRoot.crossSigned(by: house.root)
        let known = [cross.certificate, house.root.certificate, house.nextRoot.certificate, house.third.certificate]
        let rule = try PinRule(hosts: [], pins: [Pin(.key(SPKIPin(house.root.certificate)))])
        let event = try house.forecast(rule, knowing: known).events[1]
        #expect(event.successors.map(\.key).contains(SPKIPin(house.third.certificate)))
        #expect(event.outcome == .survives)
    }

    @Test("A rule that doesn't match the server, or doesn't pin, has no forecast") func nothing() throws {
        let house = try House()
        let other = try PinRule(hosts: [], pins: [Pin(.key(SPKIPin(house.second.certificate)))])
        #expect(try house.forecast(other).events.isEmpty)
        let unpinned = try PinRule(hosts: [.only(Hostname(Self.host))], mode: .unpinned, pins: [])
        #expect(try house.forecast(unpinned).events.isEmpty)
    }

    @Test("The linter knows the siblings of a CA that replaces its intermediates without notice, even without a file")
    func knownPins()
        throws
    {
        let house = try House()
        let rotating = KnownPins.listed.filter { if case .rotating = $0.kind { true } else { false } }.map(\.key)
        let first = try #require(rotating.first)
        #expect(KnownPins.siblings(of: first).map(\.key).contains(rotating[1]))
        #expect(!KnownPins.siblings(of: first).map(\.key).contains(first))
        #expect(KnownPins.siblings(of: SPKIPin(house.first.certificate)).isEmpty)
    }
}
