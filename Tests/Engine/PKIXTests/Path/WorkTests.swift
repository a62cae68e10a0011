// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

/// The meter's units measure work. No test here measures time.
@Suite("Work for reading and checking certificates")
struct WorkTests {
    private let root: Certificate

    init() throws { root = try CraftedCertificate.authority().certificate() }

    private func measure(
        _ leaf: Certificate, _ others: [Certificate] = [], policy: ValidationPolicy = ValidationPolicy(),
        host: String? = "www.example.com", anchor: Certificate? = nil
    ) throws -> (validation: PathValidation, meter: WorkMeter) {
        PathValidator(anchors: AnchorStore([anchor ?? root]), policy: policy, memory: nil).measured(
            leaf, presented: others, host: try host.map { text throws in try Hostname(text) }, at: TestAuthority.now)
    }

    private func leaf(_ extensions: [Extension], subject: [UInt8] = ASN1.name("www.example.com")) throws -> Certificate
    {
        try CraftedCertificate.leaf().with {
            $0.subject = subject
            $0.extensions = extensions.map(\.encoded)
        }.certificate()
    }

    static let purposes = Extension.named(
        "2.5.29.37", ASN1.sequence((0..<80_000).map { ASN1.oid("1.3.\($0 % 40)") }))
    static let names = Extension.alternativeNames((0..<80_000).map { ASN1.dns("n\($0 % 100).a") })
    static func commonNames(_ count: Int) -> [UInt8] {
        ASN1.name((0..<count).map { (ASN1.cn, ASN1.utf8("c\($0)")) })
    }

    @Test("An honest chain takes less than a hundredth of the budget")
    func honest() throws {
        let chain = try TestChain()
        let leaf = try chain.leaf()
        for policy in [ValidationPolicy(), .plain, .strict] {
            let (validation, meter) = PathValidator(
                anchors: AnchorStore([chain.root.certificate]), policy: policy, memory: nil
            ).measured(
                leaf, presented: [chain.intermediate.certificate], host: try Hostname("www.example.com"),
                at: TestAuthority.now)
            #expect(validation.path != nil)
            let bytes = leaf.der.count + chain.intermediate.certificate.der.count
            #expect(meter.work >= bytes && meter.work < 100_000)
            #expect(meter.exhausted == nil)
        }
    }

    @Test("The meter charges for every list in a certificate by its bytes, and lists of 80,000 members fit the budget")
    func longLists() throws {
        let host = Extension.alternativeNames(ASN1.dns("www.example.com"))
        let rows: [(String, Certificate, ValidationPolicy, TrustFailure.Code)] = [
            ("purposes", try leaf([host, Self.purposes]), ValidationPolicy(), .extendedKeyUsageNotAllowed),
            ("purposes, strict", try leaf([host, Self.purposes]), .strict, .extendedKeyUsageNotAllowed),
            ("names", try leaf([Self.names]), ValidationPolicy(), .hostMismatch),
            ("names, strict", try leaf([Self.names]), .strict, .hostMismatch),
            (
                "common names, strict", try leaf([host], subject: Self.commonNames(14_000)), .strict,
                .strictSubjectName
            ),
            (
                "both, strict", try leaf([Self.names], subject: Self.commonNames(14_000)), .strict,
                .strictSubjectName
            ),
        ]
        for (name, certificate, policy, code) in rows {
            let (validation, meter) = try measure(certificate, policy: policy)
            #expect(validation.codes.contains(code), "\(name)")
            #expect(meter.work > certificate.der.count, "\(name)")
            #expect(meter.exhausted == nil, "\(name): \(meter.work)")
        }
    }

    @Test("Work grows with the bytes, not with their square")
    func linear() throws {
        func names(_ count: Int) -> Extension { .alternativeNames((0..<count).map { ASN1.dns("n\($0).example") }) }
        let makers: [(String, ValidationPolicy, (Int) throws -> Certificate)] = [
            ("names", .strict, { try leaf([names($0)]) }),
            ("common names", .strict, { try leaf([names(10)], subject: Self.commonNames($0)) }),
            ("both", .strict, { try leaf([names($0)], subject: Self.commonNames($0)) }),
            (
                "purposes", .strict,
                { count in
                    try leaf([.named("2.5.29.37", ASN1.sequence((0..<count).map { ASN1.oid("1.3.6.\($0)") }))])
                }
            ),
        ]
        for (name, policy, make) in makers {
            let small = try make(500)
            let large = try make(4_000)
            let works = try [small, large].map { try measure($0, policy: policy).meter.work }
            let ratio = Double(large.der.count) / Double(small.der.count)
            #expect(Double(works[1]) < 1.3 * ratio * Double(works[0]), "\(name): \(works)")
        }
    }

