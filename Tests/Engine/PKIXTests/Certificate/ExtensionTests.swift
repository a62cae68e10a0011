// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

/// The dotted identifiers of the extensions that the engine knows.
private enum Known {
    static let subjectKeyIdentifier = "2.5.29.14"
    static let keyUsage = "2.5.29.15"
    static let subjectAltName = "2.5.29.17"
    static let issuerAltName = "2.5.29.18"
    static let basicConstraints = "2.5.29.19"
    static let nameConstraints = "2.5.29.30"
    static let crlDistributionPoints = "2.5.29.31"
    static let certificatePolicies = "2.5.29.32"
    static let policyMappings = "2.5.29.33"
    static let authorityKeyIdentifier = "2.5.29.35"
    static let policyConstraints = "2.5.29.36"
    static let extKeyUsage = "2.5.29.37"
    static let freshestCRL = "2.5.29.46"
    static let inhibitAnyPolicy = "2.5.29.54"
    static let authorityInfoAccess = "1.3.6.1.5.5.7.1.1"
    static let subjectInfoAccess = "1.3.6.1.5.5.7.1.11"
    static let tlsFeature = "1.3.6.1.5.5.7.1.24"
    static let timestamps = "1.3.6.1.4.1.11129.2.4.2"
    static let ocspNoCheck = "1.3.6.1.5.5.7.48.1.5"

    static let all = [
        subjectKeyIdentifier, keyUsage, subjectAltName, issuerAltName, basicConstraints, nameConstraints,
        crlDistributionPoints, certificatePolicies, policyMappings, authorityKeyIdentifier, policyConstraints,
        extKeyUsage, freshestCRL, inhibitAnyPolicy, authorityInfoAccess, subjectInfoAccess, tlsFeature, timestamps,
        ocspNoCheck,
    ]

    /// Extensions that restrict nothing. If they are malformed and not critical, the parser treats them as absent.
    static let canBeLeftOut: Set<String> = [
        subjectKeyIdentifier, issuerAltName, crlDistributionPoints, certificatePolicies, authorityKeyIdentifier,
        freshestCRL, authorityInfoAccess, subjectInfoAccess, timestamps, ocspNoCheck,
    ]
}

@Suite("Extensions")
struct ExtensionTests {
    private func certificate(_ extensions: Extension...) throws -> Certificate {
        try CraftedCertificate().with { $0.extensions = extensions.map(\.encoded) }.certificate()
    }

    private func certificate(_ dotted: String, _ value: [UInt8]) throws -> Certificate {
        try certificate(.named(dotted, value))
    }

    // MARK: Well-formed extensions

    @Test("A certificate without extensions has no extension values")
    func absent() throws {
        let certificate = try CraftedCertificate().certificate()
        #expect(certificate.extensions.isEmpty)
        #expect(certificate.basicConstraints == nil && certificate.keyUsage == nil)
        #expect(certificate.extendedKeyUsage == nil && certificate.subjectAlternativeNames == nil)
        #expect(certificate.issuerAlternativeNames == nil && certificate.nameConstraints == nil)
        #expect(certificate.certificatePolicies == nil && certificate.policyMappings == nil)
        #expect(certificate.policyConstraints == nil && certificate.inhibitAnyPolicy == nil)
        #expect(certificate.subjectKeyIdentifier == nil && certificate.authorityKeyIdentifier == nil)
        #expect(certificate.authorityInformationAccess.isEmpty && certificate.subjectInformationAccess.isEmpty)
        #expect(certificate.crlDistributionPoints.isEmpty && certificate.freshestCRL.isEmpty)
        #expect(certificate.tlsFeatures == nil && !certificate.requiresStaple && !certificate.hasOCSPNoCheck)
        #expect(certificate.signedCertificateTimestamps.isEmpty)
    }

    @Test("The parser reads basic constraints with and without a path length")
    func basicConstraints() throws {
        func read(_ value: [UInt8]) throws -> BasicConstraints? {
            try certificate(Known.basicConstraints, value).basicConstraints
        }
        let none = try #require(try read(ASN1.sequence()))
        #expect(!none.isCertificateAuthority && none.maximumPathLength == nil)
        let authority = try #require(try read(ASN1.sequence(ASN1.boolean(true))))
        #expect(authority.isCertificateAuthority && authority.maximumPathLength == nil)
        for length in [0, 1, 127, 128, 65_536, 0x7fff_ffff] {
            let limited = try #require(try read(ASN1.sequence(ASN1.boolean(true), ASN1.integer(length))))
            #expect(limited.isCertificateAuthority && limited.maximumPathLength == length)
        }
    }

    @Test("The parser maps each key usage bit to its name")
    func keyUsage() throws {
        let rows: [([UInt8], UInt8, KeyUsage, String)] = [
            ([0x80], 7, .digitalSignature, "digitalSignature"), ([0x40], 6, .nonRepudiation, "nonRepudiation"),
            ([0x20], 5, .keyEncipherment, "keyEncipherment"), ([0x10], 4, .dataEncipherment, "dataEncipherment"),
            ([0x08], 3, .keyAgreement, "keyAgreement"), ([0x04], 2, .keyCertSign, "keyCertSign"),
            ([0x02], 1, .cRLSign, "cRLSign"), ([0x01], 0, .encipherOnly, "encipherOnly"),
            ([0x00, 0x80], 7, .decipherOnly, "decipherOnly"),
        ]
        for (bits, unused, usage, name) in rows {
            let certificate = try certificate(.keyUsage(bits, unused: unused))
            #expect(certificate.keyUsage == usage)
            #expect(certificate.keyUsage?.names == [name])
        }
        #expect(try certificate(.authorityKeyUsage).keyUsage == [.keyCertSign, .cRLSign])
        #expect(try certificate(.keyUsage([0xff, 0x80], unused: 7)).keyUsage?.names.count == 9)
    }

