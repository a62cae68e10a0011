// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX

/// A certificate revocation list (RFC 5280 § 5), created by ``TestIdentity/crl(_:)``.
public struct TestCRL: Sendable, Hashable {
    /// The encoding in DER.
    public let der: [UInt8]

    /// The encoding in PEM, with the label `X509 CRL`.
    public var pem: String { PEM.encode(der, label: "X509 CRL") }

    /// The contents of a CRL. By default, it is complete and empty, and has the number 1. It was issued an hour before
    /// ``TestAuthority/now``, and the next CRL is due a week after ``TestAuthority/now``.
    public struct Template: Sendable {
        /// The version: 2, or 1, which omits all extensions, including the entries' extensions.
        var version = 2
        /// The cRLNumber, or nil for none. It doesn't increase automatically.
        public var number: UInt64? = 1
        /// The number of the complete CRL that a delta CRL adds to (deltaCRLIndicator, critical), or nil for a complete
        /// CRL.
        var deltaBase: UInt64?
        /// The date of issue.
        public var thisUpdate = TestAuthority.now.advanced(by: .hours(-1))
        /// The date of the next CRL, or nil for none, which RFC 5280 forbids.
        public var nextUpdate: Time? = TestAuthority.now.advanced(by: .days(7))
        /// The revoked certificates.
        public var entries: [Entry] = []
        /// The scope of the CRL, or nil for none.
        var issuingDistributionPoint: IssuingDistributionPoint?
        /// The distribution points for delta CRLs.
        package var freshestCRL: [TestDistributionPoint] = []
        /// Whether the CRL has an authority key identifier. The default is true.
        var hasAuthorityKeyIdentifier = true
        /// Further extensions, appended unchanged, including unknown critical ones and duplicates.
        var extensions: [Extension] = []
        /// The issuer, or nil for the signer's subject.
        var issuer: DistinguishedName?
        /// The key for the signature and the authority key identifier, or nil for the signer's own key.
        var signingKey: TestKey?
        /// The signature algorithm, or nil for the key's default.
        var signatureAlgorithm: TestSignatureAlgorithm?
        /// Whether the last bit of the signature is flipped.
        var hasWrongSignature = false

        /// Creates the default contents.
        init() {}

        /// Adds a certificate to the entries.
        /// - Parameters:
        ///   - certificate: the revoked certificate.
        ///   - time: the revocation date. The default is a day before ``TestAuthority/now``.
        ///   - reason: the reason, or nil for no reasonCode.
        ///   - invalidityDate: the presumed date of the compromise, or nil for none.
        ///   - namesIssuer: whether the entry names the certificate's issuer (certificateIssuer), as an indirect CRL
        ///     has to. Without the name, an entry has the same issuer as the previous entry. For the first entry, this
        ///     is the CRL's own issuer.
        public mutating func revoke(
            _ certificate: Certificate, at time: Time = TestAuthority.now.advanced(by: .days(-1)),
            reason: RevocationReason? = nil, invalidityDate: Time? = nil, namesIssuer: Bool = false
        ) {
            var entry = Entry(serialNumber: certificate.serialNumber.bytes)
            entry.revocationDate = time
            entry.reason = reason
            entry.invalidityDate = invalidityDate
            if namesIssuer { entry.certificateIssuer = [.directoryName(certificate.issuer)] }
            entries.append(entry)
        }
    }

    /// One revoked certificate.
    public struct Entry: Sendable, Hashable {
        /// The contents of the INTEGER in two's complement, written unchanged.
        public var serialNumber: [UInt8]
        /// The revocation date. The default is a day before ``TestAuthority/now``.
        public var revocationDate = TestAuthority.now.advanced(by: .days(-1))
        /// The reasonCode, or nil for none.
        public var reason: RevocationReason?
        /// The presumed date of the compromise, or nil for none.
        var invalidityDate: Time?
        /// The certificateIssuer, critical (§ 5.3.3). Empty for none.
        var certificateIssuer: [GeneralName] = []
        /// Further extensions, appended unchanged.
        var extensions: [Extension] = []

        /// Creates an entry with only a serial number and a date.
        public init(serialNumber: [UInt8]) { self.serialNumber = serialNumber }
    }

    /// The scope of a CRL (RFC 5280 § 5.2.5), critical. The default is an empty SEQUENCE.
    package struct IssuingDistributionPoint: Sendable, Hashable {
        /// The names of the distribution point. Empty for none.
        var fullName: [GeneralName] = []
        /// A common name below the CRL issuer's name, instead of ``fullName`` (nameRelativeToCRLIssuer), or nil for
        /// none.
        var nameRelativeToCRLIssuer: String?
        /// Whether the CRL lists only end-entity certificates.
        var onlyContainsUserCertificates = false
        /// Whether the CRL lists only CA certificates.
        var onlyContainsCACertificates = false
        /// Whether the CRL lists only attribute certificates.
        var onlyContainsAttributeCertificates = false
        /// The reasons covered, or nil for all.
        var onlySomeReasons: Set<RevocationReason>?
        /// Whether the CRL lists certificates from other issuers.
        var isIndirect = false

        /// Creates a scope without restrictions.
        init() {}

        /// Returns a scope with changes: `.with { $0.isIndirect = true }`.
        static func with(
            _ change: (inout IssuingDistributionPoint) throws -> Void
        ) rethrows -> IssuingDistributionPoint {
            var point = IssuingDistributionPoint()
            try change(&point)
            return point
        }
    }
}

