// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import Testing

/// Runs the CA command on a folder. openssl verifies the files.
@Suite struct CALiveTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var arguments: [String]
        var status: Int32

        init(_ name: String, _ arguments: [String], _ status: Int32) {
            self.testDescription = name
            self.arguments = arguments
            self.status = status
        }
    }

    /// The number of killed runs, from SERVERTRUST_KILLS. The default is 20.
    private static let kills = ProcessInfo.processInfo.environment["SERVERTRUST_KILLS"].flatMap { Int($0) } ?? 20

    // MARK: Chains

    static let chains: [Row] = [
        Row("a host", ["api.example.com"], 0),
        Row("a host, P-384", ["api.example.com", "--key", "p384"], 0),
        Row("a host, RSA", ["api.example.com", "--key", "rsa2048"], 0),
        Row("the longest validity", ["api.example.com", "--days", "825"], 0),
        Row("a wildcard", ["*.api.example.com"], 0),
        Row("addresses", ["192.0.2.1", "2001:db8::1"], 0),
        Row("a name too long for a common name", [String(repeating: "a", count: 60) + ".example.com"], 0),
        Row("a client", ["api.example.com", "--client"], 0),
        Row("the file name of the root", ["root"], 0),
    ]

    @Test("A chain that the CA issues is trusted", arguments: chains) func whatIsIssuedIsTrusted(_ row: Row) throws {
        try CAFolder.with { folder in
            try folder.run("init")
            let issued = try folder.issue(row.arguments)
            let root = folder.path("root.pem")
            let isClient = row.arguments.contains("--client")
            try Openssl.expectSuccess([
                "verify", "-x509_strict", "-purpose", isClient ? "sslclient" : "sslserver", "-CAfile", root,
                issued.chain,
            ])
            for name in row.arguments.prefix(while: { !$0.hasPrefix("--") }) {
                let host = name.replacing("*", with: "any")
                try Openssl.expectSuccess([
                    "verify", "-CAfile", root, IPAddress(host) == nil ? "-verify_hostname" : "-verify_ip", host,
                    issued.chain,
                ])
                let verdict = try Tool.run([
                    "verify", issued.chain, "--anchors", root, "--host", host, "--purpose",
                    isClient ? "clientAuth" : "serverAuth",
                ])
                #expect(verdict.status == 0, "\(verdict.text)")
            }
            // The key belongs to the certificate.
            let fromKey = try Openssl.run(["pkey", "-in", try #require(issued.key), "-pubout"])
            #expect(fromKey.text == (try Openssl.run(["x509", "-in", issued.chain, "-noout", "-pubkey"])).text)
        }
    }

    static let constrained: [Row] = [
        Row("permitted names", ["example.com", "www.example.com", "192.0.2.7"], 0),
        Row("a domain outside the permitted one", ["example.org"], 2),
        Row("a domain with the same ending", ["anexample.com"], 2),
        Row("one permitted name of two", ["www.example.com", "example.org"], 2),
        Row("an address outside the network", ["192.0.3.1"], 2),
        Row("an address without any permitted network", ["2001:db8::1"], 2),
    ]

    @Test("A constrained root issues certificates only for its permitted names", arguments: constrained)
    func aConstrainedRootKeepsToItsNames(_ row: Row) throws {
        try CAFolder.with { folder in
            try folder.run("init", ["--permit", "example.com", "--permit", "192.0.2.0/24"])
            let outcome = try folder.run("issue", row.arguments, status: row.status)
            #expect(try folder.issuedFiles().isEmpty == (row.status != 0))
            guard row.status == 0 else {
                #expect(outcome.errors.contains("servertrust: error: "))
                return
            }
            try Openssl.expectSuccess([
                "verify", "-x509_strict", "-CAfile", folder.path("root.pem"), folder.path("issued/example.com.pem"),
            ])
        }
    }

    @Test("OpenSSL enforces constraints that permit only addresses")
    func aRootForAddressesAloneIsHeldToItByOpenSSLToo() throws {
        try CAFolder.with { folder in
            try folder.run("init", ["--permit", "192.0.2.0/24"])
            let issued = try folder.issue(["192.0.2.1"])
            try Openssl.expectSuccess(["verify", "-x509_strict", "-CAfile", folder.path("root.pem"), issued.chain])
            try folder.run("issue", ["example.com"], status: 2)
        }
    }

    @Test("Serial numbers are random and positive") func serialNumbersAreRandomAndPositive() throws {
        try CAFolder.with { folder in
            try folder.run("init")
            let serials = try (0..<8).map { try folder.issue(["a\($0).test"]).serial }
            #expect(Set(serials).count == 8)
            #expect(serials.allSatisfy { $0.count == 32 && ("4"..."7").contains($0.prefix(1)) })
        }
    }

    // MARK: Files

    @Test("Only the owner can read private keys, whatever the umask", arguments: ["0", "22", "777"])
    func keysAreForTheirOwnerWhateverTheUmask(_ umask: String) throws {
        try CAFolder.with { folder in
            for arguments in [["init"], ["issue", "api.example.com"]] {
                let script = "umask \(umask); exec \"$0\" ca \"$@\" --folder '\(folder.path)'"
                // With umask 777, only root can use the files that init writes.
                let outcome = try Process.run("/bin/sh", ["-c", script, Tool.url.path] + arguments)
                guard outcome.status == 0 else { return #expect(umask == "777" && getuid() != 0) }
            }
            #expect(try folder.mode("root.key") == 0o600)
            #expect(try folder.mode("issued/api.example.com.key") == 0o600)
        }
    }

    @Test("The CA replaces existing files only with --force") func nothingIsOverwrittenUnlessForced() throws {
        try CAFolder.with { folder in
            try folder.run("init")
            let first = try folder.issue(["api.example.com"])
            let before = try folder.contents()
            try folder.run("init", status: 2)
            try folder.run("issue", ["api.example.com"], status: 2)
            #expect(try folder.contents() == before)
            let second = try folder.issue(["api.example.com", "--force"])
            #expect(second.serial != first.serial)
            let records = try folder.list()
            #expect(records.map(\.file) == [nil, "api.example.com.pem"])
            try folder.run("init", ["--force"])
            let files = ["issued/api.example.com.key", "issued/api.example.com.pem"]
            #expect(try folder.list(leftovers: files).isEmpty)
        }
    }

    static let unusable: [Row] = [
        Row("no folder", ["issue", "a.test", "--folder", "/nonexistent/ca"], 2),
        Row("a folder that can't be created", ["init", "--folder", "/proc/ca"], 2),
        Row("a folder below a file", ["init", "--folder", "/etc/hosts/ca"], 2),
        Row("a file instead of a folder", ["list", "--folder", "/etc/hosts"], 2),
        Row("a folder without a CA", ["list", "--folder", "/"], 2),
        Row("a missing request", ["sign", "/nonexistent/a.csr"], 2),
        Row("an invalid request", ["sign", "/dev/null"], 2),
        Row("an invalid name", ["issue", "a b"], 64),
        Row("a wildcard in the middle", ["issue", "a.*.example.com"], 64),
        Row("a wildcard in part of a label", ["issue", "a*.example.com"], 64),
        Row("a wildcard for an address", ["issue", "*.192.0.2.1"], 64),
        Row("a name that could be a path", ["issue", "../root"], 64),
        Row("no name", ["issue"], 64),
        Row("a wildcard for a whole top-level domain", ["issue", "*.com"], 2),
        Row("no day", ["issue", "a.test", "--days", "0"], 64),
        Row("more days than Apple accepts", ["issue", "a.test", "--days", "826"], 64),
        Row("a root for a hundred years", ["init", "--days", "36500"], 64),
        Row("a type of key that clients reject", ["issue", "a.test", "--key", "ed25519"], 64),
        Row("a network with an invalid mask", ["init", "--permit", "192.0.2.0/33"], 64),
        Row("a wildcard as a constraint", ["init", "--permit", "*.example.com"], 64),
        Row("a common name that is too long", ["init", "--name", String(repeating: "a", count: 65)], 64),
        Row("an unknown reason", ["revoke", "00", "--reason", "removeFromCRL"], 64),
        Row("an unknown serial number", ["revoke", "00"], 2),
    ]

    @Test("If the CA refuses a command, it reports the reason and leaves no file", arguments: unusable)
    func whatCanNotBeDoneIsToldAndLeavesNothing(_ row: Row) throws {
        try CAFolder.with { folder in
            let ownFolder = row.arguments.contains("--folder")
            if !ownFolder, row.arguments.first != "init" { try folder.run("init") }
            let before = try folder.contents()
            let outcome = try Tool.run(["ca"] + row.arguments + (ownFolder ? [] : ["--folder", folder.path]))
            #expect(outcome.status == row.status)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains("servertrust: error: "))
            #expect(try folder.contents() == before)
        }
    }

    @Test("A leaf doesn't outlive its root") func aLeafDoesNotOutliveItsRoot() throws {
        try CAFolder.with { folder in
            try folder.run("init", ["--days", "10"])
            try folder.run("issue", ["a.test"], status: 2)
            #expect(try folder.issuedFiles().isEmpty)
            try folder.run("issue", ["a.test", "--days", "9"])
        }
    }

    // MARK: Interruptions

    @Test("The CA reports leftovers and never uses them") func leftoversAreToldAndNeverTakenForGood() throws {
        try CAFolder.with { folder in
            try folder.run("init")
            // As if killed before the first rename, after it, and before the index was written.
            try folder.write("issued/a.test.key.partial")
            try folder.write("issued/b.test.key")
            let other = try folder.issue(["c.test"]).chain
            try FileManager.default.copyItem(atPath: other, toPath: folder.path("issued/d.test.pem"))
            let leftovers = ["issued/a.test.key.partial", "issued/b.test.key", "issued/d.test.pem"]
            #expect(try folder.list(leftovers: leftovers).map(\.names) == [["c.test"]])
            // As if killed during a replacement: the new key is next to the old certificate.
            let replaced = try #require(try folder.issue(["e.test"]).key)
            try FileManager.default.removeItem(atPath: replaced)
            try FileManager.default.copyItem(atPath: folder.path("issued/c.test.key"), toPath: replaced)
            #expect(try folder.leftovers() == leftovers + ["issued/e.test.key"])
            try folder.run("issue", ["e.test", "--force"])
            for name in ["b.test", "d.test"] {
                try folder.run("issue", [name], status: 2)
                try folder.run("issue", [name, "--force"])
            }
            try folder.run("issue", ["a.test"])
            #expect(try folder.list(leftovers: []).count == 6)
        }
    }

    @Test("Every chain that a killed run leaves is valid and in the index, or counts as a leftover")
    func aRunThatIsKilledLeavesNothingThatPassesForGood() throws {
        try CAFolder.with { folder in
            try folder.run("init")
            for attempt in 0..<Self.kills {
                let process = Process()
                process.executableURL = Tool.url
                process.arguments = ["ca", "issue", "k\(attempt).test", "--folder", folder.path]
                process.standardOutput = FileHandle.nullDevice
                process.standardError = FileHandle.nullDevice
                try process.run()
                // From the start to the end of a run, as measured on this machine.
                usleep(UInt32(attempt * 80_000 / Self.kills))
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
            }
            let told = try folder.leftovers()
            let known = Dictionary(grouping: try folder.list(leftovers: told)) { $0.file ?? "" }
            for file in try folder.issuedFiles() where !told.contains("issued/" + file) && file.hasSuffix(".pem") {
                #expect(known[file]?.count == 1)
                let chain = folder.path("issued/" + file)
                try Openssl.expectSuccess(["verify", "-CAfile", folder.path("root.pem"), chain])
                let key = try Openssl.run(["pkey", "-in", chain.replacing(".pem", with: ".key"), "-pubout"])
                #expect(key.text == (try Openssl.run(["x509", "-in", chain, "-noout", "-pubkey"])).text)
            }
            // No lock remains, and a new run succeeds.
            for attempt in 0..<Self.kills { try folder.run("issue", ["k\(attempt).test", "--force"]) }
            #expect(try folder.leftovers().isEmpty)
        }
    }

    @Test("Concurrent runs lose no certificate") func runsAtTheSameTimeLoseNothing() async throws {
        let folder = try CAFolder()
        defer { folder.remove() }
        try folder.run("init")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask { _ = try folder.run("issue", ["n\(number).test"]) }
                group.addTask { _ = try folder.run("crl") }
            }
            try await group.waitForAll()
        }
        #expect(Set(try folder.list(leftovers: []).flatMap(\.names)) == Set((0..<8).map { "n\($0).test" }))
        let crl = try folder.run("crl", ["--format", "json"]).json([CRLAnswer].self)
        #expect(crl.map(\.number) == [9])
    }

    // MARK: Requests

    @Test("Signing a request certifies only its key and names, not its other extensions")
    func aRequestGetsItsKeyAndItsNamesCertifiedAndNothingElse() throws {
        try CAFolder.with { folder in
            try folder.run("init")
            let request = try folder.request(
                "web",
                extensions: [
                    "subjectAltName=DNS:web.example.com,IP:192.0.2.3,email:a@example.com",
                    "basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign,cRLSign",
                    "extendedKeyUsage=codeSigning", "nameConstraints=permitted;DNS:example.org",
                ])
            let outcome = try folder.run("sign", [request, "--format", "json"])
            let issued = try #require(try outcome.json([IssuedAnswer].self).first)
            #expect(issued.names == ["web.example.com", "192.0.2.3"])
            #expect(issued.key == nil)
            #expect(outcome.errors.contains("web.example.com, 192.0.2.3"))
            let text = try Openssl.run(["x509", "-in", issued.chain, "-noout", "-text"]).text
            for wanted in ["CA:FALSE", "TLS Web Server Authentication"] { #expect(text.contains(wanted)) }
            for unwanted in ["CA:TRUE", "Certificate Sign", "Code Signing", "Name Constraints", "email:"] {
                #expect(!text.contains(unwanted))
            }
            try Openssl.expectSuccess(["verify", "-x509_strict", "-CAfile", folder.path("root.pem"), issued.chain])
            // Explicit names replace the names in the request.
            let named = try folder.run("sign", [request, "other.example.com", "--format", "json"])
            #expect(try named.json([IssuedAnswer].self).map(\.names) == [["other.example.com"]])
            let both = try folder.run(
                "sign", [request, "third.example.com", "--names-from-request", "--format", "json"])
            #expect(
                try both.json([IssuedAnswer].self).map(\.names) == [
                    ["third.example.com", "web.example.com", "192.0.2.3"]
                ])
        }
    }

    @Test("The CA refuses an altered request") func anAlteredRequestIsRefused() throws {
        try CAFolder.with { folder in
            try folder.run("init")
            let request = try folder.request("web", extensions: ["subjectAltName=DNS:web.example.com"])
            let pem = try [UInt8](Data(contentsOf: URL(fileURLWithPath: request)))
            var der = try #require(try PEM.decode(pem, labels: ["CERTIFICATE REQUEST"]).first)
            let position = try #require(der.indices.first { der[$0...].starts(with: Array("web.example.com".utf8)) })
            der[position] = UInt8(ascii: "x")
            let altered = folder.path("altered.csr")
            try Data(der).write(to: URL(fileURLWithPath: altered))
            try folder.run("sign", [altered], status: 2)
            try folder.run("sign", [altered, "a.test"], status: 2)
            // A host in the common name doesn't count.
            try folder.run("sign", [try folder.request("plain", extensions: [])], status: 2)
            // A request with the root's own key.
            let own = try folder.request("own", extensions: ["subjectAltName=DNS:a.test"], key: folder.path("root.key"))
            try folder.run("sign", [own], status: 2)
            #expect(try folder.issuedFiles().isEmpty)
        }
    }

    @Test("Signing doesn't replace another key's chain")
    func aSignedChainDoesNotTakeThePlaceBesideAnothersKey() throws {
        try CAFolder.with { folder in
            try folder.run("init")
            try folder.run("issue", ["web.example.com"])
            let before = try folder.contents()
            let request = try folder.request("web", extensions: ["subjectAltName=DNS:web.example.com"])
            let withRequest = try folder.contents()
            try folder.run("sign", [request, "--force"], status: 2)
            #expect(try folder.contents() == withRequest)
            #expect(before.allSatisfy { withRequest[$0.key] == $0.value })
        }
    }

    // MARK: Revocation

    @Test("The CRL contains the revoked certificates") func whatIsRevokedIsInTheCRL() throws {
        try CAFolder.with { folder in
            try folder.run("init")
            let (a, b, c) = (try folder.issue(["a.test"]), try folder.issue(["b.test"]), try folder.issue(["c.test"]))
            try folder.run("crl")
            let check = [
                "verify", "-crl_check", "-CAfile", folder.path("root.pem"), "-CRLfile", folder.path("crl.pem"),
            ]
            for issued in [a, b, c] { try Openssl.expectSuccess(check + [issued.chain]) }
            try folder.run("revoke", [a.chain, "--reason", "keyCompromise"])
            try folder.run("revoke", [a.serial], status: 2)
            let spelt = "0x" + b.serial.uppercased()
            try folder.run("revoke", [spelt])
            try folder.run("crl", ["--days", "30"])
            #expect(try Openssl.run(check + [a.chain]).status != 0)
            #expect(try Openssl.run(check + [b.chain]).status != 0)
            try Openssl.expectSuccess(check + [c.chain])
            #expect(try folder.list().map(\.status) == ["revoked", "revoked", "valid"])
            #expect(try folder.list().map(\.reason) == ["keyCompromise", "unspecified", nil])
            let text = try Openssl.run(["crl", "-in", folder.path("crl.pem"), "-noout", "-text"]).text
            #expect(text.contains("Key Compromise"))
            #expect(!text.contains("Unspecified"))
        }
    }

    // MARK: Hints

    @Test("Install hints name the root and install nothing") func installHintsNameTheRootAndInstallNothing() throws {
        try CAFolder.with { folder in
            try folder.run("init")
            let before = try folder.contents()
            let hints = try folder.run("install-hints", ["--format", "json"]).json([HintAnswer].self)
            #expect(hints.map(\.platform) == ["debian", "fedora", "macos", "ios-simulator", "java", "firefox"])
            #expect(hints.allSatisfy { $0.install.joined().contains(folder.path("root.pem")) && !$0.remove.isEmpty })
            #expect(try folder.contents() == before)
        }
    }
}
