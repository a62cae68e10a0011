// SPDX-License-Identifier: Apache-2.0

import NIOCore
import PKIX
import PeerScripts
import ServerTrust
import ServerTrustLab
import ServerTrustNIO
import Testing

@Suite("Protocols that start unencrypted", .timeLimit(.minutes(10)))
struct ProtocolTests {
    /// Probes a server behind a peer that speaks the protocol.
    private func probe(
        _ server: LabServer, port: Int, _ prologue: TLSPrologue, timeout: Duration = .seconds(30)
    ) async -> Result<TrustProbeReport, ConnectionFailure> {
        var probe = TrustProbe(server.certificates.configuration)
        probe.timeout = timeout
        probe.prologue = prologue
        do throws(ConnectionFailure) {
            return .success(try await probe.probe(server.host, port: port, connectingTo: "127.0.0.1"))
        } catch {
            return .failure(error)
        }
    }

    private func reason(_ result: Result<TrustProbeReport, ConnectionFailure>) -> ErrorCode? {
        if case .failure(let error) = result { error.code } else { nil }
    }

    @Test(
        "TLS starts after the protocol's server agrees, and the verdict is the same as without a prologue",
        arguments: try PrologueScript.all())
    func accepted(script: PrologueScript) async throws {
        for scenario in [LabScenario.good, .wrongHost] {
            let server = try await LabServer.start(scenario)
            let peer = try await ScriptedPeer(script.peer(), leadingTo: server.port)
            let report = try await probe(server, port: peer.port, script.prologue).get()
            #expect(report.verdict.isTrusted == (scenario.name == LabScenario.good.name))
            #expect(report.presentedChain.certificates == server.certificates.chain)
            let requests = script.prologue.steps.flatMap(\.request)
            #expect(peer.received.starts(with: requests + [22, 3]))
            #expect(server.counts.requestBytes == 0)
            await server.stop()
            await peer.stop()
        }
    }

    @Test("A server can send its answers byte by byte", arguments: try PrologueScript.all())
    func dribble(script: PrologueScript) async throws {
        let server = try await LabServer.start(.good)
        let peer = try await ScriptedPeer(script.peer(dribbles: true), leadingTo: server.port)
        let report = try await probe(server, port: peer.port, script.prologue).get()
        #expect(report.verdict.isTrusted)
        await server.stop()
        await peer.stop()
    }

    @Test("Unencrypted bytes after the last answer end the connection", arguments: try PrologueScript.all())
    func injection(script: PrologueScript) async throws {
        let server = try await LabServer.start(.good)
        let last = try #require(script.answers.last)
        for extra in [Array("250 injected\r\n".utf8), [0], [22, 3, 3, 0, 1]] {
            let peer = try await ScriptedPeer(script.peer(replacing: [last + extra]), leadingTo: server.port)
            let result = await probe(server, port: peer.port, script.prologue)
            #expect(reason(result) == .connectionStartTLSFailed, "\(extra)")
            await peer.stop()
        }
        #expect(server.counts.handshakes == 0)
        await server.stop()
    }

    @Test(
        "The error says whether the server closed the connection or stayed silent", arguments: try PrologueScript.all())
    func silence(script: PrologueScript) async throws {
        let server = try await LabServer.start(.good)
        for count in 1...script.answers.count {
            let none = [[UInt8]](repeating: [], count: count)
            let closing = try await ScriptedPeer(
                Array(
                    script.peer(replacing: none, closes: true).prefix(script.answers.count - count + 1).map {
                        var answer = $0
                        answer.closes = answer.bytes.isEmpty
                        return answer
                    }))
            #expect(reason(await probe(server, port: closing.port, script.prologue)) == .connectionClosed)
            await closing.stop()
            let silent = try await ScriptedPeer(script.peer(replacing: none))
            let result = await probe(server, port: silent.port, script.prologue, timeout: .milliseconds(300))
            #expect(reason(result) == .connectionTimedOut)
            while silent.openConnections > 0 { try await Task.sleep(for: .milliseconds(5)) }
            await silent.stop()
        }
        await server.stop()
    }

    /// A server's last answers, and the expected reason.
    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let script: PrologueScript
        let answers: [[UInt8]]
        let reason: ErrorCode

