// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrustTesting
import Testing

@testable import PKIX

/// Prints the processor time of `body` if SERVERTRUST_TIMES is set. `Benchmarks/run.sh --filter hostile` enforces a
/// limit.
private func answered<Result>(_ name: String = "", _ body: () throws -> Result) rethrows -> Result {
    let start = threadTime()
    let result = try body()
    let duration = threadTime() - start
    if ProcessInfo.processInfo.environment["SERVERTRUST_TIMES"] != nil { print("answered:", name, duration) }
    return result
}

private func threadTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
}

/// Validates without a signature cache. Unless a budget runs out, expects the certificates' bytes and the number of
/// tried paths to limit the work.
private func validate(
    _ leaf: Certificate, _ others: [Certificate] = [], anchors: [Certificate], host: String? = nil,
    policy: ValidationPolicy = ValidationPolicy()
) throws -> PathValidation {
    let (validation, meter) = PathValidator(anchors: AnchorStore(anchors), policy: policy, memory: nil).measured(
        leaf, presented: others, host: try host.map { text throws in try Hostname(text) }, at: TestAuthority.now)
    let bytes = (others + anchors).reduce(leaf.der.count) { $0 + $1.der.count }
    let bound = 64 * bytes + 4_096 * (meter.steps + 1) + 64 * meter.comparisons
    #expect(meter.isExhausted || meter.work <= bound, "\(meter.work) units of work for \(bytes) bytes")
    #expect(!meter.isExhausted || !validation.isValid)
    return validation
}

/// CAs that certify each other, each with a key and a name, and the certificates between them.
private struct Crowd {
    let keys: [SigningKey]
    let names: [[UInt8]]
    var certificates: [Certificate] = []

    init(_ count: Int) {
        keys = (0..<count).map { _ in SigningKey.p256() }
        names = (0..<count).map { ASN1.name("CA \($0)") }
    }

    /// `issuer` certifies `subject` with a valid signature.
    mutating func certify(_ subject: Int, by issuer: Int, _ extensions: [Extension] = []) throws {
        certificates.append(
            try CraftedCertificate.authority(names[subject], issuer: names[issuer], key: keys[subject], extensions)
                .certificate(signedBy: keys[issuer]))
    }

    /// Adds a certificate for `subject` from a CA outside the crowd.
    mutating func certify(_ subject: Int, by name: [UInt8], key: SigningKey, _ extensions: [Extension] = []) throws {
        certificates.append(
            try CraftedCertificate.authority(names[subject], issuer: name, key: keys[subject], extensions).certificate(
                signedBy: key))
    }

    func leaf(below index: Int = 0, _ change: (inout CraftedCertificate) -> Void = { _ in }) throws -> Certificate {
        try CraftedCertificate.leaf(issuer: names[index]).with(change).certificate(signedBy: keys[index])
    }

    /// A set of CAs that all certify each other.
    static func clique(_ count: Int, _ extensions: [Extension] = []) throws -> Crowd {
        var crowd = Crowd(count)
        for subject in 0..<count {
            for issuer in 0..<count where issuer != subject { try crowd.certify(subject, by: issuer, extensions) }
        }
        return crowd
    }

    /// Layers of two CAs, each certified by both CAs of the layer above: 2ⁿ paths upward.
    static func layers(_ count: Int) throws -> Crowd {
        var crowd = Crowd(count * 2)
        for layer in 0..<(count - 1) {
            for subject in [0, 1] {
                for issuer in [0, 1] { try crowd.certify(layer * 2 + subject, by: (layer + 1) * 2 + issuer) }
            }
        }
        return crowd
    }
}

@Suite("Hostile sets of certificates")
struct HostileSetTests {
    private let rootKey = SigningKey.p256()
    private let rootName = ASN1.name("Trusted Root")
    private let root: Certificate

    init() throws {
        root = try CraftedCertificate.authority(rootName, key: rootKey).certificate(signedBy: rootKey)
    }

    /// The top of a crowd: its CAs either only pretend to be below the anchor, or are below it in a way that makes the
    /// path invalid.
    enum Top: String, CaseIterable {
        /// No certificate leads to the anchor.
        case none
        /// Certificates that name the anchor as issuer and have an arbitrary signature.
        case forged
        /// The anchor certified them with a path length of 0.
        case limited
        /// The anchor certified them for other names.
        case constrained
        /// The anchor certified them for another purpose.
        case otherPurpose
    }

