// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing

@Suite("Path building")
struct PathBuildingTests {
    private let root: TestAuthority
    private let a: TestAuthority
    private let b: TestAuthority
    private let leaf: Certificate
    private let unrelated: TestAuthority

    init() throws {
        root = try .root()
        a = try root.intermediate(.authority("A"))
        b = try a.intermediate(.authority("B"))
        leaf = try b.issue(.leaf("www.example.com")).certificate
        unrelated = try .root(.authority("Unrelated"))
    }

    private func permutations(_ members: [Certificate]) -> [[Certificate]] {
        guard let last = members.last else { return [[]] }
        return permutations(members.dropLast()).flatMap { rest in
            (0...rest.count).map { Array(rest[..<$0]) + [last] + rest[$0...] }
        }
    }

    // MARK: Order

    @Test("The presented certificates may be in any order, with unrelated and repeated ones among them")
    func anyOrder() throws {
        let other = try unrelated.issue(.leaf("other.example")).certificate
        let expected = [leaf, b.certificate, a.certificate, root.certificate]
        for others in permutations([a.certificate, b.certificate, unrelated.certificate, other, root.certificate]) {
            let path = try validate(leaf, others, anchors: [root.certificate]).path
            #expect(path?.certificates == expected)
        }
        let repeated = [
            leaf, a.certificate, a.certificate, leaf, b.certificate, a.certificate, root.certificate, root.certificate,
        ]
        #expect(try validate(leaf, repeated, anchors: [root.certificate]).path?.certificates == expected)
    }

    @Test("A path has its leaf, intermediates and anchor in their places")
    func parts() throws {
        let path = try #require(try validate(leaf, [a.certificate, b.certificate], anchors: [root.certificate]).path)
        #expect(path.leaf == leaf)
        #expect(path.anchor == root.certificate)
        #expect(Array(path.intermediates) == [b.certificate, a.certificate])
    }

    @Test("Presented certificates and extra intermediates are equal candidates")
    func extraIntermediates() throws {
        let validator = PathValidator(anchors: AnchorStore([root.certificate]), memory: nil)
        let (x, y) = (a.certificate, b.certificate)
        let time = TestAuthority.now
        #expect(validator.validate(leaf, intermediates: [x, y], host: nil, at: time).isValid)
        #expect(validator.validate(leaf, presented: [x], intermediates: [y], host: nil, at: time).isValid)
        #expect(validator.validate(leaf, presented: [y], intermediates: [x], host: nil, at: time).isValid)
        #expect(validator.validate(chain: [leaf, y], intermediates: [x], host: nil, at: time)?.isValid == true)
        #expect(validator.validate(chain: [leaf, y, x, root.certificate], host: nil, at: time)?.isValid == true)
        #expect(validator.validate(chain: [], host: nil, at: time) == nil)
        // The first certificate of a chain is the leaf, before any other certificates.
        let plain = PathValidator(anchors: AnchorStore([root.certificate]), policy: .plain, memory: nil)
        #expect(plain.validate(chain: [y, leaf, x], host: nil, at: time)?.path?.leaf == y)
    }

