// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing

@Suite("Basic constraints (RFC 5280 § 6.1.4 (k))")
struct BasicConstraintsTests {
    @Test("An issuer must state that it is a CA, whether it is an intermediate or an anchor, under both profiles")
    func issuers() throws {
        let rows: [(isAuthority: Bool?, code: TrustFailure.Code)] = [
            (nil, .basicConstraintsMissing), (false, .notCertificateAuthority),
        ]
        for row in rows {
            for policy in [ValidationPolicy(), .plain] {
                let change = { (template: inout CertificateTemplate) in template.isAuthority = row.isAuthority }
                let below = try TestChain(intermediate: .authority("Test Intermediate").with(change))
                let found = try below.failures(of: below.leaf(), policy: policy)
                #expect(found.map(\.code) == [row.code])
                #expect(found.first?.certificate == 1 && found.first?.role == .intermediate)

                let above = try TestChain(root: .authority("Test Root").with(change))
                let anchor = try above.failures(of: above.leaf(), policy: policy)
                #expect(anchor.map(\.code) == [row.code])
                #expect(anchor.first?.certificate == 2 && anchor.first?.role == .anchor)
            }
        }
    }

    @Test("A server certificate that is an anchor can't issue another certificate")
    func leafAsIssuer() throws {
        let root = try TestAuthority.root()
        let server = try root.intermediate(.leaf("www.example.com"))
        let forged = try server.issue(.leaf("bank.example")).certificate
        for anchors in [[root.certificate], [server.certificate], [root.certificate, server.certificate]] {
            let found = try codes(forged, [server.certificate], anchors: anchors)
            #expect(found.contains(.notCertificateAuthority))
        }
        #expect(try codes(server.certificate, anchors: [root.certificate]) == [])
        #expect(try codes(server.certificate, anchors: [server.certificate]) == [])
    }

    @Test("A leaf may or may not be a CA, and may have no basic constraints")
    func leaves() throws {
        let chain = try TestChain()
        for isAuthority in [nil, false, true] {
            #expect(try chain.codes(of: chain.leaf(.leaf("a.example").with { $0.isAuthority = isAuthority })) == [])
        }
    }
}

@Suite("Path length (RFC 5280 § 6.1.4 (l), (m))")
struct PathLengthTests {
    /// Each number is a path length, or nil if there isn't one. The root is first.
    private func failures(
        _ lengths: [Int?], names: [String]? = nil, policy: ValidationPolicy = ValidationPolicy(),
        leafIsAuthority: Bool = false, anchorIndex: Int = 0
    ) throws -> [TrustFailure] {
        var authorities: [TestAuthority] = []
        for (index, length) in lengths.enumerated() {
            let template = CertificateTemplate.authority(names?[index] ?? "CA \(index)").with {
                $0.maximumPathLength = length
            }
            authorities.append(try authorities.last?.intermediate(template) ?? .root(template))
        }
        let leaf = try authorities[authorities.count - 1].issue(
            .leaf("www.example.com").with { if leafIsAuthority { $0.isAuthority = true } })
        return try PKIXTests.failures(
            leaf.certificate, authorities.map(\.certificate), anchors: [authorities[anchorIndex].certificate],
            policy: policy)
    }

    static let rows: [(name: String, lengths: [Int?], code: TrustFailure.Code?)] = [
        ("no limit", [nil, nil, nil, nil], nil),
        ("a root of 0 issues a leaf", [0], nil),
        ("a root of 0 with a CA below it", [0, nil], .pathLengthExceeded),
        ("a root of 1 with a CA below it", [1, nil], nil),
        ("a root of 1 with two CAs below it", [1, nil, nil], .pathLengthExceeded),
        ("an intermediate of 0 issues a leaf", [nil, 0], nil),
        ("an intermediate of 0 with a CA below it", [nil, 0, nil], .pathLengthExceeded),
        ("an intermediate of 0 with a CA of 5 below it", [nil, 0, 5], .pathLengthExceeded),
        ("a larger limit below doesn't lift the smaller one above", [1, 7, nil], .pathLengthExceeded),
        ("limits that count down", [3, 2, 1, 0], nil),
        ("limits that count down, with the last one exceeded", [3, 2, 1, 0, nil], .pathLengthExceeded),
        ("a very large limit", [0x7fff_ffff, nil, nil], nil),
    ]

