// SPDX-License-Identifier: Apache-2.0

import Inspection
import PKIX
import ServerTrustTesting
import Testing

@Suite("The relation of two objects")
struct ObjectComparisonTests {
    private func object(_ bytes: [UInt8]) throws -> InspectedObject {
        try #require(InspectionReader.read(bytes, name: "file").objects.first)
    }

    private func relation(_ first: [UInt8], _ second: [UInt8]) throws -> ObjectComparison {
        ObjectComparison(try object(first), try object(second), at: TestAuthority.now)
    }

    @Test("a certificate and itself are identical")
    func identical() throws {
        let der = try TestAuthority.root().certificate.der
        #expect(try relation(der, der).relation == .identical)
    }

    @Test("a certificate and its CA belong together, in either order")
    func authority() throws {
        let root = try TestAuthority.root()
        let leaf = try root.issue(.leaf("www.example.com")).certificate
        #expect(try relation(leaf.der, root.certificate.der).relation == .signedBySecond)
        #expect(try relation(root.certificate.der, leaf.der).relation == .signedByFirst)
    }

    @Test("a CA of the same name with another key has not signed it")
    func namesake() throws {
        let leaf = try TestAuthority.root().issue(.leaf("www.example.com")).certificate
        let other = try TestAuthority.root().certificate
        let comparison = try relation(leaf.der, other.der)
        #expect(comparison.relation == .unrelated)
        #expect(!comparison.belongTogether)
    }

    @Test("a key belongs to its certificate, and to no other")
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

    @Test("a renewal with the same key names the fields that differ")
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

    @Test("of several objects the closest counts")
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

    @Test("a list of revocations has no key to compare")
    func withoutKey() throws {
        let root = try TestAuthority.root()
        let crl = try root.crl { _ in }
        #expect(try relation(crl.der, root.certificate.der).relation == .notComparable)
    }
}
