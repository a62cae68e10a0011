// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting
import Testing

@testable import ServerTrustLab

/// `pins lint --live` and `pins make HOST` with the lab.
@Suite(.serialized) struct LintLiveTests {
    static let spare = "sha256/" + Base64.encode(Array(1...32))

    /// Runs `pins lint --live` on OkHttp lines, with every CA in the lab as an anchor.
    private func lint(_ server: LabServer, _ text: String) throws -> (
        status: Int32, findings: [LintTests.Answer.Finding]
    ) {
        try TemporaryFolder.with { folder in
            let others = server.redirectTarget?.certificates.chain.last?.pem ?? ""
            let anchors = try folder.write("anchors.pem", Data((server.certificates.anchorsPEM + others).utf8))
            let file = try folder.write("pins.txt", Data(text.utf8))
            let outcome = try Tool.run([
                "pins", "lint", file.path, "--live", "--connect", "\(server.address.rawValue):\(server.port)",
                "--anchors",
                anchors.path, "--format", "json", "--fail-within", "1d",
            ])
            return (outcome.status, try outcome.json([LintTests.Answer].self).flatMap(\.findings))
        }
    }

    @Test("lint reports a matched pin with its certificate's expiry date") func met() async throws {
        let server = try await LabServer.start(.good)
        let authority = server.certificates.chain[1]
        let (status, findings) = try lint(server, "\(server.host) \(SPKIPin(authority)) \(Self.spare)")
        #expect(status == 0)
        #expect(findings.map(\.id) == ["pins/renewal", "forecast/survives", "forecast/issuer", "forecast/root"])
        #expect(findings.allSatisfy { $0.severity == "note" })
        #expect(findings.first?.message.contains(SPKIPin(authority).description) == true)
        #expect(findings.first?.message.contains(authority.notAfter.description) == true)
        let leaf = server.certificates.chain[0]
        let (_, byLeaf) = try lint(server, "\(server.host) \(SPKIPin(leaf)) \(Self.spare)")
        #expect(byLeaf.contains { $0.id == "pins/renewal" && $0.message.contains(leaf.notAfter.description) })
        await server.stop()
    }

    @Test("A server that matches no pin causes a finding") func notMet() async throws {
        let server = try await LabServer.start(.good)
        let (status, findings) = try lint(server, "\(server.host) \(Self.spare)")
        #expect(status == 1)
        #expect(findings.map(\.id).sorted() == ["pins/no-backup", "pins/not-in-path"])
        #expect(findings.allSatisfy { $0.line == 1 })
        await server.stop()
    }

    @Test("A redirect to a host without a rule causes a finding") func redirectUncovered() async throws {
        let server = try await LabServer.start(.redirectToAnotherAuthority)
        let target = try #require(server.redirectTarget)
        let pin = SPKIPin(server.certificates.chain[1])
        let (status, findings) = try lint(server, "\(server.host) \(pin) \(Self.spare)")
        #expect(status == 1)
        let finding = try #require(findings.first { $0.severity != "note" })
        #expect(finding.id == "live/redirect-uncovered")
        #expect(finding.hosts == target.host.description)
        #expect(finding.line == 1)
        await server.stop()
    }

    /// Sets up the pins of heise.de: they pin both Let's Encrypt intermediates, one as a backup of the other. The
    /// domain redirects to www, whose certificate another CA issued.
    private func heise(
        _ pattern: String, _ check: (_ status: Int32, _ findings: [LintTests.Answer.Finding]) -> Void
    ) async throws {
        let now = Time.now()
        func dated(_ template: CertificateTemplate) -> CertificateTemplate {
            template.with {
                $0.notBefore = now.advanced(by: -86_400)
                $0.notAfter = now.advanced(by: 60 * 86_400)
            }
        }
        let isrg = try TestAuthority.root(dated(.authority("ISRG Root")))
        let r3 = try isrg.intermediate(dated(.authority("R3")))
        let e1 = try isrg.intermediate(dated(.authority("E1")))
        let other = try TestAuthority.root(dated(.authority("Other Root")))
        let anchors = [isrg.certificate, other.certificate]
        func certificates(_ host: String, _ authority: TestAuthority, to target: LabScenario?) throws -> LabCertificates
        {
            let leaf = try authority.issue(dated(.leaf(host)))
            return try LabCertificates(
                host: host, chain: authority.chain(leaf), key: leaf.key, anchors: anchors, at: now,
                redirectTarget: target)
        }
        let www = try certificates("www.heise.test", other, to: nil)
        let apex = try certificates(
            "heise.test", r3, to: LabScenario("heise-www", "under another CA", .trusted) { _ in www })
        let server = try await LabServer.start(LabScenario("heise", "sends on to www", .trusted) { _ in apex })
        try TemporaryFolder.with { folder in
            let roots = try folder.write("roots.pem", pem(isrg.certificate, other.certificate))
            let issuers = try folder.write("issuers.pem", pem(r3.certificate, e1.certificate))
            let pins = "\(pattern) \(SPKIPin(r3.certificate)) \(SPKIPin(e1.certificate))\n"
            let file = try folder.write("pins.txt", Data(pins.utf8))
            let outcome = try Tool.run([
                "pins", "lint", file.path, "--live", "--connect", "127.0.0.1:\(server.port)", "--anchors", roots.path,
                "--certs",
                issuers.path, "--format", "json",
            ])
            check(outcome.status, try outcome.json([LintTests.Answer].self).flatMap(\.findings))
        }
        await server.stop()
    }