        init(
            _ sentence: String, _ script: PrologueScript, _ answers: [[UInt8]], _ reason: ErrorCode
        ) {
            testDescription = sentence
            self.script = script
            self.answers = answers
            self.reason = reason
        }
    }

    static func refusals() throws -> [Refusal] {
        let scripts = Dictionary(uniqueKeysWithValues: try PrologueScript.all().map { ($0.name, $0) })
        func script(_ name: String) throws -> PrologueScript { try #require(scripts[name]) }
        let (smtp, imap, pop3) = (try script("SMTP"), try script("IMAP"), try script("POP3"))
        let (ftp, ldap, xmpp) = (try script("FTP"), try script("LDAP"), try script("XMPP"))
        let (mysql, sieve, nntp) = (try script("MySQL"), try script("ManageSieve"), try script("NNTP"))
        let text = PrologueScript.bytes
        let error: [UInt8] = [9, 0, 0, 0, 0xff, 0x6a, 0x04] + text("denied")
        return [
            Refusal(
                "SMTP without STARTTLS", smtp, [text("250-mail\r\n250 HELP\r\n"), []], .connectionStartTLSDeclined),
            Refusal(
                "SMTP with a similar keyword", smtp, [text("250-mail\r\n250 XSTARTTLS\r\n"), []],
                .connectionStartTLSDeclined),
            Refusal("SMTP without support for EHLO", smtp, [text("502 unknown\r\n"), []], .connectionStartTLSDeclined),
            Refusal("SMTP with TLS unavailable", smtp, [text("454 not now\r\n")], .connectionStartTLSDeclined),
            Refusal(
                "SMTP that refuses every client", smtp, [text("554 go away\r\n"), [], []], .connectionStartTLSDeclined),
            Refusal(
                "SMTP with an unfinished list", smtp, [text("250-mail\r\nnonsense\r\n"), []], .connectionTimedOut),
            Refusal("IMAP where SMTP is expected", smtp, [imap.answers[0], [], []], .connectionStartTLSFailed),
            Refusal("TLS where SMTP is expected", smtp, [[21, 3, 1, 0, 2, 2, 70], [], []], .connectionStartTLSFailed),
            Refusal("MySQL where SMTP is expected", smtp, [mysql.answers[0], [], []], .connectionStartTLSFailed),
            Refusal(
                "SMTP with an endless greeting", smtp,
                [text(String(repeating: "220-and more\r\n", count: 2000)), [], []], .connectionStartTLSFailed),
            Refusal(
                "SMTP with an endless line", smtp,
                [text("220 " + String(repeating: "x", count: 20000)), [], []], .connectionStartTLSFailed),
            Refusal(
                "IMAP without STARTTLS", imap, [text("* CAPABILITY IMAP4rev1\r\na1 OK\r\n"), []],
                .connectionStartTLSDeclined),
            Refusal(
                "IMAP that is logged in already", imap, [text("* PREAUTH hi\r\n"), [], []], .connectionStartTLSDeclined),
            Refusal("IMAP that ends", imap, [text("* BYE\r\n"), [], []], .connectionStartTLSDeclined),
            Refusal("IMAP with a wrong tag", imap, [text("b7 OK\r\n")], .connectionStartTLSFailed),
            Refusal("IMAP that declines", imap, [text("a2 BAD no\r\n")], .connectionStartTLSDeclined),
            Refusal("POP3 without STLS", pop3, [text("-ERR unknown command\r\n")], .connectionStartTLSDeclined),
            Refusal("SMTP where POP3 is expected", pop3, [smtp.answers[0], []], .connectionStartTLSFailed),
            Refusal(
                "FTP without TLS", ftp, [text("530 Please login with USER and PASS.\r\n")], .connectionStartTLSDeclined),
            Refusal("FTP that isn't ready", ftp, [text("120 in an hour\r\n"), []], .connectionStartTLSDeclined),
            Refusal("NNTP without TLS", nntp, [text("580 no\r\n")], .connectionStartTLSDeclined),
            Refusal(
                "ManageSieve without TLS", sieve, [text("\"SASL\" \"\"\r\nOK\r\n"), []], .connectionStartTLSDeclined),
            Refusal("ManageSieve that declines", sieve, [text("NO \"later\"\r\n")], .connectionStartTLSDeclined),
            Refusal("LDAP without TLS", ldap, [PrologueScript.ldap(2, "unsupported")], .connectionStartTLSDeclined),
            Refusal("LDAP that disconnects", ldap, [PrologueScript.ldap(0, message: 0)], .connectionStartTLSDeclined),
            Refusal(
                "LDAP with a message of 2 GiB", ldap, [[0x30, 0x84, 0x7f, 0xff, 0xff, 0xff, 2]],
                .connectionStartTLSFailed),
            Refusal(
                "LDAP with a length of nine bytes", ldap, [[0x30, 0x89, 1, 1, 1, 1, 1]], .connectionStartTLSFailed),
            Refusal("LDAP with another operation", ldap, [[0x30, 5, 2, 1, 1, 0x61, 0]], .connectionStartTLSFailed),
            Refusal(
                "LDAP with an element beyond its end", ldap, [[0x30, 5, 2, 1, 1, 0x78, 50]], .connectionStartTLSFailed),
            Refusal(
                "HTTP where LDAP is expected", ldap, [text("HTTP/1.1 400 Bad Request\r\n\r\n")],
                .connectionStartTLSFailed),
            Refusal(
                "XMPP without starttls", xmpp,
                [text(PrologueScript.stream + "<stream:features><mechanisms/></stream:features>"), []],
                .connectionStartTLSDeclined),
            Refusal(
                "XMPP for another domain", xmpp,
                [text(PrologueScript.stream + "<stream:error><host-unknown/></stream:error></stream:stream>"), []],
                .connectionStartTLSDeclined),
            Refusal("XMPP that declines", xmpp, [text("<failure xmlns='urn:x'/>")], .connectionStartTLSDeclined),
            Refusal("SMTP where XMPP is expected", xmpp, [smtp.answers[0], []], .connectionStartTLSFailed),
            Refusal(
                "XMPP of brackets without end", xmpp, [text("<a" + String(repeating: ">", count: 20_000)), []],
                .connectionStartTLSFailed),
            Refusal(
                "MySQL without TLS", mysql, [PrologueScript.mySQL(capabilities: 0xf7ff)], .connectionStartTLSDeclined),
            Refusal("MySQL that refuses the client", mysql, [error], .connectionStartTLSDeclined),
            Refusal("MySQL of protocol 9", mysql, [[2, 0, 0, 0, 9, 0]], .connectionStartTLSFailed),
            Refusal(
                "MySQL with a greeting that is cut", mysql, [[4, 0, 0, 0, 10, 56, 0, 1]], .connectionStartTLSFailed),
            Refusal("MySQL with a packet of 16 MiB", mysql, [[0xff, 0xff, 0xff, 0, 10]], .connectionStartTLSFailed),
            Refusal("SMTP where MySQL is expected", mysql, [smtp.answers[0]], .connectionStartTLSFailed),
        ]
    }

    @Test("The error names a server that declines TLS or uses another protocol", arguments: try refusals())
    func refused(row: Refusal) async throws {
        let server = try await LabServer.start(.good)
        let peer = try await ScriptedPeer(row.script.peer(replacing: row.answers), leadingTo: server.port)
        let result = await probe(
            server, port: peer.port, row.script.prologue,
            timeout: row.reason == .connectionTimedOut ? .milliseconds(300) : .seconds(30))
        #expect(reason(result) == row.reason, "\(result)")
        #expect(server.counts.handshakes == 0)
        while peer.openConnections > 0 { try await Task.sleep(for: .milliseconds(5)) }
        await server.stop()
        await peer.stop()
    }

    @Test("The error escapes and truncates the server's text")
    func words() async throws {
        let server = try await LabServer.start(.good)
        let text = "554 \u{1b}[2J\u{202e}" + String(repeating: "long ", count: 1000) + "\r\n"
        let peer = try await ScriptedPeer([.init(bytes: Array(text.utf8), after: 0)])
        guard case .failure(let error) = await probe(server, port: peer.port, .smtp) else {
            Issue.record("a server that declines got a report")
            return
        }
        #expect(error.description.utf8.count < 300)
        #expect(error.description.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{202e}" })
        await server.stop()
        await peer.stop()
    }

    @Test(
        "A step accepts or refuses an answer with changed bytes, but never traps", arguments: try PrologueScript.all())
    func mutations(script: PrologueScript) throws {
        var generator = SystemRandomNumberGenerator()
        for (step, answer) in zip(script.prologue.steps, script.answers) {
            for index in answer.indices {
                for value in [0, 0x0a, 0x3e, 0x7f, 0x80, 0x84, 0xff, UInt8.random(in: 0...255, using: &generator)] {
                    var changed = answer
                    changed[index] = value
                    try feed(changed, to: step)
                }
            }
        }
    }

    /// Passes an answer to a step as the connection does.
    private func feed(_ bytes: [UInt8], to step: TLSPrologue.Step) throws {
        for count in 1...bytes.count {
            do { if try step.isAnswer(Array(bytes.prefix(count))) { return } } catch {
                #expect(error is PrologueRefusal)
                return
            }
        }
    }
}
