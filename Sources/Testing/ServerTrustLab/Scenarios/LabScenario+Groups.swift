// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

extension LabScenario {
    /// The subject of a scenario, in report order.
    package enum Group: String, Sendable, Hashable, CaseIterable {
        case trusted, dates, names, issuers, contents, algorithms, strict, roots, transparency, rules, revocation,
            budgets
        case handshake

        /// The subject in a few words.
        package var title: String {
            switch self {
            case .trusted: "trusted servers"
            case .dates: "dates"
            case .names: "names"
            case .issuers: "issuers"
            case .contents: "contents and policies"
            case .algorithms: "keys and signatures"
            case .strict: "strict rules"
            case .roots: "conditions of root programs"
            case .transparency: "publication in logs"
            case .rules: "pins and rules of the client"
            case .revocation: "revocation"
            case .budgets: "chains that take too much work"
            case .handshake: "handshakes"
            }
        }

        /// The group's scenarios, the simplest first. Every scenario is in one group.
        package var scenarios: [LabScenario] {
            switch self {
            case .trusted:
                [
                    good, goodRSA, goodEd25519, wrongOrder, strangers, crossSigned, pinnedKeyRotatedToBackup,
                    redirectToAnotherAuthority,
                ]
            case .dates: [expired, notYetValid]
            case .names:
                [
                    wrongHost, noAlternativeName, ipAddressOnly, partialWildcard, topLevelWildcard,
                    publicSuffixWildcard, nameConstraintViolated, nameExcluded, nameNotComparable,
                ]
            case .issuers:
                [
                    selfSigned, untrustedRoot, missingIntermediate, servedIntermediate, notAnAuthority,
                    noBasicConstraints, authorityMayNotSign, pathLengthExceeded, tooManyIntermediates, noIssuerName,
                    version1Issuer,
                ]
            case .contents:
                [
                    wrongExtendedKeyUsage, wrongKeyUsage, unknownCriticalExtension, noPolicy, mapsAnyPolicy,
                    tlsFeatureMissing,
                ]
            case .algorithms:
                [
                    sha1, md5, dsaSignature, ed448Signature, signatureParameters, signatureAlgorithmMismatch, rsa1024,
                    hugeRSA, p192, explicitCurve, pointOffCurve, dsaKey, ed448Key,
                ]
            case .strict:
                [
                    strictSerialNumber, strictAuthorityKeyIdentifier, strictSubjectKeyIdentifier, strictCriticality,
                    strictExtensionNotAllowed, strictKeyUsage, strictExtendedKeyUsage, strictSubjectName,
                    strictAlternativeName, strictNameConstraints, strictLeafIsAuthority, strictKeySize,
                    strictTimeEncoding, strictEncoding,
                ]
            case .roots:
                [
                    issuedBeforeDistrust, issuedAfterDistrust, backdated, rootForOtherNames, rootForOtherPurposes,
                    rootNotInProgram, aroundDistrustedRoot,
                ]
            case .transparency:
                [
                    transparent, transparencyNone, transparencyTooFew, transparencyOneOperator, transparencyUnknownLog,
                    transparencyRetiredLog, transparencyNoneInUse, transparencyBadSignature, transparencyFuture,
                    transparencyMimic, transparencyTiledOnly, transparencyNoLogList, transparencyOldLogList,
                    transparencyReportOnly, transparencyPrivateAuthority, transparencyByRule, transparencyNoneByRule,
                ]
            case .rules:
                [
                    intercepted, pinnedKeyReplaced, certificateReplaced, pinsExpired, authorityChanged, keyDenied,
                    certificateDenied,
                    hostDenied, hostNotListed, wrongOrganization, noExtendedValidation, refusedByEvaluator,
                    refusedBySystem, systemUnavailable,
                ]
            case .revocation: [revokedByCRL, revokedByOCSP, mustStaple, revocationUnknown]
            case .budgets:
                [
                    hugeChain, hostilePathSet, endlessMaze, costlySignatures, costlyConstraints, workBudget, byteBudget,
                ]
            case .handshake: [noTLS, handshakeCutOff, oldTLS, wrongHandshakeSignature, unsignedHandshake]
            }
        }
    }

    /// Whether ``expected`` depends on client settings other than the anchors: pins and other rules, the strict rules,
    /// limits, root lists and log lists, or a revocation check. A client without the settings in
    /// ``LabCertificates/configuration`` usually has another outcome.
    ///
    /// False for custom scenarios.
    public var dependsOnClient: Bool {
        switch group {
        case .strict, .roots, .transparency, .rules, .revocation: true
        case .trusted: self == .pinnedKeyRotatedToBackup
        case .issuers: self == .tooManyIntermediates
        case .budgets: [.workBudget, .byteBudget].contains(self)
        case .dates, .names, .contents, .algorithms, .handshake, nil: false
        }
    }

    /// The subject, or nil for a scenario that isn't among ``all``.
    package var group: Group? { Self.groups[name] }

    private static let groups: [String: Group] = Dictionary(
        Group.allCases.flatMap { group in group.scenarios.map { ($0.name, group) } },
        uniquingKeysWith: { first, _ in first })
}

#endif
