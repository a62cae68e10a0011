// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A certificate revocation list (RFC 5280 § 5), made by ``TestIdentity/crl(_:)``.
public struct TestCRL: Sendable, Hashable {
    public let der: [UInt8]

    /// With the label `X509 CRL`.
    public var pem: String { PEM.encode(der, label: "X509 CRL") }

    /// What a CRL is to say. As it stands: complete, number 1, empty, issued an hour before ``TestAuthority/now`` and due again
    /// a week after it.
    public struct Template: Sendable {
        /// 2, or 1, which leaves all extensions out, the entries' too.
        public var version = 2
        /// cRLNumber; nil for none. Nothing counts it up.
        public var number: UInt64? = 1
        /// Makes it a delta CRL: the number of the complete one that it adds to (deltaCRLIndicator, critical).
        public var deltaBase: UInt64?
        public var thisUpdate = TestAuthority.now.advanced(by: -3600)
        /// nil for none, which RFC 5280 forbids.
        public var nextUpdate: Time? = TestAuthority.now.advanced(by: 7 * 86_400)
        public var entries: [Entry] = []
        public var issuingDistributionPoint: IssuingDistributionPoint?
        /// Where the delta CRLs are.
        public var freshestCRL: [TestDistributionPoint] = []
        public var hasAuthorityKeyIdentifier = true
        /// Appended as they are, unknown critical ones and repetitions too.
        public var extensions: [Extension] = []
        /// The name to issue in; nil for the signer's subject.
        public var issuer: DistinguishedName?
        /// The key to sign with and to name in the authority key identifier; nil for the signer's own.
        public var signingKey: TestKey?
        /// nil for the key's default.
        public var signatureAlgorithm: TestSignatureAlgorithm?
        /// Flips the last bit of the signature.
        public var hasWrongSignature = false

        public init() {}

        /// Lists a certificate.
        /// - Parameters:
        ///   - time: The revocation date; a day before ``TestAuthority/now`` by default.
        ///   - reason: nil for no reasonCode.
        ///   - invalidityDate: Since when the key is thought to be in wrong hands; nil for none.
        ///   - namesIssuer: Whether the entry says who issued the certificate (certificateIssuer), as an indirect CRL has to. An
        ///     entry that doesn't is about the same issuer as the one before it, and the first about the CRL's own.
        public mutating func revoke(
            _ certificate: Certificate, at time: Time = TestAuthority.now.advanced(by: -86_400),
            reason: TestRevocationReason? = nil, invalidityDate: Time? = nil, namesIssuer: Bool = false
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
        /// The contents of the INTEGER, two's complement, written as they are.
        public var serialNumber: [UInt8]
        /// A day before ``TestAuthority/now``.
        public var revocationDate = TestAuthority.now.advanced(by: -86_400)
        public var reason: TestRevocationReason?
        public var invalidityDate: Time?
        /// certificateIssuer, critical (§ 5.3.3); empty for none.
        public var certificateIssuer: [GeneralName] = []
        /// Appended as they are.
        public var extensions: [Extension] = []

        public init(serialNumber: [UInt8]) { self.serialNumber = serialNumber }
    }

    /// What a CRL is about (RFC 5280 § 5.2.5); critical. As it stands it says nothing, which DER writes as an empty SEQUENCE.
    public struct IssuingDistributionPoint: Sendable, Hashable {
        /// Empty for none.
        public var fullName: [GeneralName] = []
        /// A common name below the CRL's issuer, in the place of ``fullName`` (nameRelativeToCRLIssuer); nil for none.
        public var nameRelativeToCRLIssuer: String?
        public var onlyContainsUserCertificates = false
        public var onlyContainsCACertificates = false
        public var onlyContainsAttributeCertificates = false
        /// nil for all of them.
        public var onlySomeReasons: Set<TestRevocationReason>?
        /// Whether it lists certificates of other issuers.
        public var isIndirect = false

        public init() {}

