// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import HandshakeProbeCore

/// The server's part of a handshake. The first byte chooses the client's offer and the meaning of the rest:
///
/// * even: the server's bytes, unchanged.
/// * odd: TLS 1.3 messages. The target encrypts them for the client after a valid hello, in records whose size is the
///   second byte.
///
/// The answer must be the same for one piece and byte by byte, and can only be an observation within its limits.
#if !REPLAY
@c(LLVMFuzzerTestOneInput)
#endif
public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    let data = Array(UnsafeRawBufferPointer(start: start, count: count))
    guard let mode = data.first, count > 2 else { return 0 }
    let flight = mode & 1 == 0 ? Array(data.dropFirst()) : FixedServer.flight(mode, Array(data.dropFirst()))
    var whole = FixedServer.probe(mode)
    let hello = whole.start()
    precondition(hello.count > 100 && hello.count < 2000)
    let answer = whole.receive(flight)
    check(whole, answer)
    var pieces = FixedServer.probe(mode)
    _ = pieces.start()
    var answers: [UInt8] = []
    for byte in flight { answers += pieces.receive(CollectionOfOne(byte)) }
    precondition(answers == answer && pieces.observation == whole.observation)
    switch (whole.result, pieces.result) {
    case (.success(let one), .success(let other)): precondition(one == other)
    case (.failure(let one), .failure(let other)): precondition(one.code == other.code)
    case (nil, nil):
        whole.end()
        check(whole, [])
    default: preconditionFailure("pieces change the answer")
    }
    return 0
}

private func check(_ probe: HandshakeProbe, _ answer: [UInt8]) {
    let seen = probe.observation
    precondition(answer.count < 20_000 && seen.certificates.count <= 256 && seen.warnings.count <= 4)
    precondition((seen.clientCertificateRequest?.authorities.count ?? 0) <= ClientCertificateRequest.maximumAuthorities)
    guard case .success(let seen) = probe.result else { return }
    precondition(!seen.certificates.isEmpty && seen.version != nil && seen.cipherSuite != nil)
    precondition(seen.signature != .pending)
    // TLS 1.3 has no handshake without a signature.
    if seen.version == .tls13 { precondition(seen.signature != .none && seen.signatureScheme?.isForTLS13 == true) }
}

/// A server and a client with fixed keys.
private enum FixedServer {
    static let share = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: [UInt8](repeating: 5, count: 32))

    static let secrets: ProbeSecrets = {
        var secrets = ProbeSecrets()
        secrets.random = [UInt8](repeating: 1, count: 32)
        secrets.sessionID = [UInt8](repeating: 2, count: 32)
        if let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: [UInt8](repeating: 3, count: 32)) {
            secrets.x25519 = key
        }
        if let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: [UInt8](repeating: 4, count: 32)) {
            secrets.p256 = key
        }
        secrets.p384 = try? P384.KeyAgreement.PrivateKey(rawRepresentation: [UInt8](repeating: 4, count: 48))
        secrets.p521 = try? P521.KeyAgreement.PrivateKey(
            rawRepresentation: [0] + [UInt8](repeating: 4, count: 65))
        return secrets
    }()

    static func probe(_ mode: UInt8) -> HandshakeProbe {
        let versions: [ProtocolVersion] = [.tls12, .tls10, .tls13, .tls12]
        let offer = ProbeOffer(
            serverName: "a.test", applicationProtocols: ["h2", "http/1.1"],
            minimumVersion: mode & 1 == 1 ? .tls12 : versions[Int(mode >> 1) & 3])
        return HandshakeProbe(offer, secrets: secrets) { request in
            request.signature.first == 0 ? .invalid : .valid
        }
    }

    /// Returns a valid hello, followed by the encrypted messages.
    static func flight(_ mode: UInt8, _ data: [UInt8]) -> [UInt8] {
        guard let share, let secret = try? share.sharedSecretFromKeyAgreement(with: secrets.x25519.publicKey) else {
            return []
        }
        let suite: UInt16 = 0x1301 + UInt16(mode >> 1) % 3
        let key: [UInt8] = [0, 51, 0, 36, 0, 29, 0, 32] + share.publicKey.rawRepresentation
        let extensions: [UInt8] = key + [0, 43, 0, 2, 3, 4]
        let body: [UInt8] =
            [3, 3] + [UInt8](repeating: 7, count: 32) + [32] + secrets.sessionID
            + [UInt8(suite >> 8), UInt8(suite & 0xff), 0, 0, UInt8(extensions.count)] + extensions
        let hello: [UInt8] = [2, 0, 0, UInt8(body.count)] + body
        var client = probe(mode)
        var protection = RecordProtection(
            CipherSuite(rawValue: suite), secret: secret.withUnsafeBytes { Array($0) },
            transcript: client.start().dropFirst(5) + hello)
        var flight: [UInt8] = [22, 3, 3, 0, UInt8(hello.count)] + hello
        let size = Int(data[0]) * 16 + 1
        var rest = data.dropFirst()
        while !rest.isEmpty {
            // If the mode says so, a record's first byte is also its type. A zero is padding.
            let kind: UInt8 = mode & 0x40 == 0 ? 22 : rest.first ?? 22
            flight += protection.seal(Array(rest.prefix(size)), kind: kind)
            rest = rest.dropFirst(size)
        }
        return flight
    }
}
