// SPDX-License-Identifier: Apache-2.0

import SwiftASN1

/// The decrypted private keys and certificates of a PKCS #12 file (RFC 7292).
///
/// Supports files in DER with a MAC by passphrase (RFC 7292 § 4). Keys and certificates may be unencrypted or encrypted
/// by PBES2 with AES-CBC (RFC 8018 § 6.2). The older encryption with RC2 and Triple DES is
/// ``PKCS12Error/unsupported(_:)``.
package struct PKCS12File {
    /// The private keys as PKCS #8 in DER, at most 16.
    package private(set) var keys: [[UInt8]] = []
    /// The certificates in DER, in the order of the file.
    package private(set) var certificates: [[UInt8]] = []

    /// Parses a file.
    /// - Throws: ``PKCS12Error``, and other errors for malformed DER.
    package init(_ bytes: [UInt8], passphrase: String) throws {
        var budget = PKCS12Derivation.Budget()
        try self.init(
            authenticatedSafe: Self.authenticated(bytes, passphrase, &budget), passphrase: passphrase, &budget)
    }

    /// Parses an AuthenticatedSafe (RFC 7292 § 4.1) whose MAC has been checked.
    package init(
        authenticatedSafe contents: [UInt8], passphrase: String, _ budget: inout PKCS12Derivation.Budget
    ) throws {
        for part in try DER.elements(of: contents) {
            let (type, value) = try DER.tagged(part)
            switch type {
            case "1.2.840.113549.1.7.1":
                try read(Array(ASN1OctetString(derEncoded: value).bytes), passphrase, &budget)
            case "1.2.840.113549.1.7.6":
                try read(Self.decrypted(value, passphrase, &budget), passphrase, &budget)
            default: throw PKCS12Error.unsupported(.content)
            }
        }
        // Every key is checked when it is created, and each check takes time.
        guard keys.count <= 16 else { throw PKCS12Error.unsupported(.keys) }
    }

    /// Returns the AuthenticatedSafe after checking its MAC.
    /// - Parameter requiresMAC: whether a file without a MAC is malformed. The certificates of such a file are as
    ///   unauthenticated as those in a PEM file.
    package static func authenticated(
        _ bytes: [UInt8], _ passphrase: String, requiresMAC: Bool = true, _ budget: inout PKCS12Derivation.Budget
    ) throws -> [UInt8] {
        let (file, contents) = try outer(bytes)
        guard file.count == 3 else {
            guard !requiresMAC else { throw PKCS12Error.malformed }
            return contents
        }
        let mac = try DER.children(of: file[2])
        guard (2...3).contains(mac.count) else { throw PKCS12Error.malformed }
        let digest = try DER.children(of: mac[0])
        guard digest.count == 2, let algorithm = try DER.children(of: digest[0]).first else {
            throw PKCS12Error.malformed
        }
        let derivation = PKCS12Derivation(
            salt: Array(try ASN1OctetString(derEncoded: mac[1]).bytes),
            iterations: try mac.count == 3 ? Int(derEncoded: mac[2]) : 1)
        let expected = Array(try ASN1OctetString(derEncoded: digest[1]).bytes)
        guard
            try derivation.isMAC(
                expected, of: contents, by: ASN1ObjectIdentifier(derEncoded: algorithm).description,
                passphrase: passphrase, &budget)
        else { throw PKCS12Error.wrongPassphrase }
        return contents
    }

    /// Returns the members of a PFX (RFC 7292 § 4), which are version, contents and an optional MAC, and then the
    /// contents.
    private static func outer(_ bytes: [UInt8]) throws -> (file: [ASN1Node], contents: [UInt8]) {
        let file = try DER.children(of: DER.parse(bytes))
        guard (2...3).contains(file.count), try Int(derEncoded: file[0]) == 3 else { throw PKCS12Error.malformed }
        let (type, value) = try DER.tagged(file[1])
        guard type == "1.2.840.113549.1.7.1" else { throw PKCS12Error.unsupported(.content) }
        return (file, Array(try ASN1OctetString(derEncoded: value).bytes))
    }

    /// Throws ``PKCS12Error/unsupported(_:)`` if an unsupported algorithm encrypts the certificates or keys. Call this
    /// before you ask for a passphrase. Decrypts nothing and doesn't check the MAC.
    package static func checkEncryption(_ bytes: [UInt8]) throws {
        for part in try DER.elements(of: outer(bytes).contents) {
            let (type, value) = try DER.tagged(part)
            switch type {
            case "1.2.840.113549.1.7.1":
                for bag in try DER.elements(of: Array(ASN1OctetString(derEncoded: value).bytes)) {
                    let (type, key) = try DER.tagged(bag)
                    guard type == "1.2.840.113549.1.12.10.1.2", let algorithm = try DER.children(of: key).first else {
                        continue
                    }
                    try PBES2.check(algorithm)
                }
            case "1.2.840.113549.1.7.6": try PBES2.check(try encryptedContent(value).algorithm)
            default: throw PKCS12Error.unsupported(.content)
            }
        }
    }

    /// Returns the algorithm and the bytes of an EncryptedData (RFC 5652 § 8).
    private static func encryptedContent(_ value: ASN1Node) throws -> (algorithm: ASN1Node, bytes: [UInt8]) {
        let data = try DER.children(of: value)
        guard data.count >= 2 else { throw PKCS12Error.malformed }
        let content = try DER.children(of: data[1])
        guard content.count == 3, case .primitive(let bytes) = content[2].content,
            content[2].identifier == .init(tagWithNumber: 0, tagClass: .contextSpecific)
        else { throw PKCS12Error.malformed }
        return (content[1], Array(bytes))
    }

    /// Returns the SafeContents of an EncryptedData (RFC 5652 § 8).
    private static func decrypted(
        _ value: ASN1Node, _ passphrase: String, _ budget: inout PKCS12Derivation.Budget
    ) throws -> [UInt8] {
        let (algorithm, bytes) = try encryptedContent(value)
        return try PBES2.decrypt(bytes, by: algorithm, passphrase: passphrase, &budget)
    }

    /// Parses SafeContents (RFC 7292 § 4.2). Skips bags of other kinds.
    private mutating func read(
        _ safeContents: [UInt8], _ passphrase: String, _ budget: inout PKCS12Derivation.Budget
    ) throws {
        for bag in try DER.elements(of: safeContents) {
            let (type, value) = try DER.tagged(bag)
            switch type {
            case "1.2.840.113549.1.12.10.1.1": keys.append(Array(value.encodedBytes))
            case "1.2.840.113549.1.12.10.1.2":
                let encrypted = try DER.children(of: value)
                guard encrypted.count == 2 else { throw PKCS12Error.malformed }
                let bytes = Array(try ASN1OctetString(derEncoded: encrypted[1]).bytes)
                keys.append(
                    try PBES2.decrypt(bytes, by: encrypted[0], passphrase: passphrase, &budget))
            case "1.2.840.113549.1.12.10.1.3":
                let (kind, certificate) = try DER.tagged(value)
                guard kind == "1.2.840.113549.1.9.22.1" else { continue }
                certificates.append(Array(try ASN1OctetString(derEncoded: certificate).bytes))
            default: continue
            }
        }
    }
}

