// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

/// The work that each check charges, in the meter's units. A budget limits hostile certificates only if every check
/// charges for the bytes that it reads, once for each pass, and for each text that it creates.
@Suite("Work of each check")
struct CheckWorkTests {
    private typealias Check = (inout WorkMeter, inout FailureList) -> Void

    private func measure(_ check: Check) -> WorkMeter {
        var meter = WorkMeter(ValidationBudget(work: .max))
        var list = FailureList()
        check(&meter, &list)
        return meter
    }

    private func certificate(
        _ extensions: [Extension] = [], subject: [UInt8] = ASN1.name([(ASN1.o, ASN1.utf8("Example"))])
    ) throws -> Certificate {
        try CraftedCertificate.leaf().with {
            $0.subject = subject
            $0.extensions = extensions.isEmpty ? nil : extensions.map(\.encoded)
        }.unsigned()
    }

    /// A path of a leaf with these extensions, of CAs, and of an anchor. The checks don't verify signatures.
    private func path(_ certificates: [[Extension]]) throws -> CandidatePath {
        CandidatePath(certificates: try certificates.map { try certificate($0) }, selfIssued: 0)
    }

    private func context(
        _ policy: ValidationPolicy = ValidationPolicy(), distrusted: [DistrustedCertificates] = []
    ) throws -> EvaluationContext {
        EvaluationContext(
            policy: policy, host: try Hostname("www.example.com"), time: TestAuthority.now, distrusted: distrusted)
    }

    private static let names = Extension.alternativeNames(ASN1.dns("www.example.com"), ASN1.dns("example.com"))
    private static let purposes = Extension.extendedKeyUsage("1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2")

    @Test("The algorithms of a certificate cost their bytes")
    func algorithms() throws {
        let certificate = try certificate()
        let context = try context()
        let curve = ASN1.algorithm("1.2.840.10045.2.1", ASN1.oid("1.2.840.10045.3.1.7"))
        for isAnchor in [false, true] {
            let work = measure { AlgorithmCheck.run(certificate, .leaf, isAnchor: isAnchor, context, &$0, &$1) }.work
            #expect(work == 2 * SigningKey.shared.algorithm.count + curve.count)
        }
    }

