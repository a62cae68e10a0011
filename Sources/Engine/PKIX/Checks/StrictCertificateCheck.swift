// SPDX-License-Identifier: Apache-2.0

/// The rules for CAs that most verifiers relax. They apply only with ``ValidationPolicy/isStrict``.
///
/// The rules of RFC 5280 § 4 apply in both profiles. The rules of the CA/Browser baseline apply only in the web PKI
/// profile. This check doesn't include the baseline's limits on validity periods, which apply only to public CAs
/// (``ValidityPeriodCheck``), or its lists of subject attributes.
enum StrictCertificateCheck {
    static func run(
        _ certificate: Certificate, _ role: TrustFailure.Role, isAnchor: Bool, isSelfIssued: Bool,
        _ context: EvaluationContext, _ meter: inout WorkMeter, _ list: inout FailureList
    ) {
        let isWebPKI = context.policy.profile == .webPKI
        checkSerialNumber(certificate, role, &list)
        checkTimes(certificate, &list)
        if !certificate.storage.fields.extensions.isCanonical {
            list.add(.strictEncoding, found: .text("an encoded FALSE or trailing zero bits"))
        }
        checkMalformedExtensions(certificate, isWebPKI: isWebPKI, &list)
        checkKeyIdentifiers(
            certificate, role, isAnchor: isAnchor, isSelfIssued: isSelfIssued, isWebPKI: isWebPKI, &list)
        checkCriticality(certificate, isWebPKI: isWebPKI, &list)
        checkNameConstraints(certificate, &meter, &list)
        checkAuthority(certificate, role, isWebPKI: isWebPKI, &list)
        checkAlternativeNames(certificate, role, isWebPKI: isWebPKI, &meter, &list)
        if isWebPKI {
            checkExtendedKeyUsage(certificate, role, context.policy.purpose, isSelfIssued: isSelfIssued, &meter, &list)
            if role == .leaf { StrictCommonNameCheck.run(certificate, &meter, &list) }
        }
    }

    /// Checks that the parser ignored no extension because of a malformed value. In the web PKI profile,
    /// ``AccessDescriptionCheck`` has already reported its extension.
    private static func checkMalformedExtensions(
        _ certificate: Certificate, isWebPKI: Bool, _ list: inout FailureList
    ) {
        let malformed = certificate.storage.fields.extensions.malformedExtensions.filter {
            !isWebPKI || $0 != .authorityInformationAccess
        }
        guard !malformed.isEmpty else { return }
        list.add(.strictEncoding, found: .list(malformed.map { "a malformed \($0.name)" }))
    }

    /// Checks the serial number (§ 4.1.2.2). Roots of the last century have serial number 0, and § 6.1 doesn't read the
    /// serial number of an anchor.
    private static func checkSerialNumber(
        _ certificate: Certificate, _ role: TrustFailure.Role, _ list: inout FailureList
    ) {
        guard role != .anchor else { return }
        let serial = certificate.serialNumber
        guard serial.bytes.count > 20 || serial.isNegative || serial.bytes.allSatisfy({ $0 == 0 }) else { return }
        list.add(
            .strictSerialNumber, expected: .text("a positive number of at most 20 bytes"),
            found: .text(certificate.hexPrefix(certificate.storage.fields.serialNumber)))
    }

    /// Checks the types of the dates (§ 4.1.2.5).
    private static func checkTimes(_ certificate: Certificate, _ list: inout FailureList) {
        let fields = certificate.storage.fields
        let firstGeneralized = Time(secondsSinceEpoch: 2_524_608_000)  // 2050-01-01T00:00:00Z
        for (time, form) in [(fields.notBefore, fields.notBeforeForm), (fields.notAfter, fields.notAfterForm)]
        where form == .generalized && time < firstGeneralized {
            list.add(.strictTimeEncoding, expected: .text("UTCTime"), found: .time(time))
        }
    }

