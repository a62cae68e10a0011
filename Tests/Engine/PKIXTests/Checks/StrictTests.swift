// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing

@Suite("Strict rules")
struct StrictTests {
    private static let rootName = ASN1.name("Root")
    private static let authorityName = ASN1.name("CA")

    /// A chain that passes the strict rules of both profiles, with changes.
    private func codes(
        root: (inout CraftedCertificate) -> Void = { _ in },
        intermediate: (inout CraftedCertificate) -> Void = { _ in },
        leaf: (inout CraftedCertificate) -> Void = { _ in }, policy: ValidationPolicy
    ) throws -> [TrustFailure] {
        let chain = try Self.chain(root: root, intermediate: intermediate, leaf: leaf)
        return try failures(chain[0], [chain[1]], anchors: [chain[2]], host: "www.example.com", policy: policy)
    }

    /// Returns leaf, intermediate and root of the chain, with changes.
    static func chain(
        root: (inout CraftedCertificate) -> Void = { _ in },
        intermediate: (inout CraftedCertificate) -> Void = { _ in },
        leaf: (inout CraftedCertificate) -> Void = { _ in }
    ) throws -> [Certificate] {
        let (rootKey, key) = (Self.rootKey, Self.key)
        let madeRoot = try CraftedCertificate.authority(Self.rootName, key: rootKey, [.subjectKeyIdentifier([1])]).with(
            root
        )
        .certificate(signedBy: rootKey)
        let madeIntermediate = try CraftedCertificate.authority(
            Self.authorityName, issuer: Self.rootName, key: key,
            [.subjectKeyIdentifier([2]), .authorityKeyIdentifier([1])]
        ).with(intermediate).certificate(signedBy: rootKey)
        let madeLeaf = try CraftedCertificate.leaf(
            issuer: Self.authorityName, dns: "www.example.com",
            [.extendedKeyUsage("1.3.6.1.5.5.7.3.1"), .authorityKeyIdentifier([2])]
        ).with { $0.subject = ASN1.name("www.example.com") }.with(leaf).certificate(signedBy: key)
        return [madeLeaf, madeIntermediate, madeRoot]
    }

    private static let rootKey = SigningKey.p256()
    private static let key = SigningKey.p256()