    private func add(_ top: Top, to crowd: inout Crowd, _ indices: [Int]) throws {
        for index in indices {
            switch top {
            case .none: break
            case .forged: try crowd.certify(index, by: rootName, key: crowd.keys[index])
            case .limited:
                crowd.certificates.append(
                    try CraftedCertificate.authority(crowd.names[index], issuer: rootName, key: crowd.keys[index])
                        .with { $0.extensions?[0] = Extension.basicConstraints(pathLength: 0).encoded }
                        .certificate(signedBy: rootKey))
            case .constrained:
                try crowd.certify(
                    index, by: rootName, key: rootKey, [.nameConstraints(permitted: [ASN1.dns("other.example")])])
            case .otherPurpose:
                try crowd.certify(index, by: rootName, key: rootKey, [.extendedKeyUsage("1.3.6.1.5.5.7.3.4")])
            }
        }
    }

    private func expectRefused(_ leaf: Certificate, _ others: [Certificate], _ name: String) throws {
        for policy in [ValidationPolicy(), .plain, .strict] {
            let outcome = try answered(name) {
                try validate(leaf, others, anchors: [root], host: "www.example.com", policy: policy)
            }
            #expect(!outcome.isValid, "\(name)")
            let reversed = try answered(name) { try validate(leaf, others.reversed(), anchors: [root], policy: policy) }
            #expect(!reversed.isValid, "\(name)")
        }
    }

    @Test(
        "The engine evaluates sixteen layers of two CAs, each certified by both CAs of the layer above, within the budget",
        arguments: Top.allCases)
    func layers(top: Top) throws {
        var crowd = try Crowd.layers(16)
        try add(top, to: &crowd, [30, 31])
        try expectRefused(crowd.leaf(), crowd.certificates, top.rawValue)
    }

    @Test("The engine evaluates a clique of eight CAs within the budget", arguments: Top.allCases)
    func clique(top: Top) throws {
        var crowd = try Crowd.clique(8)
        // The leaf's issuer is at the bottom, so every detour leads through the other CAs.
        try add(top, to: &crowd, Array(1..<8))
        try expectRefused(crowd.leaf(), crowd.certificates, top.rawValue)
    }