    @Test("A CA permits no more intermediates below it than its limit", arguments: rows)
    func limits(name: String, lengths: [Int?], code: TrustFailure.Code?) throws {
        for policy in [ValidationPolicy(), .plain] {
            let found = Set(try failures(lengths, policy: policy).map(\.code))
            #expect(found == (code.map { [$0] } ?? []), "\(name)")
        }
    }

    @Test("The failure names the CA that set the limit, the limit and the count")
    func values() throws {
        let anchor = try #require(try failures([1, nil, nil]).first)
        #expect(anchor.certificate == 3 && anchor.role == .anchor)
        #expect(anchor.expected == .number(1) && anchor.found == .number(2))
        let intermediate = try #require(try failures([nil, 0, nil]).first)
        #expect(intermediate.certificate == 2 && intermediate.role == .intermediate)
        #expect(intermediate.expected == .number(0) && intermediate.found == .number(1))
    }

    @Test("The engine reports every exceeded limit")
    func several() throws {
        #expect(try failures([0, 0, nil]).map(\.certificate) == [2, 3])
    }

    @Test("Self-issued intermediates don't count, and a self-issued leaf never does")
    func selfIssued() throws {
        #expect(try failures([0, nil], names: ["A", "A"]).isEmpty)
        #expect(try failures([nil, 0, nil], names: ["R", "A", "A"]).isEmpty)
        #expect(try failures([nil, 0, nil, nil], names: ["R", "A", "A", "A"]).isEmpty)
        #expect(try failures([nil, 0, nil, nil], names: ["R", "A", "A", "B"]).map(\.code) == [.pathLengthExceeded])
        // A limit in the self-issued certificate itself applies.
        #expect(try failures([nil, nil, 0, nil], names: ["R", "A", "A", "B"]).map(\.code) == [.pathLengthExceeded])
        #expect(try failures([1, nil, nil, nil], names: ["R", "A", "A", "B"]).map(\.code) == [.pathLengthExceeded])
    }

    @Test("The engine checks a CA certificate in the leaf's position as a leaf")
    func authorityLeaf() throws {
        #expect(try failures([0], leafIsAuthority: true).isEmpty)
        #expect(try failures([nil, 0], leafIsAuthority: true).isEmpty)
    }

    @Test("An intermediate that is an anchor has only its own limit")
    func intermediateAnchor() throws {
        #expect(try failures([0, 0], anchorIndex: 1).isEmpty)
        #expect(try failures([nil, 0, nil], anchorIndex: 1).map(\.code) == [.pathLengthExceeded])
        #expect(try failures([0, 1, nil], anchorIndex: 1).isEmpty)
    }

    @Test("The caller's limit counts intermediates that aren't self-issued")
    func maximumIntermediates() throws {
        func limited(_ maximum: Int) -> ValidationPolicy { ValidationPolicy(maximumIntermediates: maximum) }
        #expect(try failures([nil], policy: limited(0)).isEmpty)
        #expect(try failures([nil, nil], policy: limited(1)).isEmpty)
        let found = try failures([nil, nil, nil], policy: limited(1))
        #expect(found.map(\.code) == [.maximumIntermediatesExceeded])
        #expect(found.first?.certificate == nil)
        #expect(found.first?.expected == .number(1) && found.first?.found == .number(2))
        #expect(try failures([nil, nil], names: ["A", "A"], policy: limited(0)).isEmpty)
        #expect(try failures([nil, nil], policy: limited(-1)).map(\.code) == [.maximumIntermediatesExceeded])
    }
}

@Suite("Key usage (RFC 5280 § 6.1.4 (n))")
struct KeyUsageTests {
    @Test("An issuer's key usage, if present, must include keyCertSign")
    func issuers() throws {
        let rows: [(KeyUsage?, Bool)] = [
            (nil, true), ([.keyCertSign], true), ([.keyCertSign, .digitalSignature], true), ([.cRLSign], false),
            ([.digitalSignature, .keyEncipherment], false), ([.decipherOnly], false),
        ]
        for (usage, isGood) in rows {
            for policy in [ValidationPolicy(), .plain] {
                let change = { (template: inout CertificateTemplate) in template.keyUsage = usage }
                let below = try TestChain(intermediate: .authority("Test Intermediate").with(change))
                let found = try below.failures(of: below.leaf(), policy: policy)
                #expect(found.map(\.code) == (isGood ? [] : [.keyUsageLacksCertSign]))
                #expect(isGood || found.first?.certificate == 1)
                let above = try TestChain(root: .authority("Test Root").with(change))
                let anchor = try above.failures(of: above.leaf(), policy: policy)
                #expect(anchor.map(\.code) == (isGood ? [] : [.keyUsageLacksCertSign]))
                #expect(isGood || anchor.first?.certificate == 2)
            }
        }
    }