    /// Both strict policies must find only `code` in the certificate at `index`, and the others must find nothing.
    private func expect(
        _ code: TrustFailure.Code, at index: Int, plain: Bool = true, web: Bool = true,
        root: (inout CraftedCertificate) -> Void = { _ in },
        intermediate: (inout CraftedCertificate) -> Void = { _ in },
        leaf: (inout CraftedCertificate) -> Void = { _ in }, _ name: String = ""
    ) throws {
        for policy in [ValidationPolicy(), .plain] {
            #expect(
                try codes(root: root, intermediate: intermediate, leaf: leaf, policy: policy).isEmpty,
                "\(name) \(code), not strict")
        }
        for (policy, isTold) in [(ValidationPolicy.strictPlain, plain), (.strict, web)] {
            let found = try codes(root: root, intermediate: intermediate, leaf: leaf, policy: policy)
            #expect(found.map(\.code) == (isTold ? [code] : []), "\(name) \(policy.profile)")
            #expect(found.allSatisfy { $0.certificate == index }, "\(name) \(policy.profile)")
            let role: TrustFailure.Role = [.leaf, .intermediate, .anchor][index]
            #expect(found.allSatisfy { $0.role == role }, "\(name) \(policy.profile)")
        }
    }

    static func replace(
        _ dotted: String, _ new: Extension?
    ) -> @Sendable (inout CraftedCertificate) -> Void {
        { made in
            let identifier = ASN1.oid(dotted)
            let kept = (made.extensions ?? []).filter { !$0.dropFirst(2).starts(with: identifier) }
            made.extensions = kept + (new.map { [$0.encoded] } ?? [])
        }
    }

    static func add(_ new: Extension) -> @Sendable (inout CraftedCertificate) -> Void {
        { $0.extensions = ($0.extensions ?? []) + [new.encoded] }
    }

    @Test("A chain without defects passes both profiles")
    func good() throws {
        for policy in [ValidationPolicy.strict, .strictPlain, ValidationPolicy(), .plain] {
            #expect(try codes(policy: policy).map(\.code) == [])
        }
    }

    @Test("Serial numbers must be positive and at most 20 bytes long (RFC 5280 § 4.1.2.2)")
    func serialNumbers() throws {
        for bytes in [[0x00], [0x80], [0xff], [0x01] + [UInt8](repeating: 0, count: 20)] as [[UInt8]] {
            let change = { (made: inout CraftedCertificate) in made.serialNumber = ASN1.value(0x02, bytes) }
            try expect(.strictSerialNumber, at: 0, leaf: change)
            try expect(.strictSerialNumber, at: 1, intermediate: change)
            // Some roots from the last century have serial number 0.
            for policy in [ValidationPolicy.strict, .strictPlain] {
                #expect(try codes(root: change, policy: policy).isEmpty)
            }
        }
        for bytes in [[0x01], [0x7f] + [UInt8](repeating: 0xff, count: 19), [0x00, 0x80]] as [[UInt8]] {
            for policy in [ValidationPolicy.strict, .strictPlain] {
                #expect(try codes(leaf: { $0.serialNumber = ASN1.value(0x02, bytes) }, policy: policy).isEmpty)
            }
        }
    }

    @Test("Dates through 2049 must be UTCTime (§ 4.1.2.5)")
    func times() throws {
        let early = ASN1.generalizedTime("20260101000000Z")
        let late = ASN1.generalizedTime("20491231235959Z")
        try expect(.strictTimeEncoding, at: 0, leaf: { $0.notBefore = early })
        try expect(.strictTimeEncoding, at: 1, intermediate: { $0.notAfter = late })
        try expect(.strictTimeEncoding, at: 2, root: { $0.notAfter = late })
        let failure = try #require(try codes(leaf: { $0.notBefore = early }, policy: .strict).first)
        #expect(failure.expected == .text("UTCTime"))
        #expect(failure.found == .time(try Time(rfc3339: "2026-01-01T00:00:00Z")))
        for policy in [ValidationPolicy.strict, .strictPlain] {
            #expect(try codes(root: { $0.notAfter = ASN1.generalizedTime("20500101000000Z") }, policy: policy).isEmpty)
        }
    }

    @Test(
        "A CA must have a key identifier, and a certificate that isn't self-signed must name its issuer's key identifier (§§ 4.2.1.1, 4.2.1.2)"
    )
    func keyIdentifiers() throws {
        let ski = "2.5.29.14"
        let aki = "2.5.29.35"
        try expect(.strictSubjectKeyIdentifier, at: 1, intermediate: Self.replace(ski, nil))
        try expect(.strictSubjectKeyIdentifier, at: 2, root: Self.replace(ski, nil))
        try expect(.strictAuthorityKeyIdentifier, at: 0, leaf: Self.replace(aki, nil))
        try expect(.strictAuthorityKeyIdentifier, at: 1, intermediate: Self.replace(aki, nil))
        let empty = Extension.named(aki, ASN1.sequence())
        try expect(.strictAuthorityKeyIdentifier, at: 0, leaf: Self.replace(aki, empty))
        try expect(.strictAuthorityKeyIdentifier, at: 1, intermediate: Self.replace(aki, .authorityKeyIdentifier([9])))
        try expect(.strictAuthorityKeyIdentifier, at: 0, leaf: Self.replace(aki, .authorityKeyIdentifier([9])))
        // A root's identifier must name its own key, but only the baseline requires this.
        try expect(.strictAuthorityKeyIdentifier, at: 2, plain: false, root: Self.add(.authorityKeyIdentifier([9])))
        for policy in [ValidationPolicy.strict, .strictPlain] {
            #expect(try codes(root: Self.add(.authorityKeyIdentifier([1])), policy: policy).isEmpty)
        }
        let (issuer, number) = (ASN1.explicit(1, ASN1.directory(ASN1.name("a"))), ASN1.implicit(2, [1]))
        for more in [issuer, number, issuer + number] {
            let identifier = Extension.named(aki, ASN1.sequence(ASN1.implicit(0, [1]), more))
            try expect(.strictAuthorityKeyIdentifier, at: 2, plain: false, root: Self.add(identifier))
        }
        // A cross-signed anchor names the key of an issuer above the path. The baseline requires that only in
        // certificates that a CA issues.
        let above = { (made: inout CraftedCertificate) in made.issuer = ASN1.name("Above") }
        try expect(.strictAuthorityKeyIdentifier, at: 2, web: false, root: above)
        for policy in [ValidationPolicy.strict, .strictPlain] {
            let found = try codes(
                root: {
                    above(&$0)
                    Self.add(.authorityKeyIdentifier([9]))(&$0)
                }, policy: policy)
            #expect(found.isEmpty)
        }
    }

    @Test("Extensions must be critical or not as their sections require")
    func criticality() throws {
        try expect(
            .strictExtensionCriticality, at: 1,
            intermediate: Self.replace("2.5.29.14", .subjectKeyIdentifier([2], critical: true)))
        try expect(
            .strictExtensionCriticality, at: 0,
            leaf: Self.replace("2.5.29.35", .authorityKeyIdentifier([2], critical: true)))
        try expect(
            .strictExtensionCriticality, at: 1,
            intermediate: Self.replace("2.5.29.19", .basicConstraints(critical: false)))
        try expect(
            .strictExtensionCriticality, at: 1,
            intermediate: Self.add(.policyConstraints(inhibitMapping: 0, critical: false)))
        try expect(.strictExtensionCriticality, at: 1, intermediate: Self.add(.inhibitAnyPolicy(0, critical: false)))
        let permitted = Extension.nameConstraints(permitted: [ASN1.dns("example.com")], critical: false)
        try expect(.strictExtensionCriticality, at: 1, web: false, intermediate: Self.add(permitted))
        try expect(
            .strictExtensionCriticality, at: 0, plain: false,
            leaf: Self.replace("2.5.29.37", .extendedKeyUsage("1.3.6.1.5.5.7.3.1", critical: true)))
        // The alternative name must be critical exactly if the subject is empty (§ 4.2.1.6, baseline § 7.1.2.7.12).
        try expect(.strictExtensionCriticality, at: 0, leaf: { $0.subject = ASN1.emptyName })
        try expect(
            .strictExtensionCriticality, at: 0, plain: false,
            leaf: Self.replace("2.5.29.17", .alternativeNames(ASN1.dns("www.example.com"), critical: true)))
        for policy in [ValidationPolicy.strict, .strictPlain] {
            let found = try codes(
                leaf: {
                    Self.replace("2.5.29.17", .alternativeNames(ASN1.dns("www.example.com"), critical: true))(&$0)
                    $0.subject = ASN1.emptyName
                }, policy: policy)
            #expect(found.isEmpty)
        }
    }

    @Test("A leaf must not have CA extensions (§§ 4.2.1.5, 4.2.1.10, 4.2.1.11, 4.2.1.14)")
    func notAllowed() throws {
        for added in [
            Extension.nameConstraints(permitted: [ASN1.dns("example.com")]), .policyMappings([("1.2.3", "1.2.4")]),
            .policyConstraints(inhibitMapping: 0), .inhibitAnyPolicy(0),
        ] {
            try expect(.strictExtensionNotAllowed, at: 0, leaf: Self.add(added))
        }
    }

    @Test("Key usage and basic constraints must agree (§§ 4.2.1.3, 4.2.1.9)")
    func keyUsage() throws {
        // digitalSignature and keyCertSign in a certificate that isn't a CA's.
        try expect(.strictKeyUsage, at: 0, leaf: Self.add(.keyUsage([0x84], unused: 2)))
        // A path length requires keyCertSign if there is a key usage.
        let signature = Extension.keyUsage([0x80], unused: 7)
        let rows: [(usage: Extension?, pathLength: Int?, codes: [TrustFailure.Code])] = [
            (signature, 0, [.strictKeyUsage]), (signature, nil, []), (.keyUsage([0x84], unused: 2), 0, []),
            (nil, 0, [.strictKeyUsage]), (nil, nil, [.strictKeyUsage]),
        ]
        for row in rows {
            let found = try codes(
                leaf: { made in
                    Self.add(.basicConstraints(pathLength: row.pathLength))(&made)
                    Self.add(.subjectKeyIdentifier([3]))(&made)
                    if let usage = row.usage { Self.add(usage)(&made) }
                }, policy: .strictPlain)
            #expect(found.map(\.code) == row.codes)
        }
    }

    @Test("Every CA must have a key usage, whether it is an intermediate or an anchor (§ 4.2.1.3)")
    func authorityWithoutKeyUsage() throws {
        let remove = Self.replace("2.5.29.15", nil)
        try expect(.strictKeyUsage, at: 1, intermediate: remove)
        try expect(.strictKeyUsage, at: 2, root: remove)
        let failure = try #require(try codes(root: remove, policy: .strict).first)
        #expect(
            failure.message
                == "certificate 2 (anchor) has key usage none, expected keyCertSign, because it is a CA")
        // A certificate of version 1 can't have one. Its version is the failure.
        let old = { (made: inout CraftedCertificate) in (made.version, made.extensions) = ([], nil) }
        for policy in [ValidationPolicy.strict, .strictPlain] {
            let found = Set(try codes(root: old, policy: policy).map(\.code))
            #expect(found == [.certificateVersionNotAllowed, .strictSubjectKeyIdentifier])
        }
    }

    @Test("A malformed authority information access breaks the web PKI profile, and otherwise only the strict rules")
    func accessDescriptions() throws {
        let malformed = Extension.named("1.3.6.1.5.5.7.1.1", ASN1.null)
        for (policy, isRefused) in [
            (ValidationPolicy(), true), (.strict, true), (.plain, false), (.strictPlain, true),
        ] {
            let found = try codes(leaf: Self.add(malformed), policy: policy)
            #expect(found.map(\.code) == (isRefused ? [.strictEncoding] : []))
        }
    }

    @Test("Without a purpose, no rule concerns purposes")
    func anyPurpose() throws {
        let policy = ValidationPolicy(purpose: .any, isStrict: true)
        #expect(try codes(leaf: Self.replace("2.5.29.37", nil), policy: policy).isEmpty)
        let any = Extension.extendedKeyUsage("2.5.29.37.0")
        #expect(try codes(leaf: Self.replace("2.5.29.37", any), policy: policy).isEmpty)
        #expect(try codes(intermediate: Self.add(any), policy: policy).isEmpty)
    }

    @Test("Without alternative names, no rule concerns their criticality")
    func noAlternativeNames() throws {
        let found = try codes(
            leaf: {
                Self.replace("2.5.29.17", nil)(&$0)
                $0.subject = ASN1.emptyName
            }, policy: .strictPlain)
        #expect(found.map(\.code) == [.subjectAlternativeNameMissing])
        // A common name is then none of them.
        let named = try codes(leaf: Self.replace("2.5.29.17", nil), policy: .strict)
        #expect(Set(named.map(\.code)) == [.subjectAlternativeNameMissing, .strictSubjectName])
    }

    @Test(
        "The baseline requires serverAuth without anyExtendedKeyUsage in a server certificate, and no purpose in a root"
    )
    func extendedKeyUsage() throws {
        let eku = "2.5.29.37"
        try expect(.strictExtendedKeyUsage, at: 0, plain: false, leaf: Self.replace(eku, nil))
        try expect(
            .strictExtendedKeyUsage, at: 0, plain: false, leaf: Self.replace(eku, .extendedKeyUsage("2.5.29.37.0")))
        try expect(
            .strictExtendedKeyUsage, at: 0, plain: false,
            leaf: Self.replace(eku, .extendedKeyUsage("1.3.6.1.5.5.7.3.1", "2.5.29.37.0")))
        try expect(.strictExtendedKeyUsage, at: 2, plain: false, root: Self.add(.extendedKeyUsage("1.3.6.1.5.5.7.3.1")))
    }

    // The source is pkixcheck.cpp (CheckExtendedKeyUsage) and pkixcert.cpp (RememberExtension) of NSS.
    @Test("Strict rules reject what Firefox refuses but the default policy accepts")
    func refusedByFirefox() throws {
        // SEC_ERROR_INADEQUATE_CERT_TYPE: a server that may sign OCSP responses, and a CA for any purpose.
        try expect(
            .strictExtendedKeyUsage, at: 0, plain: false,
            leaf: Self.replace("2.5.29.37", .extendedKeyUsage("1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.9")))
        for purposes in [
            Extension.extendedKeyUsage("2.5.29.37.0"), .extendedKeyUsage("1.3.6.1.5.5.7.3.1", "2.5.29.37.0"),
        ] {
            try expect(.strictExtendedKeyUsage, at: 1, plain: false, intermediate: Self.add(purposes))
        }
        // A CA can name OCSPSigning, also in Firefox.
        for policy in [ValidationPolicy.strict, .strictPlain] {
            let added = Extension.extendedKeyUsage("1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.9")
            #expect(try codes(intermediate: Self.add(added), policy: policy).isEmpty)
        }
        // SEC_ERROR_UNKNOWN_CRITICAL_EXTENSION: critical CRL distribution points.
        let address = ASN1.sequence(
            ASN1.value(0xa0, ASN1.value(0xa0, ASN1.value(0x86, Array("http://a.example/c".utf8)))))
        let points = { Extension.named("2.5.29.31", critical: $0, ASN1.sequence(address)) }
        try expect(.strictExtensionCriticality, at: 0, plain: false, leaf: Self.add(points(true)))
        #expect(try codes(leaf: Self.add(points(false)), policy: .strict).isEmpty)
    }

    @Test("A common name must be one of the alternative names (baseline § 7.1.4.3)")
    func commonName() throws {
        try expect(.strictSubjectName, at: 0, plain: false, leaf: { $0.subject = ASN1.name("other.example.com") })
        try expect(.strictSubjectName, at: 0, plain: false, leaf: { $0.subject = ASN1.name("WWW.example.com") })
        let long = try codes(leaf: { $0.subject = ASN1.name(String(repeating: "a", count: 300)) }, policy: .strict)
        #expect(long.map(\.found) == [.text("CN=" + String(repeating: "a", count: 256))])
        for policy in [ValidationPolicy.strict, .strictPlain] {
            #expect(
                try codes(leaf: { $0.subject = ASN1.name([(ASN1.o, ASN1.utf8("Example"))]) }, policy: policy).isEmpty)
        }
    }

    @Test("Each of many common names must be one of the alternative names", arguments: [1, 3, 4, 5, 12])
    func manyCommonNames(count: Int) throws {
        let names = (0..<count).map { "h\($0).example.com" }
        let addresses = [[192, 0, 2, 1], [0x20, 0x01, 0x0d, 0xb8] + [UInt8](repeating: 0, count: 11) + [1]]
        let alternatives = names.map { ASN1.dns($0) } + addresses.map { ASN1.ip($0) } + [ASN1.email("a@example.com")]
        for wrong in [nil, "other.example.com", "192.0.2.2", "a@example.com", "2001:db8:0::1", "2001:DB8::1"] {
            let common = ["192.0.2.1", "2001:db8::1"] + names.dropLast() + [wrong ?? names[count - 1]]
            let found = try codes(
                leaf: {
                    Self.replace("2.5.29.17", .alternativeNames(alternatives))(&$0)
                    $0.subject = ASN1.name(common.map { (ASN1.cn, ASN1.utf8($0)) })
                }, policy: .strict)
            #expect(found.map(\.code).contains(.strictSubjectName) == (wrong != nil), "\(wrong ?? "none")")
        }
        // The bytes of this address are the letters of the common name.
        let address = ASN1.ip(Array("a.co".utf8))
        let found = try codes(
            leaf: {
                Self.replace("2.5.29.17", .alternativeNames(alternatives + [address]))(&$0)
                $0.subject = ASN1.name((names + ["a.co"]).map { (ASN1.cn, ASN1.utf8($0)) })
            }, policy: .strict)
        #expect(found.map(\.code).contains(.strictSubjectName))
    }

    @Test("A CA must have a name (§ 4.1.2.6)")
    func authorityName() throws {
        let root = try CraftedCertificate.authority(ASN1.emptyName, [.subjectKeyIdentifier([1])]).certificate()
        let leaf = try CraftedCertificate.leaf(issuer: ASN1.emptyName, dns: "a.example", [.authorityKeyIdentifier([1])])
            .certificate()
        #expect(try PKIXTests.codes(leaf, anchors: [root], policy: .strictPlain).contains(.strictSubjectName))
    }

    @Test("Alternative names must be in the preferred form (§ 4.2.1.6)")
    func alternativeNames() throws {
        for name in ["a_b.example.com", "example.com.", "a b", "-a.example.com", "w*.example.com", "", "*"] {
            let names = Extension.alternativeNames(ASN1.dns("www.example.com"), ASN1.dns(name))
            try expect(.strictAlternativeName, at: 0, leaf: Self.replace("2.5.29.17", names), name)
        }
        let wildcard = Extension.alternativeNames(ASN1.dns("www.example.com"), ASN1.dns("*.example.com"))
        for policy in [ValidationPolicy.strict, .strictPlain] {
            #expect(try codes(leaf: Self.replace("2.5.29.17", wildcard), policy: policy).isEmpty)
        }
    }

    @Test("There must be at least one alternative name (§ 4.2.1.6)")
    func noNames() throws {
        try expect(.strictAlternativeName, at: 1, intermediate: Self.add(.alternativeNames([])))
    }

    @Test("DNS name constraints must have no leading dot, and address constraints must have a mask (§ 4.2.1.10)")
    func nameConstraints() throws {
        let dotted = Extension.nameConstraints(permitted: [ASN1.dns("example.com"), ASN1.dns(".example.org")])
        try expect(.strictNameConstraints, at: 1, intermediate: Self.add(dotted))
        let excluded = Extension.nameConstraints(excluded: [ASN1.dns(".example.org")])
        try expect(.strictNameConstraints, at: 1, intermediate: Self.add(excluded))
        let empty = Extension.nameConstraints(excluded: [ASN1.ip([])])
        try expect(.strictNameConstraints, at: 1, intermediate: Self.add(empty))
        let dot = Extension.nameConstraints(permitted: [ASN1.dns("."), ASN1.dns("example.com")])
        #expect(try codes(intermediate: Self.add(dot), policy: .strict).contains { $0.code == .strictNameConstraints })
        // Mailboxes and URIs have leading dots (§ 4.2.1.10), and the empty dNSName has none.
        let others = Extension.nameConstraints(
            permitted: [ASN1.email(".example.org"), ASN1.uri(".example.org"), ASN1.dns("")])
        for policy in [ValidationPolicy.strict, .strictPlain] {
            #expect(try codes(intermediate: Self.add(others), policy: policy).isEmpty)
        }
    }

    @Test("A CA must not be a server (baseline § 7.1.2.7.8)")
    func leafIsAuthority() throws {
        try expect(
            .strictLeafIsAuthority, at: 0, plain: false,
            leaf: { made in
                Self.add(.basicConstraints())(&made)
                Self.add(.keyUsage([0x84], unused: 2))(&made)
                Self.add(.subjectKeyIdentifier([3]))(&made)
            })
    }

    @Test("The length of an RSA modulus must be a multiple of 8 bits (baseline § 6.1.5)")
    func keySize() throws {
        var modulus = [UInt8](repeating: 0x5b, count: 257)
        modulus[0] = 1
        let key = ASN1.publicKey(
            ASN1.algorithm("1.2.840.113549.1.1.1", ASN1.null),
            ASN1.sequence(ASN1.unsigned(modulus), ASN1.integer(65_537)))
        try expect(.strictKeySize, at: 0, leaf: { $0.publicKey = key })
        let found = try codes(leaf: { $0.publicKey = key }, policy: .strict).first
        #expect(found?.expected == .number(8) && found?.found == .number(2_049))
        let rsa = try SigningKey.rsa().publicKey
        #expect(try codes(leaf: { $0.publicKey = rsa }, policy: .strict).isEmpty)
    }

    @Test("Every strict code is marked as strict")
    func codesAreStrict() {
        let strict = TrustFailure.Code.engine.filter { $0.isStrictOnly }
        #expect(strict.count == 15)
        #expect(strict.allSatisfy { $0.severity == .recoverable })
    }
}