    @Test("The engine finds the path out of a clique of eight CAs")
    func cliqueWithWayOut() throws {
        var crowd = try Crowd.clique(8)
        try crowd.certify(7, by: rootName, key: rootKey)
        let leaf = try crowd.leaf()
        let path = try answered { try validate(leaf, crowd.certificates, anchors: [root]).path }
        #expect(path?.anchor == root)
        let layers = try {
            var crowd = try Crowd.layers(16)
            try crowd.certify(31, by: rootName, key: rootKey)
            return crowd
        }()
        let below = try layers.leaf()
        #expect(
            try answered { try validate(below, layers.certificates, anchors: [root]).path }?.certificates.count == 18)
    }

    @Test("The engine evaluates a hundred issuers with one name, none of which signed the leaf, within the budget")
    func sameName() throws {
        let name = ASN1.name("Same")
        for isForged in [true, false] {
            let issuers = try (0..<100).map { _ in
                let key = SigningKey.p256()
                return try CraftedCertificate.authority(name, issuer: rootName, key: key).certificate(
                    signedBy: isForged ? key : rootKey)
            }
            let leaf = try CraftedCertificate.leaf(issuer: name).certificate()
            try expectRefused(leaf, issuers, "forged: \(isForged)")
            #expect(try answered { try validate(leaf, issuers, anchors: [root]) }.allCodes.contains(.signatureInvalid))
            // As anchors, they are just as numerous and just as wrong.
            #expect(try !answered { try validate(leaf, anchors: issuers) }.isValid)
        }
    }

    @Test("The engine evaluates thousands of non-ASCII names with equal hashes within the budget")
    func alikeNames() throws {
        // None of them issued another or the leaf, but all could have.
        func name(_ index: Int) -> [UInt8] { ASN1.name("Prüfstelle \(index)") }
        let anchor = try CraftedCertificate.authority(name(0), key: rootKey).certificate(signedBy: rootKey)
        // A tree: a hundred CAs have the name of the leaf's issuer, each with one branch below it.
        var others: [Certificate] = []
        for index in 1...60 {
            others.append(
                try CraftedCertificate.authority(name(1), issuer: name(100 + index)).with {
                    $0.serialNumber = ASN1.integer(index)
                }.unsigned())
        }
        for index in 1...60 {
            others.append(try CraftedCertificate.authority(name(100 + index), issuer: name(5_000 + index)).unsigned())
        }
        for index in 0..<1_500 {
            others.append(
                try CraftedCertificate.authority(name(10_000 + index), issuer: name(20_000 + index)).unsigned())
        }
        let leaf = try CraftedCertificate.leaf(issuer: name(1)).certificate()
        #expect(try !answered("in order") { try validate(leaf, others, anchors: [anchor]) }.isValid)
        #expect(try !answered("reversed") { try validate(leaf, others.reversed(), anchors: [anchor]) }.isValid)
        #expect(try !answered("no anchor") { try validate(leaf, others, anchors: []) }.isValid)
    }

    @Test("The engine evaluates thousands of certificates with equal lengths and equal last bytes within the budget")
    func alikeTails() throws {
        let others = try (0..<3_000).map { index in
            try CraftedCertificate.authority(ASN1.name("Same"), key: rootKey)
                .with { $0.serialNumber = ASN1.integer(0x1000_0000 + index) }.unsigned()
        }
        #expect(Set(others.map(\.der.count)).count == 1)
        let leaf = try CraftedCertificate.leaf(issuer: ASN1.name("Same")).certificate()
        #expect(try !answered { try validate(leaf, others, anchors: [root]) }.isValid)
        #expect(try !answered { try validate(leaf, others, anchors: [others[0], root]) }.isValid)
    }

    @Test("If listing issuers exhausts the budget, the failure has its own code")
    func exhaustedWhileListing() throws {
        let leaf = try CraftedCertificate.leaf(issuer: rootName).certificate(signedBy: rootKey)
        for steps in [1, 0, -1, .min / 2] {
            let policy = ValidationPolicy(budget: ValidationBudget(steps: steps))
            #expect(try codes(leaf, anchors: [root], policy: policy) == [.stepBudgetExceeded], "\(steps) steps")
        }
        // Two names of half a megabyte each.
        let long = ASN1.name([(ASN1.o, ASN1.utf8(String(repeating: "x", count: 500_000)))])
        let authority = try CraftedCertificate.authority(long).certificate()
        let below = try CraftedCertificate.leaf(issuer: long).certificate()
        let outcome = try answered { try validate(below, anchors: [authority]) }
        #expect(outcome.isValid || outcome.codes == [.stepBudgetExceeded])
    }

    @Test(
        "The engine evaluates policies mapped in all ways, on all paths of a clique under a limited CA, within the budget"
    )
    func policiesOnManyPaths() throws {
        let policies = (0..<11).map { "1.2.3.\($0)" }
        let mappings = policies.flatMap { from in policies.map { (from, $0) } }
        var crowd = try Crowd.clique(
            7, [.policies(policies), .policyMappings(mappings), .policyConstraints(requireExplicit: 0)])
        try add(.limited, to: &crowd, Array(1..<7))
        let leaf = try crowd.leaf { $0.extensions?.append(Extension.policies(policies).encoded) }
        try expectRefused(leaf, crowd.certificates, "limited")
        // These paths are wrong only in their policies.
        var free = try Crowd.clique(6, [.policies(policies), .policyMappings(mappings)])
        for index in 1..<6 {
            try free.certify(index, by: rootName, key: rootKey, [.policies(policies), .policyMappings(mappings)])
        }
        let other = try free.leaf { $0.extensions?.append(Extension.policies("1.2.4").encoded) }
        let policy = ValidationPolicy(certificatePolicies: .init(requireExplicit: true))
        let outcome = try answered("free") { try validate(other, free.certificates, anchors: [root], policy: policy) }
        #expect(outcome.allCodes.contains(.policyNotAcceptable))
    }
}

@Suite("Hostile contents")
struct HostileContentTests {
    private let rootKey = SigningKey.p256()
    private let rootName = ASN1.name("Trusted Root")
    private let root: Certificate

    init() throws {
        root = try CraftedCertificate.authority(rootName, key: rootKey).certificate(signedBy: rootKey)
    }

