// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting
import Testing

@Suite("servertrust inspect")
struct InspectTests {
    /// A CA with a leaf and its key, as files.
    struct Files {
        let folder: TemporaryFolder
        let chain: String
        let leaf: String
        let root: String
        let key: String

        init(_ folder: TemporaryFolder) throws {
            self.folder = folder
            let authority = try TestAuthority.root(.authority("Inspect Root"))
            let identity = try authority.issue(.leaf("www.example.com", "api.example.com"))
            func pem(_ certificate: Certificate) -> String { PEM.encode(certificate.der, label: "CERTIFICATE") }
            let leafText = pem(identity.certificate)
            let rootText = pem(authority.certificate)
            chain = try folder.write("chain.pem", Data((leafText + rootText).utf8)).path
            leaf = try folder.write("leaf.pem", Data(leafText.utf8)).path
            root = try folder.write("root.der", Data(authority.certificate.der)).path
            key = try folder.write("key.pem", Data(try identity.key.pemRepresentation().utf8)).path
        }
    }

    private static let time = ["--time", "2026-11-21"]

    private func with(_ body: (Files) throws -> Void) throws {
        try TemporaryFolder.with { try body(Files($0)) }
    }

    @Test("The text shows each certificate's names, issuer, expiry, key, usage, fingerprint and pin in 80 columns")
    func text() throws {
        try with { files in
            let outcome = try Tool.run(["inspect", files.chain] + Self.time)
            #expect(outcome.status == 0)
            for label in ["names", "issuer", "validity", "key", "usage", "sha256", "pin"] {
                #expect(outcome.lines.count(where: { $0.hasPrefix("   \(label) ") }) == 2, "\(label)")
            }
            #expect(outcome.text.contains("www.example.com, api.example.com"))
            #expect(outcome.lines.dropFirst().allSatisfy { $0.count <= 80 })
        }
    }

    @Test("--long shows every extension in 80 columns")
    func long() throws {
        try with { files in
            let outcome = try Tool.run(["inspect", files.chain, "--long"] + Self.time)
            #expect(outcome.status == 0)
            for name in ["subjectAltName", "basicConstraints", "extKeyUsage", "authorityKeyIdentifier"] {
                #expect(outcome.text.contains(name), "\(name)")
            }
            #expect(outcome.lines.dropFirst().allSatisfy { $0.count <= 80 })
        }
    }

    @Test("--short shows one line for each object")
    func short() throws {
        try with { files in
            let outcome = try Tool.run(["inspect", "--short", files.chain, files.root, "--no-compare"] + Self.time)
            #expect(outcome.status == 0)
            #expect(outcome.lines.count == 3)
        }
    }

