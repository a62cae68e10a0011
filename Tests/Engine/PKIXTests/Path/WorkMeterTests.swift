// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

/// The work that hostile sets of certificates cause, in the meter's units. The number of bytes limits it, never the
/// number of combinations.
@Suite("Work meter for searches")
struct WorkMeterTests {
    private let rootName = ASN1.name("Trusted Root")
    private let root: Certificate

    init() throws { root = try CraftedCertificate.authority(ASN1.name("Trusted Root")).certificate() }

    @Test("The meter of a reader permits work and nothing else")
    func reader() {
        let charges: [(inout WorkMeter) -> Bool] = [
            { $0.charge(signatures: 1) }, { $0.charge(steps: 1) }, { $0.charge(comparisons: 1) },
            { $0.charge(work: 6) },
        ]
        for charge in charges {
            var meter = WorkMeter(work: 5)
            #expect(meter.charge(work: 5) && !charge(&meter) && meter.isExhausted)
        }
    }

    @Test("A budget permits exactly its number of units, and an exhausted meter permits none")
    func exact() {
        let kinds: [(code: TrustFailure.Code, charge: (inout WorkMeter, Int) -> Bool, used: (WorkMeter) -> Int)] = [
            (.signatureBudgetExceeded, { $0.charge(signatures: $1) }, \.signatures),
            (.stepBudgetExceeded, { $0.charge(steps: $1) }, \.steps),
            (.comparisonBudgetExceeded, { $0.charge(comparisons: $1) }, \.comparisons),
            (.workBudgetExceeded, { $0.charge(work: $1) }, \.work),
        ]
        for (code, charge, used) in kinds {
            var meter = WorkMeter(ValidationBudget(signatures: 5, steps: 5, comparisons: 5, work: 5))
            #expect(used(meter) == 0 && charge(&meter, 2) && charge(&meter, 3) && used(meter) == 5)
            #expect(!meter.isExhausted && !charge(&meter, 1) && meter.isExhausted)
            #expect(meter.exhausted == TrustFailure(code, expected: .number(5)))
            // The other budgets have units left, but the meter refuses every charge.
            for other in kinds {
                let before = other.used(meter)
                #expect(!other.charge(&meter, 0) && !other.charge(&meter, 1) && other.used(meter) == before)
            }
            #expect(meter.exhausted?.code == code)
        }
    }

    private func measured(
        _ leaf: Certificate, _ others: [Certificate], policy: ValidationPolicy = ValidationPolicy()
    ) -> (validation: PathValidation, meter: WorkMeter) {
        PathValidator(anchors: AnchorStore([root]), policy: policy, memory: nil)
            .measured(leaf, presented: others, host: nil, at: TestAuthority.now)
    }

    /// Layers of CAs, each certified by every name of the layer above. All share one key, and no signature is valid.
    private func layers(
        _ count: Int, width: Int, name: (_ layer: Int, _ column: Int) -> [UInt8]
    ) throws -> [Certificate] {
        var certificates: [Certificate] = []
        for layer in 0..<count {
            for subject in 0..<width {
                for issuer in 0..<width {
                    let above = layer + 1 == count ? rootName : name(layer + 1, issuer)
                    certificates.append(
                        try CraftedCertificate.authority(name(layer, subject), issuer: above).unsigned())
                    if layer + 1 == count { break }
                }
            }
        }
        return certificates
    }

    @Test(
        "Layers of CAs with a shared key and long non-ASCII names cost work proportional to their bytes",
        arguments: [(20, 30), (30, 100), (30, 500), (20, 2_000)])
    func sharedKeysAndLongNames(count: Int, letters: Int) throws {
        let others = try layers(count, width: 2) { layer, column in
            ASN1.name(String(repeating: "ä", count: letters) + "\(layer).\(column)")
        }
        let leaf = try CraftedCertificate.leaf(
            issuer: ASN1.name(String(repeating: "ä", count: letters) + "0.0")
        ).unsigned()
        let (validation, meter) = measured(leaf, others)
        #expect(!validation.isValid)
        let bytes = others.reduce(leaf.der.count) { $0 + $1.der.count }
        #expect(meter.work < 320 * bytes + 1_000_000, "\(meter.work) units for \(bytes) bytes")
        #expect(meter.steps <= ValidationBudget().steps)
    }

