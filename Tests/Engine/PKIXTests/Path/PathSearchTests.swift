// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

/// The keys and certificates of a search. The first key is the root's.
struct SearchSamples {
    let keys = (0..<4).map { _ in SigningKey.p256() }
    /// A key that signed nothing that verifies.
    let wrong = SigningKey.p256()

    func authority(
        _ name: String, _ key: Int, by issuer: String, _ signer: SigningKey, serial: Int = 1,
        extensions: [Extension] = [], _ change: (inout CraftedCertificate) -> Void = { _ in }
    ) throws -> Certificate {
        try CraftedCertificate.authority(ASN1.name(name), issuer: ASN1.name(issuer), key: keys[key], extensions).with {
            $0.serialNumber = ASN1.integer(serial)
            change(&$0)
        }.certificate(signedBy: signer)
    }

    func root(serial: Int = 1, _ change: (inout CraftedCertificate) -> Void = { _ in }) throws -> Certificate {
        try authority("R", 0, by: "R", keys[0], serial: serial, change)
    }

    func leaf(
        by issuer: String, _ signer: SigningKey, _ change: (inout CraftedCertificate) -> Void = { _ in }
    ) throws -> Certificate {
        try CraftedCertificate.leaf(issuer: ASN1.name(issuer)).with(change).certificate(signedBy: signer)
    }

    static func expire(_ made: inout CraftedCertificate) {
        made.notAfter = ASN1.time(TestAuthority.now.advanced(by: -1))
    }
    static func confuse(_ made: inout CraftedCertificate) {
        made.extensions?.append(Extension.unknown(critical: true).encoded)
    }
    static func moveOffCurve(_ made: inout CraftedCertificate) { made.publicKey[made.publicKey.count - 1] ^= 1 }
}

/// The outcome of a search with its meter.
struct Searched {
    let validation: PathValidation
    let meter: WorkMeter

    var paths: [[Certificate]] { (validation.rejection?.paths ?? []).map(\.certificates) }
    var path: [Certificate]? { validation.path?.certificates }

    init(
        _ leaf: Certificate, _ presented: [Certificate] = [], anchors: [TrustAnchor],
        policy: ValidationPolicy = ValidationPolicy(), memory: SignatureMemory? = nil,
        distrusted: [DistrustedCertificates] = [], additionalChecks: ((ValidatedPath) -> [TrustFailure])? = nil,
        excepting: PathValidator.FailureException? = nil
    ) {
        var search = PathSearch(
            leaf, candidates: presented.count, anchors: AnchorStore(anchors),
            context: EvaluationContext(policy: policy, host: nil, time: TestAuthority.now, distrusted: distrusted),
            memory: memory, additionalChecks: additionalChecks, exceptions: excepting)
        validation = search.run(presented, [])
        meter = search.meter
    }
}

@Suite("Paths that a search tries")
struct PathSearchTests {
    private let samples = SearchSamples()
    private var keys: [SigningKey] { samples.keys }

    // MARK: Paths left out

    @Test("A certificate or signature that is wrong in every path excludes the other paths through it")
    func excluded() throws {
        typealias Change = (inout CraftedCertificate) -> Void
        let same: Change = { _ in }
        // Two certificates of the root, and an intermediate.
        let roots = [try samples.root(), try samples.root(serial: 2)]
        let rows: [(name: String, leaf: Change, ca: Change, signers: [SigningKey], codes: [TrustFailure.Code], Int)] = [
            ("leaf", SearchSamples.expire, same, [keys[1], keys[0]], [.certificateExpired], 1),
            ("intermediate", same, SearchSamples.expire, [keys[1], keys[0]], [.certificateExpired], 1),
            (
                "leaf and intermediate", SearchSamples.confuse, SearchSamples.expire, [keys[1], keys[0]],
                [.criticalExtensionUnhandled, .certificateExpired], 1
            ),
            ("the leaf's signature", same, same, [samples.wrong, keys[0]], [.signatureInvalid], 1),
            ("the intermediate's key", same, SearchSamples.moveOffCurve, [keys[1], keys[0]], [.keyMalformed], 1),
            // Another root could have signed the intermediate.
            ("the intermediate's signature", same, same, [keys[1], samples.wrong], [.signatureInvalid], 2),
            // Another root could have no constraint.
            ("the path's length", same, same, [keys[1], keys[0]], [.maximumIntermediatesExceeded], 2),
        ]
        for (name, leafChange, change, signers, codes, count) in rows {
            let ca = try samples.authority("I", 1, by: "R", signers[1], change)
            let leaf = try samples.leaf(by: "I", signers[0], leafChange)
            let policy = ValidationPolicy(maximumIntermediates: codes == [.maximumIntermediatesExceeded] ? 0 : nil)
            let found = Searched(leaf, [ca], anchors: roots.map { TrustAnchor($0) }, policy: policy)
            #expect(found.paths == Array(roots.prefix(count)).map { [leaf, ca, $0] }, "\(name)")
            #expect(found.validation.codes == codes, "\(name)")
        }
    }