        /// With changes: `.with { $0.isIndirect = true }`.
        public static func with(
            _ change: (inout IssuingDistributionPoint) throws -> Void
        ) rethrows -> IssuingDistributionPoint {
            var point = IssuingDistributionPoint()
            try change(&point)
            return point
        }
    }
}

extension TestIdentity {
    /// A CRL in this certificate's name, signed by its key: a CA's, or an indirect one of ``CertificateTemplate/crlSigner(_:)``.
    ///
    /// ```swift
    /// let crl = try authority.crl { $0.revoke(leaf.certificate, reason: .keyCompromise) }
    /// let delta = try authority.crl { ($0.number, $0.deltaBase) = (2, 1) }
    /// let indirect = try signer.crl {
    ///     $0.issuingDistributionPoint = .with { $0.isIndirect = true }
    ///     $0.revoke(leaf.certificate, namesIssuer: true)
    /// }
    /// ```
    /// That the certificate allows it (cRLSign) is not checked, nor that the CRL makes sense.
    /// - Throws: what swift-certificates says where the key can't sign that way.
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
    /// A CRL of this CA; see ``TestIdentity/crl(_:)``.
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
            // "MUST be absent" where there are none (§ 5.1.2.6).
            entries.isEmpty ? [] : DERWriter.sequence(of: entries),
            extensions.isEmpty ? [] : DERWriter.tagged(0, DERWriter.sequence(of: extensions)))
    }

    private func encodedExtensions(key: TestKey) throws -> [[UInt8]] {
        var list: [[UInt8]] = []
        if hasAuthorityKeyIdentifier {
            let value = DERWriter.sequence(DERWriter.implicit(0, key.identifier))
            list.append(DERWriter.ext(ExtensionIdentifiers.authorityKeyIdentifier, value))
        }
        if let number { list.append(DERWriter.ext(ExtensionIdentifiers.cRLNumber, DERWriter.integer(number))) }
        if let deltaBase {
            list.append(
                DERWriter.ext(ExtensionIdentifiers.deltaCRLIndicator, isCritical: true, DERWriter.integer(deltaBase)))
        }
        if let issuingDistributionPoint {
            list.append(
                DERWriter.ext(
                    ExtensionIdentifiers.issuingDistributionPoint, isCritical: true,
                    try issuingDistributionPoint.der()))
        }
        if !freshestCRL.isEmpty {
            let points = try freshestCRL.map { try $0.der() }
            list.append(DERWriter.ext(ExtensionIdentifiers.freshestCRL, DERWriter.sequence(of: points)))
        }
        return try list + extensions.map { try DERWriter.ext($0) }
    }
}

extension TestCRL.Entry {
    fileprivate func der(version: Int) throws -> [UInt8] {
        var list: [[UInt8]] = []
        if let reason {
            list.append(DERWriter.ext(ExtensionIdentifiers.reasonCode, DERWriter.enumerated(reason.rawValue)))
        }
        if let invalidityDate {
            list.append(DERWriter.ext(ExtensionIdentifiers.invalidityDate, DERWriter.generalizedTime(invalidityDate)))
        }
        if !certificateIssuer.isEmpty {
            list.append(
                DERWriter.ext(
                    ExtensionIdentifiers.certificateIssuer, isCritical: true,
                    DERWriter.sequence(try DERWriter.generalNames(certificateIssuer))))
        }
        list += try extensions.map { try DERWriter.ext($0) }
        return DERWriter.sequence(
            DERWriter.integer(contents: serialNumber), DERWriter.time(revocationDate),
            version == 1 || list.isEmpty ? [] : DERWriter.sequence(of: list))
    }
}

extension TestCRL.IssuingDistributionPoint {
    fileprivate func der() throws -> [UInt8] {
        // BOOLEAN DEFAULT FALSE: DER leaves false out.
        func flag(_ number: UInt, _ isSet: Bool) -> [UInt8] { isSet ? DERWriter.implicit(number, [0xff]) : [] }
        return DERWriter.sequence(
            DERWriter.distributionPointName(
                try fullName.map { try DERWriter.generalName($0) }, relative: nameRelativeToCRLIssuer),
            flag(1, onlyContainsUserCertificates), flag(2, onlyContainsCACertificates),
            onlySomeReasons.map { DERWriter.reasonFlags(3, $0) } ?? [],
            flag(4, isIndirect), flag(5, onlyContainsAttributeCertificates))
    }
}
