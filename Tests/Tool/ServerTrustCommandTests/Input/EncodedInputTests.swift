// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting
import Testing

/// Certificates in encodings other than plain PEM and DER, as `verify` and `pins make` read them.
@Suite("Encodings of input files") struct EncodedInputTests {
    /// A row's files: the lab's chain, root and CRL in one encoding.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let encode: @Sendable (String) -> Data

        init(_ name: String, _ encode: @escaping @Sendable (String) -> Data) {
            testDescription = name
            self.encode = encode
        }
    }

    static let rows = [
        Row("UTF-16") { $0.data(using: .utf16LittleEndian) ?? Data() },
        Row("CR alone") { Data($0.replacingOccurrences(of: "\n", with: "\r").utf8) },
        Row("escaped line breaks in JSON") {
            Data("{\"a\": \"\($0.replacingOccurrences(of: "\n", with: "\\n"))\"}".utf8)
        },
        Row("a Kubernetes secret") { Data("data:\n  tls.crt: \(Data($0.utf8).base64EncodedString())\n".utf8) },
        Row("one line") { Data($0.replacingOccurrences(of: "\n", with: " ").utf8) },
    ]

    @Test("verify reads the chain, intermediates and anchors in each encoding", arguments: rows) func verifies(
        _ row: Row
    ) throws {
        let lab = try Lab.shared()
        try TemporaryFolder.with { folder in
            let chain = try folder.write("chain", row.encode(String(decoding: pem(lab.leaf), as: UTF8.self)))
            let more = try folder.write("more", row.encode(String(decoding: pem(lab.intermediate), as: UTF8.self)))
            let root = try folder.write("root", row.encode(String(decoding: pem(lab.root), as: UTF8.self)))
            let outcome = try Tool.run([
                "verify", chain.path, "--intermediates", more.path, "--anchors", root.path, "--host", Lab.host,
                "--time",
                Lab.time,
            ])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let plain = try folder.write("plain.pem", pem(lab.leaf, lab.intermediate))
            let both = try folder.write(
                "both", row.encode(String(decoding: pem(lab.leaf, lab.intermediate), as: UTF8.self)))
            let rootPEM = try folder.write("root.pem", pem(lab.root))
            let arguments = ["--format", "json", "--host", Lab.host, "--time", Lab.time]
            let expected = try Tool.run(["pins", "make", plain.path, "--anchors", rootPEM.path] + arguments)
            let found = try Tool.run(["pins", "make", both.path, "--anchors", root.path] + arguments)
            #expect(found.status == 0, "\(found.errors)")
            #expect(found.output == expected.output)
        }
    }

    @Test(
        "If a chain starts with the CA, verify reports the wrong order and the position of the host's certificate"
    )
    func wrongOrder() throws {
        let lab = try Lab.shared()
        try TemporaryFolder.with { folder in
            let chain = try folder.write("chain.pem", pem(lab.intermediate, lab.root, lab.leaf))
            let right = try folder.write("right.pem", pem(lab.leaf, lab.intermediate, lab.root))
            let root = try folder.write("root.pem", pem(lab.root))
            let options = ["--anchors", root.path, "--host", Lab.host, "--time", Lab.time]
            let text = try Tool.run(["verify", chain.path] + options)
            #expect(text.status == 1)
            #expect(text.text.contains("fix:   Put the host's certificate (CN="))
            #expect(text.errors.contains("[leafNotFirst]"))
            let json = try Tool.run(["verify", chain.path, "--format", "json"] + options)
            let verdict = try #require(try json.json([TrustVerdict].self).first)
            #expect(verdict.warnings.contains { $0.contains("[leafNotFirst]") })
            let good = try Tool.run(["verify", right.path] + options)
            #expect(good.status == 0)
            #expect(!good.errors.contains("leafNotFirst"))
            // Without a host, any certificate can be the leaf. With the purpose "any", so can the CA's certificate.
            let any = try Tool.run(
                ["verify", chain.path, "--purpose", "any", "--format", "json"] + options.prefix(2) + options.suffix(2))
            #expect(any.errors.contains("[leafNotFirst]"))
        }
    }

    @Test(
        "verify opens PKCS #12 with a password file, and puts the leaf first",
        .enabled(if: (try? Openssl.run(["version"]).status) == 0))
    func pkcs12() throws {
        let root = try TestAuthority.root()
        let leaf = try root.issue(.leaf(Lab.host))
        try TemporaryFolder.with { folder in
            try folder.write("leaf.pem", pem(leaf.certificate))
            try folder.write("key.pem", Data(try leaf.key.pemRepresentation().utf8))
            let anchor = try folder.write("root.pem", pem(root.certificate))
            let path = folder.url.path
            let file = path + "/file.p12"
            try Openssl.expectSuccess([
                "pkcs12", "-export", "-in", path + "/leaf.pem", "-inkey", path + "/key.pem", "-certfile", anchor.path,
                "-passout",
                "pass:se cret", "-out", file,
            ])
            let password = try folder.write("password", Data("se cret\r\n".utf8))
            let options = [
                "--anchors", anchor.path, "--host", Lab.host, "--time", Lab.time, "--password-file", password.path,
            ]
            let outcome = try Tool.run(["verify", file] + options)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let closed = try Tool.run(["verify", file] + options.dropLast(2))
            #expect(closed.status == 2)
            #expect(closed.errors.contains("[passphraseRequired]"))
            #expect(!(closed.errors + outcome.errors + outcome.text).contains("se cret"))
            let store = path + "/trust.p12"
            try Openssl.expectSuccess([
                "pkcs12", "-export", "-nokeys", "-in", anchor.path, "-passout", "pass:se cret", "-out", store,
            ])
            let trusted = try Tool.run([
                "verify", path + "/leaf.pem", "--anchors", store, "--host", Lab.host, "--time", Lab.time,
                "--password-file",
                password.path,
            ])
            #expect(trusted.status == 0, "\(trusted.errors)")
            let bag = path + "/both.p7b"
            try Openssl.expectSuccess([
                "crl2pkcs7", "-nocrl", "-certfile", anchor.path, "-certfile", path + "/leaf.pem", "-out", bag,
            ])
            let unordered = try Tool.run(["verify", bag] + options.dropLast(2))
            #expect(unordered.status == 0, "\(unordered.text)\(unordered.errors)")
        }
    }

    @Test("verify rejects an anchor file with an unreadable certificate in every encoding", arguments: rows)
    func anchors(_ row: Row) throws {
        let lab = try Lab.shared()
        try TemporaryFolder.with { folder in
            let chain = try folder.write("chain.pem", pem(lab.leaf, lab.intermediate))
            let broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
            let root = try folder.write("root", row.encode(String(decoding: pem(lab.root), as: UTF8.self) + broken))
            let outcome = try Tool.run([
                "verify", chain.path, "--anchors", root.path, "--host", Lab.host, "--time", Lab.time,
            ])
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains("anchor can't be read"))
        }
    }
}