    /// Checks the key identifiers (§§ 4.2.1.1, 4.2.1.2). Every certificate except a self-signed one identifies its
    /// issuer's key, and every CA identifies its own key.
    private static func checkKeyIdentifiers(
        _ certificate: Certificate, _ role: TrustFailure.Role, isAnchor: Bool, isSelfIssued: Bool, isWebPKI: Bool,
        _ list: inout FailureList
    ) {
        let extensions = certificate.storage.fields.extensions
        if role != .leaf, !extensions.has(.subjectKeyIdentifier) {
            list.add(.strictSubjectKeyIdentifier, expected: .text("one in every CA certificate"), found: .text("none"))
        }
        guard extensions.has(.authorityKeyIdentifier) else {
            // The identifier of a cross-signed anchor points above the end of the path. The baseline requires the
            // identifier in certificates that a CA issues (§ 7.1.2).
            if !isSelfIssued, !isAnchor || !isWebPKI {
                list.add(
                    .strictAuthorityKeyIdentifier, expected: .text("one unless the certificate is self-signed"),
                    found: .text("none"))
            }
            return
        }
        guard extensions.authorityKeyIdentifier.isPresent else {
            list.add(
                .strictAuthorityKeyIdentifier, expected: .text("one with a keyIdentifier"),
                found: .text("one without"))
            return
        }
        guard isWebPKI, isSelfIssued, isAnchor else { return }
        // Baseline § 7.1.2.1.3: a root's identifier contains only its own key identifier.
        if extensions.authorityKeyIdentifierHasIssuer {
            list.add(
                .strictAuthorityKeyIdentifier, expected: .text("only a keyIdentifier"),
                found: .text("authorityCertIssuer or authorityCertSerialNumber"))
        }
        let span = certificate.span
        if extensions.has(.subjectKeyIdentifier),
            !bytesEqual(span, extensions.authorityKeyIdentifier, span, extensions.subjectKeyIdentifier)
        {
            list.add(
                .strictAuthorityKeyIdentifier,
                expected: .text(certificate.hexPrefix(extensions.subjectKeyIdentifier)),
                found: .text(certificate.hexPrefix(extensions.authorityKeyIdentifier)))
        }
    }

    /// Checks that extensions are critical or not as their sections require.
    private static func checkCriticality(_ certificate: Certificate, isWebPKI: Bool, _ list: inout FailureList) {
        let extensions = certificate.storage.fields.extensions
        var never: [KnownExtension] = [.subjectKeyIdentifier, .authorityKeyIdentifier]
        var always: [KnownExtension] = [.policyConstraints, .inhibitAnyPolicy]
        // In the baseline, name constraints need not be critical (§ 7.1.2.10.8), for clients that didn't know them.
        // mozilla::pkix rejects critical distribution points as unknown, and the baseline doesn't allow them (§
        // 7.1.2.11.2).
        if isWebPKI { never += [.extendedKeyUsage, .crlDistributionPoints] } else { always.append(.nameConstraints) }
        if extensions.basicConstraints.isCertificateAuthority { always.append(.basicConstraints) }
        for known in never where extensions.isCritical(known) {
            list.add(
                .strictExtensionCriticality, expected: .text("a non-critical extension"),
                found: .text("a critical \(known.name)"))
        }
        for known in always where extensions.has(known) && !extensions.isCritical(known) {
            list.add(
                .strictExtensionCriticality, expected: .text("a critical extension"),
                found: .text("a non-critical \(known.name)"))
        }
    }

