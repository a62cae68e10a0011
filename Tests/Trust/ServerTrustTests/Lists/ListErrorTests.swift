// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

@Suite("Codes and places in list errors")
struct ListErrorTests {
    @Test("The error for an unreadable root list contains a code, the file and the line") func rootLists() throws {
        let folder = try StoreFolder()
        try folder.write("no list", "list")
        let missing = #expect(throws: RootListError.self) { try RootList(contentsOfFile: folder.path + "/missing") }
        #expect(missing?.code == .rootListUnreadable && missing?.file == folder.path + "/missing")
        let unknown = #expect(throws: RootListError.self) { try RootList(contentsOfFile: folder.path + "/list") }
        #expect(unknown?.code == .rootListFormUnknown && unknown?.file == folder.path + "/list")
        #expect(unknown?.line == nil)
        let invalid = #expect(throws: RootListError.self) {
            try RootList(Array("{ \"schemaVersion\": 1, \"program\": \"Test\",\n\"roots\": 7 }".utf8))
        }
        #expect(invalid?.code == .rootListInvalid && invalid?.line == 2 && invalid?.file == nil)
        let empty = #expect(throws: RootListError.self) {
            try RootList(Array(#"{ "schemaVersion": 1, "program": "Test" }"#.utf8))
        }
        #expect(empty?.code == .rootListEmpty)
    }

    @Test("The error for an unreadable denied list contains a code, the file and the place") func deniedLists() throws {
        let folder = try StoreFolder()
        try folder.write("no list", "list")
        let missing = #expect(throws: DeniedListError.self) {
            try DeniedList(contentsOfFile: folder.path + "/missing")
        }
        #expect(missing?.code == .deniedListUnreadable && missing?.file == folder.path + "/missing")
        let unknown = #expect(throws: DeniedListError.self) { try DeniedList(contentsOfFile: folder.path + "/list") }
        #expect(unknown?.code == .deniedListFormUnknown && unknown?.file == folder.path + "/list")
        let invalid = #expect(throws: DeniedListError.self) {
            try DeniedList(Array(#"{ "data": [{ "issuerName": "?", "serialNumber": "AQ==" }] }"#.utf8))
        }
        #expect(invalid?.code == .deniedListInvalid && invalid?.part == "data[0].issuerName")
        #expect(invalid?.offset == nil && invalid?.file == nil)
        let empty = #expect(throws: DeniedListError.self) { try DeniedList(Array("[]".utf8)) }
        #expect(empty?.code == .deniedListEmpty)
        // A complete header, and half a parent after it.
        let set = DeniedListBytes.crlSet()
        let cut = #expect(throws: DeniedListError.self) { try DeniedList(set + [1, 2, 3], allowsEmpty: true) }
        #expect(cut?.code == .deniedListInvalid && cut?.offset == set.count && cut?.part == nil)
    }

    @Test("The error for an unreadable log list contains a code") func logLists() throws {
        let invalid = #expect(throws: CTLogListError.self) {
            try CTLogList(json: Array("{}".utf8), now: TestAuthority.now)
        }
        #expect(invalid?.code == .logListInvalid)
        let logs = try [TestLog("One", operatedBy: "A")]
        let json = try TestLog.list(logs)
        let list = try CTLogList(json: json, now: TestAuthority.now)
        let future = #expect(throws: CTLogListError.self) {
            try CTLogList(json: json, now: list.date.advanced(by: -1))
        }
        #expect(future?.code == .logListFromFuture)
        let key = try TestAuthority.root().certificate.subjectPublicKeyInfo
        let unsigned = #expect(throws: CTLogListError.self) {
            try CTLogList(json: json, signature: [1], key: key, now: TestAuthority.now)
        }
        #expect(unsigned?.code == .logListSignatureInvalid)
    }

    @Test("The error for an unreadable filter contains a code and the path") func filters() throws {
        let folder = try StoreFolder()
        try folder.write("no filter", "filter")
        let missing = #expect(throws: RevocationFilterFileError.self) {
            try RevocationFilter(contentsOfFile: folder.path + "/missing")
        }
        #expect(missing?.code == .filterFileUnreadable && missing?.path == folder.path + "/missing")
        let invalid = #expect(throws: RevocationFilterFileError.self) {
            try RevocationFilter(contentsOfFile: folder.path + "/filter")
        }
        #expect(invalid?.code == .filterFileInvalid && invalid?.path == folder.path + "/filter")
        let manifest = #expect(throws: RevocationFilterFileError.self) {
            try RevocationFilterManifest(Array("{\n\"generated_at\": true }".utf8), name: "manifest")
        }
        #expect(manifest?.code == .filterFileInvalid && manifest?.line == 2)
    }
}
