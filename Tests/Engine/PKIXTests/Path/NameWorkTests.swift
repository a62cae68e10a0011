// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

/// The meter's units measure work. No test here measures time.
@Suite("Work for names, conditions and additional checks")
struct NameWorkTests {
    private static func cost(_ name: [UInt8]) -> Int {
        let view = name[...]
        return NormalizedName.cost(view.span, ByteRange(0, name.count))
    }

    static let strings: [(String, @Sendable (Int) -> [UInt8], price: Int)] = [
        ("ASCII", { ASN1.utf8(String(repeating: "a", count: $0)) }, 8),
        ("letters beyond ASCII in UTF-8", { ASN1.utf8(String(repeating: "é", count: $0)) }, 256),
        // U+1F52 consists of the bytes 0x1f and 0x52, both in ASCII, and becomes three characters.
        ("letters of a BMPString without a high byte", { ASN1.bmp(String(repeating: "\u{1f52}", count: $0)) }, 256),
        ("one letter beyond ASCII among others", { ASN1.utf8("é" + String(repeating: "a", count: $0)) }, 48),
    ]

    @Test("A name with twice the letters costs twice as much, and each letter costs its price", arguments: strings)
    func letters(_ name: String, _ value: @Sendable (Int) -> [UInt8], price: Int) {
        let costs = [1_000, 2_000, 4_000].map { Self.cost(ASN1.name([(ASN1.cn, value($0))])) }
        #expect(costs[1] < costs[0] * 21 / 10 && costs[2] < costs[1] * 21 / 10, "\(costs)")
        #expect(costs[0] >= price * 1_000)
    }

    @Test("A value of ASCII costs nothing but its bytes, and one other byte makes the whole value cost more")
    func oneByte() {
        let plain = ASN1.teletex(String(repeating: "a", count: 10))
        for byte in [0x7f, 0x80, 0xff] as [UInt8] {
            for place in [2, 11] {
                var value = plain
                value[place] = byte
                let more = Self.cost(ASN1.name([(ASN1.cn, value)])) - Self.cost(ASN1.name([(ASN1.cn, plain)]))
                #expect(more == (byte < 0x80 ? 0 : 256 + 9 * 48))
            }
        }
    }

    @Test("A search pays once for normalizing a name, and later only for its bytes") func normalized() throws {
        let name = ASN1.name("Prüfstelle")
        let certificate = try CraftedCertificate.authority(name).unsigned()
        let encoded = EncodedName(certificate: certificate, range: certificate.storage.fields.subject)
        let (known, new) = (name.count, name.count + Self.cost(name))
        for (budget, count) in [(known, 0), (new - 1, 0), (new, 1), (new + known - 1, 1), (new + known, 2)] {
            var (names, meter) = (NormalizedNames(), WorkMeter(work: budget))
            let results = (0..<3).map { _ in names.name(encoded, &meter) }
            #expect(results.map { $0 != nil } == [count > 0, count > 1, false], "\(budget)")
        }
    }

    @Test("The meter charges for sorting the attributes of a set") func sets() {
        func name(_ count: Int) -> [UInt8] {
            ASN1.sequence(ASN1.set((0..<count).map { ASN1.attribute(ASN1.ou, ASN1.utf8("\($0)")) }))
        }
        let costs = [1_000, 2_000, 4_000].map { Self.cost(name($0)) }
        #expect(costs[0] > 1_000 * 32 * 10)
        #expect(costs[1] < costs[0] * 23 / 10 && costs[2] < costs[1] * 23 / 10, "\(costs)")
    }

    @Test("Bytes that aren't a name cost as much as the costliest name") func noName() {
        #expect(Self.cost([0x30, 0x03, 0x31, 0x01, 0x05]) == 5 * 256)
        #expect(Self.cost([0x04]) == 256)
    }

    @Test("The engine doesn't compare a certificate whose names take too long to compare") func selfIssued() throws {
        let long = ASN1.name([(ASN1.cn, ASN1.utf8(String(repeating: "é", count: 10_000)))])
        let other = ASN1.name([(ASN1.cn, ASN1.utf8(String(repeating: "É", count: 10_000)))])
        let certificate = try CraftedCertificate.authority(long, issuer: other).unsigned()
        #expect(certificate.isSelfIssued(atMost: 1_000_000) == nil)
        #expect(certificate.isSelfIssued(atMost: .max) == true)
        #expect(try CraftedCertificate.authority(long, issuer: long).unsigned().isSelfIssued(atMost: 0) == true)
    }