    @Test("A presented root is neither necessary nor harmful, and isn't an anchor because it was presented")
    func presentedRoot() throws {
        #expect(try codes(leaf, [a.certificate, b.certificate, root.certificate], anchors: [root.certificate]) == [])
        #expect(
            try codes(leaf, [b.certificate, a.certificate, root.certificate], anchors: [unrelated.certificate])
                == [.untrustedRoot])
        #expect(try codes(leaf, [b.certificate, a.certificate, root.certificate], anchors: []) == [.untrustedRoot])
    }

    // MARK: Anchors

    @Test("An anchor may be the root, an intermediate or the leaf")
    func anchors() throws {
        for anchor in [root.certificate, a.certificate, b.certificate, leaf] {
            let path = try #require(
                try validate(leaf, [a.certificate, b.certificate, root.certificate], anchors: [anchor]).path)
            #expect(path.anchor == anchor)
        }
        #expect(try validate(leaf, anchors: [leaf]).path?.certificates == [leaf])
        #expect(try validate(leaf, anchors: [b.certificate]).path?.certificates == [leaf, b.certificate])
        #expect(
            try validate(leaf, [b.certificate], anchors: [b.certificate, root.certificate]).path?.certificates.count
                == 2)
    }

    @Test("Without anchors nothing is trusted")
    func noAnchors() throws {
        let store = AnchorStore([Certificate]())
        #expect(store.isEmpty && store.count == 0)
        #expect(!store.contains(root.certificate))
        let all = [a.certificate, b.certificate, root.certificate]
        #expect(try !validate(leaf, all, anchors: []).isValid)
        #expect(try codes(root.certificate, anchors: []).contains(.selfSignedLeaf))
        #expect(try codes(leaf, anchors: []) == [.unknownIssuer])
    }

    @Test("A store keeps each anchor once and in order, and finds it")
    func store() {
        let store = AnchorStore([root.certificate, a.certificate, root.certificate])
        #expect(store.anchors.map(\.certificate) == [root.certificate, a.certificate])
        #expect(store.contains(a.certificate) && !store.contains(b.certificate))
        let shared = AnchorStore(store.anchors + [TrustAnchor(b.certificate)])
        #expect(shared.count == 3 && shared.contains(root.certificate))
    }

    @Test("A self-signed leaf is trusted only as an anchor, whatever its name")
    func selfSignedLeaf() throws {
        let own = try TestAuthority.selfSigned(.leaf("www.example.com")).certificate
        #expect(try codes(own, anchors: [root.certificate]) == [.selfSignedLeaf])
        #expect(try codes(own, anchors: []) == [.selfSignedLeaf])
        #expect(try codes(own, anchors: [own], host: "www.example.com") == [])
        // A leaf that has the root's name.
        let impostor = try TestAuthority.root().certificate
        #expect(try !validate(impostor, anchors: [root.certificate]).isValid)
        let authority = try TestAuthority.root(.authority("Test Root").with { $0.dnsNames = ["www.example.com"] })
        #expect(
            try codes(authority.certificate, anchors: [root.certificate], host: "www.example.com").contains(
                .signatureInvalid))
    }

    @Test("A pinned leaf needs no issuer, but the engine checks its dates and its name")
    func pinnedLeaf() throws {
        #expect(try codes(leaf, anchors: [leaf], host: "www.example.com") == [])
        #expect(try codes(leaf, anchors: [leaf], host: "evil.example") == [.hostMismatch])
        #expect(try codes(leaf, anchors: [leaf], at: TestAuthority.notAfter.advanced(by: 1)) == [.certificateExpired])
        // Another certificate with the same key is another leaf.
        let key = TestKey.p256()
        let one = try root.issue(.leaf("www.example.com"), key: key).certificate
        let two = try root.issue(.leaf("www.example.com"), key: key).certificate
        #expect(try codes(two, anchors: [one]) == [.unknownIssuer])
    }

    @Test("A leaf that is refused as its own anchor still validates through its issuer")
    func leafBelowItsIssuer() throws {
        // With the leaf as its own anchor, the path contains only the leaf. The caller refuses that path.
        let outcome = try validate(leaf, [a.certificate, b.certificate], anchors: [leaf, root.certificate]) { path in
            path.certificates.count == 1 ? [TrustFailure(.untrustedRoot)] : []
        }
        #expect(outcome.path?.certificates.count == 4)
    }

    @Test("A root that was reissued with the same key works just as well")
    func reissuedRoot() throws {
        let key = TestKey.p256()
        let old = try TestAuthority.root(
            .authority("Root").with { $0.notAfter = TestAuthority.now.advanced(by: -1) }, key: key)
        let new = try TestAuthority.root(.authority("Root"), key: key)
        let leaf = try old.issue(.leaf("www.example.com")).certificate
        #expect(try validate(leaf, anchors: [old.certificate, new.certificate]).path?.anchor == new.certificate)
        #expect(try validate(leaf, anchors: [new.certificate, old.certificate]).path?.anchor == new.certificate)
        #expect(try validate(leaf, [old.certificate], anchors: [new.certificate]).path?.anchor == new.certificate)
        #expect(try codes(leaf, [new.certificate], anchors: [old.certificate]) == [.certificateExpired])
    }

    // MARK: Alternatives

    @Test("Of two certificates for one CA, the engine uses the one that leads to an anchor")
    func crossSigned() throws {
        let key = TestKey.p256()
        let mine = try root.intermediate(.authority("Cross"), key: key)
        let theirs = try unrelated.intermediate(.authority("Cross"), key: key)
        let leaf = try mine.issue(.leaf("www.example.com")).certificate
        for others in permutations([mine.certificate, theirs.certificate]) {
            #expect(
                try validate(leaf, others, anchors: [root.certificate]).path?.intermediates.first == mine.certificate)
            #expect(
                try validate(leaf, others, anchors: [unrelated.certificate]).path?.intermediates.first
                    == theirs.certificate)
            #expect(try validate(leaf, others, anchors: [root.certificate, unrelated.certificate]).isValid)
        }
        #expect(try codes(leaf, [theirs.certificate], anchors: [root.certificate]) == [.unknownIssuer])
    }

    @Test("An expired or otherwise invalid cross-certificate doesn't hide a valid one, in any order")
    func badAlternatives() throws {
        let key = TestKey.p256()
        let good = try root.intermediate(.authority("Cross"), key: key)
        let leaf = try good.issue(.leaf("www.example.com")).certificate
        let changes: [(inout CertificateTemplate) -> Void] = [
            { $0.notAfter = TestAuthority.now.advanced(by: -1) }, { $0.notBefore = TestAuthority.now.advanced(by: 1) },
            { $0.isAuthority = false }, { $0.isAuthority = nil }, { $0.keyUsage = [.digitalSignature] },
            { $0.extendedKeyUsage = [.clientAuth] }, { $0.permittedDNSNames = ["other.example"] },
            { $0.excludedDNSNames = ["example.com"] }, { $0.extensions = [.unknown(critical: true)] },
        ]
        for change in changes {
            let bad = try root.intermediate(.authority("Cross").with(change), key: key)
            for others in permutations([good.certificate, bad.certificate]) {
                #expect(
                    try validate(leaf, others, anchors: [root.certificate]).path?.intermediates.first
                        == good.certificate)
            }
            #expect(try !validate(leaf, [bad.certificate], anchors: [root.certificate]).isValid)
        }
    }

    @Test("The engine finds a longer path if the direct path is invalid")
    func longerWay() throws {
        let key = TestKey.p256()
        let direct = try root.intermediate(
            .authority("CA").with { $0.notAfter = TestAuthority.now.advanced(by: -1) }, key: key)
        let around = try a.intermediate(.authority("CA"), key: key)
        let leaf = try direct.issue(.leaf("www.example.com")).certificate
        for others in permutations([direct.certificate, around.certificate, a.certificate]) {
            #expect(
                try validate(leaf, others, anchors: [root.certificate]).path?.certificates
                    == [leaf, around.certificate, a.certificate, root.certificate])
        }
    }

    @Test("CAs that certify each other in a circle lead to an anchor only if a path out of the circle exists")
    func loops() throws {
        let (x, y) = (TestKey.p256(), TestKey.p256())
        let xRoot = try TestAuthority.root(.authority("X"), key: x)
        let yRoot = try TestAuthority.root(.authority("Y"), key: y)
        let xByY = try yRoot.intermediate(.authority("X"), key: x).certificate
        let yByX = try xRoot.intermediate(.authority("Y"), key: y).certificate
        let leaf = try xRoot.issue(.leaf("www.example.com")).certificate
        for others in permutations([xByY, yByX, xRoot.certificate, yRoot.certificate]) {
            #expect(try !validate(leaf, others, anchors: [root.certificate]).isValid)
            #expect(
                try validate(leaf, others, anchors: [yRoot.certificate]).path?.certificates == [
                    leaf, xByY, yRoot.certificate,
                ])
            #expect(try validate(leaf, others, anchors: [xRoot.certificate]).isValid)
        }
        let yByRoot = try root.intermediate(.authority("Y"), key: y).certificate
        for others in permutations([xByY, yByX, yByRoot]) {
            #expect(
                try validate(leaf, others, anchors: [root.certificate]).path?.certificates
                    == [leaf, xByY, yByRoot, root.certificate])
        }
    }

    @Test(
        "Of several CAs with one name, the engine finds the one whose key signed, with and without key identifiers",
        arguments: [true, false])
    func sameName(withIdentifiers: Bool) throws {
        let template = CertificateTemplate.authority("Same").with {
            $0.hasSubjectKeyIdentifier = withIdentifiers
            $0.hasAuthorityKeyIdentifier = withIdentifiers
        }
        let twins = try (0..<4).map { _ in try root.intermediate(template) }
        let pool = twins.map(\.certificate)
        for (index, twin) in twins.enumerated() {
            let leaf = try twin.issue(.leaf("www.example.com").with { $0.hasAuthorityKeyIdentifier = withIdentifiers })
                .certificate
            #expect(try validate(leaf, pool, anchors: [root.certificate]).path?.intermediates.first == pool[index])
            #expect(
                try validate(leaf, pool.reversed(), anchors: [root.certificate]).path?.intermediates.first
                    == pool[index])
            let without = pool.filter { $0 != pool[index] }
            #expect(try codes(leaf, without, anchors: [root.certificate]) == [.signatureInvalid])
        }
        // The same with anchors.
        let roots = try (0..<4).map { _ in try TestAuthority.root(template) }
        for issuer in roots {
            let leaf = try issuer.issue(.leaf("www.example.com")).certificate
            #expect(try validate(leaf, anchors: roots.map(\.certificate)).path?.anchor == issuer.certificate)
        }
    }

    @Test("Key identifiers that don't match are only a hint")
    func wrongIdentifiers() throws {
        let key = SigningKey.p256()
        let root = try CraftedCertificate.authority(ASN1.name("Handmade Root"), key: key, [.subjectKeyIdentifier([1])])
            .certificate(signedBy: key)
        let leaf = try CraftedCertificate.leaf(dns: "www.example.com", [.authorityKeyIdentifier([2])]).certificate(
            signedBy: key)
        #expect(try codes(leaf, anchors: [root]) == [])
        // A matching identifier for a key that didn't sign.
        let decoy = try CraftedCertificate.authority(ASN1.name("Handmade Root"), [.subjectKeyIdentifier([2])])
            .certificate()
        #expect(try validate(leaf, anchors: [decoy, root]).path?.anchor == root)
        #expect(try codes(leaf, anchors: [decoy]) == [.signatureInvalid])
    }

    @Test("Names link certificates, whatever their string types, but only if they are the same name")
    func names() throws {
        let printable = ASN1.name([(ASN1.o, ASN1.printable("Test  CA")), (ASN1.cn, ASN1.utf8("Zürich"))])
        let other = ASN1.name([(ASN1.o, ASN1.utf8("TEST CA")), (ASN1.cn, ASN1.bmp("ZÜRICH"))])
        let root = try CraftedCertificate.authority(printable).certificate()
        #expect(try codes(CraftedCertificate.leaf(issuer: other).certificate(), anchors: [root]) == [])
        let close = ASN1.name([(ASN1.o, ASN1.utf8("TEST CA")), (ASN1.cn, ASN1.utf8("Zurich"))])
        #expect(try codes(CraftedCertificate.leaf(issuer: close).certificate(), anchors: [root]) == [.unknownIssuer])
    }

    @Test("A self-issued certificate carries trust from an old key to a new one")
    func rollover() throws {
        let old = TestKey.p256()
        let new = TestKey.p256()
        let oldRoot = try TestAuthority.root(.authority("Root"), key: old)
        let newRoot = try TestAuthority.root(.authority("Root"), key: new)
        let newWithOld = try oldRoot.intermediate(.authority("Root"), key: new)
        let leaf = try newRoot.issue(.leaf("www.example.com")).certificate
        #expect(
            try validate(leaf, [newWithOld.certificate], anchors: [oldRoot.certificate]).path?.certificates.count == 3)
        #expect(try codes(leaf, [newRoot.certificate], anchors: [oldRoot.certificate]) == [.signatureInvalid])
    }

    @Test("A chain with an invalid signature above a valid one is invalid, because every signature counts")
    func brokenLink() throws {
        // B's certificate by A, and a leaf signed by another key with B's name.
        let impostor = try TestAuthority.root(.authority("B"))
        let forged = try impostor.issue(.leaf("www.example.com")).certificate
        #expect(try codes(forged, [b.certificate, a.certificate], anchors: [root.certificate]) == [.signatureInvalid])
        // An intermediate signed by another key with the root's name.
        let other = try TestAuthority.root()
        let fake = try other.intermediate(.authority("A"))
        let below = try fake.issue(.leaf("www.example.com")).certificate
        let found = try failures(below, [fake.certificate], anchors: [root.certificate])
        #expect(found.map(\.code) == [.signatureInvalid])
        #expect(found.first?.certificate == 1)
        #expect(try !validate(below, [fake.certificate, other.certificate], anchors: [root.certificate]).isValid)
    }

    // MARK: The caller's requirements

    @Test("The caller can refuse a path, and the search continues")
    func additionalChecks() throws {
        let key = TestKey.p256()
        let one = try root.intermediate(.authority("Cross"), key: key)
        let two = try unrelated.intermediate(.authority("Cross"), key: key)
        let leaf = try one.issue(.leaf("www.example.com")).certificate
        let others = [one.certificate, two.certificate]
        let anchors = [root.certificate, unrelated.certificate]
        for wanted in anchors {
            var asked = 0
            let outcome = try validate(leaf, others, anchors: anchors) { path in
                asked += 1
                return path.anchor == wanted ? [] : [TrustFailure(.untrustedRoot)]
            }
            #expect(outcome.path?.anchor == wanted)
            #expect((1...2).contains(asked))
        }
        let code = TrustFailure.Code(
            "notPinned", rank: 95, severity: .fatal, message: "{subject} is not pinned")
        let refused = try validate(leaf, others, anchors: anchors) { _ in [TrustFailure(code, found: .text("x"))] }
        #expect(refused.codes == [code])
        #expect(refused.rejection?.paths.count == 2)
        #expect(refused.rejection?.headline.found == .text("x"))
    }

    @Test("The engine runs additional checks only on valid paths, so accepting all of them makes nothing valid")
    func additionalChecksOnlyTighten() throws {
        var asked = 0
        let yes = { (_: ValidatedPath) -> [TrustFailure] in
            asked += 1
            return []
        }
        let others = [a.certificate, b.certificate]
        #expect(
            try !validate(
                leaf, others, anchors: [root.certificate], at: TestAuthority.notAfter.advanced(by: 1),
                additionalChecks: yes
            )
            .isValid)
        #expect(
            try !validate(leaf, others, anchors: [root.certificate], host: "evil.example", additionalChecks: yes)
                .isValid)
        #expect(try !validate(leaf, others, anchors: [unrelated.certificate], additionalChecks: yes).isValid)
        #expect(try !validate(leaf, anchors: [root.certificate], additionalChecks: yes).isValid)
        var altered = leaf.der
        altered[altered.count - 1] ^= 1
        #expect(
            try !validate(Certificate(der: altered), others, anchors: [root.certificate], additionalChecks: yes).isValid
        )
        for budget in [
            ValidationBudget(signatures: 0), ValidationBudget(steps: 0), ValidationBudget(depth: 1),
            ValidationBudget(bytes: 0),
        ] {
            let policy = ValidationPolicy(budget: budget)
            #expect(
                try !validate(leaf, others, anchors: [root.certificate], policy: policy, additionalChecks: yes).isValid)
        }
        #expect(asked == 0)
        #expect(try validate(leaf, others, anchors: [root.certificate], additionalChecks: yes).isValid)
        #expect(asked == 1)
    }

    @Test("A limit on intermediates permits only the shorter of two paths")
    func maximumIntermediates() throws {
        let key = TestKey.p256()
        let short = try root.intermediate(.authority("CA"), key: key)
        let long = try a.intermediate(.authority("CA"), key: key)
        let leaf = try short.issue(.leaf("www.example.com")).certificate
        let policy = ValidationPolicy(maximumIntermediates: 1)
        for others in permutations([short.certificate, long.certificate, a.certificate]) {
            #expect(
                try validate(leaf, others, anchors: [root.certificate], policy: policy).path?.intermediates.count == 1)
        }
        #expect(
            try codes(leaf, [long.certificate, a.certificate], anchors: [root.certificate], policy: policy)
                == [.maximumIntermediatesExceeded])
    }

    @Test("The engine checks the host only against the leaf")
    func host() throws {
        let named = try root.intermediate(.authority("CA").with { $0.dnsNames = ["ca.example.com"] })
        let leaf = try named.issue(.leaf("www.example.com")).certificate
        #expect(try codes(leaf, [named.certificate], anchors: [root.certificate], host: "www.example.com") == [])
        #expect(
            try codes(leaf, [named.certificate], anchors: [root.certificate], host: "ca.example.com") == [.hostMismatch]
        )
    }
}