    @Test("Under the web PKI profile and for a TLS purpose, a leaf's key usage, if present, must fit TLS")
    func leaves() throws {
        let chain = try TestChain()
        let rows: [(KeyUsage?, Bool)] = [
            (nil, true), ([.digitalSignature], true), ([.keyEncipherment], true), ([.keyAgreement], true),
            ([.digitalSignature, .keyCertSign], true), ([.nonRepudiation], false), ([.keyCertSign, .cRLSign], false),
            ([.dataEncipherment], false),
        ]
        for (usage, isGood) in rows {
            let leaf = try chain.leaf(.leaf("www.example.com").with { $0.keyUsage = usage })
            #expect(try chain.codes(of: leaf) == (isGood ? [] : [.keyUsageNotForTLS]))
            #expect(try chain.codes(of: leaf, policy: .plain) == [])
            #expect(try chain.codes(of: leaf, policy: ValidationPolicy(purpose: .any)) == [])
        }
    }

    @Test("Strict rules require a leaf key usage that fits TLS 1.3 and (EC)DHE, which need a signature")
    func strictLeaves() throws {
        let chain = try TestChain()
        let rows: [(KeyUsage?, Bool)] = [
            (nil, true), ([.digitalSignature], true), ([.digitalSignature, .keyEncipherment], true),
            ([.keyEncipherment], false), ([.keyAgreement], false), ([.keyEncipherment, .dataEncipherment], false),
            ([.nonRepudiation], false),
        ]
        for (usage, isGood) in rows {
            let leaf = try chain.leaf(.leaf("www.example.com").with { $0.keyUsage = usage })
            for purpose in [ValidationPolicy.Purpose.serverAuth, .any] {
                let policy = ValidationPolicy(purpose: purpose, isStrict: true)
                let found = try chain.failures(of: leaf, policy: policy).filter { $0.code == .keyUsageNotForTLS }
                #expect(found.isEmpty == (isGood || purpose == .any))
                #expect(found.allSatisfy { $0.certificate == 0 && $0.expected == .list(["digitalSignature"]) })
            }
        }
    }
}

@Suite("Extended key usage (RFC 5280 § 4.2.1.12)")
struct ExtendedKeyUsageTests {
    static let codeSigning = OID("1.3.6.1.5.5.7.3.3") ?? .ocspSigning

    static let rows: [(name: String, purposes: [OID]?, server: Bool, client: Bool)] = [
        ("none", nil, true, true), ("serverAuth", [.serverAuth], true, false),
        ("clientAuth", [.clientAuth], false, true),
        ("both", [.clientAuth, .serverAuth], true, true), ("any", [.anyExtendedKeyUsage], true, true),
        ("any purpose among others", [codeSigning, .anyExtendedKeyUsage], true, true),
        ("codeSigning", [codeSigning], false, false),
        ("codeSigning and serverAuth", [codeSigning, .serverAuth], true, false),
        ("OCSPSigning", [.ocspSigning], false, false),
    ]

    private func expect(
        _ row: (name: String, purposes: [OID]?, server: Bool, client: Bool), at index: Int,
        _ leaf: Certificate, _ chain: TestChain
    ) throws {
        for profile in ValidationPolicy.Profile.allCases {
            for (purpose, isGood) in [
                (ValidationPolicy.Purpose.serverAuth, row.server), (.clientAuth, row.client), (.any, true),
            ] {
                let found = try chain.failures(of: leaf, policy: ValidationPolicy(profile: profile, purpose: purpose))
                #expect(found.map(\.code) == (isGood ? [] : [.extendedKeyUsageNotAllowed]), "\(row.name), \(purpose)")
                if !isGood {
                    #expect(found.first?.certificate == index)
                    #expect(found.first?.expected == .text(purpose.rawValue))
                }
            }
        }
    }

    @Test("The leaf's extended key usage must include the purpose or any purpose, or be absent", arguments: rows)
    func leaf(name: String, purposes: [OID]?, server: Bool, client: Bool) throws {
        let chain = try TestChain()
        let leaf = try chain.leaf(.leaf("www.example.com").with { $0.extendedKeyUsage = purposes })
        try expect((name, purposes, server, client), at: 0, leaf, chain)
    }

