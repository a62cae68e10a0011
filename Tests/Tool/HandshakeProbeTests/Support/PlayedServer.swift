// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import PKIX
import ServerTrustTesting

@testable import ServerObservation

/// The server's side of a handshake, for a client with known secrets. Tests can change every part of it.
struct PlayedServer {
    let secrets: ProbeSecrets
    let key = P256.Signing.PrivateKey()
    let leaf: [UInt8]
    let share = Curve25519.KeyAgreement.PrivateKey()
    var random = [UInt8](repeating: 7, count: 32)
    var suite: UInt16 = 0x1301

    init() throws {
        var secrets = ProbeSecrets()
        secrets.random = [UInt8](repeating: 1, count: 32)
        secrets.sessionID = [UInt8](repeating: 2, count: 32)
        self.secrets = secrets
        leaf = try TestAuthority.selfSigned(
            .leaf("api.lab.test"), key: TestKey(pemRepresentation: key.pemRepresentation)
        ).certificate.der
    }

    func probe(_ minimum: ProtocolVersion = .tls12, protocols: [String] = ["h2"]) -> HandshakeProbe {
        HandshakeProbe(
            ProbeOffer(serverName: "api.lab.test", applicationProtocols: protocols, minimumVersion: minimum),
            secrets: secrets)
    }

    // MARK: - TLS 1.3

    static let versions13 = field(43, [3, 4])

    func keyShare() -> [UInt8] {
        Self.field(51, [0, 29] + vector(2, Array(share.publicKey.rawRepresentation)))
    }

    /// A ServerHello.
    func hello(_ extensions: [UInt8]? = nil, version: [UInt8] = [3, 3], sessionID: [UInt8]? = nil) -> [UInt8] {
        let body =
            version + random + vector(1, sessionID ?? secrets.sessionID) + [UInt8(suite >> 8), UInt8(suite & 0xff), 0]
            + vector(2, extensions ?? keyShare() + Self.versions13)
        return Self.message(2, body)
    }

    func certificate(entry extensions: [UInt8] = []) -> [UInt8] {
        Self.message(11, [0] + vector(3, vector(3, leaf) + vector(2, extensions)))
    }

    func verify(_ transcript: [UInt8], scheme: [UInt8] = [4, 3]) throws -> [UInt8] {
        let digest = suite == 0x1302 ? Array(SHA384.hash(data: transcript)) : Array(SHA256.hash(data: transcript))
        let signed =
            [UInt8](repeating: 32, count: 64) + Array("TLS 1.3, server CertificateVerify".utf8) + [0] + digest
        return Self.message(15, scheme + vector(2, Array(try key.signature(for: signed).derRepresentation)))
    }

    func protection(_ transcript: [UInt8]) throws -> RecordProtection {
        let secret = try share.sharedSecretFromKeyAgreement(with: secrets.x25519.publicKey)
        return RecordProtection(
            CipherSuite(rawValue: suite), secret: secret.withUnsafeBytes { Array($0) }, transcript: transcript)
    }

    /// Returns the flight that follows a client's hello: one unencrypted record, then encrypted records with a message
    /// each.
    func flight(
        to client: [UInt8], encrypted: [UInt8] = message(8, vector(2, [])), request: [UInt8] = [],
        certificate: [UInt8]? = nil, scheme: [UInt8] = [4, 3]
    ) throws -> [[UInt8]] {
        let hello = hello()
        var transcript = Array(client.dropFirst(5)) + hello
        var protection = try protection(transcript)
        var records = [Self.record(hello)]
        for message in [encrypted, request, certificate ?? self.certificate()] where !message.isEmpty {
            transcript += message
            records.append(protection.seal(message, kind: 22))
        }
        records.append(protection.seal(try verify(transcript, scheme: scheme), kind: 22))
        return records
    }

    // MARK: - TLS 1.2

    /// The signed parameters of an X25519 key exchange.
    var parameters: [UInt8] { [3, 0, 29] + vector(1, Array(share.publicKey.rawRepresentation)) }

    func exchange(_ parameters: [UInt8]? = nil, scheme: [UInt8] = [4, 3], over random: [UInt8]? = nil) throws -> [UInt8]
    {
        let parameters = parameters ?? self.parameters
        let signed = (random ?? secrets.random) + self.random + parameters
        return Self.message(
            12, parameters + scheme + vector(2, Array(try key.signature(for: signed).derRepresentation)))
    }

    var certificate12: [UInt8] { Self.message(11, vector(3, vector(3, leaf))) }

    static let done = message(14, [])

    // MARK: - Encoding

    static func message(_ kind: UInt8, _ body: [UInt8]) -> [UInt8] { [kind] + vector(3, body) }
    static func record(_ fragment: [UInt8], kind: UInt8 = 22) -> [UInt8] { [kind, 3, 3] + vector(2, fragment) }
    static func field(_ type: UInt16, _ content: [UInt8]) -> [UInt8] {
        [UInt8(type >> 8), UInt8(type & 0xff)] + vector(2, content)
    }
}

/// Returns bytes, preceded by their length.
func vector(_ width: Int, _ content: [UInt8]) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: content.count >> (8 * $0)) } + content
}

extension HandshakeProbe {
    /// The error code, or nil if there is no error.
    var code: HandshakeError.Code? {
        if case .failure(let error) = result { error.code } else { nil }
    }

    /// The observation, or nil unless the handshake is complete.
    var seen: HandshakeObservation? { try? result?.get() }
}