    @Test("Every issuer that the search tries costs a step, even if its name and key are already in the path")
    func loops() throws {
        // A clique with one key: every next candidate has a key that is already in the path, and most have a name that
        // is.
        let names = (0..<12).map { ASN1.name("CA \($0)") }
        var others: [Certificate] = []
        for subject in names {
            for issuer in names where issuer != subject {
                others.append(try CraftedCertificate.authority(subject, issuer: issuer).unsigned())
            }
        }
        others.append(try CraftedCertificate.authority(names[11], issuer: rootName).unsigned())
        let leaf = try CraftedCertificate.leaf(issuer: names[0]).unsigned()
        let (validation, meter) = measured(leaf, others)
        #expect(!validation.isValid)
        #expect(meter.steps <= ValidationBudget().steps)
        #expect(meter.work < ValidationBudget().work)
        let few = ValidationPolicy(budget: ValidationBudget(steps: 100))
        let stopped = measured(leaf, others, policy: few)
        #expect(stopped.validation.codes.contains(.stepBudgetExceeded))
        #expect(stopped.meter.steps == 100)
    }

    @Test(
        "Comparing a name of thousands of values in one set, in a different order from its issuer's, costs work proportional to its bytes"
    )
    func largeSets() throws {
        func name(_ spaces: (Int) -> Int) -> [UInt8] {
            ASN1.sequence(
                ASN1.set(
                    (0..<9_000).map { index in
                        ASN1.attribute(
                            ASN1.ou, ASN1.utf8("\(index)" + String(repeating: " ", count: spaces(index))))
                    }))
        }
        let one = name { $0 % 7 }
        let other = name { 6 - $0 % 7 }
        let authority = try CraftedCertificate.authority(other, issuer: rootName).unsigned()
        let leaf = try CraftedCertificate.leaf(issuer: one).unsigned()
        let (validation, meter) = measured(leaf, [authority])
        // By name it is the issuer, but its signature is invalid.
        #expect(validation.allCodes.contains(.signatureInvalid))
        #expect(meter.work < 64 * (leaf.der.count + authority.der.count))
    }

    @Test("Sixty issuers whose names differ in the last of eight attributes are each distinguished once")
    func namesThatDifferLate() throws {
        func name(_ index: Int, reversed: Bool) -> [UInt8] {
            ASN1.sequence(
                ASN1.set(
                    (0..<8).map { attribute in
                        let number = attribute == 7 ? index : 0
                        let spaces = reversed ? 8 - attribute : attribute
                        return ASN1.attribute(
                            ASN1.ou,
                            ASN1.utf8(
                                String(repeating: "ä", count: 40) + "\(attribute).\(number)"
                                    + String(repeating: " ", count: spaces)))
                    }))
        }
        let others = try (0..<60).map { index in
            try CraftedCertificate.authority(name(index, reversed: true), issuer: rootName).unsigned()
        }
        let leaf = try CraftedCertificate.leaf(issuer: name(59, reversed: false)).unsigned()
        let (validation, meter) = measured(leaf, others)
        #expect(validation.allCodes.contains(.signatureInvalid))
        let bytes = others.reduce(leaf.der.count) { $0 + $1.der.count }
        #expect(meter.work < 320 * bytes, "\(meter.work) units for \(bytes) bytes")
    }

    @Test("A search that exhausts the work budget finds no path and fails with its own code")
    func workBudget() throws {
        let chain = try TestChain()
        let leaf = try chain.leaf()
        let anchors = AnchorStore([chain.root.certificate])
        func outcome(_ work: Int) -> (validation: PathValidation, meter: WorkMeter) {
            PathValidator(
                anchors: anchors, policy: ValidationPolicy(budget: ValidationBudget(work: work)), memory: nil
            ).measured(leaf, presented: [chain.intermediate.certificate], host: nil, at: TestAuthority.now)
        }
        let needed = outcome(.max).meter.work
        #expect(outcome(needed).validation.isValid)
        for work in [needed - 1, needed / 2, 1, 0, -1, .min] {
            let found = outcome(work).validation
            #expect(!found.isValid)
            #expect(found.codes.contains(.workBudgetExceeded), "\(work)")
        }
        // A typical chain from a server takes less than a hundredth of the budget.
        #expect(needed * 100 < ValidationBudget().work)
    }
}