    @Test("An intermediate's extended key usage limits the certificates below it", arguments: rows)
    func intermediate(name: String, purposes: [OID]?, server: Bool, client: Bool) throws {
        let chain = try TestChain(intermediate: .authority("CA").with { $0.extendedKeyUsage = purposes })
        let leaf = try chain.leaf(.leaf("www.example.com").with { $0.extendedKeyUsage = [.serverAuth, .clientAuth] })
        try expect((name, purposes, server, client), at: 1, leaf, chain)
    }

    @Test("An anchor's extended key usage counts too, whether the anchor is the issuer or the leaf", arguments: rows)
    func anchor(name: String, purposes: [OID]?, server: Bool, client: Bool) throws {
        let chain = try TestChain(root: .authority("Root").with { $0.extendedKeyUsage = purposes })
        let leaf = try chain.leaf(.leaf("www.example.com").with { $0.extendedKeyUsage = [.serverAuth, .clientAuth] })
        try expect((name, purposes, server, client), at: 2, leaf, chain)
        let pinned = try chain.leaf(.leaf("www.example.com").with { $0.extendedKeyUsage = purposes })
        #expect(try codes(pinned, anchors: [pinned]).isEmpty == server)
    }

    @Test("A failure contains the purposes that it found, the usual ones by name")
    func purposeNames() throws {
        let chain = try CraftedChain()
        func found(_ purposes: [String], _ policy: ValidationPolicy) throws -> TrustFailure.Value? {
            let leaf = try chain.leaf {
                $0.extensions?.append(Extension.named("2.5.29.37", ASN1.sequence(purposes.map(ASN1.oid))).encoded)
            }
            let codes: Set<TrustFailure.Code> = [.extendedKeyUsageNotAllowed, .strictExtendedKeyUsage]
            return try chain.validate(leaf, policy: policy).failures.first { codes.contains($0.code) }?.found
        }
        let kp = "1.3.6.1.5.5.7.3"
        #expect(
            try found(
                ["\(kp).1", "\(kp).9", "\(kp).3", "\(kp).4", "\(kp).8", "1.2.3"], ValidationPolicy(purpose: .clientAuth)
            )
                == .list(["serverAuth", "OCSPSigning", "codeSigning", "emailProtection", "timeStamping", "1.2.3"]))
        #expect(try found(["\(kp).2"], ValidationPolicy()) == .list(["clientAuth"]))
        #expect(try found(["2.5.29.37.0"], .strict) == .list(["anyExtendedKeyUsage"]))
    }

    @Test("Each intermediate counts, so one can forbid a purpose that another allows")
    func nesting() throws {
        let root = try TestAuthority.root()
        let purposes: [([OID]?, [OID]?, Bool)] = [
            ([.serverAuth], [.serverAuth], true), ([.serverAuth], [.clientAuth], false),
            ([.clientAuth], [.serverAuth], false),
            (nil, [.serverAuth], true), ([.serverAuth], nil, true), ([.anyExtendedKeyUsage], [.serverAuth], true),
            ([.clientAuth], [.anyExtendedKeyUsage], false), ([.clientAuth], nil, false),
        ]
        for (upper, lower, isGood) in purposes {
            let a = try root.intermediate(.authority("A").with { $0.extendedKeyUsage = upper })
            let b = try a.intermediate(.authority("B").with { $0.extendedKeyUsage = lower })
            let leaf = try b.issue(.leaf("www.example.com")).certificate
            let found = try codes(leaf, [a.certificate, b.certificate], anchors: [root.certificate])
            #expect(found.isEmpty == isGood)
            #expect(Set(found).isSubset(of: [.extendedKeyUsageNotAllowed]))
        }
    }

    @Test("Extended key usage counts whether or not the extension is critical")
    func critical() throws {
        let chain = try CraftedChain([.init("CA", [.extendedKeyUsage("1.3.6.1.5.5.7.3.1", critical: true)])])
        #expect(try chain.codes(chain.leaf()) == [])
        let wrong = try CraftedChain([.init("CA", [.extendedKeyUsage("1.3.6.1.5.5.7.3.2", critical: true)])])
        #expect(try wrong.codes(wrong.leaf()) == [.extendedKeyUsageNotAllowed])
    }
}
