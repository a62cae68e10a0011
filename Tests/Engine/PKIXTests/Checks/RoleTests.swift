// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

/// The rules for a certificate by itself, in each role. A rule that is lost for one role accepts a certificate that
/// every test of the other roles still refuses.
@Suite("Each rule in each role")
struct RoleTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: TrustFailure.Code
        /// The roles in which the rule applies.
        var roles: [TrustFailure.Role] = [.leaf, .intermediate, .anchor]
        var purposes: [ValidationPolicy.Purpose] = [.serverAuth, .clientAuth]
        let change: @Sendable (inout CraftedCertificate) -> Void
    }

    private static func appending(_ extensions: Extension...) -> @Sendable (inout CraftedCertificate) -> Void {
        let encoded = extensions.map(\.encoded)
        return { $0.extensions = ($0.extensions ?? []) + encoded }
    }

    private static let roles: [TrustFailure.Role] = [.leaf, .intermediate, .anchor]
    private static let signed: [TrustFailure.Role] = [.leaf, .intermediate]
    private static let issuing: [TrustFailure.Role] = [.intermediate, .anchor]
    private static let curve = "1.2.840.10045.2.1"
    private static let sha1 = ASN1.algorithm("1.2.840.10045.4.1")
    private static let md5 = ASN1.algorithm("1.2.840.113549.1.1.4", ASN1.null)
    private static let before = ASN1.time(TestAuthority.now.advanced(by: -1))
    private static let after = ASN1.time(TestAuthority.now.advanced(by: 1))

    static let rows: [Row] = [
        Row(testDescription: "expired", code: .certificateExpired) { $0.notAfter = before },
        Row(testDescription: "not yet valid", code: .certificateNotYetValid) { $0.notBefore = after },
        Row(
            testDescription: "an unknown critical extension", code: .criticalExtensionUnhandled,
            change: appending(.named("1.3.6.1.4.1.99999.1", critical: true, ASN1.null))),
        Row(
            testDescription: "a critical extension that isn't processed", code: .criticalExtensionUnhandled,
            change: appending(
                .named("1.3.6.1.5.5.7.1.24", critical: true, ASN1.sequence([ASN1.integer(5)])))),
        Row(
            testDescription: "malformed addresses", code: .strictEncoding,
            change: appending(.named("1.3.6.1.5.5.7.1.1", [0x30, 0x01, 0x00]))),
        Row(
            testDescription: "another purpose", code: .extendedKeyUsageNotAllowed,
            change: appending(.extendedKeyUsage("1.3.6.1.5.5.7.3.4"))),
        Row(testDescription: "signed with SHA-1", code: .signatureUsesSHA1, roles: signed) { $0.innerAlgorithm = sha1 },
        Row(testDescription: "signed with MD5", code: .signatureUsesMD5, roles: signed) { $0.innerAlgorithm = md5 },
        Row(testDescription: "two algorithms", code: .signatureAlgorithmMismatch, roles: signed) {
            $0.outerAlgorithm = sha1
        },
        Row(testDescription: "no name of the issuer", code: .issuerNameEmpty, roles: signed) {
            $0.issuer = ASN1.emptyName
        },
        Row(
            testDescription: "a mapping of any policy", code: .policyMappingOfAnyPolicy, roles: signed,
            change: appending(.policyMappings([("2.5.29.32.0", "1.2.3")]))),
        Row(testDescription: "a DSA key", code: .keyUsesDSA) {
            $0.publicKey = ASN1.publicKey(
                ASN1.algorithm(
                    "1.2.840.10040.4.1", ASN1.sequence(ASN1.integer(8), ASN1.integer(8), ASN1.integer(8))),
                ASN1.integer(8))
        },
        Row(testDescription: "an explicit curve", code: .keyUsesExplicitCurve) {
            $0.publicKey = ASN1.publicKey(ASN1.algorithm(curve, ASN1.sequence(ASN1.integer(1))), [4, 1, 2])
        },
        Row(testDescription: "version 1", code: .certificateVersionNotAllowed) {
            ($0.version, $0.extensions) = ([], nil)
        },
        Row(testDescription: "no basic constraints", code: .basicConstraintsMissing, roles: issuing) {
            $0.extensions = [Extension.authorityKeyUsage.encoded]
        },
        Row(testDescription: "a key usage that fits no handshake", code: .keyUsageNotForTLS, roles: [.leaf]) {
            $0.extensions = [Extension.basicConstraints(), .authorityKeyUsage].map(\.encoded)
        },
        Row(testDescription: "a point that isn't on the curve", code: .keyMalformed, roles: [.leaf]) {
            $0.publicKey = ASN1.publicKey(
                ASN1.algorithm(curve, ASN1.oid("1.2.840.10045.3.1.7")), [4] + [UInt8](repeating: 4, count: 64))
        },
    ]

    private func codes(
        _ certificate: Certificate, _ role: TrustFailure.Role, _ purpose: ValidationPolicy.Purpose,
        distrusted: [DistrustedCertificates] = []
    ) -> [TrustFailure.Code] {
        var meter = WorkMeter(ValidationBudget())
        var policy = ValidationPolicy()
        policy.purpose = purpose
        let context = EvaluationContext(
            policy: policy, host: nil, time: TestAuthority.now, distrusted: distrusted)
        return CertificateChecks.failures(
            of: certificate, role: role, isAnchor: role == .anchor, isSelfIssued: false, context, &meter
        ).map(\.code)
    }

    private static func template(_ role: TrustFailure.Role) -> CraftedCertificate {
        role == .leaf ? .leaf() : .authority(ASN1.name("CA"), issuer: ASN1.name("Root"))
    }

    @Test("A rule about one certificate applies in exactly its roles, for servers and clients", arguments: rows)
    func rules(row: Row) throws {
        for role in Self.roles {
            for purpose in row.purposes {
                #expect(codes(try Self.template(role).unsigned(), role, purpose).isEmpty)
                let certificate = try Self.template(role).with(row.change).unsigned()
                let found = codes(certificate, role, purpose)
                #expect(found.contains(row.code) == row.roles.contains(role), "\(role), \(purpose): \(found)")
            }
        }
    }

    @Test("A list distrusts a leaf, a CA or an anchor, by certificate, by serial number or by key")
    func distrust() throws {
        for role in Self.roles {
            let certificate = try Self.template(role).unsigned()
            let names: [DistrustedCertificates.Name] = [
                .certificate(certificate.sha256), .serialNumber(IssuerAndSerial(certificate)),
                .key(certificate.subjectPublicKeyInfoSHA256),
            ]
            for name in names {
                for purpose in [ValidationPolicy.Purpose.serverAuth, .clientAuth] {
                    let list = DistrustedCertificates(source: "Example", names: [name: [purpose]])
                    #expect(codes(certificate, role, purpose, distrusted: [list]) == [.certificateDenied])
                    let other: ValidationPolicy.Purpose = purpose == .serverAuth ? .clientAuth : .serverAuth
                    #expect(codes(certificate, role, other, distrusted: [list]).isEmpty)
                }
            }
        }
    }

    // MARK: Anchors

    @Test("An anchor's conditions apply to paths of every length and to every purpose", arguments: 1...5)
    func conditions(count: Int) throws {
        let root = try TestAuthority.root()
        var authority = root
        for index in 2..<max(count, 2) { authority = try authority.intermediate(.authority("CA \(index)")) }
        let leaf = try authority.issue(
            .leaf("www.example.com").with { $0.extendedKeyUsage = [.serverAuth, .clientAuth] })
        let chain = authority.chain(leaf)
        let anchor = count == 1 ? leaf.certificate : root.certificate
        for purpose in [ValidationPolicy.Purpose.serverAuth, .clientAuth] {
            func codes(_ conditions: AnchorConditions) -> [TrustFailure.Code] {
                AnchorConditionsTests.validate(
                    chain[0], Array(chain.dropFirst()), [TrustAnchor(anchor, conditions: [conditions])],
                    purpose: purpose
                ).codes
            }
            func permitting(_ change: (inout AnchorConditions) -> Void = { _ in }) -> AnchorConditions {
                var conditions = AnchorConditions(source: "Example", alternatives: [AnchorConstraints()])
                change(&conditions)
                return conditions
            }
            #expect(codes(permitting()).isEmpty)
            #expect(codes(permitting { $0.distrustedPurposes = [purpose] }) == [.certificateDenied])
            #expect(codes(.unlisted(source: "Example")) == [.anchorNotInProgram])
            let date = AnchorConditionsTests.limit(.notAfter, leaf.certificate.notBefore.advanced(by: -1), .notBefore)
            #expect(codes(AnchorConditions(source: "Example", alternatives: [date])) == [.anchorDistrustedAfter])
            var both = date
            both.dates.insert(IssuanceLimit(.notAfter, TestAuthority.now, clock: .notBefore), at: 0)
            #expect(codes(AnchorConditions(source: "Example", alternatives: [both])) == [.anchorDistrustedAfter])
        }
    }
}