    @Test("A pair of certificates with a wrong signature or key is tried in one path only")
    func sharedPair() throws {
        let wrongPair = (try samples.root(), try samples.authority("A", 2, by: "R", samples.wrong))
        let wrongKey = (
            try samples.root(serial: 1, SearchSamples.moveOffCurve), try samples.authority("A", 2, by: "R", keys[0])
        )
        for ((root, above), code) in [(wrongPair, TrustFailure.Code.signatureInvalid), (wrongKey, .keyMalformed)] {
            let twins = try (1...2).map { try samples.authority("I", 1, by: "A", keys[2], serial: $0) }
            let leaf = try samples.leaf(by: "I", keys[1])
            let found = Searched(leaf, twins + [above], anchors: [TrustAnchor(root)])
            #expect(found.paths == [[leaf, twins[0], above, root]])
            #expect(found.validation.codes == [code])
            let failure = try #require(found.validation.failures.first)
            if code == .signatureInvalid {
                #expect(failure.certificate == 2 && failure.role == .intermediate)
                #expect(failure.expected == .text("CN=R"))
            } else {
                #expect(failure.certificate == 3 && failure.role == .anchor)
            }
        }
    }

    @Test("A leaf with failures is reported with the path that adds none")
    func leafFailures() throws {
        let root = try samples.root()
        let bad = try samples.authority("I", 1, by: "R", keys[0], serial: 1, SearchSamples.confuse)
        let good = try samples.authority("I", 1, by: "R", keys[0], serial: 2)
        let leaf = try samples.leaf(by: "I", keys[1], SearchSamples.expire)
        let found = Searched(leaf, [bad, good], anchors: [TrustAnchor(root)])
        #expect(found.paths == [[leaf, good, root], [leaf, bad, root]])
        #expect(found.validation.codes == [.certificateExpired])
    }

    @Test("A dead end above a certificate doesn't exclude its other issuers, whatever failed before")
    func deadEnd() throws {
        let root = try samples.root()
        let bad = try samples.authority("I", 1, by: "R", keys[0], SearchSamples.confuse)
        let ca = try samples.authority("I", 1, by: "M", keys[2], extensions: [.authorityKeyIdentifier([7])])
        // The better match by its identifier, but the path would return to I.
        let circle = try samples.authority("M", 2, by: "I", keys[1], extensions: [.subjectKeyIdentifier([7])])
        let above = try samples.authority("M", 2, by: "R", keys[0])
        let leaf = try samples.leaf(by: "I", keys[1])
        let found = Searched(leaf, [bad, ca, circle, above], anchors: [TrustAnchor(root)])
        #expect(found.path == [leaf, ca, above, root])
    }

    @Test("Two CAs with one key and different names can both be in a path")
    func sharedKey() throws {
        let root = try samples.authority("R", 1, by: "R", keys[1])
        let above = try samples.authority("A", 1, by: "R", keys[1])
        let ca = try samples.authority("I", 1, by: "A", keys[1])
        let leaf = try samples.leaf(by: "I", keys[1])
        let found = Searched(leaf, [ca, above], anchors: [TrustAnchor(root)])
        #expect(found.path == [leaf, ca, above, root])
    }

    @Test("A leaf among the candidates isn't its own issuer, among few or many")
    func repeatedLeaf() throws {
        let root = try samples.root()
        let leaf = try samples.leaf(by: "R", keys[1]) {
            $0.subject = ASN1.name("R")
            $0.publicKey = keys[1].publicKey
            $0.extensions? += [Extension.basicConstraints().encoded, Extension.authorityKeyUsage.encoded]
        }
        for count in [0, 30] {
            let fillers = try (0..<count).map { try samples.authority("F\($0)", 2, by: "N\($0)", keys[2]) }
            let found = Searched(leaf, [leaf, root] + fillers, anchors: [TrustAnchor(root)])
            #expect(found.paths == [[leaf, root]])
        }
    }

