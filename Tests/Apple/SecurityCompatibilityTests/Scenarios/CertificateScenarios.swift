// SPDX-License-Identifier: Apache-2.0

// Except for the imports, this file only uses the API of Apple's frameworks. It is compiled on Linux unchanged, and
// against stubs of Apple's declarations (Tests/External/apple).
import Foundation

#if canImport(Darwin)
import Security
#else
import SecurityCompatibility
#endif

/// The properties of a certificate that an app displays or stores.
struct CertificateFacts: Equatable {
    var summary: String?
    var commonName: String?
    var emailAddresses: [String]
    var serialNumber: Data?
    var issuer: Data?
    var subject: Data?
    var notBefore: Date?
    var notAfter: Date?

    init?(_ data: Data) {
        guard let certificate = SecCertificateCreateWithData(nil, data as CFData) else { return nil }
        self.summary = SecCertificateCopySubjectSummary(certificate) as String?
        var name: CFString?
        guard SecCertificateCopyCommonName(certificate, &name) == errSecSuccess else { return nil }
        self.commonName = name as String?
        var addresses: CFArray?
        guard SecCertificateCopyEmailAddresses(certificate, &addresses) == errSecSuccess else { return nil }
        self.emailAddresses = addresses as? [String] ?? []
        var error: Unmanaged<CFError>?
        self.serialNumber = SecCertificateCopySerialNumberData(certificate, &error) as Data?
        self.issuer = SecCertificateCopyNormalizedIssuerSequence(certificate) as Data?
        self.subject = SecCertificateCopyNormalizedSubjectSequence(certificate) as Data?
        self.notBefore = SecCertificateCopyNotValidBeforeDate(certificate) as Date?
        self.notAfter = SecCertificateCopyNotValidAfterDate(certificate) as Date?
    }

    /// Returns the printable properties as on macOS: labels, types and values by OID.
    static func values(_ data: Data, _ keys: [String]?) -> [String: Any] {
        guard let certificate = SecCertificateCreateWithData(nil, data as CFData) else { return [:] }
        var error: Unmanaged<CFError>?
        let values = SecCertificateCopyValues(certificate, keys.map { $0 as CFArray }, &error)
        return values as? [String: Any] ?? [:]
    }

    /// Returns the end of validity as macOS programs read it before there was a function for it.
    static func expiry(_ data: Data) -> Date? {
        let values = values(data, [kSecOIDX509V1ValidityNotAfter as String])
        let entry = values[kSecOIDX509V1ValidityNotAfter as String] as? [String: Any]
        guard let seconds = entry?[kSecPropertyKeyValue as String] as? NSNumber else { return nil }
        return Date(timeIntervalSinceReferenceDate: seconds.doubleValue)
    }
}

/// The properties of a public key.
struct KeyFacts: Equatable {
    var representation: Data?
    var type: String?
    var bits: Int?
    var isPublic: Bool
    var blockSize: Int
    var error: Int?

    init(_ key: SecKey) {
        var error: Unmanaged<CFError>?
        self.representation = SecKeyCopyExternalRepresentation(key, &error) as Data?
        self.error = error.map { CFErrorGetCode($0.takeRetainedValue()) }
        let attributes = SecKeyCopyAttributes(key) as? [String: Any] ?? [:]
        self.type = attributes[kSecAttrKeyType as String] as? String
        self.bits = attributes[kSecAttrKeySizeInBits as String] as? Int
        self.isPublic = attributes[kSecAttrKeyClass as String] as? String == kSecAttrKeyClassPublic as String
        self.blockSize = SecKeyGetBlockSize(key)
    }

    static func ofCertificate(_ data: Data) -> KeyFacts? {
        guard let certificate = SecCertificateCreateWithData(nil, data as CFData) else { return nil }
        return SecCertificateCopyKey(certificate).map(KeyFacts.init)
    }

    static func ofServer(_ trust: SecTrust) -> KeyFacts? { SecTrustCopyKey(trust).map(KeyFacts.init) }
}

/// Returns a log message for a status.
func message(_ status: OSStatus) -> String {
    SecCopyErrorMessageString(status, nil) as String? ?? "OSStatus \(status)"
}
