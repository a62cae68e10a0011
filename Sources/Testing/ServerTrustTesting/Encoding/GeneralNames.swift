// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import SwiftASN1
@preconcurrency import X509

/// Short forms of names. In a subject alternative name, they are whole names. In a name constraint, they are the names
/// that the constraint covers (RFC 5280 § 4.2.1.10: `.dns("example.com")`, `.email("@example.com")`,
/// `.uri(".example.com")`).
extension PKIX.GeneralName {
    /// Returns a dNSName, which may also be a wildcard such as `*.example.com`. Not checked: its syntax.
    static func dns(_ name: String) -> Self { .dnsName(name) }

    /// Returns an rfc822Name. Not checked: its syntax.
    static func email(_ address: String) -> Self { .rfc822Name(address) }

    /// Returns a uniformResourceIdentifier. Not checked: its syntax.
    package static func uri(_ uri: String) -> Self { .uniformResourceIdentifier(uri) }

    /// Returns an iPAddress of 4 or 16 bytes.
    /// - Throws: ``TestInputError`` unless `text` is an address such as `192.0.2.1` or `2001:db8::1`.
    static func ip(_ text: String) throws -> Self {
        guard let address = IPAddress(text) else { throw TestInputError(text: text, expected: "an IP address") }
        return .ipAddress(address.bytes)
    }

    /// Returns a network for a name constraint: the address and its mask, 8 or 32 bytes. For a mask with gaps, use
    /// `.ipAddress(bytes)`.
    /// - Throws: ``TestInputError`` unless `text` is a subnet such as `192.0.2.0/24` or `2001:db8::/32`. Bits outside
    ///   the mask may be set.
    package static func subnet(_ text: String) throws -> Self {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let address = IPAddress(parts[0]), let length = Int(parts[1]),
            (0...address.bytes.count * 8).contains(length)
        else { throw TestInputError(text: text, expected: "a network such as 192.0.2.0/24") }
        let mask = address.bytes.indices.map { index in
            UInt8(truncatingIfNeeded: 0xff00 >> min(8, max(0, length - index * 8)))
        }
        return .ipAddress(address.bytes + mask)
    }

    /// Returns a directoryName with these attributes in this order. In a constraint, they are the first attributes of
    /// the names that the constraint covers.
    ///
    /// It uses the same encoding as a ``CertificateTemplate``'s subject, so equal strings have equal bytes.
    /// - Throws: errors from swift-certificates, for example for a country of three letters.
    static func directory(
        country: String? = nil, organization: String? = nil, organizationalUnit: String? = nil,
        commonName: String? = nil
    ) throws -> Self {
        let name = try X509.DistinguishedName.of(
            country: country, organization: organization, organizationalUnit: organizationalUnit,
            commonName: commonName)
        return .directoryName(try PKIX.DistinguishedName(der: name.der()))
    }
}

extension X509.DistinguishedName {
    static func of(
        country: String?, organization: String?, organizationalUnit: String?, commonName: String?
    ) throws -> Self {
        try X509.DistinguishedName {
            if let country { CountryName(country) }
            if let organization { OrganizationName(organization) }
            if let organizationalUnit { OrganizationalUnitName(organizationalUnit) }
            if let commonName { CommonName(commonName) }
        }
    }

    func der() throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serialize(self)
        return serializer.serializedBytes
    }
}

extension DERWriter {
    /// A GeneralName (RFC 5280 § 4.2.1.6). Strings are written as UTF-8, whether or not they are ASCII.
    static func generalName(_ name: PKIX.GeneralName) throws -> [UInt8] {
        switch name {
        case .otherName(let type, let value): tagged(0, try oid(type), tagged(0, value))
        case .rfc822Name(let text): implicit(1, Array(text.utf8))
        case .dnsName(let text): implicit(2, Array(text.utf8))
        case .x400Address(let contents): tagged(3, contents)
        // Explicit, because Name is a CHOICE.
        case .directoryName(let name): tagged(4, name.der)
        case .ediPartyName(let contents): tagged(5, contents)
        case .uniformResourceIdentifier(let text): implicit(6, Array(text.utf8))
        case .ipAddress(let bytes): implicit(7, bytes)
        case .registeredID(let identifier): implicit(8, identifier.der)
        }
    }

    static func generalNames(_ names: [PKIX.GeneralName]) throws -> [UInt8] {
        try names.flatMap { try generalName($0) }
    }
}

#endif
