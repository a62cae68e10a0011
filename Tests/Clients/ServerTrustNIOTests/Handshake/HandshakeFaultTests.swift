// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import NIOSSL
import PKIX
import PeerScripts
import ServerTrust
import ServerTrustLab
import Testing

@testable import ServerTrustNIO

@Suite("Reasons for failed handshakes", .timeLimit(.minutes(10)))
struct HandshakeFaultTests {
    /// A server that answers a ClientHello with some bytes and closes the connection.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let answer: [UInt8]
        let reason: ErrorCode
        var startTLS: String?

        init(_ name: String, _ answer: [UInt8], _ reason: ErrorCode, _ startTLS: String? = nil) {
            self.name = name
            self.answer = answer
            self.reason = reason
            self.startTLS = startTLS
        }

        init(_ name: String, _ text: String, _ reason: ErrorCode, _ startTLS: String? = nil) {
            self.init(name, Array(text.utf8), reason, startTLS)
        }

        var testDescription: String { name }
    }

    static func alert(_ code: UInt8) -> [UInt8] { [21, 3, 3, 0, 2, 2, code] }

    static func serverHello(_ minor: UInt8) -> [UInt8] {
        let body = [3, minor] + [UInt8](repeating: 7, count: 32) + [0, 0xc0, 0x13, 0]
        let message = [2, 0, 0, UInt8(body.count)] + body
        return [22, 3, minor, 0, UInt8(message.count)] + message
    }

    static let rows = [
        Row("nginx on a plain port", "HTTP/1.1 400 Bad Request\r\nServer: nginx\r\n\r\n<html>", .connectionPlainHTTP),
        Row("an HTTP 0.9 server", "<!DOCTYPE HTML PUBLIC \"-//IETF//DTD\">", .connectionPlainHTTP),
        Row("Exim", "220 mail.example.com ESMTP Exim 4.96\r\n", .connectionStartTLSNeeded, "smtp"),
        Row(
            "a mail server that refuses the client", "554 5.7.1 you are blocked\r\n", .connectionStartTLSNeeded, "smtp"),
        Row("vsftpd", "220 (vsFTPd 3.0.3)\r\n", .connectionStartTLSNeeded, "ftp"),
        Row(
            "Dovecot over IMAP", "* OK [CAPABILITY IMAP4rev1 STARTTLS] Dovecot ready.\r\n", .connectionStartTLSNeeded,
            "imap"),
        Row("Dovecot over POP3", "+OK Dovecot ready.\r\n", .connectionStartTLSNeeded, "pop3"),
        Row(
            "Prosody", "<?xml version='1.0'?><stream:stream xmlns:stream='http://etherx.jabber.org/streams'>",
            .connectionStartTLSNeeded, "xmpp"),
        Row(
            "MariaDB", [0x4f, 0, 0, 0, 0x0a] + Array("10.11.6-MariaDB\0".utf8), .connectionStartTLSNeeded, "mysql"),
        Row(
            "slapd's notice of disconnection",
            [0x30, 0x24, 2, 1, 0, 0x78, 0x1f, 0x0a, 1, 2, 4, 0, 4, 0] + Array("1.3.6.1.4.1.1466.20036".utf8),
            .connectionStartTLSNeeded, "ldap"),
        Row("PostgreSQL", [0x45, 0, 0, 0, 0x20, 0x53] + Array("FATAL\0".utf8), .connectionStartTLSNeeded, "postgres"),
        Row("OpenSSH", "SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n", .connectionNotTLS),
        Row("Redis", "-ERR unknown command\r\n", .connectionNotTLS),
        Row("noise", [0xff, 0, 0xfe, 7, 9, 9, 9, 9], .connectionNotTLS),
        Row("an alert about the version", alert(70), .connectionOldTLSOnly),
        Row("TLS 1.1", serverHello(2), .connectionOldTLSOnly),
        Row("TLS 1.0", serverHello(1), .connectionOldTLSOnly),
        Row("SSL 3.0", serverHello(0), .connectionOldTLSOnly),
        Row("an alert about the name", alert(112), .connectionNameRefused),
        Row("an alert about a missing client certificate", alert(116), .connectionClientCertificateRequired),
        Row(
            "a client certificate from an unknown CA", serverHello(3) + alert(48), .connectionClientCertificateRequired),
        Row("an alert about access, before anything else", alert(49), .connectionHandshakeAlert),
        Row("no cipher suite in common", alert(40), .connectionHandshakeAlert),
        Row("an internal server error", alert(80), .connectionHandshakeAlert),
        Row("an alert without a name", alert(201), .connectionHandshakeAlert),
        Row("a broken ServerHello", [22, 3, 3, 0, 4, 2, 0, 0, 0], .connectionHandshakeFailed),
        Row("nothing", [], .connectionClosed),
        Row("the start of a record", [22, 3, 3], .connectionClosed),
    ]

    private func error(_ answer: [UInt8], dribbles: Bool) async throws -> ConnectionFailure? {
        let peer = try await ScriptedPeer([.init(bytes: answer, after: 1, dribbles: dribbles, closes: true)])
        var probe = TrustProbe(
            ServerTrustConfiguration(try ServerTrustManager(evaluators: [:], allHostsMustBeEvaluated: false)))
        probe.timeout = .seconds(60)
        let host = try Hostname("api.lab.test")
        defer { Task { await peer.stop() } }
        do throws(ConnectionFailure) {
            _ = try await probe.probe(host, port: peer.port, connectingTo: "127.0.0.1")
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "Each answer to a ClientHello has its own code, and no message contains a path or an internal name of the library",
        arguments: rows)
    func codes(_ row: Row) async throws {
        let error = try #require(try await error(row.answer, dribbles: false))
        #expect(error.code == row.reason, "\(error)")
        #expect(error.startTLS == row.startTLS)
        Self.expectReadable(error.detail)
    }

    /// Expects that a string contains no library internals.
    static func expectReadable(_ text: String) {
        for mark in [
            ".cc", ".c:", "OPENSSL", "NIOSSL", "BoringSSL", "boringssl", "sslError", "Error:", ".build", "Sources",
        ] {
            #expect(!text.contains(mark), "\(text)")
        }
        #expect(!text.isEmpty)
    }

    @Test("The error escapes and truncates the server's text")
    func words() async throws {
        let escape = try #require(try await error(Array("SSH-\u{1b}[2J\u{202e}".utf8) + [0x0a], dribbles: false))
        #expect(!escape.detail.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202e })
        let long = try #require(
            try await error(Array(("SSH-" + String(repeating: "x", count: 5000)).utf8), dribbles: false))
        #expect(long.detail.utf8.count < 300)
    }

    @Test("The handshake names the configured server name, or the host if none is set")
    func serverName() async throws {
        for (name, sent, other) in [
            ("new.lab.test", "new.lab.test", "api.lab.test"), (nil, "api.lab.test", "new.lab.test"),
        ] {
            let peer = try await ScriptedPeer([.init(bytes: Self.alert(40), closes: true)])
            var probe = TrustProbe(
                ServerTrustConfiguration(try ServerTrustManager(evaluators: [:], allHostsMustBeEvaluated: false)))
            probe.serverName = try name.map { try Hostname($0) }
            _ = try? await probe.probe(Hostname("api.lab.test"), port: peer.port, connectingTo: "127.0.0.1")
            let hello = String(decoding: peer.received, as: UTF8.self)
            #expect(hello.contains(sent) && !hello.contains(other))
            await peer.stop()
        }
    }

    // MARK: - Client certificates

    @Test(
        "The error distinguishes a required client certificate from other refusals, in TLS 1.2 and 1.3",
        arguments: [LabServer.TLSVersions.tls12, .tls13])
    func clientCertificate(_ versions: LabServer.TLSVersions) async throws {
        var options = LabServer.Options()
        options.versions = versions
        options.clientCertificates = .required
        let server = try await LabServer.start(.good, options: options)
        var probe = TrustProbe(server.certificates.configuration)
        probe.timeout = .seconds(60)
        let report = try await probe.probe(
            server.host, port: server.port, connectingTo: "127.0.0.1", requesting: "/")
        #expect(report.verdict.isTrusted)
        let failure = try #require(report.failure)
        #expect(failure.code == .connectionClientCertificateRequired, "\(failure)")
        Self.expectReadable(failure.detail)
        await server.stop()
    }

    // MARK: - Records

    @Test("Splitting records into pieces doesn't change how they are parsed")
    func pieces() {
        let request: [UInt8] = [13, 0, 0, 2, 1, 1]
        let bytes =
            Self.serverHello(3) + [22, 3, 3, 0, UInt8(request.count)] + request + Self.alert(40) + [20, 3, 3, 0, 1, 1]
            + Self.alert(70)
        for first in 0...bytes.count {
            for second in first...bytes.count {
                var records = ServerRecords()
                for part in [bytes[..<first], bytes[first..<second], bytes[second...]] {
                    records.read(ByteBuffer(bytes: part).readableBytesView)
                }
                #expect(records.isTLS == true)
                #expect(records.version == 0x0303)
                #expect(records.asksForCertificate)
                // The parser ignores bytes after encryption begins.
                #expect(records.alert == TLSAlert(40))
            }
        }
    }

    @Test("The parser skips a message that spans several records, and endless bytes use no more memory")
    func longMessage() {
        var records = ServerRecords()
        let chunk = [UInt8](repeating: 13, count: 16384)
        records.read(ByteBuffer(bytes: [22, 3, 3, 0x40, 0, 11, 0, 0xff, 0xfc] + chunk.dropFirst(4)).readableBytesView)
        for _ in 0..<3 { records.read(ByteBuffer(bytes: [22, 3, 3, 0x40, 0] + chunk).readableBytesView) }
        #expect(!records.asksForCertificate)
        records.read(ByteBuffer(bytes: [22, 3, 3, 0, 4, 13, 0, 0, 0]).readableBytesView)
        #expect(records.asksForCertificate)
        #expect(records.first.count == ServerRecords.maximumFirst)
    }

    @Test("The parser accepts any bytes without trapping")
    func noise() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            var records = ServerRecords()
            for _ in 0..<3 {
                var bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
                if !bytes.isEmpty, Bool.random() { bytes[0] = UInt8.random(in: 20...24) }
                if bytes.count > 4, Bool.random() { (bytes[1], bytes[3], bytes[4]) = (3, 0, UInt8.random(in: 0...40)) }
                records.read(ByteBuffer(bytes: bytes).readableBytesView)
            }
            if let failure = ConnectionFailure(records, nil, host: nil) { #expect(failure.detail.utf8.count < 700) }
        }
    }
}
