// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrustLab
import Testing

/// `servertrust ca` with CRL and OCSP addresses, and `check --fetch`, which uses them.
@Suite("servertrust ca with CRL and OCSP addresses", .timeLimit(.minutes(10)))
struct CARevocationAddressLiveTests {
    static let hasOpenssl = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")
    private static let crl = "http://crl.example.com/root.crl"
    private static let ocsp = "http://ocsp.example.com/"

    private struct Answer: Decodable {
        struct Step: Decodable {
            struct Verdict: Decodable {
                struct Failure: Decodable { let code: String }
                let failures: [Failure]
            }
            let verdict: Verdict?
        }
        let steps: [Step]
    }

    private struct Pointers: Decodable, Equatable {
        var crlURL: String?
        var ocspURL: String?
        var mustStaple: Bool?
    }

    private struct Responder: Decodable {
        let url: String
        let ocspURL: String?
    }

    private struct WrittenCRL: Decodable {
        let der: String
        let crlURL: String?
    }

    @Test("init, issue, sign, list, crl and ocsp serve report the addresses") func reports() throws {
        try CAFolder.with { folder in
            let made = try folder.run("init", ["--crl-url", Self.crl, "--ocsp-url", Self.ocsp])
            #expect(
                made.lines.contains("      crl      \(Self.crl)") && made.lines.contains("      ocsp     \(Self.ocsp)"))
            let issued = try folder.run("issue", ["a.example.com", "--must-staple"])
            for line in ["crl      \(Self.crl)", "ocsp     \(Self.ocsp)", "staple   required"] {
                #expect(issued.lines.contains("      " + line), "\(issued.text)")
            }
            let without = try folder.run("issue", ["b.example.com", "--no-crl-url", "--no-ocsp-url"])
            #expect(!without.text.contains("http://") && !without.text.contains("staple"))
            let request = try folder.request("c", extensions: ["subjectAltName=DNS:c.example.com"])
            try folder.run("sign", [request, "--crl-url", "http://other.example.com/c.crl"])
            #expect(
                try folder.run("list", ["--format", "json"]).json([Pointers].self) == [
                    Pointers(crlURL: Self.crl, ocspURL: Self.ocsp, mustStaple: true), Pointers(mustStaple: false),
                    Pointers(crlURL: "http://other.example.com/c.crl", ocspURL: Self.ocsp, mustStaple: false),
                ])
            let crl = try #require(try folder.run("crl", ["--format", "json"]).json([WrittenCRL].self).first)
            #expect(crl.der == folder.path("root.crl") && crl.crlURL == Self.crl)
            #expect(try folder.run("crl").lines.contains("      address  \(Self.crl)"))
            let shown = try Tool.run(["inspect", folder.path("issued/a.example.com.pem"), "--long"]).text
            #expect(shown.contains(Self.crl) && shown.contains(Self.ocsp), "\(shown)")
        }
    }

    @Test("openssl reads the CRL and OCSP addresses in the extensions", .enabled(if: hasOpenssl)) func openssl() throws
    {
        try CAFolder.with { folder in
            try folder.run("init", ["--crl-url", Self.crl, "--ocsp-url", "http://[2001:db8::1]:8888/"])
            func extensions(_ arguments: [String]) throws -> String {
                let chain = try folder.issue(["a.example.com", "--force"] + arguments).chain
                return try Openssl.run([
                    "x509", "-in", chain, "-noout", "-ext", "crlDistributionPoints,authorityInfoAccess,tlsfeature",
                ]).text
            }
            let all = try extensions(["--must-staple"])
            for part in [
                "X509v3 CRL Distribution Points", "Full Name", "URI:\(Self.crl)", "Authority Information Access",
                "OCSP - URI:http://[2001:db8::1]:8888/", "TLS Feature", "status_request",
            ] { #expect(all.contains(part), "\(part): \(all)") }
            // The replacement certificate keeps the addresses.
            #expect(try extensions([]) == all)
            let less = try extensions(["--no-crl-url", "--no-must-staple"])
            #expect(!less.contains("CRL") && !less.contains("TLS Feature") && less.contains("OCSP - URI:"), "\(less)")
            #expect(try extensions([]) == less)
            #expect(!(try extensions(["--no-ocsp-url"])).contains("URI:"))
            try Openssl.expectSuccess(["crl", "-inform", "DER", "-in", try crlFile(folder), "-noout"])
        }
    }

    private func crlFile(_ folder: CAFolder) throws -> String {
        try folder.run("crl")
        return folder.path("root.crl")
    }

    @Test(
        "An invalid address causes a usage error that names the option",
        arguments: [
            "", "https://crl.example.com/", "ldap://crl.example.com/", "http://user:pw@crl.example.com/",
            "http://crl.example.com/#x", "http://crl.example.com/\nx", "http://crl.example.com/a b",
            "http://b\u{fc}cher.example/", "http://[fe80::1%25eth0]/",
            "http://a.example/" + String(repeating: "a", count: 10_000),
        ])
    func wrongAddresses(_ url: String) throws {
        try CAFolder.with { folder in
            for option in ["--crl-url", "--ocsp-url"] {
                let made = try folder.run("init", [option, url], status: 64)
                #expect(made.errors.contains(option) && made.errors.contains("expected an address such as http://"))
                #expect(made.errors.utf8.count < 2_000 || url.utf8.count > 2_000, "\(made.errors)")
                #expect(made.output.isEmpty && FileManager.default.fileExists(atPath: folder.path("root.pem")) == false)
            }
            try folder.run("init")
            for option in ["--crl-url", "--ocsp-url"] {
                let issued = try folder.run("issue", ["a.example.com", option, url], status: 64)
                #expect(issued.errors.contains(option) && issued.errors.contains("expected an address such as http://"))
            }
            #expect(try folder.issuedFiles().isEmpty)
        }
    }

    @Test(
        "An address option and its --no option are mutually exclusive, and the CA warns about must-staple without a responder"
    ) func choices() throws {
        try CAFolder.with { folder in
            try folder.run("init")
            for kind in ["crl", "ocsp"] {
                let outcome = try folder.run(
                    "issue", ["a.example.com", "--\(kind)-url", Self.crl, "--no-\(kind)-url"], status: 64)
                #expect(outcome.errors.contains("--\(kind)-url and --no-\(kind)-url can't be combined"))
            }
            let warned = try folder.run("issue", ["a.example.com", "--must-staple"])
            #expect(warned.errors.contains("requires a staple but names no OCSP responder"))
            let quiet = try folder.run("issue", ["b.example.com", "--must-staple", "--ocsp-url", Self.ocsp])
            #expect(!quiet.errors.contains("OCSP"))
        }
    }

    @Test("A bad address that was edited into the index causes an error that names the file") func editedAddress()
        throws
    {
        try CAFolder.with { folder in
            try folder.run("init", ["--crl-url", Self.crl])
            let index = URL(fileURLWithPath: folder.path("index.json"))
            let text = try String(contentsOf: index, encoding: .utf8)
            try Data(text.replacingOccurrences(of: "http://", with: "https://").utf8).write(to: index)
            for arguments in [["issue", "a.example.com"], ["list"], ["crl"], ["ocsp", "serve", "--port", "0"]] {
                let outcome = try folder.run(arguments[0], Array(arguments.dropFirst()), status: 2)
                #expect(outcome.errors.contains("index.json: crlURL: found https://, expected"), "\(outcome.errors)")
            }
        }
    }

    @Test("check --fetch finds a revoked certificate with the CRL and with the responder", .enabled(if: hasOpenssl))
    func fetching() async throws {
        let repository = try await LabRepository.start()
        let folder = try CAFolder()
        let temporary = try TemporaryFolder.make()
        defer {
            folder.remove()
            temporary.remove()
        }
        try folder.run("init", ["--crl-url", repository.url + "/root.crl"])
        let responder = try RunningTool(
            ["ca", "ocsp", "serve", "--port", "0", "--folder", folder.path, "--format", "json"], in: temporary
        ) { $0.hasSuffix("]\n") }
        let serving = try #require(try JSONDecoder().decode([Responder].self, from: Data(responder.text.utf8)).first)
        #expect(serving.ocspURL == nil)
        func publish() throws {
            try folder.run("crl")
            let der = try Data(contentsOf: URL(fileURLWithPath: folder.path("root.crl")))
            repository.publish(LabResource([UInt8](der), mediaType: "application/pkix-crl"), at: "/root.crl")
        }
        let byCRL = try Served(folder, temporary, "crl.lab.test")
        let byOCSP = try Served(
            folder, temporary, "ocsp.lab.test", ["--no-crl-url", "--ocsp-url", serving.url])
        try publish()
        #expect(try byCRL.codes(folder) == [])
        #expect(repository.requests(for: "/root.crl") == 1)
        #expect(try byOCSP.codes(folder) == [])
        try folder.run("revoke", [byOCSP.issued.serial])
        // The responder reads the index, which lists the certificate. No CRL lists it.
        #expect(try byOCSP.codes(folder) == ["certificateRevoked"])
        #expect(repository.requests(for: "/root.crl") == 1)
        try folder.run("revoke", [byCRL.issued.serial, "--reason", "keyCompromise"])
        #expect(try byCRL.codes(folder) == [])
        try publish()
        #expect(try byCRL.codes(folder) == ["certificateRevoked"])
        #expect(responder.stop() == 0)
        #expect(try byOCSP.codes(folder) == ["revocationUnavailable"])
        await repository.stop()
        #expect(try byCRL.codes(folder) == ["revocationUnavailable"])
    }

    @Test("check refuses a server that doesn't send the staple its certificate requires", .enabled(if: hasOpenssl))
    func mustStaple() throws {
        try CAFolder.with { folder in
            try folder.run("init")
            try TemporaryFolder.with { temporary in
                let server = try Served(folder, temporary, "api.lab.test", ["--must-staple", "--ocsp-url", Self.ocsp])
                #expect(try server.codes(folder, []) == ["stapleMissing"])
            }
        }
    }

    /// A certificate from the CA, and an openssl server that presents it.
    private final class Served {
        let issued: IssuedAnswer
        private let host: String
        private let server: RunningTool
        private let port: Int

        init(_ folder: CAFolder, _ temporary: TemporaryFolder, _ host: String, _ arguments: [String] = []) throws {
            let issued = try folder.issue([host] + arguments)
            self.issued = issued
            self.host = host
            server = try RunningTool(
                [
                    "s_server", "-accept", "127.0.0.1:0", "-www", "-cert", issued.chain, "-key",
                    try #require(issued.key),
                ], in: temporary, program: URL(fileURLWithPath: "/usr/bin/openssl"),
                until: { Openssl.acceptedPort(in: $0) != nil })
            port = try #require(Openssl.acceptedPort(in: server.text), "\(server.errors)")
        }

        deinit { _ = server.stop(SIGKILL) }

        /// Returns the failure codes of a check, which fetches by default, or an empty array for a trusted server.
        func codes(
            _ folder: CAFolder,
            _ options: [String] = [
                "--revocation", "required", "--fetch", "--fetch-from", "127.0.0.1", "--no-cache",
            ]
        ) throws -> [String] {
            let outcome = try Tool.run(
                [
                    "check", "https://\(host):\(port)/", "--connect", "127.0.0.1", "--anchors", folder.path("root.pem"),
                    "--format", "json",
                ] + options)
            let verdict = try #require(
                try outcome.json([Answer].self).first?.steps.first?.verdict, "\(outcome.errors)")
            #expect(outcome.status == (verdict.failures.isEmpty ? 0 : 1))
            return verdict.failures.map(\.code)
        }
    }
}