    @Test("The JSON array contains the facts of each object, and the DER only with --der")
    func json() throws {
        try with { files in
            let outcome = try Tool.run(["inspect", files.chain, "--format", "json"] + Self.time)
            let objects = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [[String: Any]])
            #expect(objects.count == 2)
            let leaf = objects[0]
            #expect(leaf["schemaVersion"] as? Int == 1)
            #expect(leaf["kind"] as? String == "certificate")
            #expect(leaf["names"] as? [String] == ["www.example.com", "api.example.com"])
            #expect(leaf["daysLeft"] as? Int == 87)
            #expect(leaf["isCA"] as? Bool == false)
            #expect(leaf["der"] == nil && leaf["details"] == nil)
            let long = try Tool.run(["inspect", files.chain, "--format", "json", "--long", "--der"] + Self.time)
            let full = try #require(try JSONSerialization.jsonObject(with: long.output) as? [[String: Any]])
            #expect(full[0]["der"] is String && full[0]["details"] is [Any])
        }
    }

    @Test("--fields prints one field's values, or several fields with their names")
    func fields() throws {
        try with { files in
            let names = try Tool.run(["inspect", files.leaf, "--fields", "names"])
            #expect(names.lines == ["www.example.com", "api.example.com"])
            let several = try Tool.run(["inspect", files.leaf, "--fields", "key,isCA"])
            #expect(several.lines == ["key: EC P-256", "isCA: false"])
        }
    }

    @Test("An unknown field causes a usage error")
    func unknownField() throws {
        try with { files in
            let outcome = try Tool.run(["inspect", files.leaf, "--fields", "notafter2"])
            #expect(outcome.status == 64)
            #expect(outcome.errors.contains("notAfter"))
        }
    }

    @Test("The PEM and DER formats return the objects unchanged")
    func encodings() throws {
        try with { files in
            let pem = try Tool.run(["inspect", files.root, "--format", "pem"])
            let der = try Tool.run(["inspect", files.chain, "--object", "2", "--format", "der"])
            #expect(try PEM.decode(Array(pem.output), labels: ["CERTIFICATE"]) == [Array(der.output)])
            #expect(try Tool.run(["inspect", files.chain, "--format", "der"]).status == 2)
        }
    }

    @Test(
        "inspect recognizes a certificate's key and a leaf's CA, and exits with 1 if two objects don't belong together")
    func comparison() throws {
        try with { files in
            #expect(try Tool.run(["inspect", files.leaf, files.key]).status == 0)
            #expect(try Tool.run(["inspect", files.leaf, files.root]).status == 0)
            #expect(try Tool.run(["inspect", files.key, files.root]).status == 1)
            #expect(try Tool.run(["inspect", files.key, files.root, "--no-compare"]).status == 0)
            let json = try Tool.run(["inspect", files.leaf, files.key, "--format", "json"])
            let objects = try #require(try JSONSerialization.jsonObject(with: json.output) as? [[String: Any]])
            #expect(objects.last?["kind"] as? String == "comparison")
            #expect(objects.last?["relation"] as? String == "sameKey")
        }
    }

    @Test("inspect never writes secret parts of keys, in any format", arguments: ["text", "json", "pem", "asn1"])
    func secrets(_ format: String) throws {
        try with { files in
            let pem = try String(contentsOfFile: files.key, encoding: .utf8)
            let secret = pem.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
            let outcome = try Tool.run(
                ["inspect", files.key, "--format", format]
                    + (format == "json" ? ["--long", "--der"] : format == "pem" ? [] : ["--long"]))
            // The private value of a P-256 key in PKCS #8 starts at byte 36.
            let der = try #require(Data(base64Encoded: secret))
            let hex = der[36..<52].map { String($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            #expect(!outcome.text.contains(hex))
            #expect(!outcome.text.contains(secret.prefix(60)))
        }
    }

    @Test("inspect shows each file in a folder once, sorted by name")
    func folder() throws {
        try with { files in
            let link = files.folder.url.appendingPathComponent("z.pem")
            try FileManager.default.createSymbolicLink(
                at: link, withDestinationURL: URL(fileURLWithPath: files.leaf))
            let outcome = try Tool.run(["inspect", files.folder.url.path, "--short"] + Self.time)
            #expect(outcome.status == 0)
            #expect(outcome.lines.count == 5)
        }
    }

    @Test("If the input is damaged, inspect shows the readable part and the position of the damage, and exits with 2")
    func damaged() throws {
        try with { files in
            let der = try Data(contentsOf: URL(fileURLWithPath: files.root))
            let cut = try files.folder.write("cut.der", der.dropLast(40)).path
            let asn1 = try Tool.run(["inspect", cut, "--format", "asn1"])
            #expect(asn1.status == 2)
            #expect(asn1.lines.contains { $0.contains("!") && $0.contains("byte") })
            #expect(asn1.text.contains("Inspect Root"))
            let text = try Tool.run(["inspect", cut])
            #expect(text.status == 2)
            #expect(text.text.contains("Inspect Root"))
        }
    }

    @Test("inspect exits with 2 for unreadable files and for names that are neither a file nor a server")
    func unreadable() throws {
        #expect(try Tool.run(["inspect", "/nonexistent/file.pem"]).status == 2)
        let html = try Tool.run(["inspect", "-"], input: Data("<!DOCTYPE html><html></html>".utf8))
        #expect(html.status == 2)
    }

    @Test(
        "Mutually exclusive arguments cause usage errors",
        arguments: [
            ["--long", "--short"], ["--fields", "names", "--long"], ["--der"], ["--format", "json", "--short"],
            ["--object", "0"], ["--compare"],
        ])
    func usage(_ arguments: [String]) throws {
        #expect(try Tool.run(["inspect", "file.pem"] + arguments).status == 64)
    }
}
