// SPDX-License-Identifier: Apache-2.0

// Except for the imports, this file only uses the API of Apple's frameworks. It is compiled on Linux unchanged, and
// against stubs of Apple's declarations (Tests/External/apple).
import Foundation

#if canImport(Darwin)
import Security
#else
import SecurityCompatibility
#endif

/// Certificates of a server or a CA in the app, compared byte by byte as ISPCertificatePinning does.
final class CertificatePins {
    private var pins: [String: [Data]] = [:]

    func set(_ certificates: [Data], for domain: String) { pins[domain] = certificates }

    /// Returns whether the system trusts the server and a certificate of its chain is pinned.
    func verify(_ trust: SecTrust, domain: String) -> Bool {
        guard let certificates = pins[domain] else { return false }
        var error: CFError?
        guard SecTrustEvaluateWithError(trust, &error) else { return false }
        guard let chain = SecTrustCopyCertificateChain(trust), CFArrayGetCount(chain) > 0 else { return false }
        for certificate in chain as? [SecCertificate] ?? [] {
            if certificates.contains(SecCertificateCopyData(certificate) as Data) { return true }
        }
        return false
    }
}

/// SHA-256 pins of the SubjectPublicKeyInfo, which is composed of a header and the key, as TrustKit does.
struct PublicKeyPins {
    let pins: Set<Data>
    let sha256: (Data) -> Data

    func verify(_ trust: SecTrust) -> Bool {
        guard SecTrustEvaluateWithError(trust, nil) else { return false }
        let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
        return chain.contains { certificate in
            guard let key = SecCertificateCopyKey(certificate), let info = Self.publicKeyInfo(key) else { return false }
            return pins.contains(sha256(info))
        }
    }

    static func publicKeyInfo(_ key: SecKey) -> Data? {
        guard let bits = SecKeyCopyExternalRepresentation(key, nil) as Data?,
            let attributes = SecKeyCopyAttributes(key) as? [String: Any],
            let type = attributes[kSecAttrKeyType as String] as? String,
            let size = attributes[kSecAttrKeySizeInBits as String] as? Int
        else { return nil }
        return headers["\(type) \(size)"].map { Data($0) + bits }
    }

    private static let headers: [String: [UInt8]] = [
        "\(kSecAttrKeyTypeRSA as String) 2048": [
            0x30, 0x82, 0x01, 0x22, 0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05,
            0x00, 0x03, 0x82, 0x01, 0x0f, 0x00,
        ],
        "\(kSecAttrKeyTypeECSECPrimeRandom as String) 256": [
            0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48,
            0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
        ],
        "\(kSecAttrKeyTypeECSECPrimeRandom as String) 384": [
            0x30, 0x76, 0x30, 0x10, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x05, 0x2b, 0x81, 0x04,
            0x00, 0x22, 0x03, 0x62, 0x00,
        ],
    ]
}

/// Public keys of certificates in the app, compared as keys as Alamofire does.
enum PublicKeys {
    static func verify(_ trust: SecTrust, host: String, keysOf certificates: [Data]) -> Bool {
        SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, host as CFString))
        guard SecTrustEvaluateWithError(trust, nil) else { return false }
        let pinned = certificates.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
            .compactMap { SecCertificateCopyKey($0) }
        let served = (SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? [])
            .compactMap { SecCertificateCopyKey($0) }
        return served.contains { key in pinned.contains { $0 == key } }
    }
}