    @Test("Parsing charges for each byte once and for each search for duplicates by twice the list's length")
    func parsing() throws {
        func work(_ extensions: [Extension]) throws -> (work: Int, bytes: Int) {
            let certificate = try leaf(extensions)
            return (certificate.storage.fields.parsingWork, certificate.der.count)
        }
        let few = try work([.policies((0..<8).map { "1.2.3.\($0)" }), .unknown("1.2.4", critical: false)])
        #expect(few.work == few.bytes)
        let policies = try work([.policies((0..<128).map { "1.2.3.\($0)" })])
        #expect(policies.work == policies.bytes + 128 * RepeatedIdentifier.workPerEntry)
        let unknown = try work((0..<64).map { .unknown("1.2.3.\($0)", critical: false) })
        #expect(unknown.work == unknown.bytes + 64 * RepeatedIdentifier.workPerEntry)
        // A malformed extension that the parser treats as absent costs its bytes again.
        let malformed = try work([.named("2.5.29.14", [UInt8](repeating: 0x30, count: 200))])
        #expect(malformed.work == malformed.bytes + 200)
        // The search pays for all of them before it starts.
        let certificate = try leaf([.policies((0..<100).map { "1.2.3.\($0)" })])
        let others = try (0..<50).map { index in
            try CraftedCertificate.authority(ASN1.name("CA \(index)"), issuer: ASN1.name("CA \(index + 1)")).with {
                $0.extensions?.append(Extension.policies((0..<100).map { "1.2.3.\($0)" }).encoded)
            }.unsigned()
        }
        let total = ([certificate] + others).reduce(0) { $0 + $1.storage.fields.parsingWork }
        #expect(try measure(certificate, others).meter.work >= total)
        let policy = ValidationPolicy(budget: ValidationBudget(work: total - 1))
        let (validation, meter) = try measure(certificate, others, policy: policy)
        #expect(validation.codes.contains(.workBudgetExceeded))
        #expect(meter.isExhausted)
    }