    @Test("Distrusted certificates cost three passes over the certificate, and nothing without a list")
    func distrust() throws {
        let certificate = try certificate()
        for (lists, passes) in [([], 0), ([DistrustedCertificates(source: "X", names: [:])], 3)] {
            let context = try context(distrusted: lists)
            #expect(
                measure { DistrustCheck.run(certificate, context, &$0, &$1) }.work == passes * certificate.der.count)
        }
    }

    @Test("Lists of a certificate cost their bytes for each pass")
    func lists() throws {
        let mappings = Extension.policyMappings([("1.2.3", "1.2.4"), ("1.2.5", "1.2.6")])
        let policies = Extension.policies(["1.2.3", "1.2.4"], critical: true)
        let all = try certificate([Self.names, Self.purposes, mappings, policies])
        let none = try certificate()
        let context = try context()
        let rows: [(name: String, work: Int, check: (Certificate) -> Check)] = [
            (
                "purposes", 3 * Self.purposes.value.count,
                { made in { ExtendedKeyUsageCheck.run(made, .leaf, context, &$0, &$1) } }
            ),
            (
                "names", 2 * Self.names.value.count,
                { made in { IdentityCheck.run(made, context, &$0, &$1) } }
            ),
            ("mappings", 16 * mappings.value.count, { made in { PolicyMappingCheck.run(made, &$0, &$1) } }),
            (
                "critical policies", 16 * policies.value.count,
                { made in { CriticalExtensionCheck.run(made, &$0, &$1) } }
            ),
        ]
        for row in rows {
            #expect(measure(row.check(all)).work == row.work, "\(row.name)")
            #expect(measure(row.check(none)).work == 0, "\(row.name)")
        }
    }

    @Test("The strict rules read names twice, purposes three times and name constraints once")
    func strictRules() throws {
        let constraints = Extension.nameConstraints(permitted: [ASN1.dns("example.com")])
        let rows: [(made: Extension, policy: ValidationPolicy, role: TrustFailure.Role, work: Int)] = [
            (Self.names, .strictPlain, .leaf, 2 * Self.names.value.count),
            (Self.purposes, .strict, .intermediate, 3 * Self.purposes.value.count),
            (constraints, .strictPlain, .intermediate, constraints.value.count),
        ]
        for row in rows {
            let certificate = try certificate([row.made])
            let context = try context(row.policy)
            let meter = measure {
                StrictCertificateCheck.run(
                    certificate, row.role, isAnchor: false, isSelfIssued: false, context, &$0, &$1)
            }
            #expect(meter.work == row.work, "\(row.made)")
        }
    }

    @Test("A few common names cost a search of all names each, and more of them cost a table of the names")
    func commonNames() throws {
        let names = Self.names.value.count
        for (count, lookup) in [
            (1, 2 * names), (4, 8 * names), (5, 32 * (5 + names / 3)), (9, 32 * (9 + names / 3)),
        ] {
            let subject = ASN1.name((0..<count).map { (ASN1.cn, ASN1.utf8("c\($0)")) })
            let certificate = try certificate([Self.names], subject: subject)
            let work = measure { StrictCommonNameCheck.run(certificate, &$0, &$1) }.work
            #expect(work == 17 * subject.count + lookup, "\(count)")
        }
        let none = try certificate([Self.names])
        let work = measure { StrictCommonNameCheck.run(none, &$0, &$1) }.work
        #expect(work == none.storage.fields.subject.count)
    }

    @Test("Each comparison of key identifiers costs the bytes of the issuer's identifier")
    func keyIdentifiers() throws {
        let path = try path([[.authorityKeyIdentifier([1, 2, 3])], [.authorityKeyIdentifier([4, 5])], []])
        let bytes = path.certificates.reduce(0) { $0 + $1.storage.fields.extensions.authorityKeyIdentifier.count }
        let work = measure { StrictKeyIdentifierChainCheck.run(path, &$0, &$1) }.work
        #expect(work == bytes && work > 0)
    }

    @Test("TLS features cost their bytes if the issuer's certificate has some")
    func features() throws {
        func features(_ numbers: Int...) -> Extension {
            .named("1.3.6.1.5.5.7.1.24", ASN1.sequence(numbers.map(ASN1.integer)))
        }
        let (own, required) = (features(5, 17), features(5))
        for (issuer, work) in [([required], 64 * (own.value.count + required.value.count)), ([], 0)] {
            let path = try path([[own], issuer])
            #expect(measure { TLSFeatureCheck.run(path, &$0, &$1) }.work == work)
        }
    }

    @Test(
        "Policies cost 256 units for each policy, mapping, node and edge of the graph, and nothing if none is required")
    func policies() throws {
        let both = Extension.policies("1.2.3", "1.2.4")
        let first = Extension.policies("1.2.3")
        let mapping = Extension.policyMappings([("1.2.4", "1.2.3")])
        let late = Extension.policyConstraints(requireExplicit: 9)
        // The anchor's level has a size of 2. A node with one parent and one expected policy has a size of 3.
        let rows: [(certificates: [[Extension]], bytes: [Extension], units: Int)] = [
            ([[first], [both], []], [both, first], 2 + 2 + 6 + 1 + 3),
            // Both policies may appear under the first name, so the leaf's node has two parents.
            ([[first], [both, mapping], []], [both, mapping, first], 2 + 2 + 1 + 6 + 1 + 4),
            ([[first], [first], [both], []], [both, first, first], 2 + 2 + 6 + 1 + 3 + 1 + 3),
            // A certificate without policies leaves no graph.
            ([[], [late], []], [], 2),
            ([[first], [late], []], [first], 2 + 1),
        ]
        for row in rows {
            let path = try path(row.certificates)
            let bytes = row.bytes.reduce(0) { $0 + $1.value.count }
            let isRequired = !row.certificates[1].contains(late)
            let policy = ValidationPolicy(certificatePolicies: .init(requireExplicit: isRequired))
            let context = try context(policy)
            let work = measure { CertificatePoliciesCheck.run(path, context, &$0, &$1) }.work
            #expect(work == bytes + 256 * row.units, "\(row.certificates)")
        }
        let path = try path([[first], [both], []])
        let context = try context()
        #expect(measure { CertificatePoliciesCheck.run(path, context, &$0, &$1) }.work == 0)
    }

    @Test("A leaf that is its own anchor has no path whose policies could be wrong")
    func policiesOfAnchor() throws {
        var meter = WorkMeter(work: 0)
        let outcome = CertificatePoliciesCheck.process(
            try path([[.policies("1.2.3")]]), .init(acceptable: [], requireExplicit: true), &meter)
        guard case .valid(nil) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(meter.work == 0 && !meter.isExhausted)
    }

    @Test("Name constraints cost a comparison for each pair, more for long names, and work for each text in a failure")
    func nameConstraints() throws {
        let com = ASN1.dns("example.com")
        let permitted = Extension.nameConstraints(permitted: [com])
        let excluded = Extension.nameConstraints(excluded: [com])
        let two = Extension.nameConstraints(permitted: [com, ASN1.email("example.org")])
        func text(_ name: String) -> Int { 256 + 16 * name.utf8.count }
        func long(_ count: Int) -> [UInt8] { ASN1.dns(String(repeating: "a", count: count - 12) + ".example.com") }
        let rows: [(name: String, constraints: Extension, names: [[UInt8]], comparisons: Int, work: Int)] = [
            ("within", permitted, [com], 1, 0), ("another form", permitted, [ASN1.email("a@example.com")], 1, 0),
            ("63 bytes", permitted, [long(63 - 11)], 1, 0), ("64 bytes", permitted, [long(64 - 11)], 2, 0),
            ("not excluded", excluded, [ASN1.dns("a.test"), ASN1.dns("b.test")], 2, 0),
            ("excluded", excluded, [com], 1, 2 * text("example.com")),
            // A constraint is one text, for any number of names.
            (
                "two excluded", excluded, [com, ASN1.dns("www.example.com")], 2,
                2 * text("example.com") + text("www.example.com")
            ),
            ("undecidable", permitted, [ASN1.dns("a b")], 1, text("a b") + text("example.com")),
            (
                "not permitted", permitted, [ASN1.dns("a.test")], 1,
                text("a.test") + permitted.value.count + text("example.com")
            ),
            // The failure names only the constraints of the name's form.
            (
                "two forms", two, [ASN1.dns("a.test")], 2,
                text("a.test") + two.value.count + text("example.com")
            ),
        ]
        for row in rows {
            for subject in [ASN1.emptyName, ASN1.name("x")] {
                let leaf = try certificate([.alternativeNames(row.names)], subject: subject)
                let path = CandidatePath(
                    certificates: [leaf, try certificate([row.constraints])], selfIssued: 0)
                let meter = measure { meter, list in
                    var normalized = NormalizedNames()
                    NameConstraintsCheck.run(path, &normalized, &meter, &list)
                }
                // A subject that isn't empty is one more name, and may contain mailboxes.
                let bases = row.constraints == two ? 2 : 1
                let isEmpty = subject == ASN1.emptyName
                #expect(meter.comparisons == row.comparisons + (isEmpty ? 0 : bases), "\(row.name)")
                #expect(meter.work == row.work + (isEmpty ? 0 : subject.count), "\(row.name)")
            }
        }
    }

    @Test("The domains of an anchor cost each name of the leaf and its suffixes, and nothing without domains")
    func domains() throws {
        let leaf = try certificate([.alternativeNames([ASN1.dns("www.example.com")])])
        let permitted = AnchorConditionsTests.constraints { $0.permittedDomains = ["example.com"] }
        let excluded = AnchorConditionsTests.constraints { $0.excludedDomains = ["example.org"] }
        func suffix(_ name: String) -> Int { 32 + 2 * name.utf8.count }
        let below = 16 + 4 * 15 + suffix("www.example.com") + suffix("example.com")
        for (constraints, work) in [(permitted, below), (excluded, below + suffix("com"))] {
            let domains = try #require(ConditionDomains(constraints))
            var meter = WorkMeter(ValidationBudget(work: .max))
            #expect(domains.firstViolation(of: leaf, &meter) == nil && meter.work == work)
        }
        #expect(ConditionDomains(AnchorConditionsTests.constraints { _ in }) == nil)
    }

    @Test("If the budget runs out while a failure lists subtrees, the failure contains those before")
    func unfinishedSubtrees() throws {
        let bases = ["1.example", "2.example", "3.example"]
        let constraints = Extension.nameConstraints(permitted: bases.map { ASN1.dns($0) })
        let leaf = try certificate([.alternativeNames([ASN1.dns("a.test")])], subject: ASN1.emptyName)
        let path = CandidatePath(certificates: [leaf, try certificate([constraints])], selfIssued: 0)
        let first = 256 + 16 * "a.test".utf8.count + constraints.value.count
        for count in 0...3 {
            var meter = WorkMeter(ValidationBudget(work: first + count * (256 + 16 * 9)))
            var (list, normalized) = (FailureList(), NormalizedNames())
            NameConstraintsCheck.run(path, &normalized, &meter, &list)
            #expect(meter.isExhausted == (count < 3) && list.failures.map(\.code) == [.nameNotPermitted])
            guard case .list(let found) = list.failures.first?.expected else { return #expect(Bool(false)) }
            #expect(found.count == count && zip(found, bases).allSatisfy { $0.hasSuffix($1) })
        }
    }
}
