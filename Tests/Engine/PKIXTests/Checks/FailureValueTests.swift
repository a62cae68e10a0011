// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

/// The expected and the found value of a failure, each at its place. Both are printable, because a server chooses the
/// bytes of its certificate.
@Suite("Values of failures")
struct FailureValueTests {
    private func failures(
        of certificate: Certificate, _ role: TrustFailure.Role = .leaf, isAnchor: Bool = false,
        isSelfIssued: Bool = false, policy: ValidationPolicy = .strict
    ) throws -> [TrustFailure] {
        var meter = WorkMeter(ValidationBudget())
        let context = EvaluationContext(policy: policy, host: try Hostname("www.example.com"), time: TestAuthority.now)
        return CertificateChecks.failures(
            of: certificate, role: role, isAnchor: isAnchor, isSelfIssued: isSelfIssued, context, &meter)
    }

    @Test("A malformed key names its algorithm as expected and the fault as found")
    func malformedKey() throws {
        let point = [UInt8](repeating: 4, count: 65)
        let made = try CraftedCertificate.leaf().with {
            $0.publicKey = ASN1.sequence(
                ASN1.algorithm("1.2.840.10045.2.1", ASN1.oid("1.2.840.10045.3.1.7")), ASN1.bits(point))
        }.unsigned()
        let failure = try #require(try failures(of: made).first { $0.code == .keyMalformed })
        #expect(failure.expected == .text(made.subjectPublicKeyInfo.algorithm.description))
        #expect(failure.found != failure.expected)
    }

    @Test("A serial number that is too long is found, and the limit is expected")
    func serialNumber() throws {
        let made = try CraftedCertificate.leaf().with {
            $0.serialNumber = [0x02, 21] + [UInt8](repeating: 1, count: 21)
        }.unsigned()
        let failure = try #require(try failures(of: made).first { $0.code == .strictSerialNumber })
        #expect(failure.expected == .text("a positive number of at most 20 bytes"))
        guard case .text(let found) = failure.found else { return #expect(Bool(false)) }
        #expect(found.hasPrefix("01"))
    }

    @Test("A root without a subject key identifier has one failure about key identifiers")
    func rootWithoutIdentifier() throws {
        let root = try CraftedCertificate.authority(ASN1.name("Root"), [.authorityKeyIdentifier([1, 2, 3])]).unsigned()
        let codes = try failures(of: root, .anchor, isAnchor: true, isSelfIssued: true).map(\.code)
        #expect(codes.contains(.strictSubjectKeyIdentifier))
        #expect(!codes.contains(.strictAuthorityKeyIdentifier))
    }

    @Test("The names in a failure are printable, whatever bytes the certificate contains")
    func printable() throws {
        let made = try CraftedCertificate.leaf().with {
            $0.subject = ASN1.name([(ASN1.cn, ASN1.utf8("x\u{1b}[31m\u{202e}"))])
            $0.extensions = [Extension.alternativeNames([[0x82, 6] + Array("a\u{1b}[0mb".utf8)]).encoded]
        }.unsigned()
        let found = try failures(of: made)
        #expect(Set(found.map(\.code)).isSuperset(of: [.hostMismatch, .strictSubjectName]))
        for failure in found {
            for value in [failure.expected, failure.found] {
                let texts: [String] =
                    switch value {
                    case .text(let text): [text]
                    case .list(let list): list
                    default: []
                    }
                #expect(texts.allSatisfy { !$0.contains("\u{1b}") && !$0.contains("\u{202e}") }, "\(failure.code)")
            }
        }
    }
}
