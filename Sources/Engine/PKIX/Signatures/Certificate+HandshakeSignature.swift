// SPDX-License-Identifier: Apache-2.0

extension Certificate {
    /// The result of verifying a signature of a TLS handshake.
    package enum HandshakeSignature: Sendable, Hashable {
        /// The subject's key has signed the message.
        case valid
        /// The subject's key has not signed the message, or the scheme doesn't fit the key.
        case invalid
        /// The engine doesn't verify this scheme or kind of key: MD5, SHA-1, DSA, Ed448, other curves.
        case notSupported
    }

    /// Verifies a signature of a TLS handshake with the subject's key. Not checked: the certificate, including its key
    /// usage.
    /// - Parameters:
    ///   - signature: the signature in the encoding of TLS.
    ///   - message: the signed bytes.
    ///   - number: the number of the scheme in IANA's registry (RFC 8446 § 4.2.3).
    ///   - bindsCurve: whether the number also determines the key's curve, as in TLS 1.3. In TLS 1.2 it determines only
    ///     the hash.
    package func handshakeSignature(
        _ signature: [UInt8], over message: [UInt8], scheme number: UInt16, bindsCurve: Bool
    ) -> HandshakeSignature {
        guard let scheme = SignatureScheme(handshake: number) else { return .notSupported }
        let form = KeyForm.read(span, storage.fields.spki)
        guard let key = makeVerificationKey() else {
            if case .malformed = form { return .invalid }
            return .notSupported
        }
        guard form.fits(handshake: number, bindsCurve: bindsCurve) else { return .invalid }
        let bytes = (message + signature)[...]
        return key.isValid(
            ByteRange(message.count, bytes.count), over: ByteRange(0, message.count), of: bytes.span, scheme: scheme)
            ? .valid : .invalid
    }
}

extension SignatureScheme {
    /// Creates the scheme for a number in TLS's registry. Returns nil if the engine doesn't verify the scheme.
    fileprivate init?(handshake number: UInt16) {
        switch number {
        case 0x0401: self = .rsaPKCS1(.sha256)
        case 0x0501: self = .rsaPKCS1(.sha384)
        case 0x0601: self = .rsaPKCS1(.sha512)
        case 0x0403: self = .ecdsa(.sha256)
        case 0x0503: self = .ecdsa(.sha384)
        case 0x0603: self = .ecdsa(.sha512)
        case 0x0804, 0x0809: self = .rsaPSS(.sha256)
        case 0x0805, 0x080a: self = .rsaPSS(.sha384)
        case 0x0806, 0x080b: self = .rsaPSS(.sha512)
        case 0x0807: self = .ed25519
        default: return nil
        }
    }
}

extension KeyForm {
    /// Whether a key may sign with a scheme in TLS's registry. `rsa_pss_rsae_…` needs a key for all RSA schemes, and
    /// `rsa_pss_pss_…` a key that is only for PSS. In TLS 1.3, the ECDSA schemes also determine the curve.
    fileprivate func fits(handshake number: UInt16, bindsCurve: Bool) -> Bool {
        switch (self, number) {
        case (.rsa, 0x0401), (.rsa, 0x0501), (.rsa, 0x0601), (.rsa, 0x0804...0x0806): true
        case (.rsaPSSOnly, 0x0809...0x080b): true
        case (.p256, 0x0403), (.p384, 0x0503), (.p521, 0x0603): true
        case (.p256, 0x0503), (.p256, 0x0603), (.p384, 0x0403), (.p384, 0x0603), (.p521, 0x0403), (.p521, 0x0503):
            !bindsCurve
        case (.ed25519, 0x0807): true
        default: false
        }
    }
}
