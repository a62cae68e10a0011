// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import PKIX

/// Returns the name to display: the subject's last common name, else its last organizational unit, its last
/// organization, or the first e-mail address or DNS name, or nil if there isn't one.
///
/// The name is unauthenticated and isn't a server's identity (RFC 9525 § 2). Control characters are written as
/// numbers.
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> CFString? {
    let subject = certificate.certificate.subject
    let types: [OID] = [.commonName, .organizationalUnitName, .organizationName]
    let name = types.lazy.compactMap { subject.values(of: $0).last }.first ?? certificate.certificate.otherName
    return name.map(DistinguishedName.printable)
}

/// Stores the last common name of the subject, or nil if there isn't one.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecCertificateCopyCommonName(
    _ certificate: SecCertificate, _ commonName: UnsafeMutablePointer<CFString?>
) -> OSStatus {
    commonName.pointee = certificate.certificate.subject.commonNames.last
    return errSecSuccess
}

/// Stores the e-mail addresses of the subject and the alternative names, or an empty array if there aren't any.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecCertificateCopyEmailAddresses(
    _ certificate: SecCertificate, _ emailAddresses: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    emailAddresses.pointee = certificate.certificate.emailAddresses
    return errSecSuccess
}

/// Returns the issuer in DER, normalized like Apple's. Letters of ASCII strings are uppercase, without spaces at
/// the ends, and with single spaces instead of repeated ones.
///
/// Use it to look up equal names. Names in other string types stay unchanged. `DistinguishedName` compares by RFC
/// 5280 § 7.1.
public func SecCertificateCopyNormalizedIssuerSequence(_ certificate: SecCertificate) -> CFData? {
    certificate.certificate.issuer.normalizedSequence
}

/// Returns the subject in DER, normalized like ``SecCertificateCopyNormalizedIssuerSequence(_:)``.
public func SecCertificateCopyNormalizedSubjectSequence(_ certificate: SecCertificate) -> CFData? {
    certificate.certificate.subject.normalizedSequence
}

extension Certificate {
    /// The first e-mail address or DNS name among the alternative names.
    fileprivate var otherName: String? {
        subjectAlternativeNames?.lazy.compactMap { name in
            switch name {
            case .rfc822Name(let text), .dnsName(let text): text
            default: nil
            }
        }.first
    }

    fileprivate var emailAddresses: [String] {
        let alternative = (subjectAlternativeNames ?? []).compactMap { name in
            if case .rfc822Name(let address) = name { address } else { nil }
        }
        // A certificate of 1 MiB can have tens of thousands of each.
        let known = Set(alternative)
        return alternative + subject.values(of: .emailAddress).filter { !known.contains($0) }
    }
}

extension DistinguishedName {
    fileprivate var normalizedSequence: Data {
        let names = relativeNames.map { attributes in
            let members = attributes.map { attribute in
                DERBytes.value(0x30, DERBytes.value(0x06, attribute.type.der) + Self.normalized(attribute.der))
            }
            // A SET OF is sorted in DER (X.690 § 11.6). Normalizing may have changed the order.
            return DERBytes.value(0x31, members.sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 })
        }
        return Data(DERBytes.value(0x30, names.flatMap { $0 }))
    }

    /// Returns the value, normalized if it is a PrintableString or an IA5String.
    private static func normalized(_ value: [UInt8]) -> [UInt8] {
        guard let tag = value.first, tag == 0x13 || tag == 0x16, let (_, contents) = split(value) else {
            return value
        }
        let words = contents.split(separator: 0x20)
        let text = words.map { $0.map { (0x61...0x7a).contains($0) ? $0 - 0x20 : $0 } }.joined(separator: [0x20])
        return DERBytes.value(tag, Array(text))
    }

    /// Returns the header and the contents of a previously parsed encoding.
    private static func split(_ value: [UInt8]) -> (header: ArraySlice<UInt8>, contents: ArraySlice<UInt8>)? {
        guard value.count >= 2 else { return nil }
        let count = value[1] < 0x80 ? 2 : 2 + Int(value[1] & 0x7f)
        guard count <= value.count else { return nil }
        return (value[..<count], value[count...])
    }
}
#endif
