// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import PKIX
import Testing

@testable import ServerObservation

@Suite("A server's flight")
struct FlightTests {
    @Test(
        "The probe reads TLS 1.3 up to the server's signature, with every cipher suite",
        arguments: [0x1301, 0x1302, 0x1303] as [UInt16])
    func tls13(suite: UInt16) throws {
        var server = try PlayedServer()
        server.suite = suite
        var probe = server.probe()
        let hello = probe.start()
        let list = vector(2, vector(2, [1, 2, 3]))
        let entry =
            PlayedServer.field(5, [1] + vector(3, [0x30, 0])) + PlayedServer.field(18, list)
        let flight = try server.flight(
            to: hello,
            encrypted: PlayedServer.message(
                8, vector(2, PlayedServer.field(16, vector(2, vector(1, Array("h2".utf8)))))),
            request: PlayedServer.message(
                13,
                [0]
                    + vector(
                        2,
                        PlayedServer.field(13, vector(2, [4, 3]))
                            + PlayedServer.field(47, vector(2, vector(2, [0x30, 0]))))),
            certificate: server.certificate(entry: entry))
        for record in flight { #expect(probe.receive(record).isEmpty) }
        let seen = try #require(probe.seen, "\(String(describing: probe.result))")
        #expect(seen.version == .tls13 && seen.cipherSuite?.rawValue == suite && seen.group == .x25519)
        #expect(seen.applicationProtocol == "h2" && seen.signatureScheme == .ecdsaP256SHA256)
        #expect(seen.signature == .valid && seen.certificates == [server.leaf])
        #expect(seen.staple == [0x30, 0] && seen.timestampList == list)
        #expect(seen.clientCertificateRequest?.authorities == [[0x30, 0]])
        #expect(seen.clientCertificateRequest?.signatureSchemes == [.ecdsaP256SHA256])
    }

    @Test("The probe reads TLS 1.2 up to the server's signature and to the end, all at once or byte by byte")
    func tls12() throws {
        var server = try PlayedServer()
        server.suite = 0xc02b
        let list = vector(2, vector(2, [1, 2, 3]))
        let extensions = PlayedServer.field(5, []) + PlayedServer.field(18, list) + PlayedServer.field(23, [])
        let messages =
            server.hello(extensions, sessionID: []) + server.certificate12
            + PlayedServer.message(22, [1] + vector(3, [0x30, 0])) + (try server.exchange())
            + PlayedServer.message(13, vector(1, [64]) + vector(2, [4, 3]) + vector(2, [])) + PlayedServer.done
        for size in [1, 5, 100, 16_000] {
            var probe = server.probe()
            _ = probe.start()
            var rest = messages[...]
            while !rest.isEmpty {
                for byte in PlayedServer.record(Array(rest.prefix(size))) { #expect(probe.receive([byte]).isEmpty) }
                rest = rest.dropFirst(size)
            }
            let seen = try #require(probe.seen, "\(size): \(String(describing: probe.result))")
            #expect(seen.version == .tls12 && seen.group == .x25519 && seen.signature == .valid)
            #expect(seen.staple == [0x30, 0] && seen.timestampList == list)
            #expect(seen.clientCertificateRequest != nil)
        }
    }

    @Test("The observation reports a cipher suite without a signature and doesn't check TLS 1.0 signatures")
    func withoutSignature() throws {
        var server = try PlayedServer()
        server.suite = 0x009c
        var probe = server.probe()
        _ = probe.start()
        _ = probe.receive(PlayedServer.record(server.hello([]) + server.certificate12 + PlayedServer.done))
        #expect(probe.seen?.signature == HandshakeObservation.SignatureCheck.none)
        server.suite = 0xc009
        var old = server.probe(.tls10)
        _ = old.start()
        let exchange = PlayedServer.message(12, server.parameters + vector(2, [1, 2, 3]))
        _ = old.receive(
            PlayedServer.record(
                server.hello([], version: [3, 1]) + server.certificate12 + exchange + PlayedServer.done))
        #expect(old.seen?.version == .tls10 && old.seen?.signature == .notChecked)
    }

    @Test(
        "The probe sends a second hello only once, with the group and the cookie from the server's request",
        arguments: [24, 25] as [UInt8])
    func retry(group: UInt8) throws {
        let server = try PlayedServer()
        var probe = server.probe()
        let first = probe.start()
        #expect(!first.isEmpty)
        let request = retryRequest(
            server, PlayedServer.field(51, [0, group]) + PlayedServer.field(44, vector(2, [9, 9])))
        let second = probe.receive(PlayedServer.record(request))
        #expect(second.prefix(6) == [20, 3, 3, 0, 1, 1] && second.count > 200)
        #expect(Data(second).range(of: Data(PlayedServer.field(44, vector(2, [9, 9])))) != nil)
        #expect(probe.result == nil)
        _ = probe.receive(PlayedServer.record(request))
        #expect(probe.code == .retryRefused)
    }

    @Test("A flight that is cut off at any byte causes an error, never an observation")
    func truncated() throws {
        let server = try PlayedServer()
        var probe = server.probe()
        let flight = Array(try server.flight(to: probe.start()).joined())
        for count in 0..<flight.count {
            var cut = server.probe()
            _ = cut.start()
            _ = cut.receive(flight.prefix(count))
            #expect(cut.result == nil)
            cut.end()
            #expect(cut.code == .ended)
        }
        _ = probe.receive(flight)
        #expect(probe.seen?.signature == .valid)
    }

    @Test("The probe rejects a TLS 1.3 flight if any bit outside the record headers flips")
    func flipped() throws {
        let server = try PlayedServer()
        var probe = server.probe()
        let records = try server.flight(to: probe.start())
        var start = 0
        let flight = Array(records.joined())
        for record in records {
            for index in (start + 5)..<(start + record.count) {
                var bytes = flight
                bytes[index] ^= UInt8(1 << (index % 8))
                var other = server.probe()
                _ = other.start()
                _ = other.receive(bytes)
                other.end()
                #expect(other.seen == nil, "byte \(index)")
            }
            start += record.count
        }
    }

    private func retryRequest(_ server: PlayedServer, _ extensions: [UInt8]) -> [UInt8] {
        var server = server
        server.random = Array(SHA256.hash(data: Array("HelloRetryRequest".utf8)))
        return server.hello(extensions + PlayedServer.versions13)
    }
}
