// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting
import Testing

/// `servertrust pins make`, compared with openssl and the compiler.
@Suite struct PinTests {
    // MARK: openssl

    struct KeyKind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let arguments: [String]
    }

    static let kinds: [KeyKind] = [
        KeyKind(testDescription: "RSA 2048", arguments: ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"]),
        KeyKind(testDescription: "RSA 3072", arguments: ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:3072"]),
        KeyKind(testDescription: "RSA 4096", arguments: ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:4096"]),
        KeyKind(testDescription: "RSA-PSS", arguments: ["-algorithm", "RSA-PSS", "-pkeyopt", "rsa_keygen_bits:2048"]),
        KeyKind(testDescription: "P-256", arguments: ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]),
        KeyKind(testDescription: "P-384", arguments: ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"]),
        KeyKind(testDescription: "P-521", arguments: ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-521"]),
        KeyKind(
            testDescription: "secp256k1", arguments: ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:secp256k1"]),
        KeyKind(
            testDescription: "brainpool",
            arguments: ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:brainpoolP256r1"]),
        KeyKind(testDescription: "Ed25519", arguments: ["-algorithm", "ED25519"]),
        KeyKind(testDescription: "Ed448", arguments: ["-algorithm", "ED448"]),
    ]

    /// `openssl x509 | openssl pkey | openssl dgst -sha256 -binary | openssl base64`
    @Test("pins make prints the same pins as OpenSSL", arguments: kinds) func pinsAreThoseOfOpenSSL(_ kind: KeyKind)
        throws
    {
        try TemporaryFolder.with { folder in
            func path(_ name: String) -> String { folder.url.appendingPathComponent(name).path }
            try Openssl.expectSuccess(["genpkey"] + kind.arguments + ["-out", path("key.pem")])
            try Openssl.expectSuccess([
                "req", "-x509", "-new", "-key", path("key.pem"), "-subj", "/CN=api.example.com", "-days", "30", "-out",
                path("certificate.pem"),
            ])
            try Openssl.expectSuccess([
                "x509", "-in", path("certificate.pem"), "-outform", "der", "-out", path("certificate.der"),
            ])
            try Openssl.expectSuccess(["pkey", "-in", path("key.pem"), "-pubout", "-out", path("public.pem")])
            let pipe = """
                openssl x509 -in '\(path("certificate.pem"))' -noout -pubkey | openssl pkey -pubin -outform der \
                | openssl dgst -sha256 -binary | openssl base64
                """
            let expected = try Process.run("/bin/sh", ["-c", pipe]).text.trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(expected.count == 44)
            for file in ["certificate.pem", "certificate.der", "public.pem"] {
                let outcome = try Tool.run(["pins", "make", path(file), "--format", "curl"])
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(outcome.text == "sha256//\(expected)\n", "\(file)")
            }
        }
    }

    @Test("pins make accepts a certificate request") func requestsAreSourcesToo() throws {
        try TemporaryFolder.with { folder in
            let (key, request) = (
                folder.url.appendingPathComponent("k").path, folder.url.appendingPathComponent("r").path
            )
            try Openssl.expectSuccess([
                "req", "-new", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-subj", "/CN=x", "-out", request,
            ])
            let pipe = "openssl pkey -in '\(key)' -pubout -outform der | openssl dgst -sha256 -binary | openssl base64"
            let expected = try Process.run("/bin/sh", ["-c", pipe]).text.trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(try Tool.run(["pins", "make", request, "--format", "curl"]).text == "sha256//\(expected)\n")
            #expect(try Tool.run(["pins", "make", key]).status == 2, "pins make doesn't accept a private key")
        }
    }

    // MARK: Paths

    @Test("pins make reports every valid path") func everyValidPathIsTold() throws {
        let old = try TestAuthority.root(.authority("Old Root"))
        let new = try TestAuthority.root(.authority("New Root"))
        let authority = try new.intermediate(.authority("Shared CA"))
        let crossed = try authority.crossSigned(by: old)
        let leaf = try authority.issue(.leaf("api.example.com")).certificate
        try TemporaryFolder.with { folder in
            let chain = try folder.write("chain.pem", pem(leaf, authority.certificate, crossed.certificate))
            let roots = try folder.write("roots.pem", pem(old.certificate, new.certificate))
            let arguments = [
                "pins", "make", chain.path, "--anchors", roots.path, "--time", TestAuthority.now.description,
            ]
            let outcome = try Tool.run(arguments)
            #expect(outcome.status == 0)
            for certificate in [leaf, authority.certificate, old.certificate, new.certificate] {
                #expect(outcome.text.contains(SPKIPin(certificate).description))
            }
            #expect(outcome.lines.count { $0.hasPrefix("anchor") } == 2)
            #expect(outcome.text.contains("in 1 of 2 valid paths"))
            #expect(outcome.text.contains("cross-signed: "))
            // Both anchors are pinned, because a client can use either path.
            let ats = try Tool.run(arguments + ["--format", "ats"])
            #expect(ats.text.contains(Base64.encode(SPKIPin(old.certificate).sha256)))
            #expect(ats.text.contains(Base64.encode(SPKIPin(new.certificate).sha256)))
            #expect(!ats.text.contains(Base64.encode(SPKIPin(leaf).sha256)))
        }
    }

    @Test(
        "The command reads printed pins back in the same format",
        arguments: ["ats", "trustkit", "android", "okhttp", "json"])
    func whatIsPrintedCanBeRead(_ format: String) throws {
        let lab = try Lab.shared()
        try TemporaryFolder.with { folder in
            let chain = try folder.write("chain.pem", pem(lab.leaf, lab.intermediate))
            let root = try folder.write("root.pem", pem(lab.root))
            let backup = folder.url.appendingPathComponent("backup.key").path
            let outcome = try Tool.run([
                "pins", "make", chain.path, "--anchors", root.path, "--time", Lab.time, "--format", format,
                "--with-backup",
                backup,
            ])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let again = try Tool.run(["pins", "convert", "-", "--from", format, "--to", "json"], input: outcome.output)
            #expect(again.status == 0, "\(again.errors)")
            #expect(again.text.contains(SPKIPin(lab.leaf).description) && again.text.contains("api.example.com"))
        }
    }

    @Test("The JSON array contains one document, which is a valid pin file by itself or in the array")
    func jsonIsAnArray() throws {
        let lab = try Lab.shared()
        try TemporaryFolder.with { folder in
            let chain = try folder.write("chain.pem", pem(lab.leaf, lab.intermediate)).path
            let root = try folder.write("root.pem", pem(lab.root)).path
            let outcome = try Tool.run([
                "pins", "make", chain, "--anchors", root, "--time", Lab.time, "--format", "json",
            ])
            let documents = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [[String: Any]])
            #expect(documents.map { $0["schemaVersion"] as? Int } == [1])
            let document = try JSONSerialization.data(withJSONObject: documents[0])
            let convert = ["pins", "convert", "-", "--to", "json"]
            let converted = try Tool.run(convert, input: outcome.output)
            #expect(converted.status == 0)
            #expect(try Tool.run(convert, input: document).output == converted.output)
            // Two documents aren't a pin file.
            let two = Data("[".utf8) + document + Data(",".utf8) + document + Data("]".utf8)
            #expect(try Tool.run(convert, input: two).status == 2)
            #expect(try Tool.run(convert, input: Data("[]".utf8)).status == 2)
            #expect(try Tool.run(convert, input: Data("[[".utf8) + document + Data("]]".utf8)).status == 2)
        }
    }

    // MARK: Backups

    @Test("pins make creates a backup key only once, and only the owner can read it")
    func aSpareKeyIsMadeOnceAndForItsOwner()
        throws
    {
        let lab = try Lab.shared()
        try TemporaryFolder.with { folder in
            let leaf = try folder.write("leaf.pem", pem(lab.leaf))
            let key = folder.url.appendingPathComponent("spare.key").path
            let arguments = ["pins", "make", leaf.path, "--format", "curl", "--with-backup"]
            let made = try Tool.run(arguments + [key])
            #expect(made.status == 0, "\(made.errors)")
            #expect(try FileManager.default.attributesOfItem(atPath: key)[.posixPermissions] as? Int == 0o600)
            let contents = try Data(contentsOf: URL(fileURLWithPath: key))
            let pipe = "openssl pkey -in '\(key)' -pubout -outform der | openssl dgst -sha256 -binary | openssl base64"
            let pin = try Process.run("/bin/sh", ["-c", pipe]).text.trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(made.text.hasSuffix(";sha256//\(pin)\n"))
            // The second run uses the key and replaces nothing.
            let publicHalf = try Data(contentsOf: URL(fileURLWithPath: key + ".pub"))
            #expect(try Tool.run(arguments + [key]).text == made.text)
            #expect(try Data(contentsOf: URL(fileURLWithPath: key)) == contents)
            #expect(try Data(contentsOf: URL(fileURLWithPath: key + ".pub")) == publicHalf)
            #expect(try Tool.run(arguments + [key + ".pub"]).text == made.text)
            // Another key's public half causes an error, but a missing public half doesn't.
            let other = folder.url.appendingPathComponent("other.key").path
            #expect(try Tool.run(arguments + [other]).status == 0)
            try Data(contentsOf: URL(fileURLWithPath: other + ".pub")).write(to: URL(fileURLWithPath: key + ".pub"))
            #expect(try Tool.run(arguments + [key]).status == 2)
            try FileManager.default.removeItem(atPath: key + ".pub")
            #expect(try Tool.run(arguments + [key]).text == made.text)
            #expect(!FileManager.default.fileExists(atPath: key + ".pub"))
            #expect(try Data(contentsOf: URL(fileURLWithPath: key)) == contents)
        }
    }

    // MARK: Swift

    /// The folder of the package's modules, next to the program.
    static let modules = Tool.url.deletingLastPathComponent().appendingPathComponent("Modules").path
    static let canCompile =
        FileManager.default.fileExists(atPath: modules)
        && (try? Process.run("/usr/bin/env", ["swiftc", "--version"]).status) == 0

    @Test(
        "Printed Swift source compiles",
        .enabled(if: PinTests.canCompile, "there is no swiftc, or no modules beside the program"),
        arguments: [[], ["--with-backup", "r"], ["--certificates"]])
    func swiftSourceCompiles(_ more: [String]) throws {
        let lab = try Lab.shared()
        try TemporaryFolder.with { folder in
            let chain = try folder.write("chain.pem", pem(lab.leaf, lab.intermediate))
            let root = try folder.write("root.pem", pem(lab.root))
            let outcome = try Tool.run(
                [
                    "pins", "make", chain.path, "--anchors", root.path, "--time", Lab.time, "--format", "swift",
                    "--host",
                    "example.com", "--include-subdomains",
                ] + more.map { $0 == "r" ? folder.url.appendingPathComponent("spare.key").path : $0 })
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.text.contains("\"**.example.com\""))
            let source = try folder.write("Pinned.swift", outcome.output)
            // The C modules that PKIX depends on are in the dependencies' checkouts.
            let checkouts = URL(fileURLWithPath: Self.modules).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appendingPathComponent("checkouts")
            let atomics = checkouts.appendingPathComponent("swift-atomics/Sources/_AtomicsShims/include").path
            let compiled = try Process.run(
                "/usr/bin/env",
                [
                    "swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors", "-I", Self.modules, "-Xcc",
                    "-fmodule-map-file=\(atomics)/module.modulemap", "-Xcc", "-I\(atomics)", source.path,
                ])
            #expect(compiled.status == 0, "\(compiled.text)\n\(outcome.text)")
        }
    }

    @Test(
        "An invalid option for pins make causes a usage error",
        arguments: [
            ["pins", "make"], ["pins", "make", "x", "--format", "plist"],
            ["pins", "make", "x", "--include-subdomains"],
            ["pins", "make", "x", "--certificates"],
            ["pins", "make", "x", "--host", "a b"], ["pins", "make", "-", "--anchors", "-"],
        ])
    func wrongUsage(_ arguments: [String]) throws { #expect(try Tool.run(arguments).status == 64) }

    @Test("If an argument is neither a known host nor a file, pins make exits with 2")
    func aHostIsNotAFileYet() throws {
        #expect(try Tool.run(["pins", "make", "https://servertrust.invalid"]).status == 2)
    }
}
