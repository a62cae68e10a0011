// SPDX-License-Identifier: Apache-2.0

// Written against the API of Apple's frameworks alone, but for the imports: compiled on Linux as it is, and against stubs of Apple's
// declarations (Tests/External/apple).
import Foundation

#if canImport(Darwin)
    import Security
#else
    import SecurityCompatibility
#endif

/// Public keys of an app: from bytes, and for signatures of documents such as lists of pins.
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

    /// Whether a document is signed, or the code of the error.
    static func verify(
        _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ document: Data, _ signature: Data
    ) -> (isValid: Bool, code: Int?) {
        guard SecKeyIsAlgorithmSupported(key, .verify, algorithm) else { return (false, Int(errSecParam)) }
        var error: Unmanaged<CFError>?
        let isValid = SecKeyVerifySignature(key, algorithm, document as CFData, signature as CFData, &error)
        return (isValid, error.map { CFErrorGetCode($0.takeRetainedValue()) })
    }

    /// The public key of a certificate, as old programs for iOS read it.
    @available(*, deprecated)
    static func olderKey(_ certificate: SecCertificate) -> SecKey? { SecCertificateCopyPublicKey(certificate) }

    /// The bytes of a certificate, copied through the pointer of CoreFoundation.
    static func bytes(_ certificate: SecCertificate) -> Data {
        let data = SecCertificateCopyData(certificate)
        let pointer = CFDataGetBytePtr(data)
        return NSData(bytes: pointer, length: CFDataGetLength(data)) as Data
    }

    /// Whether two certificates are equal, and two arrays of them.
    static func areEqual(_ left: SecCertificate, _ right: SecCertificate) -> (Bool, Bool) {
        (CFEqual(left, right), CFEqual([left] as CFArray, [right] as CFArray))
    }

    /// An error of an app's own checks.
    static func error(_ status: OSStatus) -> CFError {
        let info = [NSLocalizedDescriptionKey: "not pinned"] as CFDictionary
        return CFErrorCreate(kCFAllocatorDefault, kCFErrorDomainOSStatus, CFIndex(status), info)
    }

    /// A nonce for a request.
    static func nonce(_ count: Int) -> Data? {
        var bytes = [UInt8](repeating: 0, count: count)
        guard SecRandomCopyBytes(kSecRandomDefault, bytes.count, &bytes) == noErr else { return nil }
        return CFDataCreate(kCFAllocatorDefault, bytes, bytes.count) as Data
    }
}
