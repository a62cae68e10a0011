// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing

@Suite("Critical extensions (RFC 5280 § 4.2)")
struct CriticalExtensionTests {
    @Test(
        "The engine refuses an unknown critical extension in a leaf, intermediate or anchor, but accepts one that isn't critical"
    )
    func unknown() throws {
        for policy in [ValidationPolicy(), .plain] {
            for isCritical in [true, false] {
                let expected: [TrustFailure.Code] = isCritical ? [.criticalExtensionUnhandled] : []
                let added = Extension.unknown(critical: isCritical)
                let chain = try CraftedChain([.init("CA")])
                let leaf = try chain.leaf { $0.extensions?.append(added.encoded) }
                #expect(try chain.codes(leaf, policy: policy) == expected)
                #expect(try codes(leaf, anchors: [leaf], policy: policy) == expected)
                let intermediate = try CraftedChain([.init("CA", [added])])
                #expect(try intermediate.codes(intermediate.leaf(), policy: policy) == expected)
                let anchor = try CraftedChain(root: .init("Root", [added]), [.init("CA")])
                #expect(try anchor.codes(anchor.leaf(), policy: policy) == expected)
            }
        }
    }

    @Test("The failure names the extension and its certificate")
    func values() throws {
        let chain = try CraftedChain([.init("CA", [.unknown("1.2.3.4.5", critical: true)])])
        let failure = try #require(try chain.validate(chain.leaf()).failures.first)
        #expect(failure.certificate == 1 && failure.role == .intermediate)
        #expect(failure.found == .text("1.2.3.4.5"))
    }

    @Test(
        "The engine refuses a critical extension that it knows but doesn't process",
        arguments: [
            ("the poison of a precertificate", "1.3.6.1.4.1.11129.2.4.3", ASN1.null),
            ("issuer alternative names", "2.5.29.18", ASN1.sequence(ASN1.dns("a"))),
            (
                "authority information access", "1.3.6.1.5.5.7.1.1",
                ASN1.sequence(ASN1.sequence(ASN1.oid("1.2.3"), ASN1.uri("a:")))
            ),
            (
                "subject information access", "1.3.6.1.5.5.7.1.11",
                ASN1.sequence(ASN1.sequence(ASN1.oid("1.2.3"), ASN1.uri("a:")))
            ),
            (
                "the address of delta CRLs", "2.5.29.46",
                ASN1.sequence(ASN1.sequence(ASN1.explicit(0, ASN1.explicit(0, ASN1.uri("http://a.example/c")))))
            ),
            ("TLS features", "1.3.6.1.5.5.7.1.24", ASN1.sequence(ASN1.integer(5))),
            ("timestamps", "1.3.6.1.4.1.11129.2.4.2", ASN1.octets([0, 3, 0, 1, 9])),
            ("issuing distribution point", "2.5.29.28", ASN1.sequence()),
            ("subject directory attributes", "2.5.29.9", ASN1.sequence()),
        ] as [(String, String, [UInt8])])
    func notHonoured(name: String, dotted: String, value: [UInt8]) throws {
        let chain = try CraftedChain()
        let critical = try chain.leaf { $0.extensions?.append(Extension.named(dotted, critical: true, value).encoded) }
        #expect(try chain.codes(critical) == [.criticalExtensionUnhandled], "\(name)")
        let plain = try chain.leaf { $0.extensions?.append(Extension.named(dotted, value).encoded) }
        #expect(try chain.codes(plain) == [], "\(name)")
    }

    @Test("Extensions that the engine processes may be critical")
    func processed() throws {
        let chain = try CraftedChain([
            .init(
                "CA",
                [
                    .extendedKeyUsage("1.3.6.1.5.5.7.3.1", critical: true),
                    .nameConstraints(permitted: [ASN1.dns("example.com")]),
                    .policies(["2.5.29.32.0"], critical: true), .policyConstraints(inhibitMapping: 0),
                    .inhibitAnyPolicy(3),
                ])
        ])
        let leaf = try chain.leaf {
            $0.extensions = [
                Extension.alternativeNames(ASN1.dns("www.example.com"), critical: true).encoded,
                Extension.keyUsage([0x80], unused: 7).encoded, Extension.basicConstraints(isAuthority: false).encoded,
            ]
        }
        #expect(try chain.codes(leaf) == [])
    }
}

@Suite("Version (RFC 5280 § 6.1.4 (k))")
struct VersionTests {
    private func v1(_ made: CraftedCertificate, version: Int = 1) -> CraftedCertificate {
        made.with {
            $0.version = version == 1 ? [] : ASN1.explicit(0, ASN1.integer(version - 1))
            $0.extensions = nil
        }
    }

    @Test("Both profiles refuse a v1 or v2 intermediate", arguments: [1, 2])
    func intermediates(version: Int) throws {
        let root = try CraftedCertificate.authority().certificate()
        let key = SigningKey.p256()
        let intermediate = try v1(
            .authority(ASN1.name("CA"), issuer: ASN1.name("Handmade Root"), key: key), version: version
        )
        .certificate()
        let leaf = try CraftedCertificate.leaf(issuer: ASN1.name("CA")).certificate(signedBy: key)
        for policy in [ValidationPolicy(), .plain] {
            let found = try failures(leaf, [intermediate], anchors: [root], policy: policy)
            #expect(found.map(\.code) == [.certificateVersionNotAllowed])
            #expect(found.first?.certificate == 1)
            #expect(found.first?.expected == .number(3) && found.first?.found == .number(version))
        }
    }

    @Test("A v1 anchor may issue certificates only under the plain profile")
    func anchors() throws {
        let root = try v1(.authority()).certificate()
        let leaf = try CraftedCertificate.leaf().certificate()
        #expect(try codes(leaf, anchors: [root]) == [.certificateVersionNotAllowed])
        #expect(try codes(leaf, anchors: [root], policy: .plain) == [])
        #expect(try codes(leaf, anchors: [root], policy: .strictPlain).contains(.certificateVersionNotAllowed))
    }

    @Test("Only the plain profile accepts a v1 leaf, and the leaf matches no name")
    func leaves() throws {
        let root = try CraftedCertificate.authority().certificate()
        let leaf = try v1(.leaf()).certificate()
        #expect(try codes(leaf, anchors: [root]) == [.certificateVersionNotAllowed])
        #expect(try codes(leaf, anchors: [root], policy: .plain) == [])
        #expect(
            try codes(leaf, anchors: [root], host: "www.example.com", policy: .plain)
                == [.subjectAlternativeNameMissing])
        #expect(try codes(leaf, anchors: [leaf]) == [.certificateVersionNotAllowed])
    }

    @Test("A certificate must name its issuer, but an anchor doesn't have to")
    func emptyIssuer() throws {
        let root = try CraftedCertificate.authority(ASN1.emptyName).certificate()
        let leaf = try CraftedCertificate.leaf(issuer: ASN1.emptyName).certificate()
        #expect(try codes(leaf, anchors: [root]) == [.issuerNameEmpty])
        #expect(try codes(leaf, anchors: [leaf]) == [])
    }
}