    /// A leaf below a CA with a constraint, both with arbitrary signatures. The CA claims to be below the anchor.
    private func outcome(_ constraint: Extension, _ names: [[UInt8]], subject: [UInt8] = ASN1.emptyName) throws
        -> PathValidation
    {
        let authority = try CraftedCertificate.authority(ASN1.name("CA"), issuer: rootName, [constraint]).unsigned()
        let leaf = try CraftedCertificate.leaf(issuer: ASN1.name("CA")).with {
            $0.subject = subject
            $0.extensions = names.isEmpty ? nil : [Extension.alternativeNames(names).encoded]
        }.unsigned()
        return try answered("\(names.count) names") { try validate(leaf, [authority], anchors: [root]) }
    }

    @Test("The engine evaluates 2048 names under 2048 constraints, permitted or excluded, within the budget")
    func manyConstraints() throws {
        let bases = (0..<2048).map { ASN1.dns("b\($0).example") }
        let names = (0..<2048).map { ASN1.dns("n\($0).example.com") }
        let excluded = try outcome(.nameConstraints(excluded: bases), names)
        #expect(excluded.codes.contains(.comparisonBudgetExceeded))
        let permitted = try outcome(.nameConstraints(permitted: bases + [ASN1.dns("example.com")]), names)
        #expect(permitted.codes.contains(.comparisonBudgetExceeded))
        let other = try outcome(
            .nameConstraints(excluded: bases), (0..<2048).map { ASN1.ip([10, 0, UInt8($0 >> 8), UInt8($0 & 255)]) })
        #expect(other.codes.contains(.comparisonBudgetExceeded))
    }

    @Test("The engine compares a constraint of the maximum size with thousands of names within the budget")
    func longConstraint() throws {
        let long = ASN1.name((0..<5_000).map { _ in (ASN1.ou, ASN1.utf8("x")) })
        #expect(long.count > 60_000)
        for names in [
            (0..<3_000).map { ASN1.dns("n\($0).example") }, (0..<3_000).map { ASN1.directory(ASN1.name("n\($0)")) },
        ] {
            #expect(try !outcome(.nameConstraints(excluded: [ASN1.directory(long)]), names).isValid)
            #expect(try !outcome(.nameConstraints(permitted: [ASN1.directory(long), ASN1.dns("")]), names).isValid)
        }
        // Names that equal the constraint up to the last relative name.
        let close = (0..<10).map {
            ASN1.directory(
                ASN1.name((0..<4_999).map { _ in (ASN1.ou, ASN1.bmp("X")) } + [(ASN1.ou, ASN1.utf8("\($0)"))]))
        }
        #expect(try !outcome(.nameConstraints(excluded: [ASN1.directory(long)]), close).isValid)
    }

    @Test(
        "The engine evaluates a subject with thousands of attributes below thirty constraining CAs, on dozens of paths, within the budget"
    )
    func longSubject() throws {
        let subject = ASN1.name((0..<6_000).map { _ in (ASN1.ou, ASN1.utf8("x")) })
        let constraint = Extension.nameConstraints(permitted: [ASN1.dns("")])
        let keys = (0..<29).map { _ in SigningKey.p256() }
        var others: [Certificate] = []
        for index in 0..<27 {
            others.append(
                try CraftedCertificate.authority(
                    ASN1.name("CA \(index)"), issuer: ASN1.name("CA \(index + 1)"), key: keys[index], [constraint]
                )
                .certificate(signedBy: keys[index + 1]))
        }
        // The last CA has dozens of certificates, and each only claims that the anchor issued it.
        for serial in 0..<40 {
            others.append(
                try CraftedCertificate.authority(ASN1.name("CA 27"), issuer: rootName, key: keys[27], [constraint])
                    .with { $0.serialNumber = ASN1.integer(serial) }.unsigned())
        }
        let leaf = try CraftedCertificate.leaf(issuer: ASN1.name("CA 0")).with { $0.subject = subject }.certificate(
            signedBy: keys[0])
        #expect(try !answered { try validate(leaf, others, anchors: [root]) }.isValid)
    }

