// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

@Suite("Mozilla's certdata.txt")
struct CertdataReaderTests {
    let root, other: Certificate

    init() throws {
        root = try TestAuthority.root(.authority("Root")).certificate
        other = try TestAuthority.root(.authority("Other Root")).certificate
    }

    /// Returns a list with a trusted root, which makes it complete.
    func list(_ text: String) throws(RootListError) -> RootList {
        try RootListTexts.list(
            "# a comment\nBEGINDATA\n" + RootListTexts.certificateObject(other) + RootListTexts.trustObject(other)
                + text)
    }

    func limit(_ date: String) throws -> [AnchorConstraints] {
        let limit = IssuanceLimit(.notAfter, try .at(date), clock: .notBeforeOrTimestamp)
        return [.with { $0.dates = [limit] }]
    }

    @Test("A root with a trust object is trusted without conditions")
    func trusted() throws {
        let list = try list(RootListTexts.certificateObject(root) + RootListTexts.trustObject(root))
        #expect(list.alternatives(root) == [AnchorConstraints()])
        #expect(list.isComplete && list.program == "Mozilla" && list.count == 2)
        #expect(list.entries[root.sha256]?.label == "A Root")
        #expect(list.entries[root.sha256]?.extendedValidationPolicies == nil)
    }

    @Test("The reader also accepts trust objects in the newer form")
    func newForm() throws {
        let object = RootListTexts.trustObject(root, "CKT_TRUST_ANCHOR").replacing("CKO_NSS_TRUST", with: "CKO_TRUST")
            .replacing("CKA_TRUST_SERVER_AUTH", with: "CKA_PKCS_TRUST_SERVER_AUTH")
        #expect(try list(RootListTexts.certificateObject(root) + object).alternatives(root) == [AnchorConstraints()])
    }

    @Test(
        "The distrust dates in the certificate's object and in the trust object both count, and the earlier one applies"
    )
    func dates() throws {
        let (early, late) = ("241130235959Z", "260415235959Z")
        let first = try limit("2024-11-30T23:59:59Z")
        let second = try limit("2026-04-15T23:59:59Z")
        for (certificate, trust, expected) in [
            (early, nil, first), (nil, late, second), (early, late, first), (late, early, first),
        ] {
            let list = try list(
                RootListTexts.certificateObject(root, distrustAfter: certificate)
                    + RootListTexts.trustObject(root, distrustAfter: trust))
            #expect(list.alternatives(root) == expected)
        }
    }

    @Test("The trust object may precede its certificate")
    func order() throws {
        let list = try list(
            RootListTexts.trustObject(root, distrustAfter: "260415235959Z") + RootListTexts.certificateObject(root))
        #expect(list.alternatives(root) == (try limit("2026-04-15T23:59:59Z")))
    }

    @Test(
        "Only the word for an anchor means trust",
        arguments: ["CKT_NSS_MUST_VERIFY_TRUST", "CKT_NSS_NOT_TRUSTED", "CKT_NSS_TRUSTED", "CKT_TRUSTED", "", "X"])
    func otherTrust(_ word: String) throws {
        let list = try list(RootListTexts.certificateObject(root) + RootListTexts.trustObject(root, word))
        #expect(list.alternatives(root) == [])
    }

    @Test("A root without a trust object, or without its bit for TLS, isn't trusted")
    func noTrust() throws {
        #expect(try list(RootListTexts.certificateObject(root)).alternatives(root) == [])
        let object = RootListTexts.trustObject(root).replacing("CKA_TRUST_SERVER_AUTH", with: "CKA_TRUST_CODE_SIGNING")
        #expect(try list(RootListTexts.certificateObject(root) + object).alternatives(root) == [])
    }

    @Test("Of contradictory objects, the strictest counts, in any order")
    func contradiction() throws {
        let yes = RootListTexts.trustObject(root)
        let no = RootListTexts.trustObject(root, "CKT_NSS_MUST_VERIFY_TRUST")
        for objects in [yes + no, no + yes] {
            #expect(try list(RootListTexts.certificateObject(root) + objects).alternatives(root) == [])
        }
        let dated = RootListTexts.certificateObject(root, distrustAfter: "260415235959Z")
        let expected = try limit("2026-04-15T23:59:59Z")
        for objects in [dated + RootListTexts.certificateObject(root), RootListTexts.certificateObject(root) + dated] {
            #expect(try list(objects + yes).alternatives(root) == expected)
        }
        let attribute = "CKA_TRUST_SERVER_AUTH CK_TRUST CKT_NSS_NOT_TRUSTED\n"
        #expect(try list(RootListTexts.certificateObject(root) + yes + attribute).alternatives(root) == [])
    }