    @Test("The parser reads the extended key usage purposes in order")
    func extendedKeyUsage() throws {
        let certificate = try certificate(
            .extendedKeyUsage("1.3.6.1.5.5.7.3.2", "1.3.6.1.5.5.7.3.1", "2.5.29.37.0", "1.2.3"))
        #expect(
            certificate.extendedKeyUsage?.map(\.description)
                == ["1.3.6.1.5.5.7.3.2", "1.3.6.1.5.5.7.3.1", "2.5.29.37.0", "1.2.3"])
    }

    @Test("The parser reads alternative names of all nine forms for subject and issuer")
    func alternativeNames() throws {
        let directory = ASN1.name("x")
        let names: [[UInt8]] = [
            ASN1.other("1.2.3", ASN1.utf8("y")), ASN1.email("a@example.com"), ASN1.dns("*.example.com"),
            ASN1.value(0xa3, [0x30, 0x00]), ASN1.directory(directory),
            ASN1.value(0xa5, ASN1.explicit(1, ASN1.utf8("p"))),
            ASN1.uri("https://example.com/"), ASN1.ip([192, 0, 2, 1]), ASN1.ip([UInt8](repeating: 1, count: 16)),
            ASN1.registered("1.2.840"), ASN1.dns(""),
        ]
        let expected: [GeneralName] = [
            .otherName(type: try #require(OID("1.2.3")), value: ASN1.utf8("y")), .rfc822Name("a@example.com"),
            .dnsName("*.example.com"), .x400Address([0x30, 0x00]),
            .directoryName(try DistinguishedName(der: directory)),
            .ediPartyName(ASN1.explicit(1, ASN1.utf8("p"))), .uniformResourceIdentifier("https://example.com/"),
            .ipAddress([192, 0, 2, 1]), .ipAddress([UInt8](repeating: 1, count: 16)),
            .registeredID(try #require(OID("1.2.840"))), .dnsName(""),
        ]
        #expect(try certificate(Known.subjectAltName, ASN1.sequence(names)).subjectAlternativeNames == expected)
        #expect(try certificate(Known.issuerAltName, ASN1.sequence(names)).issuerAlternativeNames == expected)
        #expect(try certificate(Known.issuerAltName, ASN1.sequence(names)).subjectAlternativeNames == nil)
    }

    @Test("The parser reads permitted and excluded name constraints")
    func nameConstraints() throws {
        let both = try certificate(
            .nameConstraints(
                permitted: [ASN1.dns("example.com"), ASN1.ip([10, 0, 0, 0, 255, 0, 0, 0])],
                excluded: [ASN1.email(".example.com"), ASN1.ip([UInt8](repeating: 0, count: 32))]))
        #expect(
            both.nameConstraints?.permittedSubtrees == [
                .dnsName("example.com"), .ipAddress([10, 0, 0, 0, 255, 0, 0, 0]),
            ])
        #expect(
            both.nameConstraints?.excludedSubtrees == [
                .rfc822Name(".example.com"), .ipAddress([UInt8](repeating: 0, count: 32)),
            ])
        let excluded = try certificate(.nameConstraints(excluded: [ASN1.dns("")]))
        #expect(excluded.nameConstraints?.permittedSubtrees == [])
        #expect(excluded.nameConstraints?.excludedSubtrees == [.dnsName("")])
        let empty = try certificate(.nameConstraints(excluded: [ASN1.ip([])]))
        #expect(empty.nameConstraints?.excludedSubtrees == [.ipAddress([])])
    }

    @Test("The parser reads policies with qualifiers, mappings, constraints and inhibitAnyPolicy")
    func policies() throws {
        let qualifiers = ASN1.sequence(ASN1.sequence(ASN1.oid("1.3.6.1.5.5.7.2.1"), ASN1.ia5("https://cps.example")))
        let certificate = try certificate(
            .named(
                Known.certificatePolicies,
                ASN1.sequence(ASN1.sequence(ASN1.oid("1.2.3"), qualifiers), ASN1.sequence(ASN1.oid("2.5.29.32.0")))),
            .policyMappings([("1.2.3", "1.2.4"), ("1.2.3", "1.2.5")]),
            .policyConstraints(requireExplicit: 0, inhibitMapping: 3), .inhibitAnyPolicy(2))
        #expect(certificate.certificatePolicies?.map(\.identifier.description) == ["1.2.3", "2.5.29.32.0"])
        #expect(certificate.certificatePolicies?.map(\.qualifiers) == [qualifiers, nil])
        #expect(certificate.policyMappings?.map(\.issuerDomainPolicy.description) == ["1.2.3", "1.2.3"])
        #expect(certificate.policyMappings?.map(\.subjectDomainPolicy.description) == ["1.2.4", "1.2.5"])
        #expect(certificate.policyConstraints?.requireExplicitPolicy == 0)
        #expect(certificate.policyConstraints?.inhibitPolicyMapping == 3)
        #expect(certificate.inhibitAnyPolicy == 2)
        let one = try self.certificate(.policyConstraints(inhibitMapping: 0)).policyConstraints
        #expect(one?.requireExplicitPolicy == nil && one?.inhibitPolicyMapping == 0)
    }

    @Test("The parser reads key identifiers with issuer and serial number")
    func keyIdentifiers() throws {
        let value = ASN1.sequence(
            ASN1.implicit(0, [1, 2, 3]), ASN1.explicit(1, ASN1.directory(ASN1.name("x"))),
            ASN1.implicit(2, [0x00, 0x80]))
        let certificate = try certificate(
            .subjectKeyIdentifier([9, 8, 7]), .named(Known.authorityKeyIdentifier, value))
        #expect(certificate.subjectKeyIdentifier == [9, 8, 7])
        #expect(certificate.authorityKeyIdentifier?.keyIdentifier == [1, 2, 3])
        #expect(
            certificate.authorityKeyIdentifier?.authorityCertIssuer == [
                .directoryName(try DistinguishedName(der: ASN1.name("x")))
            ])
        #expect(certificate.authorityKeyIdentifier?.authorityCertSerialNumber == SerialNumber(bytes: [0x00, 0x80]))
        let empty = try self.certificate(Known.authorityKeyIdentifier, ASN1.sequence()).authorityKeyIdentifier
        #expect(empty != nil && empty?.keyIdentifier == nil && empty?.authorityCertIssuer.isEmpty == true)
    }

    @Test("The parser reads the addresses in AIA, SIA, CRL and delta CRL extensions")
    func locations() throws {
        let access = ASN1.sequence(
            ASN1.sequence(ASN1.oid("1.3.6.1.5.5.7.48.1"), ASN1.uri("http://ocsp.example")),
            ASN1.sequence(ASN1.oid("1.3.6.1.5.5.7.48.2"), ASN1.uri("http://ca.example/ca.cer")))
        let locations: [GeneralName] = [
            .uniformResourceIdentifier("http://ocsp.example"), .uniformResourceIdentifier("http://ca.example/ca.cer"),
        ]
        for descriptions in [
            try certificate(Known.authorityInfoAccess, access).authorityInformationAccess,
            try certificate(Known.subjectInfoAccess, access).subjectInformationAccess,
        ] {
            #expect(descriptions.map(\.method) == [.ocspAccess, .caIssuersAccess])
            #expect(descriptions.map(\.location) == locations)
        }

        let relative = ASN1.attribute(ASN1.cn, ASN1.utf8("crl"))
        let points = ASN1.sequence(
            ASN1.sequence(ASN1.explicit(0, ASN1.explicit(0, ASN1.uri("http://crl.example/1") + ASN1.uri("ldap://x")))),
            ASN1.sequence(
                ASN1.explicit(0, ASN1.explicit(1, relative)), ASN1.implicit(1, [0x01, 0x06]),
                ASN1.explicit(2, ASN1.directory(ASN1.name("Issuer")))))
        for certificate in [
            try certificate(Known.crlDistributionPoints, points).crlDistributionPoints,
            try certificate(Known.freshestCRL, points).freshestCRL,
        ] {
            #expect(certificate.count == 2)
            #expect(
                certificate.first?.fullName == [
                    .uniformResourceIdentifier("http://crl.example/1"), .uniformResourceIdentifier("ldap://x"),
                ])
            #expect(certificate.first?.reasons == nil && certificate.first?.nameRelativeToCRLIssuer == nil)
            #expect(certificate.last?.nameRelativeToCRLIssuer == relative)
            #expect(certificate.last?.reasons == 1 << 5 | 1 << 6)
            #expect(certificate.last?.crlIssuer == [.directoryName(try DistinguishedName(der: ASN1.name("Issuer")))])
        }
    }

    @Test("The parser reads TLS features, timestamps and OCSP no-check")
    func tls() throws {
        let staple = try certificate(Known.tlsFeature, ASN1.sequence(ASN1.integer(5), ASN1.integer(17)))
        #expect(staple.tlsFeatures == [5, 17] && staple.requiresStaple)
        #expect(try !certificate(Known.tlsFeature, ASN1.sequence(ASN1.integer(17))).requiresStaple)
        #expect(try certificate(Known.tlsFeature, ASN1.sequence()).tlsFeatures == [])
        #expect(try certificate(Known.tlsFeature, ASN1.sequence(ASN1.integer(65_535))).tlsFeatures == [65_535])
        let timestamps = try certificate(Known.timestamps, ASN1.octets([0, 9, 0, 3, 1, 2, 3, 0, 2, 4, 5]))
        #expect(timestamps.signedCertificateTimestamps == [[1, 2, 3], [4, 5]])
        #expect(try certificate(Known.ocspNoCheck, ASN1.null).hasOCSPNoCheck)
    }

    @Test("The parser keeps unknown extensions in order, with their critical bit")
    func unknown() throws {
        let list: [Extension] = [
            .unknown("1.2.3.1", critical: true, [0xde, 0xad]), .basicConstraints(critical: false),
            .unknown("1.2.3.2", critical: false, []), .unknown("2.5.29.99", critical: true),
            // The poison extension of a precertificate (RFC 6962 § 3.1) isn't one that the engine could honor.
            .unknown("1.3.6.1.4.1.11129.2.4.3", critical: true),
        ]
        let certificate = try CraftedCertificate().with { $0.extensions = list.map(\.encoded) }.certificate()
        #expect(certificate.extensions == list)
    }

    @Test("The parser reads sixty-four extensions")
    func many() throws {
        let list = (0..<64).map { Extension.unknown("1.2.3.\($0)", critical: $0 % 2 == 0) }
        #expect(try CraftedCertificate().with { $0.extensions = list.map(\.encoded) }.certificate().extensions == list)
    }

    // MARK: Malformed extensions

    typealias Row = (name: String, dotted: String, value: [UInt8], field: String)

    private static let mask: [UInt8] = [10, 0, 0, 0]

    private static func constraint(_ base: [UInt8], _ rest: [UInt8] = []) -> [UInt8] {
        ASN1.sequence(ASN1.explicit(0, ASN1.sequence(base, rest)))
    }

    /// A policy with one qualifier, and bytes after the qualifiers.
    private static func qualified(_ qualifier: [UInt8], _ rest: [UInt8] = []) -> [UInt8] {
        let list = ASN1.sequence(ASN1.sequence(ASN1.oid("1.2"), qualifier))
        return ASN1.sequence(ASN1.sequence(ASN1.oid("1.2.3"), list, rest))
    }

    static let authorityRows: [Row] = [
        ("cA 0x01", Known.basicConstraints, ASN1.sequence([1, 1, 1]), "basicConstraints"),
        (
            "a path length before cA", Known.basicConstraints, ASN1.sequence(ASN1.integer(0), ASN1.boolean(true)),
            "basicConstraints"
        ),
        (
            "a negative path length", Known.basicConstraints,
            ASN1.sequence(ASN1.boolean(true), ASN1.value(0x02, [0xff])), "basicConstraints"
        ),
        (
            "a path length over 2³¹", Known.basicConstraints,
            ASN1.sequence(ASN1.boolean(true), ASN1.integer(1 << 31)), "basicConstraints"
        ),
        (
            "a padded path length", Known.basicConstraints,
            ASN1.sequence(ASN1.boolean(true), ASN1.value(0x02, [0x00, 0x01])), "basicConstraints"
        ),
        (
            "a third field", Known.basicConstraints,
            ASN1.sequence(ASN1.boolean(true), ASN1.integer(0), ASN1.integer(0)), "basicConstraints"
        ),
        ("no bits", Known.keyUsage, [0x03, 0x00], "keyUsage"),
        ("no bit set", Known.keyUsage, [0x03, 0x01, 0x00], "keyUsage"),
        ("zero bits written out", Known.keyUsage, [0x03, 0x02, 0x07, 0x00], "keyUsage"),
        ("an unused bit set", Known.keyUsage, [0x03, 0x02, 0x07, 0x81], "keyUsage"),
        ("an OCTET STRING", Known.keyUsage, [0x04, 0x01, 0x06], "keyUsage"),
        ("no purpose", Known.extKeyUsage, ASN1.sequence(), "extKeyUsage"),
        ("a purpose that isn't an identifier", Known.extKeyUsage, ASN1.sequence(ASN1.integer(1)), "extKeyUsage"),
        ("a purpose that is cut off", Known.extKeyUsage, ASN1.sequence([0x06, 0x02, 0x2a, 0x86]), "extKeyUsage"),
        ("a lone purpose", Known.extKeyUsage, ASN1.oid("1.2.3"), "extKeyUsage"),
        ("an INTEGER", Known.subjectKeyIdentifier, ASN1.integer(5), "subjectKeyIdentifier"),
        ("an OCTET STRING", Known.authorityKeyIdentifier, ASN1.octets([1]), "authorityKeyIdentifier"),
        (
            "fields out of order", Known.authorityKeyIdentifier,
            ASN1.sequence(ASN1.implicit(2, [1]), ASN1.implicit(0, [1])), "authorityKeyIdentifier"
        ),
        (
            "an unknown field", Known.authorityKeyIdentifier, ASN1.sequence(ASN1.implicit(3, [1])),
            "authorityKeyIdentifier"
        ),
        (
            "no issuer name in its list", Known.authorityKeyIdentifier,
            ASN1.sequence(ASN1.explicit(1, []), ASN1.implicit(2, [1])), "authorityKeyIdentifier"
        ),
        (
            "a padded serial number", Known.authorityKeyIdentifier,
            ASN1.sequence(ASN1.explicit(1, ASN1.dns("x")), ASN1.implicit(2, [0, 1])), "authorityKeyIdentifier"
        ),
    ]

    static let nameRows: [Row] = [Known.subjectAltName, Known.issuerAltName].flatMap { dotted -> [Row] in
        let field = dotted == Known.subjectAltName ? "subjectAltName" : "issuerAltName"
        return [
            ("a lone name", dotted, ASN1.dns("example.com"), field),
            ("a form that does not exist", dotted, ASN1.sequence(ASN1.implicit(9, [1])), field),
            ("a universal string", dotted, ASN1.sequence(ASN1.ia5("example.com")), field),
            ("a constructed dNSName", dotted, ASN1.sequence(ASN1.explicit(2, ASN1.ia5("example.com"))), field),
            ("a dNSName in UTF-8", dotted, ASN1.sequence(ASN1.dns("exämple.com")), field),
            ("a mailbox in Latin-1", dotted, ASN1.sequence(ASN1.implicit(1, [0xe4, 0x40, 0x61])), field),
            ("a URI with a byte over 0x7f", dotted, ASN1.sequence(ASN1.implicit(6, [0x80])), field),
            ("an address of three bytes", dotted, ASN1.sequence(ASN1.ip([1, 2, 3])), field),
            ("an address of no bytes", dotted, ASN1.sequence(ASN1.ip([])), field),
            ("an address with a mask", dotted, ASN1.sequence(ASN1.ip([1, 2, 3, 4, 255, 255, 255, 0])), field),
            ("an address of fifteen bytes", dotted, ASN1.sequence(ASN1.ip([UInt8](repeating: 0, count: 15))), field),
            ("a directory name that isn't a name", dotted, ASN1.sequence(ASN1.directory(ASN1.null)), field),
            (
                "two directory names in one", dotted, ASN1.sequence(ASN1.directory(ASN1.name("a") + ASN1.name("b"))),
                field
            ),
            ("an otherName without a value", dotted, ASN1.sequence(ASN1.explicit(0, ASN1.oid("1.2.3"))), field),
            (
                "an otherName without a type", dotted, ASN1.sequence(ASN1.explicit(0, ASN1.explicit(0, ASN1.null))),
                field
            ),
            (
                "an otherName with two values", dotted,
                ASN1.sequence(ASN1.explicit(0, ASN1.oid("1.2.3") + ASN1.explicit(0, ASN1.null + ASN1.null))), field
            ),
            (
                "an otherName of three parts", dotted,
                ASN1.sequence(ASN1.explicit(0, ASN1.oid("1.2.3") + ASN1.explicit(0, ASN1.null) + ASN1.null)), field
            ),
            ("an identifier that is cut off", dotted, ASN1.sequence(ASN1.implicit(8, [0x86])), field),
        ]
    }

    static let constraintRows: [Row] = [
        ("an empty sequence", Known.nameConstraints, ASN1.sequence(), "nameConstraints"),
        (
            "no permitted subtree in the list", Known.nameConstraints, ASN1.sequence(ASN1.explicit(0, [])),
            "nameConstraints"
        ),
        (
            "no excluded subtree in the list", Known.nameConstraints, ASN1.sequence(ASN1.explicit(1, [])),
            "nameConstraints"
        ),
        (
            "excluded before permitted", Known.nameConstraints,
            ASN1.sequence(
                ASN1.explicit(1, ASN1.sequence(ASN1.dns("a"))), ASN1.explicit(0, ASN1.sequence(ASN1.dns("b")))),
            "nameConstraints"
        ),
        ("an address without a mask", Known.nameConstraints, constraint(ASN1.ip(mask)), "nameConstraints"),
        (
            "an address of 16 bytes", Known.nameConstraints, constraint(ASN1.ip([UInt8](repeating: 0, count: 16))),
            "nameConstraints"
        ),
        ("an address of one byte", Known.nameConstraints, constraint(ASN1.ip([0])), "nameConstraints"),
        ("an address of 7 bytes", Known.nameConstraints, constraint(ASN1.ip(mask + [255, 0, 0])), "nameConstraints"),
        (
            "an address of 33 bytes", Known.nameConstraints, constraint(ASN1.ip([UInt8](repeating: 0, count: 33))),
            "nameConstraints"
        ),
        ("a mask with a hole", Known.nameConstraints, constraint(ASN1.ip(mask + [255, 0, 255, 0])), "nameConstraints"),
        (
            "a mask with a hole in a byte", Known.nameConstraints, constraint(ASN1.ip(mask + [0xa0, 0, 0, 0])),
            "nameConstraints"
        ),
        (
            "a mask with a hole after seven ones", Known.nameConstraints,
            constraint(ASN1.ip(mask + [255, 254, 255, 0])), "nameConstraints"
        ),
        (
            "a mask that starts late", Known.nameConstraints, constraint(ASN1.ip(mask + [0, 0, 0, 1])),
            "nameConstraints"
        ),
        (
            "minimum 0 written out", Known.nameConstraints, constraint(ASN1.dns("a"), ASN1.implicit(0, [0])),
            "nameConstraints"
        ),
        ("minimum 1", Known.nameConstraints, constraint(ASN1.dns("a"), ASN1.implicit(0, [1])), "nameConstraints"),
        ("a maximum", Known.nameConstraints, constraint(ASN1.dns("a"), ASN1.implicit(1, [1])), "nameConstraints"),
        ("a base in UTF-8", Known.nameConstraints, constraint(ASN1.dns("ä")), "nameConstraints"),
        ("a base that isn't a name", Known.nameConstraints, constraint(ASN1.ia5("a")), "nameConstraints"),
        (
            "a directory name that isn't a name", Known.nameConstraints, constraint(ASN1.directory(ASN1.integer(1))),
            "nameConstraints"
        ),
        ("no base", Known.nameConstraints, ASN1.sequence(ASN1.explicit(0, ASN1.sequence())), "nameConstraints"),
        (
            "a third list", Known.nameConstraints,
            ASN1.sequence(
                ASN1.explicit(0, ASN1.sequence(ASN1.dns("a"))), ASN1.explicit(2, ASN1.sequence(ASN1.dns("a")))),
            "nameConstraints"
        ),
    ]

    static let policyRows: [Row] = [
        ("no policy", Known.certificatePolicies, ASN1.sequence(), "certificatePolicies"),
        (
            "a policy twice", Known.certificatePolicies,
            ASN1.sequence(
                ASN1.sequence(ASN1.oid("1.2.3")), ASN1.sequence(ASN1.oid("1.2.4")), ASN1.sequence(ASN1.oid("1.2.3"))),
            "certificatePolicies"
        ),
        ("a lone identifier", Known.certificatePolicies, ASN1.sequence(ASN1.oid("1.2.3")), "certificatePolicies"),
        (
            "no qualifier in the list", Known.certificatePolicies,
            ASN1.sequence(ASN1.sequence(ASN1.oid("1.2.3"), ASN1.sequence())), "policyQualifiers"
        ),
        (
            "a qualifier without a value", Known.certificatePolicies,
            ASN1.sequence(ASN1.sequence(ASN1.oid("1.2.3"), ASN1.sequence(ASN1.sequence(ASN1.oid("1.2"))))), "qualifier"
        ),
        (
            "a qualifier of three parts", Known.certificatePolicies, qualified(ASN1.null + ASN1.null),
            "policyQualifiers"
        ),
        (
            "a qualifier with a member that is cut off", Known.certificatePolicies,
            qualified(ASN1.value(0x30, [0x04, 0x05])), "qualifier"
        ),
        (
            "something after the qualifiers", Known.certificatePolicies, qualified(ASN1.null, ASN1.null),
            "certificatePolicies"
        ),
        (
            "129 policies", Known.certificatePolicies,
            ASN1.sequence((0..<129).map { ASN1.sequence(ASN1.oid("1.2.3.\($0)")) }), "certificatePolicies"
        ),
        ("no mapping", Known.policyMappings, ASN1.sequence(), "policyMappings"),
        (
            "half a mapping", Known.policyMappings, ASN1.sequence(ASN1.sequence(ASN1.oid("1.2.3"))),
            "subjectDomainPolicy"
        ),
        (
            "a mapping of three members", Known.policyMappings,
            ASN1.sequence(ASN1.sequence(ASN1.oid("1.2.3"), ASN1.oid("1.2.3"), ASN1.oid("1.2.3"))), "policyMappings"
        ),
        ("an empty sequence", Known.policyConstraints, ASN1.sequence(), "policyConstraints"),
        ("a negative count", Known.policyConstraints, ASN1.sequence(ASN1.implicit(0, [0xff])), "requireExplicitPolicy"),
        ("an empty count", Known.policyConstraints, ASN1.sequence(ASN1.implicit(1, [])), "inhibitPolicyMapping"),
        (
            "counts out of order", Known.policyConstraints,
            ASN1.sequence(ASN1.implicit(1, [0]), ASN1.implicit(0, [0])), "policyConstraints"
        ),
        ("an unknown count", Known.policyConstraints, ASN1.sequence(ASN1.implicit(2, [0])), "policyConstraints"),
        ("a negative count", Known.inhibitAnyPolicy, ASN1.value(0x02, [0x80]), "inhibitAnyPolicy"),
        ("a padded count", Known.inhibitAnyPolicy, ASN1.value(0x02, [0x00, 0x00]), "inhibitAnyPolicy"),
        ("a sequence", Known.inhibitAnyPolicy, ASN1.sequence(ASN1.integer(0)), "inhibitAnyPolicy"),
    ]

    static let locationRows: [Row] = [
        ("no description", Known.authorityInfoAccess, ASN1.sequence(), "authorityInfoAccess"),
        (
            "no location", Known.authorityInfoAccess, ASN1.sequence(ASN1.sequence(ASN1.oid("1.2.3"))),
            "authorityInfoAccess"
        ),
        (
            "two locations", Known.subjectInfoAccess,
            ASN1.sequence(ASN1.sequence(ASN1.oid("1.2.3"), ASN1.uri("a:"), ASN1.uri("b:"))), "subjectInfoAccess"
        ),
        ("no point", Known.crlDistributionPoints, ASN1.sequence(), "cRLDistributionPoints"),
        ("an empty point", Known.crlDistributionPoints, ASN1.sequence(ASN1.sequence()), "cRLDistributionPoints"),
        (
            "reasons alone", Known.crlDistributionPoints, ASN1.sequence(ASN1.sequence(ASN1.implicit(1, [0x01, 0x06]))),
            "cRLDistributionPoints"
        ),
        (
            "an empty full name", Known.crlDistributionPoints,
            ASN1.sequence(ASN1.sequence(ASN1.explicit(0, ASN1.explicit(0, [])))), "cRLDistributionPoints"
        ),
        (
            "no CRL issuer in the list", Known.crlDistributionPoints,
            ASN1.sequence(ASN1.sequence(ASN1.explicit(2, []))),
            "cRLDistributionPoints"
        ),
        (
            "a CRL issuer that isn't a name", Known.freshestCRL,
            ASN1.sequence(ASN1.sequence(ASN1.explicit(2, ASN1.ia5("a")))), "freshestCRL"
        ),
        (
            "a full and a relative name", Known.freshestCRL,
            ASN1.sequence(
                ASN1.sequence(
                    ASN1.explicit(
                        0, ASN1.explicit(0, ASN1.uri("a:")) + ASN1.explicit(1, ASN1.attribute(ASN1.cn, ASN1.utf8("x"))))
                )),
            "freshestCRL"
        ),
        (
            "an empty relative name", Known.freshestCRL,
            ASN1.sequence(ASN1.sequence(ASN1.explicit(0, ASN1.explicit(1, [])))), "freshestCRL"
        ),
        (
            "a lone name", Known.freshestCRL, ASN1.sequence(ASN1.sequence(ASN1.explicit(0, ASN1.uri("a:")))),
            "freshestCRL"
        ),
    ]

    static let tlsRows: [Row] = [
        ("a lone number", Known.tlsFeature, ASN1.integer(5), "tlsFeature"),
        ("a negative feature", Known.tlsFeature, ASN1.sequence(ASN1.value(0x02, [0xff])), "tlsFeature"),
        ("a feature over 65535", Known.tlsFeature, ASN1.sequence(ASN1.integer(65_536)), "tlsFeature"),
        ("a feature that isn't a number", Known.tlsFeature, ASN1.sequence(ASN1.octets([5])), "tlsFeature"),
        ("no list", Known.timestamps, ASN1.octets([]), "signedCertificateTimestampList"),
        ("an empty list", Known.timestamps, ASN1.octets([0, 0]), "signedCertificateTimestampList"),
        (
            "a list longer than its length", Known.timestamps, ASN1.octets([0, 3, 0, 1, 9, 9]),
            "signedCertificateTimestampList"
        ),
        (
            "a list shorter than its length", Known.timestamps, ASN1.octets([0, 9, 0, 1, 9]),
            "signedCertificateTimestampList"
        ),
        ("an empty timestamp", Known.timestamps, ASN1.octets([0, 2, 0, 0]), "signedCertificateTimestampList"),
        (
            "a timestamp that runs past the end", Known.timestamps, ASN1.octets([0, 3, 0, 2, 9]),
            "signedCertificateTimestampList"
        ),
        (
            "half a length at the end", Known.timestamps, ASN1.octets([0, 4, 0, 1, 9, 0]),
            "signedCertificateTimestampList"
        ),
        ("bare bytes", Known.timestamps, [0, 3, 0, 1, 9], "signedCertificateTimestampList"),
        ("a sequence", Known.ocspNoCheck, ASN1.sequence(), "ocspNoCheck"),
        ("a NULL with contents", Known.ocspNoCheck, [0x05, 0x01, 0x00], "ocspNoCheck"),
    ]

    @Test(
        "A malformed known extension causes an error that names the field if it restricts something or is critical, and otherwise counts as absent",
        arguments: authorityRows + nameRows + constraintRows + policyRows + locationRows + tlsRows)
    func malformed(row: Row) throws {
        expectRefused(row)
    }

    @Test(
        "A known extension is malformed if it is empty or has a trailing byte",
        arguments: Known.all)
    func emptyAndTrailing(dotted: String) throws {
        expectRefused(("an empty value", dotted, [], ""))
        let good: [String: [UInt8]] = [
            Known.subjectKeyIdentifier: ASN1.octets([1]), Known.keyUsage: ASN1.bits([0x80], unused: 7),
            Known.subjectAltName: ASN1.sequence(ASN1.dns("a")), Known.issuerAltName: ASN1.sequence(ASN1.dns("a")),
            Known.basicConstraints: ASN1.sequence(ASN1.boolean(true)),
            Known.nameConstraints: Self.constraint(ASN1.dns("a")),
            Known.crlDistributionPoints: ASN1.sequence(ASN1.sequence(ASN1.explicit(2, ASN1.directory(ASN1.name("a"))))),
            Known.certificatePolicies: ASN1.sequence(ASN1.sequence(ASN1.oid("1.2.3"))),
            Known.policyMappings: ASN1.sequence(ASN1.sequence(ASN1.oid("1.2.3"), ASN1.oid("1.2.4"))),
            Known.authorityKeyIdentifier: ASN1.sequence(ASN1.implicit(0, [1])),
            Known.policyConstraints: ASN1.sequence(ASN1.implicit(0, [0])),
            Known.extKeyUsage: ASN1.sequence(ASN1.oid("1.2.3")),
            Known.freshestCRL: ASN1.sequence(ASN1.sequence(ASN1.explicit(0, ASN1.explicit(0, ASN1.uri("a:"))))),
            Known.inhibitAnyPolicy: ASN1.integer(0),
            Known.authorityInfoAccess: ASN1.sequence(ASN1.sequence(ASN1.oid("1.2.3"), ASN1.uri("a:"))),
            Known.subjectInfoAccess: ASN1.sequence(ASN1.sequence(ASN1.oid("1.2.3"), ASN1.uri("a:"))),
            Known.tlsFeature: ASN1.sequence(ASN1.integer(5)), Known.timestamps: ASN1.octets([0, 3, 0, 1, 9]),
            Known.ocspNoCheck: ASN1.null,
        ]
        let value = try #require(good[dotted])
        #expect(throws: Never.self) { try certificate(dotted, value) }
        expectRefused(("a trailing byte", dotted, value + [0x00], ""))
        expectRefused(("a second value after it", dotted, value + value, ""))
        expectRefused(("its last byte cut off", dotted, Array(value.dropLast()), ""))
    }

    @Test("A critical list whose only byte can start a member, but isn't one, is cut off")
    func oneByte() throws {
        let lists: [(dotted: String, list: [UInt8])] = [
            (Known.subjectAltName, [0x30, 0x01, 0x00]), (Known.subjectAltName, [0x30, 0x01, 0x82]),
            (Known.issuerAltName, [0x30, 0x01, 0x82]), (Known.nameConstraints, [0x30, 0x01, 0xa0]),
            (Known.nameConstraints, ASN1.sequence([0xa0, 0x01, 0x30])),
            (Known.nameConstraints, ASN1.sequence([0xa1, 0x01, 0x30])),
            (Known.crlDistributionPoints, [0x30, 0x01, 0x30]), (Known.freshestCRL, [0x30, 0x01, 0x30]),
            (Known.certificatePolicies, [0x30, 0x01, 0x30]),
            (Known.certificatePolicies, ASN1.sequence(ASN1.sequence(ASN1.oid("1.2.3"), [0x30, 0x01, 0x30]))),
            (Known.policyMappings, [0x30, 0x01, 0x30]), (Known.policyConstraints, [0x30, 0x01, 0x80]),
            (Known.policyConstraints, [0x30, 0x01, 0x81]), (Known.extKeyUsage, [0x30, 0x01, 0x06]),
            (Known.authorityInfoAccess, [0x30, 0x01, 0x30]), (Known.subjectInfoAccess, [0x30, 0x01, 0x30]),
            (Known.tlsFeature, [0x30, 0x01, 0x02]),
        ]
        for (dotted, list) in lists {
            let error = #expect(throws: DERError.self) { try certificate(.named(dotted, critical: true, list)) }
            #expect(error?.reason == .truncated, "\(Hex.encode(list)) in \(dotted)")
        }
    }

    private func expectRefused(_ row: Row) {
        if Known.canBeLeftOut.contains(row.dotted) { expectLeftOut(row) }
        // The value of OCSP no-check never matters: only its presence counts.
        guard row.dotted != Known.ocspNoCheck else { return }
        do {
            _ = try certificate(.named(row.dotted, critical: Known.canBeLeftOut.contains(row.dotted), row.value))
            Issue.record("\(row.name) was accepted in \(row.dotted)")
        } catch let error as DERError {
            #expect(error.field.hasPrefix(row.field), "\(row.name) in \(row.dotted): \(error)")
            #expect(!error.field.isEmpty)
        } catch {
            Issue.record(error)
        }
    }

    private func expectLeftOut(_ row: Row) {
        do {
            let other = Extension.named(Known.extKeyUsage, ASN1.sequence(ASN1.oid("1.2.3")))
            let found = try certificate(.named(row.dotted, row.value), other)
            #expect(found.extensions.count == 2, "\(row.name)")
            #expect(found.extendedKeyUsage?.count == 1, "\(row.name)")
            #expect(found.subjectKeyIdentifier == nil && found.authorityKeyIdentifier == nil, "\(row.name)")
            #expect(found.issuerAlternativeNames == nil && found.certificatePolicies == nil, "\(row.name)")
            #expect(found.crlDistributionPoints.isEmpty && found.freshestCRL.isEmpty, "\(row.name)")
            #expect(found.authorityInformationAccess.isEmpty && found.subjectInformationAccess.isEmpty, "\(row.name)")
            #expect(found.signedCertificateTimestamps.isEmpty, "\(row.name)")
            // A malformed extension and a well-formed one with the same identifier are duplicates.
            #expect(throws: DERError.self) {
                try certificate(.named(row.dotted, row.value), .named(row.dotted, row.value))
            }
            #expect(found.hasOCSPNoCheck == (row.dotted == Known.ocspNoCheck), "\(row.name)")
        } catch {
            Issue.record("\(row.name) in \(row.dotted): \(error)")
        }
    }

    @Test(
        "Strict rules reject any malformed extension that restricts nothing, and the web PKI profile rejects only a malformed authority information access"
    )
    func leftOutUnderRules() throws {
        let root = try CraftedCertificate.authority().certificate()
        for dotted in Known.canBeLeftOut {
            let leaf = try CraftedCertificate.leaf([.named(dotted, [0x30])]).certificate()
            let expected: [TrustFailure.Code] = dotted == Known.authorityInfoAccess ? [.strictEncoding] : []
            #expect(try codes(leaf, anchors: [root]) == expected, "\(dotted)")
            #expect(try codes(leaf, anchors: [root], policy: .plain) == [], "\(dotted)")
            for policy in [ValidationPolicy.strict, .strictPlain] {
                #expect(try codes(leaf, anchors: [root], policy: policy).contains(.strictEncoding), "\(dotted)")
            }
        }
    }
}
