// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing

@testable import Diagnosis

@Suite("The relation between two objects")
struct ObjectComparisonTests {
    private func object(_ bytes: [UInt8]) throws -> InspectedObject {
        try #require(InspectionReader.read(bytes, name: "file").objects.first)
    }

    private func relation(_ first: [UInt8], _ second: [UInt8]) throws -> ObjectComparison {
        ObjectComparison(try object(first), try object(second), at: TestAuthority.now)
    }

    @Test("A certificate is identical to itself")
    func identical() throws {
        let der = try TestAuthority.root().certificate.der
        #expect(try relation(der, der).relation == .identical)
    }

    @Test("The comparison recognizes a certificate and its CA, in either order")
    func authority() throws {
        let root = try TestAuthority.root()
        let leaf = try root.issue(.leaf("www.example.com")).certificate
        #expect(try relation(leaf.der, root.certificate.der).relation == .signedBySecond)
        #expect(try relation(root.certificate.der, leaf.der).relation == .signedByFirst)
    }

    @Test("The comparison notices that a CA with the same name but another key didn't sign the certificate")
    func namesake() throws {
        let leaf = try TestAuthority.root().issue(.leaf("www.example.com")).certificate
        let other = try TestAuthority.root().certificate
        let comparison = try relation(leaf.der, other.der)
        #expect(comparison.relation == .unrelated)
        #expect(!comparison.belongTogether)
    }

    @Test("A key matches its own certificate and no other")
    func key() throws {
        let root = try TestAuthority.root()
        let key = TestKey.p256()
        let leaf = try root.issue(.leaf("www.example.com"), key: key).certificate
        let other = try root.issue(.leaf("www.example.com")).certificate
        let publicKey = leaf.subjectPublicKeyInfo.der
        #expect(try relation(publicKey, leaf.der).relation == .sameKey)
        #expect(try relation(leaf.der, publicKey).belongTogether)
        #expect(try relation(publicKey, other.der).relation == .unrelated)
    }

    @Test("The comparison names the fields that differ in a renewal with the same key")
    func renewal() throws {
        let root = try TestAuthority.root()
        let key = TestKey.p256()
        let old = try root.issue(.leaf("www.example.com"), key: key).certificate
        let new = try root.issue(
            .leaf("www.example.com", "api.example.com").with { $0.notAfter = TestAuthority.now.advanced(by: 1000) },
            key: key
        ).certificate
        let comparison = try relation(old.der, new.der)
        #expect(comparison.relation == .sameKey)
        let fields = Set(comparison.differences.map(\.field))
        #expect(fields.isSuperset(of: ["names", "notAfter", "serialNumber", "sha256"]))
        #expect(!fields.contains("pin"))
    }

    @Test("The comparison of several objects reports the closest relation")
    func best() throws {
        let root = try TestAuthority.root()
        let leaf = try root.issue(.leaf("www.example.com")).certificate
        let others = try [TestAuthority.root(.authority("Other")).certificate, root.certificate].map {
            try object($0.der)
        }
        let best = try #require(ObjectComparison.best(try object(leaf.der), among: others, at: TestAuthority.now))
        #expect(best.object.certificate == root.certificate)
        #expect(best.comparison.relation == .signedBySecond)
    }

    @Test("A CRL has no key to compare")
    func withoutKey() throws {
        let root = try TestAuthority.root()
        let crl = try root.crl { _ in }
        #expect(try relation(crl.der, root.certificate.der).relation == .notComparable)
    }
}
