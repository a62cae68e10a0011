// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A certificate with the trust settings that OpenSSL keeps behind it (`X509_AUX`, label `TRUSTED CERTIFICATE`).
package struct TrustedCertificate: Sendable {
    /// The certificate.
    package let certificate: Certificate
    /// The purposes for which it is trusted, as extended key usages; nil for no restriction.
    package let trusted: [OID]?
    /// The purposes for which it is not trusted.
    package let rejected: [OID]
    /// The name that its owner gave it, as it stands there; show it as printable text only.
    package let alias: String?

    package init(certificate: Certificate, trusted: [OID]?, rejected: [OID], alias: String?) {
        self.certificate = certificate
        self.trusted = trusted
        self.rejected = rejected
        self.alias = alias
    }

    /// Returns whether the settings let it be an anchor for a purpose: no rejection of the purpose or of any purpose, and no list of
    /// trusted purposes without it. For ``/PKIX/ValidationPolicy/Purpose/any`` there must be no restriction at all.
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
    /// Returns whether a value has the form of OpenSSL's `X509_CERT_AUX`: optional lists of purposes, a name, a key identifier and others, in
    /// this order. An empty SEQUENCE has it.
    package static func isSettings(_ value: TLV) -> Bool {
        guard value.tag == TLV.Tag.sequence, !value.isTruncated else { return false }
        return settings(value) != nil
    }

    /// Parses a certificate and the settings behind it.
    /// - Parameter der: the certificate, and the settings if there are any.
    /// - Throws: `DERError` of the certificate.
    /// - Returns: nil for bytes behind the certificate that are no settings.
    package init?(der: [UInt8]) throws(DERError) {
        guard let outer = TLV(der[...]), !outer.isTruncated else {
            // The certificate's own parser has the reason.
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
    /// Creates an identifier from contents octets; nil if they are empty, cut off or too many (X.690 § 8.19).
    package init?(contents: ArraySlice<UInt8>) {
        guard let value = OID(TLV.dotted(contents)) else { return nil }
        self = value
    }
}
