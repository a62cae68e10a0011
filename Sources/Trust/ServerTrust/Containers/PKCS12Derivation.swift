// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Foundation
import SwiftASN1

/// The derivation of a MAC's key from a passphrase (RFC 7292 § B.2).
package struct PKCS12Derivation {
    /// A limit on the iterations for one file. The file states the iterations of each derivation, and it may contain
    /// many derivations.
    ///
    /// The limit is 2,000,000 in total. Programs write 2,048 to 600,000 for each of at most three derivations.
    package struct Budget {
        package var remaining: Int

        package init(remaining: Int = 2_000_000) { self.remaining = remaining }

        mutating func spend(_ iterations: Int) throws {
            guard iterations >= 1 else { throw PKCS12Error.malformed }
            guard iterations <= remaining else { throw PKCS12Error.unsupported(.iterations) }
            remaining -= iterations
        }
    }

    let salt: [UInt8]
    let iterations: Int

    /// Returns whether `mac` is the HMAC of `message` with the digest `algorithm`.
    func isMAC(
        _ mac: [UInt8], of message: [UInt8], by algorithm: String, passphrase: String, _ budget: inout Budget
    ) throws -> Bool {
        try budget.spend(iterations)
        return switch algorithm {
        case "1.3.14.3.2.26": isMAC(mac, of: message, Insecure.SHA1.self, passphrase)
        case "2.16.840.1.101.3.4.2.1": isMAC(mac, of: message, SHA256.self, passphrase)
        case "2.16.840.1.101.3.4.2.2": isMAC(mac, of: message, SHA384.self, passphrase)
        case "2.16.840.1.101.3.4.2.3": isMAC(mac, of: message, SHA512.self, passphrase)
        default: throw PKCS12Error.unsupported(.digest(algorithm))
        }
    }

    private func isMAC<Hash: HashFunction>(
        _ mac: [UInt8], of message: [UInt8], _ hash: Hash.Type, _ passphrase: String
    ) -> Bool {
        let key = SymmetricKey(data: key(hash, passphrase))
        return HMAC<Hash>.isValidAuthenticationCode(mac, authenticating: message, using: key)
    }

    /// Returns a key for a MAC, with as many bytes as the digest.
    private func key<Hash: HashFunction>(_ hash: Hash.Type, _ passphrase: String) -> [UInt8] {
        let block = Hash.blockByteCount
        // A BMPString with its terminator (RFC 7292 § B.1).
        var text: [UInt8] = []
        for unit in Array(passphrase.utf16) + [0] { text += [UInt8(unit >> 8), UInt8(unit & 0xff)] }
        let purpose = [UInt8](repeating: 3, count: block)
        var digest = Array(Hash.hash(data: purpose + Self.filled(salt, block) + Self.filled(text, block)))
        for _ in 1..<max(iterations, 1) { digest = Array(Hash.hash(data: digest)) }
        return digest
    }

    /// Returns `bytes`, repeated to a multiple of `block`. Empty for empty input.
    private static func filled(_ bytes: [UInt8], _ block: Int) -> [UInt8] {
        let count = (bytes.count + block - 1) / block * block
        return (0..<count).map { bytes[$0 % bytes.count] }
    }
}

