// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A certificate with OpenSSL's trust settings, which follow it (`X509_AUX`, label `TRUSTED CERTIFICATE`).
package struct TrustedCertificate: Sendable {
    /// The certificate.
    package let certificate: Certificate
    /// The purposes that the certificate is trusted for, as extended key usages, or nil without a restriction.
    package let trusted: [OID]?
    /// The purposes that the certificate isn't trusted for.
    package let rejected: [OID]
    /// The unmodified name that its owner gave it. Only show it as printable text.
    package let alias: String?

    /// Returns whether the settings allow the certificate as an anchor for a purpose. They must reject neither the
    /// purpose nor anyExtendedKeyUsage, and a list of trusted purposes has to contain one of the two. For
    /// ``/PKIX/ValidationPolicy/Purpose/any`` they must reject no purpose, and a list has to contain
    /// anyExtendedKeyUsage.
    package func isTrusted(for purpose: ValidationPolicy.Purpose) -> Bool {
        let wanted: OID
        switch purpose {
        case .serverAuth: wanted = .serverAuth
        case .clientAuth: wanted = .clientAuth
        case .any: return rejected.isEmpty && trusted.map { $0.contains(.anyExtendedKeyUsage) } ?? true
        }
        guard !rejected.contains(wanted), !rejected.contains(.anyExtendedKeyUsage) else { return false }
        return trusted.map { $0.contains(wanted) || $0.contains(.anyExtendedKeyUsage) } ?? true
    }
}

extension TrustedCertificate {
    /// Returns whether a value has the form of OpenSSL's `X509_CERT_AUX`: optional lists of purposes, a name, a key
    /// identifier and other members, in this order. An empty SEQUENCE has this form too.
    static func isSettings(_ value: TLV) -> Bool {
        guard value.tag == TLV.Tag.sequence, !value.isTruncated else { return false }
        return settings(value) != nil
    }

    /// Parses a certificate and the settings after it.
    /// - Parameter der: the certificate, and the settings if it has any.
    /// - Throws: `DERError` of the certificate.
    /// - Returns: nil if the bytes after the certificate aren't settings.
    package init?(der: [UInt8]) throws(DERError) {
        guard let outer = TLV(der[...]), !outer.isTruncated else {
            // The certificate's own parser throws the reason.
            _ = try Certificate(der: der)
            return nil
        }
        let certificate = try Certificate(der: Array(der[..<outer.statedEnd]))
        guard outer.statedEnd < der.count else {
            self.init(certificate: certificate, trusted: nil, rejected: [], alias: nil)
            return
        }
        guard let value = TLV(der[outer.statedEnd...]), value.statedEnd == der.count,
            let settings = Self.settings(value)
        else { return nil }
        self.init(
            certificate: certificate, trusted: settings.trusted, rejected: settings.rejected ?? [],
            alias: settings.alias)
    }

    private static func settings(_ value: TLV) -> (trusted: [OID]?, rejected: [OID]?, alias: String?)? {
        guard value.tag == TLV.Tag.sequence else { return nil }
        var members = value.members(6)[...]
        // Every byte belongs to a member.
        guard members.last?.statedEnd ?? value.contents.startIndex == value.contents.endIndex else { return nil }
        var found: (trusted: [OID]?, rejected: [OID]?, alias: String?) = (nil, nil, nil)
        if let first = members.first, first.tag == TLV.Tag.sequence {
            guard let purposes = purposes(first) else { return nil }
            found.trusted = purposes
            members.removeFirst()
        }
        if let first = members.first, first.tag == TLV.Tag.contextConstructed(0) {
            guard let purposes = purposes(first) else { return nil }
            found.rejected = purposes
            members.removeFirst()
        }
        if let first = members.first, first.tag == TLV.Tag.utf8String {
            found.alias = clipped(String(decoding: first.contents.prefix(1_024), as: UTF8.self), to: 200)
            members.removeFirst()
        }
        if members.first?.tag == TLV.Tag.octetString { members.removeFirst() }
        if members.first?.tag == TLV.Tag.contextConstructed(1) { members.removeFirst() }
        return members.isEmpty ? found : nil
    }

    private static func purposes(_ list: TLV) -> [OID]? {
        let members = list.members(256)
        guard members.last?.statedEnd ?? list.contents.startIndex == list.contents.endIndex else { return nil }
        var purposes: [OID] = []
        for member in members {
            guard member.tag == TLV.Tag.objectIdentifier, let purpose = OID(contents: member.contents) else {
                return nil
            }
            purposes.append(purpose)
        }
        return purposes
    }
}

extension OID {
    /// Creates an identifier from contents octets, or nil if they are empty, truncated or too many (X.690 § 8.19).
    init?(contents: ArraySlice<UInt8>) {
        guard let value = OID(TLV.dotted(contents)) else { return nil }
        self = value
    }
}