    @Test("The parser finds a repeated policy or extension anywhere in a short or long list")
    func repeated() throws {
        for count in [2, 3, 7, 8, 9, 10, 31, 64] {
            for first in Set([0, 1, count / 2, count - 2]) where first < count - 1 {
                for second in Set([first + 1, count - 1]) {
                    var numbers = Array(0..<count)
                    numbers[second] = numbers[first]
                    // The extension is malformed and not critical, so strict rules reject it.
                    let policies = try leaf([.policies(numbers.map { "1.2.3.\($0)" })])
                    #expect(
                        policies.storage.fields.extensions.malformedExtensions == [.certificatePolicies],
                        "\(count), \(first), \(second)")
                    #expect(throws: DERError.self, "\(count), \(first), \(second)") {
                        try leaf(numbers.map { .unknown("1.2.3.\($0)", critical: false) })
                    }
                }
            }
            let distinct = try leaf([.policies((0..<count).map { "1.2.3.\($0)" })])
            #expect(distinct.storage.fields.extensions.malformedExtensions.isEmpty)
            _ = try leaf((0..<count).map { .unknown("1.2.3.\($0)", critical: false) })
        }
    }

    @Test("A budget that runs out at any point ends the search without a path, and the failure has its own code")
    func everyBudget() throws {
        let constraint = Extension.nameConstraints(permitted: [ASN1.dns("example.com")])
        let policies = Extension.policies(["1.2.3", "1.2.4"], critical: true)
        let chain = try CraftedChain([
            .init("A", [constraint, policies, .policyMappings([("1.2.3", "1.2.4")])]),
            .init("B", [policies, .policyConstraints(requireExplicit: 0)]),
        ])
        let leaf = try chain.leaf { $0.extensions?.append(policies.encoded) }
        for strict in [false, true] {
            func outcome(_ work: Int) throws -> (validation: PathValidation, meter: WorkMeter) {
                let policy = ValidationPolicy(
                    profile: .rfc5280, isStrict: strict, budget: ValidationBudget(work: work))
                return try PathValidator(anchors: AnchorStore([chain.root]), policy: policy, memory: nil).measured(
                    leaf, presented: chain.intermediates, host: Hostname("www.example.com"),
                    at: TestAuthority.now)
            }
            let needed = try outcome(.max).meter.work
            for work in stride(from: 0, to: needed, by: 37) {
                let (validation, meter) = try outcome(work)
                #expect(validation.codes.contains(.workBudgetExceeded), "\(work) of \(needed)")
                #expect(meter.work <= work)
            }
            #expect(try !outcome(needed).validation.codes.contains(.workBudgetExceeded))
        }
    }

    @Test("A search that exhausted the work budget accepts nothing, with any exceptions and any anchors")
    func exhaustedAcceptsNothing() throws {
        let host = try Hostname("www.example.com")
        let leaf = try leaf([.alternativeNames(ASN1.dns("www.example.com")), .extendedKeyUsage("1.3.6.1.5.5.7.3.1")])
        for anchors in [[root], [leaf], [leaf, root]] {
            for strict in [false, true] {
                func outcome(_ work: Int) -> PathValidation {
                    let policy = ValidationPolicy(isStrict: strict, budget: ValidationBudget(work: work))
                    return PathValidator(anchors: AnchorStore(anchors), policy: policy, memory: nil).validate(
                        leaf, presented: [], intermediates: [], host: host, at: TestAuthority.now,
                        insecurelyExcepting: { _, _ in true }, additionalChecks: nil)
                }
                #expect(outcome(.max).path != nil)
                var accepted = false
                for work in stride(from: 0, to: 20_000, by: 53) {
                    let isAccepted = outcome(work).path != nil
                    // Once the budget is enough, a larger budget is enough too.
                    #expect(isAccepted || !accepted)
                    #expect(isAccepted || outcome(work).codes.contains(.workBudgetExceeded))
                    accepted = isAccepted
                }
                #expect(accepted)
                for work in [0, -1, .min] { #expect(outcome(work).codes.contains(.workBudgetExceeded)) }
            }
        }
    }

    @Test("The meter charges for names that break a constraint before the engine creates their text")
    func wrongNames() throws {
        let constraint = Extension.nameConstraints(permitted: [ASN1.dns("other.example")])
        let chain = try CraftedChain([.init("CA", [constraint])])
        func outcome(_ count: Int) throws -> (validation: PathValidation, meter: WorkMeter) {
            let leaf = try chain.leaf {
                $0.extensions = [Extension.alternativeNames((0..<count).map { ASN1.dns("n\($0).example") }).encoded]
            }
            return try measure(leaf, chain.intermediates, host: nil, anchor: chain.root)
        }
        let (some, meter) = try outcome(5_000)
        #expect(some.codes == [.nameNotPermitted])
        guard case .list(let names) = some.failures.first?.found else {
            Issue.record("no list of names")
            return
        }
        #expect(names.count == 5_000)
        #expect(meter.work > 5_000 * 256)
        #expect(try outcome(60_000).validation.codes.contains(.workBudgetExceeded))
    }

    @Test("A long list states how many members it leaves out")
    func counts() throws {
        let found = try measure(leaf([Self.names])).validation.failures
        let mismatch = try #require(found.first { $0.code == .hostMismatch })
        #expect(mismatch.found?.description.hasSuffix(" and 79994 more") == true)
        guard case .list(let members) = mismatch.found else { return #expect(Bool(false)) }
        #expect(members.count == CountedList.maximumCount + 1)
        guard case .list(let written) = mismatch.found?.abridged else { return #expect(Bool(false)) }
        #expect(written.count == 21 && written.last == "… and 79980 more")
        #expect(mismatch.found?.abridged.description == mismatch.found?.description)
        let purposes = try measure(leaf([.alternativeNames(ASN1.dns("www.example.com")), Self.purposes]))
        #expect(purposes.validation.failures.first?.found?.description.hasSuffix(" and 79994 more") == true)
    }
}
