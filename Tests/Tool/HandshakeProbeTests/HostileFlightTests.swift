// SPDX-License-Identifier: Apache-2.0

import Crypto
import PKIX
import Testing

@testable import ServerObservation

@Suite("Hostile flights", .timeLimit(.minutes(10)))
struct HostileFlightTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: HandshakeError.Code
        let bytes: @Sendable (PlayedServer, _ client: [UInt8]) throws -> [UInt8]

        init(
            _ testDescription: String, _ code: HandshakeError.Code,
            _ bytes: @escaping @Sendable (PlayedServer, _ client: [UInt8]) throws -> [UInt8]
        ) {
            self.testDescription = testDescription
            self.code = code
            self.bytes = bytes
        }
    }

    typealias Server = PlayedServer

    private static func old(_ server: Server, _ change: (inout Server) -> Void = { _ in }) -> Server {
        var server = server
        server.suite = 0xc02b
        change(&server)
        return server
    }

    private static func retry(_ server: Server, _ extensions: [UInt8]) -> [UInt8] {
        var server = server
        server.random = Array(SHA256.hash(data: Array("HelloRetryRequest".utf8)))
        return Server.record(server.hello(extensions + Server.versions13))
    }

    /// Returns a flight whose encrypted part is one record with the content.
    private static func encrypted(
        _ server: Server, _ client: [UInt8], _ content: [UInt8], kind: UInt8 = 22
    ) throws -> [UInt8] {
        let hello = server.hello()
        var protection = try server.protection(Array(client.dropFirst(5)) + hello)
        return Server.record(hello) + protection.seal(content, kind: kind)
    }

    static let records: [Row] = [
        Row("a web server without TLS", .notTLS) { _, _ in Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8) },
        Row("a mail server's greeting", .notTLS) { _, _ in Array("220 mail.lab.test ESMTP\r\n".utf8) },
        Row("zeros", .notTLS) { _, _ in [UInt8](repeating: 0, count: 100) },
        Row("encrypted data at the start", .notTLS) { _, _ in Server.record([1, 2, 3], kind: 23) },
        Row("a first record of 65,535 bytes", .notTLS) { _, _ in [22, 3, 3, 255, 255] },
        Row("a later record of 65,535 bytes", .recordTooLarge) { _, _ in
            Server.record([1], kind: 20) + [22, 3, 3, 255, 255]
        },
        Row("bytes after a record that aren't a record", .unexpected) { _, _ in
            Server.record([1], kind: 20) + Array("garbage".utf8)
        },
        Row("endless ChangeCipherSpec records", .tooManyRecords) { _, _ in
            Array(repeatElement(Server.record([1], kind: 20), count: 40).joined())
        },
        Row("endless empty records", .tooManyRecords) { _, _ in
            Array(repeatElement(Server.record([]), count: 40).joined())
        },
        Row("endless warnings", .tooManyRecords) { _, _ in
            Array(repeatElement(Server.record([1, 112], kind: 21), count: 40).joined())
        },
        Row("a ChangeCipherSpec of two bytes", .unexpected) { _, _ in Server.record([1, 1], kind: 20) },
        Row("an alert of one byte", .malformed) { _, _ in Server.record([2], kind: 21) },
        Row("a fatal alert", .alert) { _, _ in Server.record([2, 40], kind: 21) },
        Row("an alert that closes the connection", .ended) { _, _ in Server.record([1, 0], kind: 21) },
        Row("a message of 16 MiB", .tooLarge) { _, _ in Server.record([2, 255, 255, 255]) },
        Row("an unknown message", .unexpected) { _, _ in Server.record([99, 0, 0, 0]) },
        Row("the certificate before the hello", .unexpected) { server, _ in Server.record(server.certificate12) },
        Row("the client's own hello", .unexpected) { _, client in client },
    ]

    static let hellos: [Row] = [
        Row("a version that wasn't offered", .versionNotOffered) { server, _ in
            Server.record(old(server).hello([], version: [3, 1]))
        },
        Row("SSL 3.0", .versionNotOffered) { server, _ in Server.record(old(server).hello([], version: [3, 0])) },
        Row("TLS 1.2 instead of 1.3", .versionNotOffered) { server, _ in
            Server.record(server.hello(server.keyShare() + Server.field(43, [3, 3])))
        },
        Row("a suite that wasn't offered", .cipherSuiteNotOffered) { server, _ in
            Server.record(old(server) { $0.suite = 0x00ff }.hello([]))
        },
        Row("a TLS 1.2 suite in TLS 1.3", .cipherSuiteNotOffered) { server, _ in Server.record(old(server).hello()) },
        Row("a TLS 1.3 suite in TLS 1.2", .cipherSuiteNotOffered) { server, _ in Server.record(server.hello([])) },
        Row("the downgrade marker", .downgraded) { server, _ in
            Server.record(
                old(server) { $0.random = [UInt8](repeating: 7, count: 24) + Array("DOWNGRD".utf8) + [1] }.hello([]))
        },
        Row("an extension twice", .extensionRepeated) { server, _ in
            Server.record(server.hello(server.keyShare() + server.keyShare() + Server.versions13))
        },
        Row("an extension that wasn't requested", .extensionUnsolicited) { server, _ in
            Server.record(server.hello(server.keyShare() + Server.versions13 + Server.field(999, [])))
        },
        Row("an ALPN protocol in the unencrypted part of TLS 1.3", .extensionUnsolicited) { server, _ in
            let protocols = Server.field(16, vector(2, vector(1, Array("h2".utf8))))
            return Server.record(server.hello(server.keyShare() + Server.versions13 + protocols))
        },
        Row("an ALPN protocol that wasn't offered", .extensionUnsolicited) { server, _ in
            Server.record(old(server).hello(Server.field(16, vector(2, vector(1, Array("smtp".utf8))))))
        },
        Row("another session", .malformed) { server, _ in Server.record(server.hello(sessionID: [1])) },
        Row("a compression", .malformed) { server, _ in
            var bytes = server.hello()
            bytes[4 + 2 + 32 + 33 + 2] = 1
            return Server.record(bytes)
        },
        Row("bytes after the end of the hello", .malformed) { server, _ in
            Server.record(Server.message(2, Array(server.hello().dropFirst(4)) + [0]))
        },
        Row("no key", .malformed) { server, _ in Server.record(server.hello(Server.versions13)) },
        Row("a key for a group without a key share", .groupNotOffered) { server, _ in
            Server.record(
                server.hello(
                    Server.field(51, [0, 24] + vector(2, [UInt8](repeating: 4, count: 97))) + Server.versions13))
        },
        Row("an X25519 key whose shared secret is zero", .keyShareInvalid) { server, _ in
            let key = Server.field(51, [0, 29] + vector(2, [UInt8](repeating: 0, count: 32)))
            return Server.record(server.hello(key + Server.versions13))
        },
        Row("a P-256 point that isn't on the curve", .keyShareInvalid) { server, _ in
            let key = Server.field(51, [0, 23] + vector(2, [4] + [UInt8](repeating: 1, count: 64)))
            return Server.record(server.hello(key + Server.versions13))
        },
        Row("a compressed point", .keyShareInvalid) { server, _ in
            let key = Server.field(51, [0, 23] + vector(2, [2] + [UInt8](repeating: 1, count: 32)))
            return Server.record(server.hello(key + Server.versions13))
        },
        Row("an unencrypted message after the hello", .unexpected) { server, _ in
            Server.record(server.hello() + Server.message(8, vector(2, [])))
        },
        Row("a HelloRetryRequest without a reason", .retryRefused) { server, _ in retry(server, []) },
        Row("a HelloRetryRequest for a key that the client already sent", .retryRefused) { server, _ in
            retry(server, Server.field(51, [0, 29]))
        },
        Row("a HelloRetryRequest for a group that wasn't offered", .groupNotOffered) { server, _ in
            retry(server, Server.field(51, [0, 30]))
        },
        Row("endless HelloRetryRequests", .retryRefused) { server, _ in
            let request = retry(server, Server.field(51, [0, 24]))
            return request + request + request
        },
        Row("a cookie of 60,000 bytes", .tooLarge) { server, _ in
            let fragment = Array(
                retry(server, Server.field(44, vector(2, [UInt8](repeating: 1, count: 16_000)))).dropFirst(5))
            return Server.record(Array(fragment.prefix(9000))) + Server.record(Array(fragment.dropFirst(9000)))
        },
    ]

    static let messages: [Row] = [
        Row("encrypted garbage", .decryptionFailed) { server, _ in
            Server.record(server.hello()) + Server.record([UInt8](repeating: 9, count: 100), kind: 23)
        },
        Row("an encrypted record without content", .decryptionFailed) { server, _ in
            Server.record(server.hello()) + Server.record([], kind: 23)
        },
        Row("an encrypted record with only padding", .unexpected) { server, client in
            try encrypted(server, client, [0, 0, 0], kind: 0)
        },
        Row("data", .unexpected) { server, client in try encrypted(server, client, [1], kind: 23) },
        Row("an encrypted fatal alert", .alert) { server, client in
            try encrypted(server, client, [2, 116], kind: 21)
        },
        Row("a TLS 1.3 warning", .alert) { server, client in try encrypted(server, client, [1, 112], kind: 21) },
        Row("an unencrypted certificate", .unexpected) { server, _ in
            Server.record(server.hello()) + Server.record(server.certificate())
        },
        Row("a signature without a certificate", .unexpected) { server, client in
            try encrypted(
                server, client, Server.message(8, vector(2, [])) + server.verify([]))
        },
        Row("Finished instead of a certificate", .unexpected) { server, client in
            try encrypted(
                server, client,
                Server.message(8, vector(2, [])) + Server.message(20, [UInt8](repeating: 1, count: 32)))
        },
        Row("no certificate", .noCertificate) { server, client in
            try Array(server.flight(to: client, certificate: Server.message(11, [0] + vector(3, []))).joined())
        },
        Row("an empty certificate", .malformed) { server, client in
            let list = vector(3, vector(3, []) + vector(2, []))
            return try Array(server.flight(to: client, certificate: Server.message(11, [0] + list)).joined())
        },
        Row("300 certificates", .tooLarge) { server, client in
            let list = Array(repeatElement(vector(3, [0x30]) + vector(2, []), count: 300).joined())
            return try Array(server.flight(to: client, certificate: Server.message(11, [0] + vector(3, list))).joined())
        },
        Row("an empty staple", .malformed) { server, client in
            let entry = Server.field(5, [1] + vector(3, []))
            return try Array(server.flight(to: client, certificate: server.certificate(entry: entry)).joined())
        },
        Row("a certificate extension that wasn't requested", .extensionUnsolicited) { server, client in
            let entry = Server.field(50, [])
            return try Array(server.flight(to: client, certificate: server.certificate(entry: entry)).joined())
        },
        Row("a certificate request without signature schemes", .malformed) { server, client in
            let request = Server.message(13, [0] + vector(2, []))
            return try Array(server.flight(to: client, request: request).joined())
        },
        Row("a SHA-1 signature", .schemeNotOffered) { server, client in
            try Array(server.flight(to: client, scheme: [2, 3]).joined())
        },
        Row("a PKCS #1 signature in TLS 1.3", .schemeNotOffered) { server, client in
            try Array(server.flight(to: client, scheme: [4, 1]).joined())
        },
        Row("TLS 1.2: ChangeCipherSpec too early", .unexpected) { server, _ in
            Server.record(old(server).hello([])) + Server.record([1], kind: 20)
        },
        Row("TLS 1.2: a certificate status that wasn't announced", .unexpected) { server, _ in
            let server = old(server)
            return Server.record(
                server.hello([]) + server.certificate12 + Server.message(22, [1] + vector(3, [0x30, 0])))
        },
        Row("TLS 1.2: no key exchange", .unexpected) { server, _ in
            let server = old(server)
            return Server.record(server.hello([]) + server.certificate12 + Server.done)
        },
        Row("TLS 1.2: a curve given by explicit parameters", .malformed) { server, _ in
            let server = old(server)
            return try Server.record(server.hello([]) + server.certificate12 + server.exchange([1, 0, 29, 1, 1]))
        },
        Row("TLS 1.2: a group that wasn't offered", .groupNotOffered) { server, _ in
            let server = old(server)
            return try Server.record(server.hello([]) + server.certificate12 + server.exchange([3, 0, 30, 1, 1]))
        },
        Row("TLS 1.2: an RSA signature with an ECDSA suite", .schemeNotOffered) { server, _ in
            let server = old(server)
            return try Server.record(server.hello([]) + server.certificate12 + server.exchange(scheme: [4, 1]))
        },
        Row("TLS 1.2: a key exchange with a suite that has none", .unexpected) { server, _ in
            let server = old(server) { $0.suite = 0x009c }
            return try Server.record(server.hello([]) + server.certificate12 + server.exchange())
        },
    ]

    @Test("Hostile bytes end the handshake with the expected error code", arguments: records + hellos + messages)
    func hostile(row: Row) throws {
        let server = try PlayedServer()
        var probe = server.probe()
        let bytes = try row.bytes(server, probe.start())
        _ = probe.receive(bytes)
        #expect(probe.code == row.code, "\(String(describing: probe.result)) \(probe.observation)")
        // The result is the same when the bytes arrive one by one.
        var other = server.probe()
        _ = other.start()
        for byte in bytes { _ = other.receive([byte]) }
        #expect(other.code == row.code)
    }

    @Test(
        "The observation reports a signature by another key, over another transcript or over other parameters as invalid"
    )
    func wrongSignature() throws {
        let server = try PlayedServer()
        let stranger = try PlayedServer()
        // TLS 1.3: a certificate with another key, and a signature over another transcript.
        for certificate in [stranger.certificate(), server.certificate()] {
            var probe = server.probe()
            let hello = probe.start()
            var client = hello
            if certificate == server.certificate() { client[20] ^= 1 }
            let records = try server.flight(to: client, certificate: certificate)
            // The traffic keys must come from the real transcript.
            var protection = try server.protection(Array(hello.dropFirst(5)) + server.hello())
            _ = probe.receive(records[0])
            let transcript =
                Array(client.dropFirst(5)) + server.hello() + PlayedServer.message(8, vector(2, [])) + certificate
            for message in [PlayedServer.message(8, vector(2, [])), certificate, try server.verify(transcript)] {
                _ = probe.receive(protection.seal(message, kind: 22))
            }
            #expect(probe.seen?.signature == .invalid, "\(String(describing: probe.result))")
        }
        // TLS 1.2: another client random, a swapped key, and another leaf.
        let old = Self.old(server)
        let swapped = Array(old.parameters.dropLast(32)) + [UInt8](repeating: 9, count: 32)
        let exchanges = [
            try old.exchange(over: [UInt8](repeating: 3, count: 32)),
            PlayedServer.message(12, swapped + (try old.exchange()).dropFirst(4 + old.parameters.count)),
        ]
        for (exchange, certificate) in zip(
            exchanges + [try old.exchange()], [old.certificate12, old.certificate12, stranger.certificate12])
        {
            var probe = old.probe()
            _ = probe.start()
            _ = probe.receive(
                PlayedServer.record(old.hello([]) + certificate + exchange + PlayedServer.done))
            #expect(probe.seen?.signature == .invalid, "\(String(describing: probe.result))")
        }
    }

    @Test("The probe limits the total number of bytes that it reads from a server")
    func total() throws {
        let server = Self.old(try PlayedServer())
        var probe = server.probe()
        _ = probe.start()
        var fed = 0
        // One-byte fragments of a certificate message that never ends.
        _ = probe.receive(PlayedServer.record(server.hello([])) + PlayedServer.record([11, 2, 0, 0]))
        while probe.result == nil, fed < 2 << 20 {
            _ = probe.receive(PlayedServer.record([0]))
            fed += 6
        }
        #expect(probe.result != nil && fed <= HandshakeProbe.maximumBytes)
    }
}
