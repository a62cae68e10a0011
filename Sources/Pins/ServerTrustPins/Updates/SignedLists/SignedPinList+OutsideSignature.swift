// SPDX-License-Identifier: Apache-2.0

import Crypto

// Signatures from other programs or devices: a token (PKCS #11), a key management service, or a program on a computer
// without a network. The key stays where it is. You send the bytes to sign, and receive the signature.
//
// The caller of `adding` passes the signature and the key. A signature made with another key, or over other bytes, is
// therefore detected here, before it reaches clients.

extension SignedPinList {
    /// Returns the bytes that a key has to sign: the header in base64url, a period, and the payload in base64url (RFC
    /// 7515 § 5.1).
    ///
    /// The bytes differ from key to key, because the header names the key. Ed25519 signs the bytes as they are (not
    /// Ed25519ph). P-256 signs their SHA-256 digest.
    ///
    /// ```swift
    /// let draft = try SignedPinList.signed(payload, by: [])
    /// let signature = try await token.sign(draft.signingInput(for: safe))
    /// let list = try draft.adding(signature, by: safe)
    /// ```
    /// - Parameter key: the public key of the signature.
    public func signingInput(for key: PinSigningKey) -> [UInt8] {
        Array("\(Signature.header(for: key)).\(payload)".utf8)
    }

    /// Returns the list with a signature that another program created. It replaces an earlier signature by the same
    /// key.
    /// - Parameters:
    ///   - signature: the signature over ``signingInput(for:)``: 64 bytes for Ed25519 (RFC 8032). For P-256, it is `r`
    ///     and `s` in 64 bytes (PKCS #11, JWS), or both in DER (OpenSSL, most services).
    ///   - key: the public key of the signer.
    /// - Throws: ``PinListError`` (`ErrorCode.pinListSignatureInvalid`) if the signature isn't this key's signature
    ///   over these bytes. Whether clients accept signatures by the key isn't checked. To check it, call
    ///   ``BuiltInPinList/verify(_:at:makeManager:)``.
    public func adding(_ signature: [UInt8], by key: PinSigningKey) throws(PinListError) -> SignedPinList {
        guard let bytes = key.signature(from: signature, over: signingInput(for: key)) else {
            throw PinListError(.pinListSignatureInvalid, mistake(in: signature, by: key))
        }
        let others = signatures.filter { !$0.keyID.isExactly(key.id) }
        guard others.count < Self.maximumSignatures else {
            throw PinListError(
                .pinListTooLarge, "\(others.count + 1) signatures, expected at most \(Self.maximumSignatures)")
        }
        let added = Signature(
            protected: Signature.header(for: key), algorithm: key.algorithm, keyID: key.id, bytes: bytes)
        return SignedPinList(payload: payload, signatures: others + [added], rotations: rotations)
    }
}

// MARK: - Usual mistakes

extension SignedPinList {
    /// Returns a description of an invalid signature. It names the bytes that were signed instead, if they can be
    /// identified.
    private func mistake(in signature: [UInt8], by key: PinSigningKey) -> String {
        for (bytes, name) in otherBytes(for: key) where key.signature(from: signature, over: bytes) != nil {
            return "the signature is by \(key.id) over \(name), expected one over the unchanged signing input"
        }
        let forms = key.algorithm == .es256 ? "64 bytes or DER" : "64 bytes"
        return "\(signature.count) bytes aren't a signature by \(key.id) over the signing input, expected \(forms)"
    }

    /// Returns bytes that users often sign by mistake.
    private func otherBytes(for key: PinSigningKey) -> [(bytes: [UInt8], name: String)] {
        let input = signingInput(for: key)
        let lineFeed: [UInt8] = [0x0a]
        let carriageReturn: [UInt8] = [0x0d, 0x0a]
        let digests = [
            (Array(SHA256.hash(data: input)), "the SHA-256 of the signing input"),
            (Array(SHA512.hash(data: input)), "the SHA-512 of the signing input"),
        ]
        let list = try? unverifiedList()
        let others = ((list?.signers.keys ?? []) + (list?.root?.keys ?? [])).filter { $0 != key }
        return [
            (input + lineFeed, "the signing input with a line feed"),
            (input + carriageReturn, "the signing input with a carriage return and a line feed"),
            (payloadBytes, "the payload without its header"), (Array(payload.utf8), "the payload without its header"),
        ] + digests + others.map { (signingInput(for: $0), "the signing input for \($0.id)") }
    }
}

extension PinSigningKey {
    /// Returns a signature in JWS form (RFC 7518 § 3.4, RFC 8037 § 3.1).
    /// - Parameters:
    ///   - bytes: 64 bytes, or for P-256 an `ECDSA-Sig-Value` in DER (RFC 3279 § 2.2.3).
    ///   - message: the signed bytes.
    /// - Returns: the signature, or nil if the bytes aren't this key's signature over `message` in either form.
    fileprivate func signature(from bytes: [UInt8], over message: [UInt8]) -> [UInt8]? {
        // A DER signature is rarely 64 bytes long, and the numbers in it have to verify, too.
        if verifies(bytes, over: message) { return bytes }
        guard algorithm == .es256, let signature = try? P256.Signing.ECDSASignature(derRepresentation: bytes) else {
            return nil
        }
        let joined = Array(signature.rawRepresentation)
        return verifies(joined, over: message) ? joined : nil
    }
}