/// The reason why a PKCS #12 file can't be parsed.
package enum PKCS12Error: Error, Sendable, Hashable {
    case malformed, wrongPassphrase
    case unsupported(Feature)

    /// An unsupported feature. This set is complete.
    package enum Feature: Sendable, Hashable {
        /// An encryption, by its object identifier.
        case encryption(String)
        /// A digest or MAC, by its object identifier.
        case digest(String)
        /// Contents of another type, in files with public-key encryption or signatures.
        case content
        /// More iterations than ``PKCS12Derivation/Budget`` allows.
        case iterations
        /// More than 16 keys.
        case keys
    }
}

extension DER {
    /// Returns the elements of a SEQUENCE.
    static func children(of node: ASN1Node) throws -> [ASN1Node] {
        guard node.identifier == .sequence, case .constructed(let children) = node.content else {
            throw PKCS12Error.malformed
        }
        return Array(children)
    }

    /// Returns the elements of a SEQUENCE in DER.
    static func elements(of bytes: [UInt8]) throws -> [ASN1Node] { try children(of: parse(bytes)) }

    /// Returns the parts of a SEQUENCE that consists of a type, a value in `[0]` EXPLICIT, and optional further
    /// elements.
    static func tagged(_ node: ASN1Node) throws -> (type: String, value: ASN1Node) {
        let parts = try children(of: node)
        guard parts.count >= 2, parts[1].identifier == .init(tagWithNumber: 0, tagClass: .contextSpecific),
            case .constructed(let values) = parts[1].content
        else { throw PKCS12Error.malformed }
        let inside = Array(values)
        guard inside.count == 1 else { throw PKCS12Error.malformed }
        return (try ASN1ObjectIdentifier(derEncoded: parts[0]).description, inside[0])
    }
}
