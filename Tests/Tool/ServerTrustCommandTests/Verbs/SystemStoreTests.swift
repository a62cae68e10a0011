// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting
import Testing

/// The store in `SSL_CERT_FILE` and `SSL_CERT_DIR`, as `openssl verify` reads it.
@Suite struct SystemStoreTests {
    /// `D` stands for the test's folder, which contains `good`, `links`, `damaged`, `empty` and `root.pem`.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var file: String?
        var folders: String?
        /// The line on standard error after `servertrust: `. Nil for none.
        let line: String?
        var isTrusted = true
    }

    private static let skipped = "warning: system anchor left out: "
    private static let links =
        "2 links, none of which leads to a file; copy the folder with \"cp -rL\", or mount the folder that the links name"
    private static let none = "error: no system anchors: SSL_CERT_FILE or SSL_CERT_DIR names "

    static let rows = [
        Row(testDescription: "one folder", folders: "D/good", line: nil),
        Row(
            testDescription: "a missing folder before a good one", folders: "D/none:D/good",
            line: skipped + "D/none: no such file or folder"),
        Row(
            testDescription: "a missing folder after a good one", folders: "D/good:D/none",
            line: skipped + "D/none: no such file or folder"),
        Row(
            testDescription: "a missing file beside a good folder", file: "D/none", folders: "D/good",
            line: skipped + "D/none: no such file or folder"),
        Row(
            testDescription: "a missing folder beside a good file", file: "D/root.pem", folders: "D/none",
            line: skipped + "D/none: no such file or folder"),
        Row(
            testDescription: "a folder as the file", file: "D/empty", folders: "D/good",
            line: skipped + "D/empty: the file can't be read"),
        Row(
            testDescription: "a file in the list of folders", folders: "D/root.pem:D/good",
            line: skipped + "D/root.pem: a file, expected a folder with certificates"),
        Row(
            testDescription: "a folder whose links lead to no file", folders: "D/links:D/good",
            line: skipped + "D/links: \(links)"),
        Row(
            testDescription: "a damaged certificate in a folder", folders: "D/damaged:D/good",
            line: skipped + "D/damaged/a.pem: object 1 is not a certificate: tbsCertificate: cut off at byte 2"),
        Row(
            testDescription: "only a folder whose links lead to no file", folders: "D/links",
            line: none + "D/links (\(links))", isTrusted: false),
        Row(
            testDescription: "nothing that can be used", file: "D/none", folders: "D/empty:D/root.pem:D/damaged",
            line: none
                + "D/none (missing), D/empty (no certificate in it), D/root.pem (a file, expected a folder), D/damaged/a.pem (object 1 is not a certificate: tbsCertificate: cut off at byte 2)",
            isTrusted: false),
    ]

    @Test("A part of the store that can't be used is skipped with a warning, and the rest is used", arguments: rows)
    func isRead(row: Row) throws {
        let root = try TestAuthority.root(.authority("Store Root"))
        let leaf = try root.issue(.leaf(Lab.host))
        try TemporaryFolder.with { folder in
            for name in ["good", "links", "damaged", "empty"] {
                try FileManager.default.createDirectory(
                    at: folder.url.appendingPathComponent(name), withIntermediateDirectories: false)
            }
            for name in ["links/a.pem", "links/b.pem"] {
                try FileManager.default.createSymbolicLink(
                    atPath: folder.url.appendingPathComponent(name).path, withDestinationPath: "/nonexistent/\(name)")
            }
            for name in ["root.pem", "good/root.pem"] { try folder.write(name, Data(root.certificate.pem.utf8)) }
            try folder.write("damaged/a.pem", Data(PEM.encode([0x30, 0x00], label: "CERTIFICATE").utf8))
            try folder.write("leaf.pem", Data(leaf.certificate.pem.utf8))
            func placed(_ text: String) -> String { text.replacingOccurrences(of: "D/", with: folder.url.path + "/") }
            let outcome = try Tool.run(
                ["verify", "leaf.pem", "--host", Lab.host, "--time", Lab.time],
                environment: ["SSL_CERT_FILE": placed(row.file ?? ""), "SSL_CERT_DIR": placed(row.folders ?? "")],
                in: folder.url)
            #expect(outcome.status == (row.isTrusted ? 0 : 2), "\(outcome.text)\(outcome.errors)")
            #expect(
                outcome.errors.split(separator: "\n").first.map(String.init)
                    == row.line.map { placed("servertrust: \($0)") })
        }
    }

    @Test("A list that restricts trust isn't skipped")
    func overlay() throws {
        try TemporaryFolder.with { folder in
            let root = try TestAuthority.root(.authority("Store Root"))
            try folder.write("root.pem", Data(root.certificate.pem.utf8))
            try folder.write("leaf.pem", Data(try root.issue(.leaf(Lab.host)).certificate.pem.utf8))
            let outcome = try Tool.run(
                ["verify", "leaf.pem", "--host", Lab.host, "--time", Lab.time],
                environment: ["SSL_CERT_FILE": "root.pem", "SERVERTRUST_ROOTS_OVERLAY": "none.json"], in: folder.url)
            #expect(outcome.status == 2 && outcome.text.isEmpty)
        }
    }

    @Test("Certificates with the same issuer and serial number are reported by inspect, also in JSON")
    func reusedNumbers() throws {
        try TemporaryFolder.with { folder in
            let root = try TestAuthority.root(.authority("Printer Root"))
            let two = try ["a.example", "b.example"].map { name in
                try root.issue(.leaf(name).with { $0.serialNumber = [1] }).certificate.pem
            }
            try folder.write("two.pem", Data(two.joined().utf8))
            try folder.write("one.pem", Data((two[0] + two[0]).utf8))
            let note = "two.pem, object 1, and two.pem, object 2, are different certificates with the same issuer"
            #expect(try Tool.run(["inspect", "two.pem"], in: folder.url).text.contains("note: \(note)"))
            #expect(try Tool.run(["inspect", "two.pem", "--format", "json"], in: folder.url).text.contains(note))
            let across = try Tool.run(["inspect", "one.pem", "two.pem"], in: folder.url).text
            #expect(across.contains("one.pem, object 1, and two.pem, object 2, are different"))
            #expect(!(try Tool.run(["inspect", "one.pem"], in: folder.url).text.contains("same issuer")))
        }
    }
}