    /// Checks that dNSNames in name constraints have no leading dot, and that iPAddresses aren't empty (§ 4.2.1.10).
    private static func checkNameConstraints(
        _ certificate: Certificate, _ meter: inout WorkMeter, _ list: inout FailureList
    ) {
        let constraints = certificate.storage.fields.extensions.value(.nameConstraints)
        guard constraints.isPresent, meter.charge(work: constraints.count) else { return }
        let span = certificate.span
        var wrong = CountedList()
        var empty = CountedList()
        for excluded in [false, true] {
            guard let subtrees = try? DERReader.subtrees(span, constraints, excluded: excluded) else { continue }
            var reader = DERReader(span, subtrees)
            while !reader.isAtEnd, let base = try? reader.nextSubtreeBaseUnchecked() {
                if base.tag == GeneralNameTag.ipAddress, base.contentCount == 0 {
                    empty.add(certificate.shortName(base))
                }
                guard base.tag == GeneralNameTag.dnsName, base.contentCount > 0, span[base.content] == UInt8(ascii: ".")
                else { continue }
                wrong.add(certificate.shortName(base))
            }
        }
        if !wrong.isEmpty {
            list.add(.strictNameConstraints, expected: .text("a dNSName without a leading dot"), found: wrong.value)
        }
        guard !empty.isEmpty else { return }
        list.add(.strictNameConstraints, expected: .text("an iPAddress of 8 or 32 bytes"), found: empty.value)
    }

    /// Checks the fields that only a CA may have, and the fields that it must have.
    private static func checkAuthority(
        _ certificate: Certificate, _ role: TrustFailure.Role, isWebPKI: Bool, _ list: inout FailureList
    ) {
        let extensions = certificate.storage.fields.extensions
        let isAuthority = extensions.basicConstraints.isCertificateAuthority
        if isAuthority, certificate.storage.fields.subject.count <= 2 {
            list.add(.strictSubjectName, expected: .text("the name of the CA"), found: .text("an empty name"))
        }
        if !isAuthority {
            for known in [KnownExtension.nameConstraints, .policyMappings, .policyConstraints, .inhibitAnyPolicy]
            where extensions.has(known) {
                list.add(.strictExtensionNotAllowed, found: .text(known.name.description))
            }
            if extensions.basicConstraints.maximumPathLength != nil {
                list.add(.strictExtensionNotAllowed, found: .text("pathLenConstraint"))
            }
            if extensions.has(.keyUsage), extensions.keyUsage.contains(.keyCertSign) {
                list.add(
                    .strictKeyUsage, expected: .text("keyCertSign only for a CA"),
                    found: .list(extensions.keyUsage.names))
            }
        } else if extensions.has(.keyUsage), !extensions.keyUsage.contains(.keyCertSign),
            extensions.basicConstraints.maximumPathLength != nil
        {
            // § 4.2.1.9: a path length requires keyCertSign.
            list.add(
                .strictKeyUsage, expected: .text("keyCertSign because of the path length constraint"),
                found: .list(extensions.keyUsage.names))
        }
        if role == .leaf, isAuthority, isWebPKI {
            list.add(.strictLeafIsAuthority)
        } else if isAuthority, !extensions.has(.keyUsage) {
            // § 4.2.1.3. A certificate of version 1 has no basic constraints, and ``VersionCheck`` rejects it.
            list.add(.strictKeyUsage, expected: .text("keyCertSign, because it is a CA"), found: .text("none"))
        }
    }

    /// Checks the alternative names (§ 4.2.1.6; baseline § 7.1.2.7.12).
    private static func checkAlternativeNames(
        _ certificate: Certificate, _ role: TrustFailure.Role, isWebPKI: Bool, _ meter: inout WorkMeter,
        _ list: inout FailureList
    ) {
        let fields = certificate.storage.fields
        let value = fields.extensions.value(.subjectAlternativeName)
        guard value.isPresent, meter.charge(work: 2 * value.count) else { return }
        let isCritical = fields.extensions.isCritical(.subjectAlternativeName)
        if fields.subject.count <= 2, !isCritical {
            list.add(
                .strictExtensionCriticality, expected: .text("a critical extension, because the subject is empty"),
                found: .text("a non-critical subjectAltName"))
        } else if isWebPKI, fields.subject.count > 2, isCritical {
            list.add(
                .strictExtensionCriticality,
                expected: .text("a non-critical extension, because the subject isn't empty"),
                found: .text("a critical subjectAltName"))
        }
        checkPreferredForm(certificate, value, &list)
    }

