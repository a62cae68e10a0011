// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX
@testable import ServerTrustTesting

@Suite("Uncommon input")
struct UncommonInputTests {
    @Test("An unreadable certificate that ends before its subject has no subject")
    func subjects() {
        for fields in [[], [0xa0, 0x05], [0xa0, 0x00]] as [[UInt8]] {
            #expect(DistinguishedName(subjectOfUnreadable: ASN1.sequence(ASN1.sequence(fields))) == nil)
        }
    }

    @Test("Anchors are equal if certificate, conditions and origin are")
    func anchors() throws {
        let root = try TestAuthority.root().certificate
        let anchor = TrustAnchor(root, conditions: [], isPublic: true)
        let conditions = [AnchorConditionsTests.conditions([])]
        #expect(anchor == TrustAnchor(root, conditions: [], isPublic: true))
        #expect(anchor != TrustAnchor(root, conditions: [], isPublic: false))
        #expect(anchor != TrustAnchor(root, conditions: conditions, isPublic: true))
        #expect(Set([anchor, anchor]).count == 1)
        let store = AnchorStore([anchor])
        #expect(store.isPublic(root))
        #expect(try !store.isPublic(TestAuthority.root().certificate))
    }

    @Test("Names that aren't names have a hash")
    func hashes() {
        let attribute = ASN1.attribute(ASN1.cn, ASN1.utf8("a"))
        for bytes in [[], [0x30, 0x02, 0x31, 0x05], ASN1.sequence(ASN1.value(0x31, attribute + [0x30, 0x00]))] {
            let name = DistinguishedName(checkedDER: bytes)
            #expect(Set([name, DistinguishedName(checkedDER: bytes)]).count == 1)
            #expect(name != DistinguishedName(checkedDER: ASN1.name("a")))
        }
    }

    @Test("A key that the engine can't use verifies no evidence")
    func evidenceKeys() throws {
        let certificate = try CraftedCertificate.leaf().with {
            $0.publicKey = ASN1.publicKey(ASN1.algorithm("1.2.840.10040.4.1"), [2, 1, 1])
        }.unsigned()
        #expect(EvidenceKey(certificate) == nil)
    }

    @Test("A common name that isn't a string is none of the alternative names")
    func commonName() throws {
        let chain = try CraftedChain([])
        let leaf = try chain.leaf { $0.subject = ASN1.name([(ASN1.cn, ASN1.octets([1]))]) }
        #expect(try chain.codes(leaf, policy: .strict).contains(.strictSubjectName))
    }

    @Test("The status unknown counts as evidence even if the response has a reservation")
    func unknownStatus() throws {
        let fixture = try RevocationFixture()
        let response = try fixture.issuer.ocspResponse {
            $0.add(fixture.leaf.certificate, .unknown) {
                $0.extensions = [.named("1.2.3.4", critical: true, ASN1.null)]
            }
        }
        guard case .unobtainable(let obstacles) = try fixture.status(ocsp: [response]) else {
            return #expect(Bool(false))
        }
        #expect(obstacles.contains(.ocspUnknown) && obstacles.contains(.ocspCriticalExtension))
    }

    @Test("A later good status ends two expired holds, and an earlier one doesn't")
    func expiredHolds() throws {
        let fixture = try RevocationFixture()
        let leaf = fixture.leaf.certificate
        let delegate = try fixture.issuer.issue(.ocspSigner())
        func response(
            _ status: TestOCSPResponse.CertificateStatus, _ start: Int64, _ end: Int64, by signer: TestIdentity? = nil
        ) throws -> TestOCSPResponse {
            try fixture.issuer.ocspResponse(signedBy: signer) {
                $0.add(leaf, status) { ($0.thisUpdate, $0.nextUpdate) = (.days(start), .days(end)) }
            }
        }
        let hold = TestOCSPResponse.CertificateStatus.revoked(at: .days(-9), reason: .certificateHold)
        let holds = [try response(hold, -8, -7), try response(hold, -6, -5, by: delegate)]
        let list = try fixture.issuer.crl { $0.thisUpdate = .days(-1) }
        #expect(try fixture.status(ocsp: holds).isRevoked)
        #expect(try fixture.status(crls: [list], ocsp: holds) == .good)
        let good = try response(.good, -2, 2, by: try fixture.issuer.issue(.ocspSigner()))
        #expect(try fixture.status(crls: [list], ocsp: holds + [good]) == .good)
        let earlier = try response(.good, -7, 2, by: try fixture.issuer.issue(.ocspSigner()))
        #expect(try fixture.status(ocsp: holds + [earlier]).isRevoked)
    }

    @Test("An expired hold in a weak list still counts, and the finding names both defects")
    func weakExpiredHold() throws {
        let fixture = try RevocationFixture()
        let hold = try fixture.issuer.crl {
            ($0.thisUpdate, $0.nextUpdate) = (.days(-3), .days(-2))
            $0.signatureAlgorithm = .ecdsaSHA1
            $0.revoke(fixture.leaf.certificate, reason: .certificateHold)
        }
        let found = try #require(fixture.findings(crls: [hold]).first)
        #expect(found.status == .revoked(.certificateHold))
        #expect(found.notes.map(\.name) == ["signatureWeak", "holdExpired"])
        let good = try fixture.issuer.ocspResponse { $0.add(fixture.leaf.certificate) }
        #expect(try fixture.status(crls: [hold], ocsp: [good]) == .good)
    }

    @Test("A response with malformed extensions about a certificate can revoke it, but doesn't prove it good")
    func malformedExtensions() throws {
        let fixture = try RevocationFixture()
        let key = fixture.issuer.identity.key
        for (status, expected) in [
            (.good, .unobtainable(.evidenceMalformed)),
            (.revoked(at: .days(-1), reason: .superseded), .revoked(.superseded)),
        ] as [(TestOCSPResponse.CertificateStatus, RevocationFinding.Status)] {
            let made = try fixture.issuer.ocspResponse {
                $0.add(fixture.leaf.certificate, status) {
                    $0.extensions = [.named("1.2.3.4", critical: false, ASN1.null)]
                }
            }
            var tree = try #require(DERTree(made.der))
            // The extension of the only answer ends after its identifier.
            tree[[1, 0, 1, 0, 0, 2, 0, 4, 0, 0]].members?.removeLast()
            let signature = try key.sign(tree[[1, 0, 1, 0, 0]].der, .ecdsaSHA256)
            tree[[1, 0, 1, 0, 2]].contents = [0] + signature
            let response = try OCSPResponse(der: tree.der)
            let found = try #require(
                RevocationChecker(RevocationEvidence(ocspResponses: [response]), at: TestAuthority.now, memory: nil)
                    .findings(for: fixture.path()).first)
            #expect(found.status == expected)
            #expect(!found.isRevoked || found.notes.contains(.evidenceMalformed))
        }
    }

    @Test("A list counts only if the certificate of its signer can be validated within the budget")
    func largeSigner() throws {
        let fixture = try RevocationFixture(
            issuer: .authority("Test Intermediate").with {
                $0.excludedDNSNames = (0..<1000).map { "x\($0).example" }
            })
        for (count, isFound) in [(1, true), (2000, false)] {
            let signer = try fixture.issuer.issue(
                .crlSigner("Test Intermediate").with { $0.dnsNames = (0..<count).map { "a\($0).example.com" } })
            let list = try signer.crl { $0.issuer = fixture.issuer.certificate.subject }
            let status = try fixture.status(crls: [list], certificates: [signer.certificate])
            #expect(status == (isFound ? .good : .unobtainable(.crlSignerNotFound)))
        }
    }
}
