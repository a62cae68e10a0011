// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustTesting
import Testing

@testable import ServerTrustCommand

#if canImport(FoundationXML)
import FoundationXML
#endif

@Suite("servertrust --format html")
struct HTMLReportLiveTests {
    /// Runs the tool, checks that its page is well-formed, and returns the page.
    private func page(_ arguments: [String], status: Int32) throws -> String {
        let outcome = try Tool.run(arguments + ["--format", "html"])
        #expect(outcome.status == status, "\(outcome.errors)")
        let html = outcome.text
        #expect(XMLParser(data: Data(html.utf8)).parse())
        return html
    }

    @Test("check writes a page for one server and a list for several")
    func check() async throws {
        let server = try await LabServer.start(.expired)
        try TemporaryFolder.with { folder in
            let anchors = try folder.write("anchors.pem", Data(server.certificates.anchorsPEM.utf8))
            let options = ["--connect", server.address.rawValue, "--anchors", anchors.path]
            let one = try page(["check", server.url] + options, status: 1)
            #expect(one.contains("certificateExpired"))
            #expect(!one.contains("hosts trusted"))
            let two = try page(["check", server.url, server.url] + options, status: 1)
            #expect(two.contains("0 of 2 hosts trusted"))
        }
        await server.stop()
    }

    @Test("check writes a page for a server that it can't reach")
    func unreachable() throws {
        let html = try page(["check", "localhost:1", "--timeout", "2s"], status: 2)
        #expect(html.contains("could not be checked"))
    }

    @Test("verify writes a page for a chain")
    func verify() throws {
        let root = try TestAuthority.root()
        let leaf = try root.issue(.leaf("www.example.com"))
        try TemporaryFolder.with { folder in
            let chain = try folder.write("chain.pem", Data(leaf.certificatePEM.utf8))
            let anchors = try folder.write(
                "root.pem", Data(PEM.encode(root.certificate.der, label: "CERTIFICATE").utf8))
            let html = try page(
                [
                    "verify", chain.path, "--host", "www.example.com", "--anchors", anchors.path, "--time",
                    TestAuthority.now.description,
                ], status: 0)
            #expect(html.contains("is trusted"))
        }
    }

    @Test("inspect writes a page for objects, without the bytes of a private key")
    func inspect() throws {
        let root = try TestAuthority.root()
        let key = TestKey.p256()
        let leaf = try root.issue(.leaf("www.example.com"), key: key)
        let pem = try key.pemRepresentation()
        try TemporaryFolder.with { folder in
            let chain = try folder.write("chain.pem", Data(leaf.certificatePEM.utf8))
            let secret = try folder.write("key.pem", Data(pem.utf8))
            let html = try page(["inspect", chain.path, secret.path], status: 0)
            #expect(html.contains("www.example.com"))
            #expect(html.contains("This page contains no verdict"))
            #expect(!html.contains("PRIVATE KEY-----"))
            for line in pem.split(separator: "\n").dropFirst().dropLast() { #expect(!html.contains(line)) }
        }
    }

    @Test(
        "The locale decides whether a tree has lines, in the POSIX order of variables",
        arguments: [
            (["LANG": "C.UTF-8"], true), (["LANG": "de_DE.utf8"], true), (["LANG": "C"], false), ([:], false),
            (["LC_ALL": "C", "LANG": "C.UTF-8"], false), (["LC_ALL": "", "LC_CTYPE": "en_US.UTF-8"], true),
        ])
    func locale(_ environment: [String: String], _ isUTF8: Bool) {
        #expect(TerminalText.hasUTF8(environment) == isUTF8)
    }
}