/// Decryption with PBES2, which combines PBKDF2 and AES-CBC (RFC 8018 § 6.2).
package enum PBES2 {
    /// Decrypts `bytes` as described by an AlgorithmIdentifier.
    /// - Throws: ``PKCS12Error/unsupported(_:)`` for another algorithm. ``PKCS12Error/wrongPassphrase`` if the result
    ///   has no valid padding.
    static func decrypt(
        _ bytes: [UInt8], by algorithm: ASN1Node, passphrase: String, _ budget: inout PKCS12Derivation.Budget
    ) throws -> [UInt8] {
        let (derivation, size, vector) = try schemes(algorithm)
        let key = try key(derivation, size: size, passphrase: passphrase, &budget)
        let iv = try AES._CBC.IV(ivBytes: ASN1OctetString(derEncoded: vector).bytes)
        guard let plain = try? AES._CBC.decrypt(bytes, using: key, iv: iv) else {
            throw PKCS12Error.wrongPassphrase
        }
        return Array(plain)
    }

    /// Decrypts a private key (EncryptedPrivateKeyInfo, RFC 5958 § 3).
    /// - Throws: the errors of ``decrypt(_:by:passphrase:_:)``, and errors for malformed DER.
    package static func decryptPrivateKey(
        _ der: [UInt8], passphrase: String, _ budget: inout PKCS12Derivation.Budget
    ) throws -> [UInt8] {
        let parts = try DER.elements(of: der)
        guard parts.count == 2 else { throw PKCS12Error.malformed }
        return try decrypt(
            Array(ASN1OctetString(derEncoded: parts[1]).bytes), by: parts[0], passphrase: passphrase, &budget)
    }

    /// Throws ``PKCS12Error/unsupported(_:)`` for an algorithm that ``decrypt(_:by:passphrase:_:)`` doesn't support.
    static func check(_ algorithm: ASN1Node) throws {
        let (derivation, _, _) = try schemes(algorithm)
        let (type, _) = try identified(derivation)
        guard type == "1.2.840.113549.1.5.12" else { throw PKCS12Error.unsupported(.encryption(type)) }
    }

    /// Returns the key derivation, the size of the key in bytes, and the cipher's parameters.
    private static func schemes(
        _ algorithm: ASN1Node
    ) throws -> (derivation: ASN1Node, size: Int, vector: ASN1Node) {
        let (type, parameters) = try identified(algorithm)
        guard type == "1.2.840.113549.1.5.13" else { throw PKCS12Error.unsupported(.encryption(type)) }
        let schemes = try DER.children(of: parameters)
        guard schemes.count == 2 else { throw PKCS12Error.malformed }
        let (cipher, vector) = try identified(schemes[1])
        let sizes = [
            "2.16.840.1.101.3.4.1.2": 16, "2.16.840.1.101.3.4.1.22": 24, "2.16.840.1.101.3.4.1.42": 32,
        ]
        guard let size = sizes[cipher] else { throw PKCS12Error.unsupported(.encryption(cipher)) }
        return (schemes[0], size, vector)
    }

    private static func key(
        _ derivation: ASN1Node, size: Int, passphrase: String, _ budget: inout PKCS12Derivation.Budget
    ) throws -> SymmetricKey {
        let (type, parameters) = try identified(derivation)
        guard type == "1.2.840.113549.1.5.12" else { throw PKCS12Error.unsupported(.encryption(type)) }
        var fields = try DER.children(of: parameters)[...]
        guard let salt = fields.popFirst(), let count = fields.popFirst() else { throw PKCS12Error.malformed }
        let iterations = try Int(derEncoded: count)
        // The cipher determines the size of the key.
        if fields.first?.identifier == .integer { fields.removeFirst() }
        let hash = try hash(fields.first)
        // A SHA-1 digest is shorter than most keys, so they need two blocks and twice the iterations.
        let blocks = hash == .insecureSHA1 && size > 20 ? 2 : 1
        let (rounds, isOverflown) = iterations.multipliedReportingOverflow(by: blocks)
        guard !isOverflown else { throw PKCS12Error.unsupported(.iterations) }
        try budget.spend(rounds)
        return try KDF.Insecure.PBKDF2.deriveKey(
            from: Array(passphrase.utf8), salt: Array(ASN1OctetString(derEncoded: salt).bytes),
            using: hash, outputByteCount: size, unsafeUncheckedRounds: iterations)
    }

    /// Returns the digest of the pseudorandom function. The default is HMAC with SHA-1.
    private static func hash(_ node: ASN1Node?) throws -> KDF.Insecure.PBKDF2.HashFunction {
        guard let node else { return .insecureSHA1 }
        guard let type = try DER.children(of: node).first else { throw PKCS12Error.malformed }
        let algorithm = try ASN1ObjectIdentifier(derEncoded: type).description
        switch algorithm {
        case "1.2.840.113549.2.7": return .insecureSHA1
        case "1.2.840.113549.2.9": return .sha256
        case "1.2.840.113549.2.10": return .sha384
        case "1.2.840.113549.2.11": return .sha512
        default: throw PKCS12Error.unsupported(.digest(algorithm))
        }
    }

    /// Returns the parts of an AlgorithmIdentifier with parameters.
    private static func identified(_ node: ASN1Node) throws -> (type: String, parameters: ASN1Node) {
        let parts = try DER.children(of: node)
        guard parts.count == 2 else { throw PKCS12Error.malformed }
        return (try ASN1ObjectIdentifier(derEncoded: parts[0]).description, parts[1])
    }
}