    @Test("The engine compares names with sixteen long values in another order within the budget")
    func permutedNames() throws {
        // Trailing spaces change the DER order, but the comparison ignores them.
        func name(_ spaces: (Int) -> Int) -> [UInt8] {
            ASN1.sequence(
                ASN1.set(
                    (0..<16).map { index in
                        let text =
                            String(repeating: "ä", count: 14_000) + "\(index)"
                            + String(repeating: " ", count: spaces(index))
                        return ASN1.attribute(ASN1.ou, ASN1.utf8(text))
                    }))
        }
        let one = name { $0 }
        let other = name { 16 - $0 }
        // Equal under RFC 5280 § 7.1, whatever their length.
        #expect(try answered("names") { try DistinguishedName(der: one) == DistinguishedName(der: other) })
        let own = try CraftedCertificate.leaf(issuer: one).with { $0.subject = other }.unsigned()
        #expect(try !answered("subject and issuer") { try validate(own, anchors: [root]) }.isValid)
        let authority = try CraftedCertificate.authority(other, issuer: rootName).unsigned()
        let leaf = try CraftedCertificate.leaf(issuer: one).unsigned()
        #expect(try !answered("issuer") { try validate(leaf, [authority], anchors: [root]) }.isValid)
        #expect(try !answered("anchor") { try validate(leaf, anchors: [authority]) }.isValid)
        #expect(try !outcome(.nameConstraints(excluded: [ASN1.directory(one)]), [ASN1.directory(other)]).isValid)
    }

    @Test("The engine evaluates a leaf with a hundred thousand names that don't match the host within the budget")
    func manyNames() throws {
        var names = (0..<50_000).map { _ in ASN1.dns("a") }
        names += (0..<20_000).map { ASN1.dns("*.n\($0).co.uk") }
        let leaf = try CraftedCertificate.leaf(issuer: rootName).with {
            $0.extensions = [Extension.alternativeNames(names).encoded]
        }
        .certificate(signedBy: rootKey)
        for policy in [ValidationPolicy(), .strict] {
            let outcome = try answered {
                try validate(leaf, anchors: [root], host: "www.n1.example.co.uk", policy: policy)
            }
            #expect(outcome.codes.contains(.hostMismatch))
            #expect(outcome.failures.allSatisfy { $0.message.utf8.count < 10_000 })
        }
        let matching = try CraftedCertificate.leaf(issuer: rootName).with {
            $0.extensions = [Extension.alternativeNames(names + [ASN1.dns("www.example.com")]).encoded]
        }.certificate(signedBy: rootKey)
        #expect(try answered { try validate(matching, anchors: [root], host: "www.example.com") }.isValid)
    }

    @Test("The engine evaluates certificates with every field at the maximum size within the budget")
    func largeFields() throws {
        let big = [UInt8](repeating: 0x41, count: 900_000)
        let rows: [(String, CraftedCertificate)] = [
            (
                "serial number",
                CraftedCertificate.leaf(issuer: rootName).with { $0.serialNumber = ASN1.value(0x02, big) }
            ),
            (
                "subject",
                CraftedCertificate.leaf(issuer: rootName).with {
                    $0.subject = ASN1.name([(ASN1.o, ASN1.value(0x0c, big))])
                }
            ),
            ("issuer", CraftedCertificate.leaf(issuer: ASN1.name([(ASN1.o, ASN1.value(0x0c, big))]))),
            (
                "key",
                CraftedCertificate.leaf(issuer: rootName).with {
                    $0.publicKey = ASN1.publicKey(ASN1.algorithm("1.3.101.112"), big)
                }
            ),
            (
                "modulus",
                CraftedCertificate.leaf(issuer: rootName).with {
                    $0.publicKey = ASN1.publicKey(
                        ASN1.algorithm("1.2.840.113549.1.1.1", ASN1.null),
                        ASN1.sequence(ASN1.value(0x02, big), ASN1.integer(3)))
                }
            ),
            (
                "extension",
                CraftedCertificate.leaf(issuer: rootName).with {
                    $0.extensions?.append(Extension.unknown(critical: true, big).encoded)
                }
            ),
            ("name", CraftedCertificate.leaf(issuer: rootName, dns: String(repeating: "a", count: 900_000))),
        ]
        for (name, made) in rows {
            let leaf = try answered(name) { try made.unsigned() }
            for policy in [ValidationPolicy(), .plain, .strict] {
                let outcome = try answered(name) {
                    try validate(leaf, anchors: [root], host: "www.example.com", policy: policy)
                }
                #expect(!outcome.isValid, "\(name)")
                #expect(outcome.failures.allSatisfy { $0.message.utf8.count < 10_000 }, "\(name)")
            }
        }
    }
}
