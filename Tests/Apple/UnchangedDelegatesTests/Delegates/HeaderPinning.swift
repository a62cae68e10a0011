// SPDX-License-Identifier: Apache-2.0

import CommonCrypto
import Foundation
import Security

/// Pins the SHA-256 digest of the SubjectPublicKeyInfo, composed of a header for the kind of key and Apple's
/// representation.
final class HeaderPinning: NSObject, URLSessionDelegate {
    private static let rsa2048Header: [UInt8] = [
        0x30, 0x82, 0x01, 0x22, 0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05,
        0x00,
        0x03, 0x82, 0x01, 0x0f, 0x00,
    ]
    private static let rsa4096Header: [UInt8] = [
        0x30, 0x82, 0x02, 0x22, 0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05,
        0x00,
        0x03, 0x82, 0x02, 0x0f, 0x00,
    ]
    private static let p256Header: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48,
        0xce,
        0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]

    private let pins: Set<String>

    init(pins: Set<String>) { self.pins = pins }

    private func pin(_ certificate: SecCertificate) -> String? {
        guard let key = SecCertificateCopyKey(certificate),
            let data = SecKeyCopyExternalRepresentation(key, nil) as Data?,
            let attributes = SecKeyCopyAttributes(key) as? [String: Any],
            let type = attributes[kSecAttrKeyType as String] as? String,
            let size = attributes[kSecAttrKeySizeInBits as String] as? Int
        else { return nil }
        var bytes: Data
        if type == kSecAttrKeyTypeRSA as String, size == 2048 {
            bytes = Data(Self.rsa2048Header)
        } else if type == kSecAttrKeyTypeRSA as String, size == 4096 {
            bytes = Data(Self.rsa4096Header)
        } else if type == kSecAttrKeyTypeECSECPrimeRandom as String, size == 256 {
            bytes = Data(Self.p256Header)
        } else {
            return nil
        }
        bytes.append(data)
        var hash = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
        bytes.withUnsafeBytes { buffer in
            _ = CC_SHA256(buffer.baseAddress, CC_LONG(buffer.count), &hash)
        }
        return Data(hash).base64EncodedString()
    }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust,
            let trust = challenge.protectionSpace.serverTrust
        else { return completionHandler(.performDefaultHandling, nil) }
        var error: CFError?
        guard SecTrustEvaluateWithError(trust, &error),
            let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate],
            chain.contains(where: { pin($0).map(pins.contains) ?? false })
        else { return completionHandler(.cancelAuthenticationChallenge, nil) }
        completionHandler(.useCredential, URLCredential(trust: trust))
    }
}