    @Test("Among equal issuers, presented certificates come before the caller's intermediates")
    func presentedFirst() throws {
        let root = try samples.root()
        let twins = try (1...2).map { try samples.authority("I", 1, by: "R", keys[0], serial: $0) }
        let leaf = try samples.leaf(by: "I", keys[1])
        let validator = PathValidator(anchors: AnchorStore([root]), memory: nil)
        let time = TestAuthority.now
        for (one, two) in [(twins[0], twins[1]), (twins[1], twins[0])] {
            let outcomes = [
                validator.validate(leaf, presented: [one], intermediates: [two], host: nil, at: time),
                validator.measured(leaf, presented: [one], intermediates: [two], host: nil, at: time).validation,
                validator.validate(
                    leaf, presented: [one], intermediates: [two], host: nil, at: time, insecurelyExcepting: nil,
                    additionalChecks: nil),
            ]
            for outcome in outcomes { #expect(outcome.path?.certificates == [leaf, one, root]) }
        }
    }

    @Test("A path that is too long doesn't hide a shorter one, even if the search tries it first")
    func tooLongFirst() throws {
        let root = try samples.root()
        let above = try samples.authority("A", 2, by: "R", keys[0])
        let long = try samples.authority("I", 1, by: "A", keys[2], extensions: [.subjectKeyIdentifier([7])])
        let short = try samples.authority("I", 1, by: "R", keys[0])
        let leaf = try samples.leaf(by: "I", keys[1]) {
            $0.extensions?.append(Extension.authorityKeyIdentifier([7]).encoded)
        }
        for (depth, expected) in [(3, [leaf, short, root]), (4, [leaf, long, above, root])] {
            let policy = ValidationPolicy(budget: ValidationBudget(depth: depth))
            let found = Searched(leaf, [long, short, above], anchors: [TrustAnchor(root)], policy: policy)
            #expect(found.path == expected)
        }
    }

    @Test("A CA with a malformed key doesn't hide another CA with its name")
    func malformedKeyFirst() throws {
        let root = try samples.root()
        let bad = try samples.authority("I", 1, by: "R", keys[0], serial: 1, SearchSamples.moveOffCurve)
        let good = try samples.authority("I", 1, by: "R", keys[0], serial: 2)
        let leaf = try samples.leaf(by: "I", keys[1])
        #expect(Searched(leaf, [bad, good], anchors: [TrustAnchor(root)]).path == [leaf, good, root])
        #expect(Searched(leaf, [bad], anchors: [TrustAnchor(root)]).validation.codes == [.keyMalformed])
    }

    @Test("A self-signed leaf that is its own anchor is never tried above itself")
    func leafAboveItself() throws {
        let leaf = try samples.root()
        let found = Searched(leaf, anchors: [TrustAnchor(leaf)], policy: .plain) { path in
            path.certificates.count == 1 ? [TrustFailure(.untrustedRoot)] : []
        }
        #expect(found.paths == [[leaf]])
        #expect(found.validation.codes == [.untrustedRoot])
    }

    @Test("A self-issued CA directly below its anchor doesn't count toward the path length (RFC 5280 § 6.1.4 (l))")
    func selfIssuedBelowAnchor() throws {
        let root = try samples.root {
            $0.extensions = [Extension.basicConstraints(pathLength: 0), .authorityKeyUsage].map(\.encoded)
        }
        for (name, isValid) in [("R", true), ("I", false)] {
            let ca = try samples.authority(name, 2, by: "R", keys[0])
            let leaf = try samples.leaf(by: name, keys[2])
            #expect((Searched(leaf, [ca], anchors: [TrustAnchor(root)]).path == [leaf, ca, root]) == isValid)
        }
    }

    // MARK: Above an anchor

    private static func conditional(_ certificate: Certificate, isMet: Bool) -> TrustAnchor {
        let date = isMet ? AnchorConditionsTests.issued : AnchorConditionsTests.before
        let limit = AnchorConditionsTests.limit(.notAfter, date, .notBefore)
        return TrustAnchor(certificate, conditions: [AnchorConditionsTests.conditions([limit])])
    }

    @Test("The search continues above an anchor only if its conditions or the additional checks refuse the path")
    func aboveAnchors() throws {
        let root = TrustAnchor(try samples.root())
        let ca = try samples.authority("I", 1, by: "R", keys[0])
        let expired = try samples.authority("I", 1, by: "R", keys[0], SearchSamples.expire)
        let good = try samples.leaf(by: "I", keys[1])
        let bad = try samples.leaf(by: "I", keys[1], SearchSamples.expire)
        var distrusted = AnchorConditionsTests.conditions([AnchorConstraints()])
        distrusted.distrustedPurposes = [.serverAuth]
        let denied = DistrustedCertificates(source: "Example", names: [.certificate(ca.sha256): [.serverAuth]])
        let rows: [(String, Certificate, TrustAnchor, isDenied: Bool, lengths: [Int])] = [
            ("an expired leaf", bad, TrustAnchor(ca), false, [2]),
            ("an expired leaf under conditions that it meets", bad, Self.conditional(ca, isMet: true), false, [2]),
            ("an expired leaf under conditions", bad, Self.conditional(ca, isMet: false), false, [2, 3]),
            ("an expired CA under conditions", good, Self.conditional(expired, isMet: false), false, [2, 3]),
            ("a denied CA", good, TrustAnchor(ca), true, [2]),
            ("a denied CA under conditions", good, Self.conditional(ca, isMet: false), true, [2]),
            ("a distrusted CA", good, TrustAnchor(ca, conditions: [distrusted]), false, [2]),
        ]
        for (name, leaf, anchor, isDenied, lengths) in rows {
            for anchors in [[anchor, root], [root, anchor]] {
                let found = Searched(leaf, anchors: anchors, distrusted: isDenied ? [denied] : [])
                #expect(found.path == nil, "\(name)")
                #expect(found.paths.map(\.count).sorted() == lengths, "\(name)")
            }
        }
        // Only the conditions are wrong.
        let found = Searched(good, anchors: [Self.conditional(ca, isMet: false), root])
        #expect(found.path == [good, ca, root.certificate])
    }

    @Test("Conditions that refuse one path don't make the search continue above the anchor of the next path")
    func conditionsOfOnePath() throws {
        let root = try samples.root()
        let twins = try (1...2).map {
            try samples.authority("I", 1, by: "R", keys[0], serial: $0, SearchSamples.expire)
        }
        let leaf = try samples.leaf(by: "I", keys[1])
        let anchors = [Self.conditional(twins[0], isMet: false), TrustAnchor(twins[1]), TrustAnchor(root)]
        let found = Searched(leaf, anchors: anchors)
        #expect(found.paths == [[leaf, twins[0], root], [leaf, twins[1]], [leaf, twins[0]]])
    }

    @Test("The search continues above an anchor each time that it reaches it, and verifies its signature there once")
    func aboveAnchorAgain() throws {
        let root = try samples.root()
        let anchor = try samples.authority("A", 2, by: "R", keys[0])
        let twins = try (1...2).map { try samples.authority("I", 1, by: "A", keys[2], serial: $0) }
        let leaf = try samples.leaf(by: "I", keys[1])
        let wanted = [leaf, twins[1], anchor, root]
        let found = Searched(leaf, twins, anchors: [TrustAnchor(anchor), TrustAnchor(root)]) { path in
            path.certificates == wanted ? [] : [TrustFailure(.untrustedRoot)]
        }
        #expect(found.path == wanted)
        // The leaf below both twins, both twins, and the anchor.
        #expect(found.meter.signatures == 5)
    }

    @Test("Conditions that every path meets decide no dates")
    func unconditional() throws {
        let root = try samples.root()
        let leaf = try samples.leaf(by: "R", keys[0])
        let limit = AnchorConditionsTests.limit(.notAfter, AnchorConditionsTests.issued, .notBefore)
        for (alternatives, count) in [([limit], 1), ([limit, AnchorConstraints()], 0)] {
            let anchor = TrustAnchor(root, conditions: [AnchorConditionsTests.conditions(alternatives)])
            let path = try #require(Searched(leaf, anchors: [anchor]).validation.path)
            #expect(path.anchorFacts?.decisions.count == count)
        }
    }

    @Test("The mappings of an anchor count only in paths that continue above it (RFC 5280 § 6.1.1)")
    func mappingsOfAnchors() throws {
        let root = TrustAnchor(try samples.root())
        let mapping = Extension.policyMappings([("2.5.29.32.0", "1.2.3")])
        let ca = try samples.authority("I", 1, by: "R", keys[0], extensions: [mapping])
        let leaf = try samples.leaf(by: "I", keys[1])
        #expect(Searched(leaf, anchors: [TrustAnchor(ca), root]).path == [leaf, ca])
        let pinned = Searched(leaf, anchors: [TrustAnchor(ca), root]) { path in
            path.anchor == root.certificate ? [] : [TrustFailure(.untrustedRoot)]
        }
        #expect(pinned.path == nil)
        #expect(pinned.validation.allCodes == [.untrustedRoot, .policyMappingOfAnyPolicy])
    }

    @Test("The search verifies an anchor's own signature only if the search has another certificate with its name")
    func signaturesOfAnchors() throws {
        let refuse: (ValidatedPath) -> [TrustFailure] = { _ in [TrustFailure(.untrustedRoot)] }
        let root = try samples.root()
        let leaf = try samples.leaf(by: "R", keys[0])
        let alone = Searched(leaf, anchors: [TrustAnchor(root)], additionalChecks: refuse)
        #expect(alone.meter.signatures == 1 && alone.meter.steps == 2 && alone.paths == [[leaf, root]])
        // Another root with the same name and key, and one with another key. All are self-signed.
        let twin = try samples.root(serial: 2)
        let other = try samples.authority("R", 2, by: "R", keys[2])
        let two = Searched(leaf, anchors: [TrustAnchor(root), TrustAnchor(twin)], additionalChecks: refuse)
        #expect(two.meter.signatures == 4 && two.paths == [[leaf, root], [leaf, twin]])
        let three = Searched(leaf, [other], anchors: [TrustAnchor(root)], additionalChecks: refuse)
        #expect(three.meter.signatures == 3 && three.paths == [[leaf, root], [leaf, other, root]])
    }

    @Test("An anchor that another key with its name signed leads to the root above, presented or in the store")
    func rolledOver() throws {
        // R's old key signed its new key, and another root signed R's old key.
        let top = try samples.authority("T", 3, by: "T", keys[3])
        let old = try samples.authority("R", 2, by: "T", keys[3])
        let new = try samples.authority("R", 0, by: "R", keys[2])
        let leaf = try samples.leaf(by: "R", keys[0])
        for (presented, anchors) in [([old], [new, top]), ([], [new, top, old])] {
            let found = Searched(leaf, presented, anchors: anchors.map { TrustAnchor($0) }) { path in
                path.anchor == top ? [] : [TrustFailure(.untrustedRoot)]
            }
            #expect(found.path == [leaf, new, old, top])
        }
    }

    @Test("A long certificate costs a signature more for each 16 KB that the engine hashes")
    func hashing() throws {
        for (size, cost) in [(16_383, 1), (16_384, 2), (32_767, 2), (32_768, 3)] {
            func padded(_ made: CraftedCertificate) -> CraftedCertificate {
                func with(_ padding: Int) -> CraftedCertificate {
                    made.with {
                        $0.extensions?.append(
                            Extension.unknown(critical: false, [UInt8](repeating: 0, count: padding)).encoded)
                    }
                }
                let first = with(size - 1_000).tbs(SigningKey.shared.algorithm).count
                return with(2 * size - 1_000 - first)
            }
            let root = try samples.root()
            let leaf = try padded(CraftedCertificate.leaf(issuer: ASN1.name("R"))).certificate(signedBy: keys[0])
            #expect(leaf.storage.fields.tbs.count == size)
            #expect(Searched(leaf, anchors: [TrustAnchor(root)]).meter.signatures == cost)
            // An anchor's own signature, which the search verifies because there is another anchor with the name.
            let long = try padded(CraftedCertificate.authority(ASN1.name("R"), key: keys[0])).certificate(
                signedBy: keys[0])
            #expect(long.storage.fields.tbs.count == size)
            let other = try samples.authority("R", 2, by: "R", keys[2])
            let short = try samples.leaf(by: "R", keys[0])
            let found = Searched(short, anchors: [TrustAnchor(long), TrustAnchor(other)]) { _ in
                [TrustFailure(.untrustedRoot)]
            }
            // The leaf under both anchors, and the anchor.
            #expect(found.meter.signatures == 2 + cost)
        }
    }

    // MARK: Failures of paths

    @Test("If paths have other failures, only the first path reports policies, unless the caller has exceptions")
    func policies() throws {
        let root = try samples.root()
        let twins = try (1...2).map {
            try samples.authority("I", 1, by: "R", keys[0], serial: $0, SearchSamples.expire)
        }
        let leaf = try samples.leaf(by: "I", keys[1])
        let policy = ValidationPolicy(certificatePolicies: .init(requireExplicit: true))
        let both: [TrustFailure.Code] = [.policyNotAcceptable, .certificateExpired]
        let exception: PathValidator.FailureException = { _, _ in false }
        for hasExceptions in [false, true] {
            let found = Searched(
                leaf, twins, anchors: [TrustAnchor(root)], policy: policy, excepting: hasExceptions ? exception : nil)
            let codes = (found.validation.rejection?.paths ?? []).map { $0.failures.map(\.code) }
            #expect(codes == [hasExceptions ? both : [.certificateExpired], both])
            let ordered = hasExceptions ? twins : twins.reversed()
            #expect(found.paths == ordered.map { [leaf, $0, root] })
        }
    }

    @Test("The engine reads no policies and no conditions of a path with a signature that it can't verify")
    func unverified() throws {
        let algorithms = [ASN1.algorithm("1.2.3.4"), SigningKey.shared.algorithm]
        let policy = ValidationPolicy(certificatePolicies: .init(requireExplicit: true))
        for (algorithm, code) in zip(algorithms, [TrustFailure.Code.signatureAlgorithmUnsupported, .signatureInvalid]) {
            let leaf = try samples.leaf(by: "R", samples.wrong.with(algorithm: algorithm))
            let found = Searched(
                leaf, anchors: [Self.conditional(try samples.root(), isMet: false)], policy: policy)
            #expect(found.validation.codes == [code])
        }
    }

    @Test("The failures that exceptions cover are sorted, most specific first")
    func excused() throws {
        let root = try samples.root {
            $0.extensions = [Extension.basicConstraints(pathLength: 0), .authorityKeyUsage].map(\.encoded)
        }
        let ca = try samples.authority("I", 1, by: "R", keys[0])
        let leaf = try samples.leaf(by: "I", keys[1], SearchSamples.expire)
        let found = Searched(leaf, [ca], anchors: [TrustAnchor(root)], excepting: { _, _ in true })
        #expect(found.validation.path?.excused.map(\.code) == [.pathLengthExceeded, .certificateExpired])
    }

    @Test("Under strict rules, a leaf that is its own anchor needs its issuer's identifier unless it is self-issued")
    func strictLeafAnchor() throws {
        for isSelfIssued in [true, false] {
            let leaf = try samples.leaf(by: "R", keys[0]) { if isSelfIssued { $0.subject = ASN1.name("R") } }
            let found = Searched(leaf, anchors: [TrustAnchor(leaf)], policy: .strictPlain)
            #expect(found.validation.allCodes.contains(.strictAuthorityKeyIdentifier) != isSelfIssued)
        }
    }

    @Test("An honest chain that runs out of work at any point has no other failure")
    func exhausted() throws {
        let root = try samples.root()
        let ca = try samples.authority("I", 1, by: "R", keys[0])
        let leaf = try samples.leaf(by: "I", keys[1])
        func search(_ work: Int) -> Searched {
            let policy = ValidationPolicy(budget: ValidationBudget(work: work))
            return Searched(leaf, [ca], anchors: [TrustAnchor(root)], policy: policy)
        }
        let needed = search(.max).meter.work
        for work in stride(from: 0, to: needed, by: 97) {
            #expect(search(work).validation.codes == [.workBudgetExceeded], "\(work) of \(needed)")
        }
    }

    // MARK: Remembered signatures

    @Test("The engine doesn't verify a remembered signature again")
    func remembered() throws {
        // Entries for wrong signatures, which only a test can make, show that.
        let root = try samples.root()
        let ca = try samples.authority("I", 1, by: "R", keys[0])
        let forgedCA = try samples.authority("I", 1, by: "R", samples.wrong)
        let leaf = try samples.leaf(by: "I", keys[1])
        let forgedLeaf = try samples.leaf(by: "I", samples.wrong)
        for isForBatch in [false, true] {
            let memory = isForBatch ? SignatureMemory.forBatch(leafCapacity: 64) : SignatureMemory()
            func path(_ leaf: Certificate, _ ca: Certificate) -> [Certificate]? {
                Searched(leaf, [ca], anchors: [TrustAnchor(root)], memory: memory).path
            }
            #expect(path(leaf, forgedCA) == nil && path(forgedLeaf, ca) == nil)
            memory.remember(forgedCA, signedBy: root, key: PreparedKey())
            #expect(path(leaf, forgedCA) == [leaf, forgedCA, root] && path(forgedLeaf, ca) == nil)
            if isForBatch {
                memory.rememberLeaf(forgedLeaf, signedBy: ca)
            } else {
                memory.remember(forgedLeaf, signedBy: ca, key: PreparedKey())
            }
            #expect(path(forgedLeaf, ca) == [forgedLeaf, ca, root])
        }
    }
}
