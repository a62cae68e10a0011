// SPDX-License-Identifier: Apache-2.0

import Crypto

/// The public key of a Certificate Transparency log, ready to verify the log's timestamps.
package struct TransparencyLogKey: Sendable {
    /// SHA-256 of the SubjectPublicKeyInfo: the log's identifier (RFC 6962 § 3.2), computed from the key.
    package let logID: [UInt8]

    private let key: VerificationKey
    /// The number of the signature algorithm in TLS 1.2's registry: 1 for RSA, 3 for ECDSA.
    private let algorithm: UInt8

    /// Creates a key.
    /// - Parameter info: the log's key. RFC 6962 § 2.1.4 allows ECDSA on P-256, and RSA with at least 2048 bits.
    /// - Returns: nil for another kind of key, or if the bytes aren't a key.
    package init?(_ info: SubjectPublicKeyInfo) {
        let view = info.der[...]
        var reader = DERReader(view.span)
        guard let places = try? reader.nextPublicKeyInfo() else { return nil }
        let form = KeyForm.read(view.span, places)
        switch form {
        case .p256: algorithm = 3
        case .rsa(let numbers) where numbers.bits >= 2048 && numbers.bits <= 8192: algorithm = 1
        default: return nil
        }
        guard let key = VerificationKey(view.span, places, form) else { return nil }
        self.key = key
        self.logID = info.sha256
    }

    /// The subject of a timestamp.
    package enum Entry: Sendable {
        /// The certificate itself, for timestamps in the handshake and in OCSP responses.
        case certificate(Certificate)
        /// The precertificate, for embedded timestamps.
        /// - Parameters:
        ///   - certificate: the certificate with the embedded timestamps.
        ///   - issuerKeySHA256: SHA-256 of the issuer's SubjectPublicKeyInfo. Use the issuer in the path.
        case precertificate(of: Certificate, issuerKeySHA256: [UInt8])
    }

    /// Whether this key has signed a timestamp for `entry`. Not checked: the date of the timestamp.
    package func isValid(_ timestamp: SignedCertificateTimestamp, for entry: Entry) -> Bool {
        guard timestamp.logID == logID, timestamp.hash == 4, timestamp.algorithm == algorithm,
            let digest = timestamp.digest(of: entry)
        else { return false }
        return key.isValid(timestamp.signature, for: digest)
    }
}

extension SignedCertificateTimestamp {
    /// Returns the SHA-256 of the signed bytes (RFC 6962 § 3.2), or nil for the precertificate of a certificate without
    /// embedded timestamps.
    fileprivate func digest(of entry: TransparencyLogKey.Entry) -> SHA256Digest? {
        var hash = SHA256()
        // Version 1 and the signature type for a certificate timestamp.
        var start: [UInt8] = [0, 0]
        start.reserveCapacity(64)
        start.append(bigEndian: milliseconds, count: 8)
        switch entry {
        case .certificate(let certificate):
            start.append(bigEndian: 0, count: 2)
            start.append(bigEndian: UInt64(certificate.storage.count), count: 3)
            hash.update(start)
            hash.update(certificate.span)
        case .precertificate(let certificate, let issuerKeySHA256):
            guard issuerKeySHA256.count == 32, let bytes = PrecertificateBytes(certificate) else { return nil }
            start.append(bigEndian: 1, count: 2)
            start += issuerKeySHA256
            start.append(bigEndian: UInt64(bytes.count), count: 3)
            hash.update(start)
            bytes.forEachSlice(of: certificate) { hash.update($0) }
        }
        var end: [UInt8] = []
        end.append(bigEndian: UInt64(extensions.count), count: 2)
        hash.update(end + extensions)
        return hash.finalize()
    }
}

extension SHA256 {
    fileprivate mutating func update(_ bytes: [UInt8]) {
        let view = bytes[...]
        update(view.span)
    }

    fileprivate mutating func update(_ bytes: Span<UInt8>) {
        // The buffer is read inside the call.
        unsafe bytes.withUnsafeBytes { unsafe update(bufferPointer: $0) }
    }
}
