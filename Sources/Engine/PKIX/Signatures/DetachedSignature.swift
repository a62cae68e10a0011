// SPDX-License-Identifier: Apache-2.0

extension SubjectPublicKeyInfo {
    /// Whether this key has made a detached signature over a message. Supported are RSA with 2048 to 8192 bits by PKCS
    /// #1 v1.5 and ECDSA on P-256 in DER, both with SHA-256, and Ed25519. False for other keys, and if the bytes aren't
    /// a key.
    package func isValid(_ signature: [UInt8], over message: [UInt8]) -> Bool {
        let view = der[...]
        var reader = DERReader(view.span)
        guard let places = try? reader.nextPublicKeyInfo() else { return false }
        let form = KeyForm.read(view.span, places)
        let scheme: SignatureScheme
        switch form {
        case .p256: scheme = .ecdsa(.sha256)
        case .rsa(let numbers) where numbers.bits >= 2048 && numbers.bits <= 8192: scheme = .rsaPKCS1(.sha256)
        case .ed25519: scheme = .ed25519
        default: return false
        }
        guard let key = VerificationKey(view.span, places, form) else { return false }
        let bytes = (message + signature)[...]
        return key.isValid(
            ByteRange(message.count, bytes.count), over: ByteRange(0, message.count), of: bytes.span, scheme: scheme)
    }
}