    // MARK: Conditions

    private static func work(permitted: Int, excluded: Int, names: Int) throws -> (work: Int, isValid: Bool) {
        let chain = try TestChain()
        let leaf = try chain.leaf(
            .leaf("x").with { template in
                template.dnsNames = (0..<names).map { "n\($0).a.test" }
            })
        var constraints = AnchorConstraints()
        if permitted > 0 { constraints.permittedDomains = (0..<permitted).map { "d\($0).example" } + ["a.test"] }
        constraints.excludedDomains = (0..<excluded).map { "d\($0).example" }
        let conditions = AnchorConditions(source: "X", alternatives: [constraints])
        let (validation, meter) = PathValidator(
            anchors: AnchorStore([TrustAnchor(chain.root.certificate, conditions: [conditions])]),
            policy: ValidationPolicy(), memory: nil
        ).measured(leaf, presented: [chain.intermediate.certificate], host: nil, at: TestAuthority.now)
        return (meter.work, validation.isValid)
    }

    @Test("A condition's domains cost nothing per path, and a leaf with twice the names takes twice the work")
    func conditions() throws {
        for (permitted, excluded) in [(1, 0), (0, 1), (1, 1)] {
            let domains = try [100, 10_000].map {
                try Self.work(permitted: permitted * $0, excluded: excluded * $0, names: 20)
            }
            #expect(domains[0].isValid && domains[1].isValid)
            #expect(domains[1].work < domains[0].work * 11 / 10, "\(domains)")
            let names = try [50, 100, 200].map {
                try Self.work(permitted: permitted, excluded: excluded, names: $0).work
            }
            #expect(names[2] - names[1] < (names[1] - names[0]) * 22 / 10, "\(names)")
        }
    }

    @Test("A failure names at most as many domains as a failure can have members") func expectedDomains() throws {
        let chain = try TestChain()
        var constraints = AnchorConstraints()
        constraints.permittedDomains = (0..<10_000).map { "d\($0).example" }
        let conditions = AnchorConditions(source: "X", alternatives: [constraints])
        let validation = PathValidator(
            anchors: AnchorStore([TrustAnchor(chain.root.certificate, conditions: [conditions])]),
            policy: ValidationPolicy(), memory: nil
        ).measured(try chain.leaf(), presented: [chain.intermediate.certificate], host: nil, at: TestAuthority.now)
            .validation
        let failure = try #require(validation.failures.first { $0.code == .anchorNameNotPermitted })
        guard case .list(let members) = failure.expected else {
            Issue.record("no list of domains")
            return
        }
        #expect(members.count <= CountedList.maximumCount + 1)
    }

    // MARK: Additional checks

    @Test("The meter charges for additional checks, and the engine skips them once the work budget has run out")
    func additionalChecks() throws {
        let chain = try TestChain()
        let leaf = try chain.leaf()
        func outcome(_ work: Int, _ check: ((ValidatedPath) -> [TrustFailure])?) throws -> PathSearch.Outcome {
            let policy = ValidationPolicy(budget: ValidationBudget(work: work))
            var search = PathSearch(
                leaf, candidates: 1, anchors: AnchorStore([chain.root.certificate]),
                context: EvaluationContext(policy: policy, host: nil, time: TestAuthority.now), memory: nil,
                additionalChecks: check)
            let validation = search.run([chain.intermediate.certificate], [])
            return PathSearch.Outcome(isValid: validation.isValid, codes: validation.codes, work: search.meter.work)
        }
        let plain = try outcome(.max, nil)
        let checked = try outcome(.max) { _ in [] }
        let bytes = [leaf, chain.intermediate.certificate, chain.root.certificate].reduce(0) { $0 + $1.der.count }
        #expect(plain.isValid && checked.isValid)
        #expect(checked.work == plain.work + 3 * 4_096 + 8 * bytes)
        var calls = 0
        let stopped = try outcome(checked.work - 1) { _ in
            calls += 1
            return []
        }
        #expect(!stopped.isValid && stopped.codes.contains(.workBudgetExceeded))
        #expect(calls == 0)
    }
}

extension PathSearch {
    /// The result of a search and the work it took.
    fileprivate struct Outcome {
        let isValid: Bool
        let codes: [TrustFailure.Code]
        let work: Int
    }
}