    /// Checks that there is at least one name, and that dNSNames are in preferred form (§ 4.2.1.6; RFC 1034 § 3.5,
    /// which doesn't allow underscores).
    private static func checkPreferredForm(_ certificate: Certificate, _ value: ByteRange, _ list: inout FailureList) {
        let span = certificate.span
        var outer = DERReader(span, value)
        guard let sequence = try? outer.next(DERTag.sequence, "subjectAltName") else { return }
        guard sequence.contentCount > 0 else {
            return list.add(.strictAlternativeName, expected: .text("at least one name"), found: .text("none"))
        }
        var wrong = CountedList()
        var names = outer.inside(sequence)
        while !names.isAtEnd, let name = try? names.next("subjectAltName") {
            guard name.tag == GeneralNameTag.dnsName else { continue }
            let isPreferred =
                DNSName.check(span, name.contents.indices, wildcard: true) == .valid
                && !name.contents.indices.contains { span[$0] == UInt8(ascii: "_") }
            if !isPreferred { wrong.add(certificate.shortName(name)) }
        }
        guard !wrong.isEmpty else { return }
        list.add(.strictAlternativeName, expected: .text("a name in preferred form"), found: wrong.value)
    }

    /// Checks the extended key usage (baseline §§ 7.1.2.7.10, 7.1.2.1.2; Mozilla Root Store Policy § 5.3).
    ///
    /// A leaf that may sign OCSP responses could vouch for itself. mozilla::pkix rejects it, and doesn't support
    /// anyExtendedKeyUsage.
    private static func checkExtendedKeyUsage(
        _ certificate: Certificate, _ role: TrustFailure.Role, _ purpose: ValidationPolicy.Purpose, isSelfIssued: Bool,
        _ meter: inout WorkMeter, _ list: inout FailureList
    ) {
        let extensions = certificate.storage.fields.extensions
        guard meter.charge(work: 3 * extensions.value(.extendedKeyUsage).count) else { return }
        switch role {
        case .leaf:
            guard purpose != .any else { return }
            if !extensions.has(.extendedKeyUsage) {
                list.add(.strictExtendedKeyUsage, expected: .text(purpose.rawValue), found: .text("none"))
            } else if certificate.hasPurpose(.anyExtendedKeyUsage) || certificate.hasPurpose(.ocspSigning) {
                list.add(
                    .strictExtendedKeyUsage, expected: .text(purpose.rawValue), found: certificate.purposes.list)
            }
        case .intermediate:
            // Without anyExtendedKeyUsage, ``ExtendedKeyUsageCheck`` has rejected it, or it names the required purpose.
            guard purpose != .any, certificate.hasPurpose(.anyExtendedKeyUsage) else { return }
            list.add(
                .strictExtendedKeyUsage, expected: .text(purpose.rawValue), found: certificate.purposes.list)
        case .anchor:
            if extensions.has(.extendedKeyUsage), isSelfIssued {
                list.add(
                    .strictExtendedKeyUsage, expected: .text("none in a root"), found: certificate.purposes.list)
            }
        }
    }
}

/// Checks that the authority key identifier of each certificate is its issuer's subject key identifier (RFC 5280 §
/// 4.2.1.1).
enum StrictKeyIdentifierChainCheck {
    static func run(_ path: CandidatePath, _ meter: inout WorkMeter, _ list: inout FailureList) {
        for index in 0..<path.anchorIndex {
            let child = path.certificates[index]
            let issuer = path.certificates[index + 1]
            guard meter.charge(work: child.storage.fields.extensions.authorityKeyIdentifier.count) else { return }
            guard child.keyIdentifierMatch(issuer) == .differs else { continue }
            list.certificate = index
            list.role = path.role(index)
            list.add(
                .strictAuthorityKeyIdentifier,
                expected: .text(issuer.hexPrefix(issuer.storage.fields.extensions.subjectKeyIdentifier)),
                found: .text(child.hexPrefix(child.storage.fields.extensions.authorityKeyIdentifier)))
        }
    }
}
