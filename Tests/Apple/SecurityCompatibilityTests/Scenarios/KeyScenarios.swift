// SPDX-License-Identifier: Apache-2.0

// Except for the imports, this file only uses the API of Apple's frameworks. It is compiled on Linux unchanged, and
// against stubs of Apple's declarations (Tests/External/apple).
import Foundation

#if canImport(Darwin)
import Security
#else
import SecurityCompatibility
#endif

/// An app's public keys, made from bytes, which verify signatures of documents such as pin lists.
enum KeyScenarios {
    /// Creates a key, or returns the code of the error.
    static func key(_ data: Data, _ type: CFString, _ keyClass: CFString = kSecAttrKeyClassPublic) -> (SecKey?, Int?) {
        let attributes: [String: Any] = [
            kSecAttrKeyType as String: type, kSecAttrKeyClass as String: keyClass,
            kSecAttrKeySizeInBits as String: 2048,
        ]
        var error: Unmanaged<CFError>?
        let key = SecKeyCreateWithData(data as CFData, attributes as CFDictionary, &error)
        return (key.flatMap { SecKeyCopyPublicKey($0) }, error.map { CFErrorGetCode($0.takeRetainedValue()) })
    }

    /// Verifies a document's signature. Returns whether it is valid, or the error code.
    static func verify(
        _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ document: Data, _ signature: Data
    ) -> (isValid: Bool, code: Int?) {
        guard SecKeyIsAlgorithmSupported(key, .verify, algorithm) else { return (false, Int(errSecParam)) }
        var error: Unmanaged<CFError>?
        let isValid = SecKeyVerifySignature(key, algorithm, document as CFData, signature as CFData, &error)
        return (isValid, error.map { CFErrorGetCode($0.takeRetainedValue()) })
    }

    /// Returns a certificate's public key the way old iOS programs read it.
    @available(*, deprecated)
    static func olderKey(_ certificate: SecCertificate) -> SecKey? { SecCertificateCopyPublicKey(certificate) }

    /// Returns the bytes of a certificate, copied through CoreFoundation's pointer.
    static func bytes(_ certificate: SecCertificate) -> Data {
        let data = SecCertificateCopyData(certificate)
        let pointer = CFDataGetBytePtr(data)
        return NSData(bytes: pointer, length: CFDataGetLength(data)) as Data
    }

    /// Returns whether two certificates are equal, and whether two arrays of them are.
    static func areEqual(_ left: SecCertificate, _ right: SecCertificate) -> (Bool, Bool) {
        (CFEqual(left, right), CFEqual([left] as CFArray, [right] as CFArray))
    }

    /// Returns an error from an app's own checks.
    static func error(_ status: OSStatus) -> CFError {
        let info = [NSLocalizedDescriptionKey: "not pinned"] as CFDictionary
        return CFErrorCreate(kCFAllocatorDefault, kCFErrorDomainOSStatus, CFIndex(status), info)
    }

    /// Returns a nonce for a request.
    static func nonce(_ count: Int) -> Data? {
        var bytes = [UInt8](repeating: 0, count: count)
        guard SecRandomCopyBytes(kSecRandomDefault, bytes.count, &bytes) == noErr else { return nil }
        return CFDataCreate(kCFAllocatorDefault, bytes, bytes.count) as Data
    }
}