extension TestIdentity {
    /// Creates a CRL in this certificate's name, signed by its key. The certificate belongs to a CA or, for an indirect
    /// CRL, is a `CertificateTemplate.crlSigner(_:)`.
    ///
    /// ```swift
    /// let crl = try authority.crl { $0.revoke(leaf.certificate, reason: .keyCompromise) }
    /// let delta = try authority.crl { ($0.number, $0.deltaBase) = (2, 1) }
    /// let indirect = try signer.crl {
    ///     $0.issuingDistributionPoint = .with { $0.isIndirect = true }
    ///     $0.revoke(leaf.certificate, namesIssuer: true)
    /// }
    /// ```
    ///
    /// Not checked: whether the certificate has cRLSign, and whether the CRL makes sense.
    /// - Throws: errors from swift-certificates for an algorithm that doesn't fit the key.
    public func crl(_ change: (inout TestCRL.Template) throws -> Void = { _ in }) throws -> TestCRL {
        var template = TestCRL.Template()
        try change(&template)
        let key = template.signingKey ?? key
        let algorithm = template.signatureAlgorithm ?? key.defaultSignatureAlgorithm
        let issuer = template.issuer ?? certificate.subject
        return TestCRL(
            der: try DERWriter.signed(
                try template.toBeSigned(issuer: issuer, key: key, algorithm), by: key, algorithm,
                isBroken: template.hasWrongSignature))
    }
}

extension TestAuthority {
    /// Creates a CRL for this CA. See ``TestIdentity/crl(_:)``.
    public func crl(_ change: (inout TestCRL.Template) throws -> Void = { _ in }) throws -> TestCRL {
        try identity.crl(change)
    }
}

// MARK: - Encoding

extension TestCRL.Template {
    /// TBSCertList.
    fileprivate func toBeSigned(
        issuer: DistinguishedName, key: TestKey, _ algorithm: TestSignatureAlgorithm
    ) throws -> [UInt8] {
        let entries = try entries.map { try $0.der(version: version) }
        let extensions = version == 1 ? [] : try encodedExtensions(key: key)
        return DERWriter.sequence(
            version == 1 ? [] : DERWriter.integer(UInt64(version - 1)), algorithm.identifier, issuer.der,
            DERWriter.time(thisUpdate), nextUpdate.map { DERWriter.time($0) } ?? [],
            // An empty list "MUST be absent" (§ 5.1.2.6).
            entries.isEmpty ? [] : DERWriter.sequence(of: entries),
            extensions.isEmpty ? [] : DERWriter.tagged(0, DERWriter.sequence(of: extensions)))
    }

    private func encodedExtensions(key: TestKey) throws -> [[UInt8]] {
        let list = [
            hasAuthorityKeyIdentifier
                ? DERWriter.ext(
                    ExtensionIdentifiers.authorityKeyIdentifier,
                    DERWriter.sequence(DERWriter.implicit(0, key.identifier))) : nil,
            number.map { DERWriter.ext(ExtensionIdentifiers.cRLNumber, DERWriter.integer($0)) },
            deltaBase.map {
                DERWriter.ext(ExtensionIdentifiers.deltaCRLIndicator, isCritical: true, DERWriter.integer($0))
            },
            try issuingDistributionPoint.map {
                DERWriter.ext(ExtensionIdentifiers.issuingDistributionPoint, isCritical: true, try $0.der())
            },
            freshestCRL.isEmpty
                ? nil
                : DERWriter.ext(
                    ExtensionIdentifiers.freshestCRL, DERWriter.sequence(of: try freshestCRL.map { try $0.der() })),
        ].compactMap { $0 }
        return try list + extensions.map { try DERWriter.ext($0) }
    }
}

extension TestCRL.Entry {
    fileprivate func der(version: Int) throws -> [UInt8] {
        let list =
            try [
                reason.map { DERWriter.ext(ExtensionIdentifiers.reasonCode, DERWriter.enumerated($0.rawValue)) },
                invalidityDate.map {
                    DERWriter.ext(ExtensionIdentifiers.invalidityDate, DERWriter.generalizedTime($0))
                },
                certificateIssuer.isEmpty
                    ? nil
                    : DERWriter.ext(
                        ExtensionIdentifiers.certificateIssuer, isCritical: true,
                        DERWriter.sequence(try DERWriter.generalNames(certificateIssuer))),
            ].compactMap { $0 } + extensions.map { try DERWriter.ext($0) }
        return DERWriter.sequence(
            DERWriter.integer(contents: serialNumber), DERWriter.time(revocationDate),
            version == 1 || list.isEmpty ? [] : DERWriter.sequence(of: list))
    }
}

extension TestCRL.IssuingDistributionPoint {
    fileprivate func der() throws -> [UInt8] {
        // DER omits false, because that is the BOOLEAN's default.
        func flag(_ number: UInt, _ isSet: Bool) -> [UInt8] { isSet ? DERWriter.implicit(number, [0xff]) : [] }
        return DERWriter.sequence(
            DERWriter.distributionPointName(
                try fullName.map { try DERWriter.generalName($0) }, relative: nameRelativeToCRLIssuer),
            flag(1, onlyContainsUserCertificates), flag(2, onlyContainsCACertificates),
            onlySomeReasons.map { DERWriter.reasonFlags(3, $0) } ?? [],
            flag(4, isIndirect), flag(5, onlyContainsAttributeCertificates))
    }
}

#endif