    @Test("lint reports the known findings for heise.de's pins on the domain and its subdomains") func heiseBelow()
        async throws
    {
        try await heise("**.heise.test") { status, findings in
            #expect(status == 1)
            #expect(
                Set(findings.map(\.id)) == [
                    "pins/not-in-path", "pins/backup-same-issuer", "pins/renewal", "hosts/whole-domain",
                    "forecast/survives", "forecast/root",
                ])
            #expect(findings.first { $0.id == "pins/not-in-path" }?.hosts == "www.heise.test")
            #expect(findings.first { $0.id == "pins/renewal" }?.hosts == "heise.test")
            #expect(findings.allSatisfy { $0.line == 1 })
        }
    }

    @Test("lint reports the known findings for heise.de's pins on the domain only") func heiseAlone() async throws {
        try await heise("heise.test") { status, findings in
            #expect(status == 1)
            #expect(
                Set(findings.map(\.id)) == [
                    "live/redirect-uncovered", "pins/backup-same-issuer", "pins/renewal", "hosts/www-uncovered",
                    "forecast/survives", "forecast/root",
                ])
            #expect(findings.first { $0.id == "live/redirect-uncovered" }?.hosts == "www.heise.test")
        }
    }

    @Test("An untrusted server causes a finding, whatever the pins") func untrusted() async throws {
        let server = try await LabServer.start(.expired)
        let (status, findings) = try lint(
            server, "\(server.host) \(SPKIPin(server.certificates.chain[0])) \(Self.spare)")
        #expect(status == 1)
        #expect(findings.map(\.id) == ["live/not-trusted"])
        await server.stop()
    }

    @Test("If a server is unreachable, lint exits with 2") func unreachable() async throws {
        let server = try await LabServer.start(.noTLS)
        let (status, findings) = try lint(
            server, "\(server.host) \(Self.spare) sha256/\(Base64.encode(Array(2...33)))")
        #expect(status == 2)
        #expect(findings.map(\.id) == ["live/unreachable"])
        await server.stop()
    }

    // MARK: - Pins of live servers

    private func pin(_ server: LabServer, _ arguments: [String], host: String? = nil) throws -> Tool.Outcome {
        try TemporaryFolder.with { folder in
            let anchors = try folder.write("anchors.pem", Data(server.certificates.anchorsPEM.utf8))
            return try Tool.run(
                [
                    "pins", "make", host ?? server.host.description, "--connect",
                    "\(server.address.rawValue):\(server.port)",
                    "--anchors", anchors.path,
                ]
                    + arguments)
        }
    }

    @Test("pins make prints a server's pins only for this server") func pins() async throws {
        let server = try await LabServer.start(.strangers)
        let valid = server.certificates.evaluate(PresentedChain(server.certificates.chain)).path
        #expect(valid.count == 3)
        let text = try pin(server, [])
        #expect(text.status == 0)
        for certificate in valid { #expect(text.text.contains(SPKIPin(certificate).description)) }
        let lines = try pin(server, ["--format", "okhttp"])
        #expect(lines.status == 0)
        #expect(lines.text.contains(server.host.description))
        #expect(server.counts.requests == 0)
        await server.stop()
    }

    @Test("pins make doesn't pin certificates outside the valid paths") func certificatesOutsideOfPaths() async throws {
        let server = try await LabServer.start(.strangers)
        let path = server.certificates.evaluate(PresentedChain(server.certificates.chain)).path
        let others = server.certificates.chain.filter { !path.contains($0) }
        #expect(!others.isEmpty)
        let text = try pin(server, []).text
        let json = try pin(server, ["--format", "json"]).text
        for other in others {
            #expect(!text.contains(SPKIPin(other).description))
            #expect(!json.contains(SPKIPin(other).description))
        }
        await server.stop()
    }

    @Test("lint accepts the printed pins") func pinsPassLint() async throws {
        let server = try await LabServer.start(.good)
        let written = try TemporaryFolder.with { folder in
            try pin(
                server, ["--format", "android", "--with-backup", folder.url.appendingPathComponent("backup.key").path])
        }
        #expect(written.status == 0)
        let (status, findings) = try lint(server, written.text)
        #expect(status == 0, "\(findings)")
        #expect(findings.contains { $0.id == "pins/renewal" })
        await server.stop()
    }

    @Test(
        "pins make prints no pins for an untrusted server",
        arguments: [LabScenario.untrustedRoot, .expired, .wrongHost])
    func pinsOfUntrusted(_ scenario: LabScenario) async throws {
        let server = try await LabServer.start(scenario)
        let outcome = try pin(server, [])
        #expect(outcome.status == 1)
        #expect(outcome.output.isEmpty)
        await server.stop()
    }

    @Test("pins make exits with 2 for an unreachable server") func pinsOfUnreachable() async throws {
        let server = try await LabServer.start(.noTLS)
        let outcome = try pin(server, [])
        #expect(outcome.status == 2)
        #expect(outcome.output.isEmpty)
        await server.stop()
        #expect(try Tool.run(["pins", "make", "/nonexistent/chain.pem"]).status == 2)
        #expect(try Tool.run(["pins", "make", "http://api.example.com"]).status == 2)
    }
}