    @Test("A certificate that is only named can be distrusted, but isn't trusted by its name")
    func named() throws {
        let distrusting = try list(RootListTexts.trustObject(root, "CKT_NSS_NOT_TRUSTED"))
        #expect(distrusting.alternatives(root) == [])
        #expect(try list(RootListTexts.trustObject(root)).alternatives(root) == nil)
    }

    @Test("White space of any kind separates words, and lines may end with CR LF")
    func whiteSpace() throws {
        let dated =
            RootListTexts.certificateObject(root, distrustAfter: "260415235959Z") + RootListTexts.trustObject(root)
        let expected = try limit("2026-04-15T23:59:59Z")
        for text in [
            dated.replacing(" MULTILINE", with: "\tMULTILINE"), dated.replacing("CKA_", with: "\t CKA_"),
            dated.replacing("\n", with: " \r\n"),
        ] {
            #expect(try list(text).alternatives(root) == expected)
        }
    }

    @Test(
        "An unreadable file causes an error with its line",
        arguments: [
            "CKA_CLASS CK_OBJECT_CLASS CKO_CERTIFICATE\nCKA_VALUE MULTILINE_OCTAL\n\\060",
            "CKA_CLASS CK_OBJECT_CLASS CKO_CERTIFICATE\nCKA_VALUE MULTILINE_OCTAL\n\\400\nEND",
            "CKA_CLASS CK_OBJECT_CLASS CKO_CERTIFICATE\nCKA_VALUE MULTILINE_OCTAL\n\\060END\nEND",
            "CKA_CLASS CK_OBJECT_CLASS CKO_CERTIFICATE\nCKA_VALUE MULTILINE_OCTAL\n\\060 \\060\nEND",
            "CKA_CLASS CK_OBJECT_CLASS CKO_CERTIFICATE\nCKA_VALUE MULTILINE_OCTAL\n\\060\nENDE",
            "CKA_CLASS CK_OBJECT_CLASS CKO_CERTIFICATE\nCKA_VALUE MULTILINE_OCTAL\n\\080\nEND",
            "CKA_CLASS CK_OBJECT_CLASS CKO_CERTIFICATE\nCKA_VALUE MULTILINE_OCTAL\n\\06\nEND",
            "CKA_CLASS CK_OBJECT_CLASS CKO_CERTIFICATE\nCKA_VALUE MULTILINE_OCTAL\n060 \nEND",
            "CKA_CLASS CK_OBJECT_CLASS CKO_CERTIFICATE\nCKA_VALUE MULTILINE_OCTAL\nEND",
            "CKA_CLASS CK_OBJECT_CLASS CKO_CERTIFICATE\nCKA_VALUE MULTILINE_OCTAL",
            "CKA_CLASS CK_OBJECT_CLASS CKO_CERTIFICATE", "CKA_CLASS CK_OBJECT_CLASS CKO_NSS_TRUST", "CKA_LABEL",
            "CKA_CLASS CK_OBJECT_CLASS CKO_X\nCKA_NSS_SERVER_DISTRUST_AFTER CK_BBOOL CK_TRUE",
            "CKA_CLASS CK_OBJECT_CLASS CKO_X\nCKA_NSS_SERVER_DISTRUST_AFTER MULTILINE_OCTAL\n\\060\nEND",
            "CKA_CLASS CK_OBJECT_CLASS CKO_X\nCKA_VALUE MULTILINE_OCTAL\n"
                + String(repeating: String(repeating: "\\060", count: 1024) + "\n", count: 65) + "END",
        ])
    func errors(_ text: String) throws {
        let error = #expect(throws: RootListError.self) { try list(text) }
        #expect(error?.line != nil)
    }

    @Test("Attributes before the first object cause an error")
    func strayAttribute() {
        #expect(throws: RootListError.self) { try RootListTexts.list("BEGINDATA\nCKA_LABEL UTF8 \"x\"\n") }
    }

    @Test("A list that trusts no root causes an error")
    func noRoot() throws {
        for text in [
            "BEGINDATA\n", RootListTexts.certificateObject(root),
            RootListTexts.certificateObject(root) + RootListTexts.trustObject(root, "CKT_NSS_MUST_VERIFY_TRUST"),
        ] {
            #expect(throws: RootListError.self) { try RootListTexts.list(text) }
        }
    }

    @Test("A truncated list causes an error, or trusts no root that the whole list doesn't")
    func cutOff() throws {
        let text = Array(
            ("BEGINDATA\n" + RootListTexts.certificateObject(other) + RootListTexts.trustObject(other)
                + RootListTexts.certificateObject(root, distrustAfter: "260415235959Z")
                + RootListTexts.trustObject(root)).utf8)
        let whole = try #require(try RootList(text).alternatives(root))
        for end in text.indices {
            guard let list = try? RootList(Array(text[..<end])) else { continue }
            let alternatives = list.alternatives(root)
            #expect(alternatives == nil || alternatives == [] || alternatives == whole, "\(end)")
        }
    }
}
