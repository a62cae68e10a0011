// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting

@testable import ServerTrust

extension ErrorRow {
    /// The errors in the system's anchors and in lists of roots, denied certificates, logs and filters.
    static let lists: [ErrorRow] = anchors + rootLists + deniedLists + logLists + filters

    private static let missing = "/nonexistent/file"

    // MARK: - Anchors

    private static let anchors: [ErrorRow] = [
        ErrorRow(
            SystemAnchorsError.self, .systemAnchorsUnreadable, having: ["paths": "[\"\(missing)\"]"], anchorValues
        ) { try SystemAnchors(environment: ["SSL_CERT_FILE": missing]) },
        // Most machines have a root store.
        ErrorRow(
            SystemAnchorsError(
                places: [SystemAnchorsError.Place(path: "/etc/ssl/cert.pem", finding: "missing")],
                isFromEnvironment: false), anchorValues),
        ErrorRow(
            SystemAnchorsError(RootListError(.rootListUnreadable, file: missing, line: nil, "missing")), anchorValues),
    ]

    private static func anchorValues(_ error: SystemAnchorsError) -> Values {
        ["paths": error.paths.isEmpty ? nil : error.paths, "listError": error.listError]
    }

    // MARK: - Roots

    private static let rootLists: [ErrorRow] = [
        ErrorRow(RootListError.self, .rootListUnreadable, having: ["file": missing], rootValues) {
            try RootList(contentsOfFile: missing)
        },
        rootList(.rootListFormUnknown, [:], "no list"),
        rootList(
            .rootListInvalid, ["line": "2"], "{ \"schemaVersion\": 1, \"program\": \"Test\",\n\"roots\": 7 }"),
        rootList(.rootListEmpty, [:], #"{ "schemaVersion": 1, "program": "Test" }"#),
    ]

    private static func rootList(_ code: ErrorCode, _ expected: [String: String], _ text: String) -> ErrorRow {
        ErrorRow(RootListError.self, code, having: expected, rootValues) { try RootList(Array(text.utf8)) }
    }

    private static func rootValues(_ error: RootListError) -> Values { ["file": error.file, "line": error.line] }

    // MARK: - Denied certificates

    private static let deniedLists: [ErrorRow] = [
        ErrorRow(DeniedListError.self, .deniedListUnreadable, having: ["file": missing], deniedValues) {
            try DeniedList(contentsOfFile: missing)
        },
        deniedList(.deniedListFormUnknown, [:], "no list"),
        deniedList(
            .deniedListInvalid, ["part": "data[0].issuerName"],
            #"{ "data": [{ "issuerName": "?", "serialNumber": "AQ==" }] }"#),
        deniedList(.deniedListEmpty, [:], "[]"),
    ]

    private static func deniedList(_ code: ErrorCode, _ expected: [String: String], _ text: String) -> ErrorRow {
        ErrorRow(DeniedListError.self, code, having: expected, deniedValues) { try DeniedList(Array(text.utf8)) }
    }

    private static func deniedValues(_ error: DeniedListError) -> Values {
        ["file": error.file, "part": error.part, "line": error.line, "offset": error.offset]
    }

    // MARK: - Logs

    private static let logLists: [ErrorRow] = [
        logList(.logListInvalid) { try CTLogList(json: Array("{}".utf8), now: TestAuthority.now) },
        logList(.logListSignatureInvalid) {
            let key = try TestAuthority.root().certificate.subjectPublicKeyInfo
            return try CTLogList(json: Array("{}".utf8), signature: [1], key: key, now: TestAuthority.now)
        },
        logList(.logListFromFuture) {
            let json = try TestLog.list([TestLog("One", operatedBy: "A")])
            return try CTLogList(json: json, now: .earliest)
        },
    ]

    private static func logList(_ code: ErrorCode, _ read: () throws -> Any) -> ErrorRow {
        ErrorRow(CTLogListError.self, code, { _ in [:] }, by: read)
    }

    // MARK: - Filters

    private static let filters: [ErrorRow] = [
        filter(.filterFileUnreadable, ["path": missing]) { _ in try RevocationFilter(contentsOfFile: missing) },
        filter(.filterFileInvalid) { folder in
            let file = folder.appendingPathComponent("a.filter")
            try Data("no filter".utf8).write(to: file)
            return try RevocationFilter(contentsOfFile: file.path)
        },
        filter(.filterFileInvalid, ["path": "manifest.json", "line": "2"]) { _ in
            try RevocationFilterManifest(Array("{\n\"generated_at\": true }".utf8), name: "manifest.json")
        },
        filter(.filterFolderUnsuitable) { folder in
            try Data().write(to: folder.appendingPathComponent("another"))
            return try RevocationFilterFolderUpdate(folder.path)
        },
        ErrorRow(
            RevocationFilterFileError(.filterFolderBusy, path: "filters", problem: "in use"), filterValues),
    ]

    private static func filter(
        _ code: ErrorCode, _ expected: [String: String] = [:], _ read: (URL) throws -> Any
    ) -> ErrorRow {
        ErrorRow(RevocationFilterFileError.self, code, having: expected, filterValues) {
            try TemporaryFolder.with { try read($0.url) }
        }
    }

    private static func filterValues(_ error: RevocationFilterFileError) -> Values {
        ["path": error.path, "line": error.line]
    }
}
