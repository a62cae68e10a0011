// SPDX-License-Identifier: Apache-2.0

import PKIX
import Testing

@testable import ServerTrustTesting

@Suite("CAs, validated by openssl", .enabled(if: OpenSSLTool.hasOpenSSL, "openssl is not installed"))
struct AuthorityTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var permitted: [GeneralName] = []
        var excluded: [GeneralName] = []
        var leaf: CertificateTemplate
        /// X509_V_ERR_PERMITTED_VIOLATION, X509_V_ERR_EXCLUDED_VIOLATION, or empty.
        var errors: [Int] = []
    }

    static func rows() throws -> [Row] {
        let inside = CertificateTemplate.leaf("www.example.com")
        func leaf(_ name: GeneralName) -> CertificateTemplate { .leaf(name) }
        return try [
            Row(testDescription: "a DNS name inside", permitted: [.dns("example.com")], leaf: inside),
            Row(
                testDescription: "a DNS name outside", permitted: [.dns("example.org")],
                leaf: leaf(.dns("www.example.com")), errors: [47]),
            Row(
                testDescription: "a DNS name excluded", excluded: [.dns("www.example.com")],
                leaf: leaf(.dns("www.example.com")), errors: [48]),
            Row(
                testDescription: "an IPv4 address inside", permitted: [.subnet("192.0.2.0/25")],
                leaf: leaf(.ip("192.0.2.127"))),
            Row(
                testDescription: "an IPv4 address outside", permitted: [.subnet("192.0.2.0/25")],
                leaf: leaf(.ip("192.0.2.128")), errors: [47]),
            Row(
                testDescription: "an IPv6 address excluded", excluded: [.subnet("2001:db8::/33")],
                leaf: leaf(.ip("2001:db8::1")), errors: [48]),
            Row(
                testDescription: "an IPv6 address outside the excluded ones", excluded: [.subnet("2001:db8::/33")],
                leaf: leaf(.ip("2001:db8:8000::1"))),
            Row(
                testDescription: "a mailbox inside", permitted: [.email("example.com")],
                leaf: leaf(.email("a@example.com"))),
            Row(
                testDescription: "a mailbox outside", permitted: [.email("example.com")],
                leaf: leaf(.email("a@example.org")), errors: [47]),
            Row(
                testDescription: "a directory name inside", permitted: [.directory(organization: "Example")],
                leaf: inside.with { $0.organization = "Example" }),
            Row(
                testDescription: "a directory name outside", permitted: [.directory(organization: "Example")],
                leaf: inside.with { $0.organization = "Elsewhere" }, errors: [47]),
        ]
    }

    @Test("openssl refuses leaves outside the name constraints", arguments: try rows())
    func nameConstraints(row: Row) throws {
        let root = try TestAuthority.root()
        let constrained = try root.intermediate(
            .authority("Constrained").with {
                $0.permittedNames = row.permitted
                $0.excludedNames = row.excluded
            })
        let leaf = try constrained.issue(row.leaf).certificate
        try OpenSSLTool.with { bench in
            let outcome = try bench.verify(leaf, others: [constrained.certificate], root: root.certificate)
            #expect(outcome.errors == row.errors, "\(outcome.text)")
        }
    }

    @Test("openssl refuses a chain beyond the path length")
    func pathLength() throws {
        let root = try TestAuthority.root()
        let last = try root.intermediate(.authority("Last").with { $0.maximumPathLength = 0 })
        let tooDeep = try last.intermediate(.authority("One Too Many"))
        try OpenSSLTool.with { bench in
            let good = try bench.verify(
                last.issue(.leaf("a.example.com")).certificate, others: [last.certificate], root: root.certificate)
            #expect(good.status == 0, "\(good.text)")
            let bad = try bench.verify(
                tooDeep.issue(.leaf("a.example.com")).certificate, others: [last.certificate, tooDeep.certificate],
                root: root.certificate)
            #expect(bad.errors == [25], "\(bad.text)")
        }
    }

    @Test("The leaves of a cross-signed CA verify under both roots")
    func crossSigned() throws {
        let first = try TestAuthority.root(.authority("First Root"))
        let second = try TestAuthority.root(.authority("Second Root"), key: .p384())
        let underFirst = try first.intermediate()
        let underSecond = try underFirst.crossSigned(by: second) { $0.notAfter = TestAuthority.now.advanced(by: 60) }
        let leaves = try [underFirst.issue(.leaf("a.example.com")), underSecond.issue(.leaf("a.example.com"))]
        #expect(underSecond.certificate.notAfter == TestAuthority.now.advanced(by: 60))
        #expect(underSecond.path == [underSecond.certificate, second.certificate])
        #expect(leaves[0].certificate.serialNumber != leaves[1].certificate.serialNumber)
        try OpenSSLTool.with { bench in
            for leaf in leaves {
                for (authority, root) in [(underFirst, first), (underSecond, second)] {
                    let outcome = try bench.verify(
                        leaf.certificate, others: [authority.certificate], root: root.certificate)
                    #expect(outcome.status == 0, "\(outcome.text)")
                }
            }
        }
    }

    @Test("A root that another root has cross-signed is an intermediate below that root")
    func crossSignedRoot() throws {
        let old = try TestAuthority.root(.authority("Old Root"))
        let new = try TestAuthority.root(.authority("New Root"))
        let bridge = try new.crossSigned(by: old)
        let leaf = try new.issue(.leaf("a.example.com")).certificate
        try OpenSSLTool.with { bench in
            let outcome = try bench.verify(leaf, others: [bridge.certificate], root: old.certificate)
            #expect(outcome.status == 0, "\(outcome.text)")
        }
    }
}
