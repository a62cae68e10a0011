// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import PKIX

/// Returns the printable properties of a certificate: a dictionary of OIDs, each with a dictionary of
/// `kSecPropertyKeyLabel`, `kSecPropertyKeyType` and `kSecPropertyKeyValue`. Apple has this function only on macOS.
///
/// The properties are version, serial number, subject and issuer by attribute, validity, key, signature algorithm,
/// and each extension with its bytes. Alternative names, key usage and extended key usage are strings.
/// Unauthenticated.
/// - Parameters:
///   - certificate: the certificate.
///   - keys: the OIDs to return, as strings, or nil for all.
///   - error: never set.
public func SecCertificateCopyValues(
    _ certificate: SecCertificate, _ keys: CFArray?, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFDictionary? {
    let values = certificate.certificate.printableValues
    guard let wanted = keys.map({ Set($0.compactMap { $0 as? String }) }) else { return values }
    return values.filter { wanted.contains($0.key) }
}

/// The key of a property's label, a string.
public let kSecPropertyKeyLabel: CFString = "label"
/// The key of a property's type, such as ``kSecPropertyTypeString``.
public let kSecPropertyKeyType: CFString = "type"
/// The key of a property's value.
public let kSecPropertyKeyValue: CFString = "value"
/// A string.
public let kSecPropertyTypeString: CFString = "string"
/// Bytes.
public let kSecPropertyTypeData: CFString = "data"
/// Seconds since 2001-01-01T00:00:00Z, a number.
public let kSecPropertyTypeNumber: CFString = "number"
/// An array of properties.
public let kSecPropertyTypeSection: CFString = "section"
/// A title, in the properties of a trust object.
public let kSecPropertyTypeTitle: CFString = "title"
/// An error, in the properties of a trust object.
public let kSecPropertyTypeError: CFString = "error"

// Apple's numbers for parts of a certificate that aren't extensions (CSSM_OID_X509V1…,
// 2.16.840.1.113741.2.1.1.1.n).
/// The version.
public let kSecOIDX509V1Version: CFString = "2.16.840.1.113741.2.1.1.1.2"
/// The serial number.
public let kSecOIDX509V1SerialNumber: CFString = "2.16.840.1.113741.2.1.1.1.3"
/// The issuer.
public let kSecOIDX509V1IssuerName: CFString = "2.16.840.1.113741.2.1.1.1.5"
/// The first second of validity.
public let kSecOIDX509V1ValidityNotBefore: CFString = "2.16.840.1.113741.2.1.1.1.6"
/// The last second of validity.
public let kSecOIDX509V1ValidityNotAfter: CFString = "2.16.840.1.113741.2.1.1.1.7"
/// The subject.
public let kSecOIDX509V1SubjectName: CFString = "2.16.840.1.113741.2.1.1.1.8"
/// The public key.
public let kSecOIDX509V1SubjectPublicKey: CFString = "2.16.840.1.113741.2.1.1.1.10"
/// The signature algorithm.
public let kSecOIDX509V1SignatureAlgorithm: CFString = "2.16.840.1.113741.2.1.3.2.1"
/// The alternative names of the subject.
public let kSecOIDSubjectAltName: CFString = "2.5.29.17"
/// The key usage.
public let kSecOIDKeyUsage: CFString = "2.5.29.15"
/// The extended key usage.
public let kSecOIDExtendedKeyUsage: CFString = "2.5.29.37"
/// The basic constraints.
public let kSecOIDBasicConstraints: CFString = "2.5.29.19"
/// The attribute `commonName`.
public let kSecOIDCommonName: CFString = "2.5.4.3"
/// The attribute `organizationName`.
public let kSecOIDOrganizationName: CFString = "2.5.4.10"
/// The attribute `organizationalUnitName`.
public let kSecOIDOrganizationalUnitName: CFString = "2.5.4.11"
/// The attribute `countryName`.
public let kSecOIDCountryName: CFString = "2.5.4.6"

extension Certificate {
    fileprivate var printableValues: [String: Any] {
        var values: [String: Any] = [
            kSecOIDX509V1Version: property("Version", kSecPropertyTypeString, String(version)),
            kSecOIDX509V1SerialNumber: property(
                "Serial Number", kSecPropertyTypeString, serialNumber.description),
            kSecOIDX509V1SubjectName: property("Subject Name", kSecPropertyTypeSection, subject.properties),
            kSecOIDX509V1IssuerName: property("Issuer Name", kSecPropertyTypeSection, issuer.properties),
            kSecOIDX509V1ValidityNotBefore: property(
                "Not Valid Before", kSecPropertyTypeNumber,
                NSNumber(value: Date(notBefore).timeIntervalSinceReferenceDate)),
            kSecOIDX509V1ValidityNotAfter: property(
                "Not Valid After", kSecPropertyTypeNumber,
                NSNumber(value: Date(notAfter).timeIntervalSinceReferenceDate)),
            kSecOIDX509V1SubjectPublicKey: property(
                "Public Key", kSecPropertyTypeData, Data(subjectPublicKeyInfo.keyDescription.contents)),
            kSecOIDX509V1SignatureAlgorithm: property(
                "Signature Algorithm", kSecPropertyTypeString, signatureAlgorithm.description),
        ]
        for part in extensions {
            let name = part.identifier.description
            values[name] = property(name, kSecPropertyTypeData, Data(part.value))
        }
        if let names = subjectAlternativeNames {
            values[kSecOIDSubjectAltName] = section(
                "Subject Alternative Name", names.map(\.labelled))
        }
        if let usage = keyUsage {
            values[kSecOIDKeyUsage] = section("Key Usage", usage.names.map { ("Usage", $0) })
        }
        if let usages = extendedKeyUsage {
            values[kSecOIDExtendedKeyUsage] = section(
                "Extended Key Usage", usages.map { ("Purpose", $0.description) })
        }
        return values
    }

    private func section(_ label: String, _ texts: [(String, String)]) -> [String: Any] {
        property(label, kSecPropertyTypeSection, texts.map { property($0.0, kSecPropertyTypeString, $0.1) })
    }
}

extension GeneralName {
    /// A label, and the name to display.
    fileprivate var labelled: (String, String) {
        let (label, text) =
            switch self {
            case .dnsName(let name): ("DNS Name", name)
            case .rfc822Name(let address): ("Email Address", address)
            case .uniformResourceIdentifier(let uri): ("URI", uri)
            case .ipAddress: ("IP Address", String(description.dropFirst("IP:".count)))
            default: ("Name", description)
            }
        return (label, DistinguishedName.printable(text))
    }
}

extension DistinguishedName {
    fileprivate var properties: [[String: Any]] {
        relativeNames.joined().map { attribute in
            let text = attribute.value.map(Self.printable) ?? Hex.encode(attribute.der)
            return property(attribute.type.description, kSecPropertyTypeString, text)
        }
    }
}

func property(_ label: String, _ type: String, _ value: Any) -> [String: Any] {
    [kSecPropertyKeyLabel: label, kSecPropertyKeyType: type, kSecPropertyKeyValue: value]
}
#endif
