// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

/// Encodings that aren't DER but that real roots and servers use. The engine reads them by default, and the strict
/// rules reject them.
@Suite("Encodings in use that DER doesn't permit")
struct DeployedEncodingsTests {
    private static let rows: [(name: String, extension: Extension)] = [
        (
            "trailing zero bits of the key usage (Trustwave's roots)",
            Extension(
                identifier: OID("2.5.29.15") ?? .anyPolicy, isCritical: true, value: [0x03, 0x03, 0x07, 0x80, 0x00])
        ),
        (
            "cA with an explicit FALSE",
            Extension(
                identifier: OID("2.5.29.19") ?? .anyPolicy, isCritical: true, value: [0x30, 0x03, 0x01, 0x01, 0x00])
        ),
    ]

    @Test("The engine accepts deployed encodings by default, and strict rules reject them", arguments: rows)
    func deployed(name: String, `extension`: Extension) throws {
        let root = try TestAuthority.root()
        let leaf = try root.issue(
            .leaf("www.example.com").with {
                $0.isAuthority = nil
                $0.keyUsage = nil
                $0.extensions = [`extension`]
            }
        ).certificate
        let host = try Hostname("www.example.com")
        func codes(strict: Bool) -> [TrustFailure.Code] {
            let validator = PathValidator(
                anchors: AnchorStore([root.certificate]), policy: ValidationPolicy(isStrict: strict), memory: nil)
            return validator.validate(leaf, host: host, at: TestAuthority.now).rejection?.failures.map(\.code) ?? []
        }
        #expect(codes(strict: false) == [], "\(name)")
        #expect(codes(strict: true) == [.strictEncoding], "\(name)")
    }

    /// `critical` with an explicit FALSE, in a known extension and in an unknown one.
    private static let writtenOut: [[UInt8]] = [
        ASN1.ext(ASN1.oid("2.5.29.37"), critical: ASN1.boolean(false), ASN1.sequence(ASN1.oid("1.3.6.1.5.5.7.3.1"))),
        ASN1.ext(ASN1.oid("1.2.3"), critical: ASN1.boolean(false), ASN1.null),
    ]

    @Test("An explicit critical FALSE means not critical in a leaf, intermediate or anchor, but strict rules reject it")
    func criticalFalse() throws {
        for encoded in Self.writtenOut {
            func add(_ made: CraftedCertificate) -> CraftedCertificate { made.with { $0.extensions?.append(encoded) } }
            let key = SigningKey.shared
            let name = ASN1.name("CA")
            let root = try CraftedCertificate.authority().certificate()
            let rows: [(leaf: Certificate, others: [Certificate], anchor: Certificate, index: Int)] = [
                (try add(CraftedCertificate.leaf()).certificate(), [], root, 0),
                (
                    try CraftedCertificate.leaf(issuer: name).certificate(),
                    [
                        try add(CraftedCertificate.authority(name, issuer: ASN1.name("Handmade Root"), key: key))
                            .certificate()
                    ],
                    root, 1
                ),
                (
                    try CraftedCertificate.leaf().certificate(), [],
                    try add(CraftedCertificate.authority()).certificate(), 1
                ),
            ]
            for row in rows {
                let all = [row.leaf] + row.others + [row.anchor]
                #expect(all[row.index].extensions.last?.isCritical == false)
                for policy in [ValidationPolicy(), .plain] {
                    #expect(try codes(row.leaf, row.others, anchors: [row.anchor], policy: policy) == [])
                }
                let strict = try failures(row.leaf, row.others, anchors: [row.anchor], policy: .strict)
                #expect(strict.contains { $0.code == .strictEncoding && $0.certificate == row.index })
            }
        }
        let clean = try CraftedCertificate.leaf([.extendedKeyUsage("1.3.6.1.5.5.7.3.1")]).certificate()
        let root = try CraftedCertificate.authority().certificate()
        #expect(try !codes(clean, anchors: [root], policy: .strict).contains(.strictEncoding))
    }

    @Test(
        "An issuer with empty alternative names is accepted unless the rules are strict, and a leaf with them matches no host"
    )
    func emptyAlternativeNames() throws {
        let empty = Extension.alternativeNames([])
        let chain = try CraftedChain(root: .init("Root", [empty]), [.init("CA", [empty])])
        #expect(chain.intermediates.first?.subjectAlternativeNames == [])
        let leaf = try chain.leaf()
        func found(_ leaf: Certificate, host: String?, policy: ValidationPolicy = ValidationPolicy()) throws
            -> [TrustFailure]
        {
            try failures(leaf, chain.intermediates, anchors: [chain.root], host: host, policy: policy)
        }
        #expect(try found(leaf, host: "www.example.com") == [])
        let strict = try found(leaf, host: "www.example.com", policy: .strictPlain)
        #expect(strict.filter { $0.code == .strictAlternativeName }.map(\.certificate) == [1, 2])

        let nameless = try chain.leaf { $0.extensions = [empty.encoded] }
        for host in ["www.example.com", "192.0.2.1"] {
            let mismatch = try found(nameless, host: host)
            #expect(mismatch.map(\.code) == [.hostMismatch])
            #expect(mismatch.first?.found == .list([]))
        }
        #expect(try found(nameless, host: nil, policy: .strictPlain).contains { $0.code == .strictAlternativeName })
        // An empty list of issuer names is just as harmless. An empty list of anything else stays malformed.
        _ = try CraftedCertificate.leaf([.named("2.5.29.18", ASN1.sequence())]).certificate()
        #expect(throws: DERError.self) { try CraftedCertificate.leaf([.named("2.5.29.17", [])]).certificate() }
        for other in ["2.5.29.30", "2.5.29.37"] {
            #expect(throws: DERError.self) {
                try CraftedCertificate.leaf([.named(other, ASN1.sequence())]).certificate()
            }
        }
    }

    @Test("Empty alternative names can't evade a name constraint")
    func emptyNamesAndConstraints() throws {
        let constraint = Extension.nameConstraints(
            permitted: [ASN1.email("example.com"), ASN1.dns("example.com")], excluded: [ASN1.dns("evil.example")])
        let chain = try CraftedChain([.init("CA", [constraint])])
        let mailbox = ASN1.name([(ASN1.emailAddress, ASN1.ia5("a@evil.example"))])
        let leaf = try chain.leaf {
            $0.subject = mailbox
            $0.extensions = [Extension.alternativeNames([]).encoded]
        }
        #expect(try chain.codes(leaf) == [.nameNotPermitted])
    }

    @Test("Only strict rules reject a path length in a certificate that isn't a CA")
    func pathLengthWithoutAuthority() throws {
        let root = try TestAuthority.root()
        let constraints = Extension(
            identifier: OID("2.5.29.19") ?? .anyPolicy, isCritical: true, value: [0x30, 0x03, 0x02, 0x01, 0x00])
        let leaf = try root.issue(
            .leaf("www.example.com").with {
                $0.isAuthority = nil
                $0.extensions = [constraints]
            }
        ).certificate
        #expect(leaf.basicConstraints == BasicConstraints(isCertificateAuthority: false, maximumPathLength: 0))
        let validator = PathValidator(
            anchors: AnchorStore([root.certificate]), policy: ValidationPolicy(isStrict: true), memory: nil)
        let rejection = validator.validate(
            leaf, host: try Hostname("www.example.com"), at: TestAuthority.now
        ).rejection
        #expect(rejection?.failures.map(\.code) == [.strictExtensionNotAllowed])
    }
}
