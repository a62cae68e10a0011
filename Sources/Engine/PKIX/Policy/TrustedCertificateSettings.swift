// SPDX-License-Identifier: Apache-2.0

/// The settings that follow a certificate in OpenSSL's `TRUSTED CERTIFICATE` (`X509_CERT_AUX`): purposes for which the
/// certificate is trusted or rejected.
package struct TrustedCertificateSettings: Sendable, Hashable {
    /// The purposes for which the certificate is trusted, or nil for all purposes, if there is no list.
    package internal(set) var trusted: [OID]?
    /// The purposes for which the certificate is rejected.
    package internal(set) var rejected: [OID] = []
    /// The name that the owner gave the certificate, unchecked. Only for display.
    package private(set) var alias: [UInt8]?

    /// Parses a certificate and the settings after it, if there are any.
    /// - Throws: ``DERError`` for anything else.
    package static func parse(_ der: [UInt8]) throws(DERError) -> (Certificate, TrustedCertificateSettings?) {
        let view = der[...]
        var reader = DERReader(view.span)
        let whole = try reader.next(DERTag.sequence, "certificate")
        let certificate = try Certificate(der: view.span.extracting(whole.start..<whole.end))
        guard !reader.isAtEnd else { return (certificate, nil) }
        return (certificate, try TrustedCertificateSettings(&reader))
    }

    /// Parses settings without a certificate.
    package init(der: [UInt8]) throws(DERError) {
        let view = der[...]
        var reader = DERReader(view.span)
        try self.init(&reader)
    }

    private init(_ reader: inout DERReader) throws(DERError) {
        var members = try reader.nextSequence("X509_CERT_AUX")
        if let list = try members.nextIf(DERTag.sequence, "trust") {
            trusted = try members.inside(list).objectIdentifiers("trust")
        }
        if let list = try members.nextIf(DERTag.contextConstructed(0), "reject") {
            rejected = try members.inside(list).objectIdentifiers("reject")
        }
        if let name = try members.nextIf(DERTag.utf8String, "alias") { alias = reader.bytes.copy(name.contents) }
        _ = try members.nextIf(DERTag.octetString, "keyid")
        _ = try members.nextIf(DERTag.contextConstructed(1), "other")
        try members.finish("X509_CERT_AUX")
        try reader.finish("X509_CERT_AUX")
    }

    /// The purposes for which the settings reject the certificate, wherever it is in a path.
    package var rejectedPurposes: Set<ValidationPolicy.Purpose> { ValidationPolicy.Purpose.named(by: rejected) }

    /// The purposes for which the settings trust the certificate. Rejected purposes take precedence over trusted ones.
    package var purposes: Set<ValidationPolicy.Purpose> {
        let allowed = trusted.map(ValidationPolicy.Purpose.named(by:)) ?? Set(ValidationPolicy.Purpose.allCases)
        guard !rejected.isEmpty else { return allowed }
        // An evaluation without a purpose would include every purpose, even the rejected ones.
        return allowed.subtracting(ValidationPolicy.Purpose.named(by: rejected)).subtracting([.any])
    }
}

extension DERReader {
    /// Returns the object identifiers in a list. The list can have at most 256.
    fileprivate consuming func objectIdentifiers(_ field: StaticString) throws(DERError) -> [OID] {
        var list = self
        var found: [OID] = []
        while !list.isAtEnd {
            guard found.count < 256 else { throw DERError(.limitExceeded(limit: 256), in: field, at: list.position) }
            found.append(OID(checkedContents: list.bytes.copy(try list.nextObjectIdentifier(field))))
        }
        return found
    }
}

extension ValidationPolicy.Purpose {
    /// Returns the purposes that a list of key purposes names. anyExtendedKeyUsage means all of them (RFC 5280 §
    /// 4.2.1.12).
    static func named(by identifiers: [OID]) -> Set<ValidationPolicy.Purpose> {
        if identifiers.contains(.anyExtendedKeyUsage) { return Set(allCases) }
        var purposes: Set<ValidationPolicy.Purpose> = []
        if identifiers.contains(.serverAuth) { purposes.insert(.serverAuth) }
        if identifiers.contains(.clientAuth) { purposes.insert(.clientAuth) }
        return purposes
    }

    /// Returns the purposes in the value of an extended key usage.
    /// - Throws: ``DERError`` if the value isn't a list of identifiers.
    package static func named(byExtendedKeyUsage der: [UInt8]) throws(DERError) -> Set<ValidationPolicy.Purpose> {
        let view = der[...]
        let list = try DERReader(view.span).only(DERTag.sequence, "extKeyUsage")
        return named(by: try DERReader(view.span, list.contents).objectIdentifiers("extKeyUsage"))
    }
}
