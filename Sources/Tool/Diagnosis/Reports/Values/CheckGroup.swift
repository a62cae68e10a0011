// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// A group of rules that a report shows as one check.
enum CheckGroup: String, CaseIterable {
    case presented, rule, handshake, anchor, signatures, algorithms, validity, authority, length, purpose, identity,
        constraints
    case policies, extensions, strict, revocation, staple, pins, authorities, attributes, deniedCertificates,
        custom, budget, transparency

    /// Returns the group of a failure, or ``custom`` for the codes of an app's evaluators.
    init(_ code: TrustFailure.Code) {
        if code.isStrictOnly {
            self = .strict
        } else if code.name.hasSuffix("BudgetExceeded") {
            self = .budget
        } else {
            self = Self.groups[code] ?? .custom
        }
    }

    private static let groups: [TrustFailure.Code: CheckGroup] = {
        let lists: [CheckGroup: [TrustFailure.Code]] = [
            .presented: [.presentedChainEmpty, .certificateMalformed],
            .rule: [.hostNotListed, .hostDenied],
            .handshake: [.handshakeSignatureInvalid, .handshakeUnproven, .tlsVersionOutdated],
            .anchor: [
                .unknownIssuer, .issuerUnreadable, .untrustedRoot, .selfSignedLeaf, .systemAnchorsUnavailable,
                .systemRefused,
                .systemEvaluationUnavailable, .anchorDistrustedAfter, .anchorNameNotPermitted,
                .anchorPurposeNotPermitted, .anchorNotInProgram,
            ],
            .signatures: [.signatureInvalid],
            .algorithms: [
                .signatureAlgorithmMismatch, .signatureUsesMD5, .signatureUsesSHA1, .signatureUsesDSA,
                .signatureAlgorithmUnsupported, .signatureParametersUnsupported, .keyUsesExplicitCurve,
                .keyUsesUnsupportedCurve, .keyUsesDSA, .rsaKeyTooSmall, .rsaKeyTooLarge, .keyMalformed,
                .keyAlgorithmUnsupported,
            ],
            .validity: [.certificateExpired, .certificateNotYetValid],
            .authority: [
                .notCertificateAuthority, .basicConstraintsMissing, .keyUsageLacksCertSign,
                .certificateVersionNotAllowed, .issuerNameEmpty,
            ],
            .length: [.pathLengthExceeded, .maximumIntermediatesExceeded],
            .purpose: [.extendedKeyUsageNotAllowed, .keyUsageNotForTLS],
            .identity: [.subjectAlternativeNameMissing, .hostMismatch],
            .constraints: [.nameExcluded, .nameNotPermitted, .nameConstraintUndecidable],
            .policies: [.policyMappingOfAnyPolicy, .policyNotAcceptable],
            .extensions: [.criticalExtensionUnhandled, .tlsFeatureMissing],
            .revocation: [.certificateRevoked, .revocationUnavailable], .staple: [.stapleMissing],
            .pins: [.pinNotMatched, .pinsExpired, .certificateNotPinned], .authorities: [.authorityNotMatched],
            .attributes: [.attributeNotMatched, .extendedValidationMissing, .validityTooLong],
            .deniedCertificates: [.certificateDenied],
            .custom: [.evaluatorRefused], .transparency: [.transparencyNotMet, .transparencyLogListMissing],
        ]
        return Dictionary(
            lists.flatMap { group, codes in codes.map { ($0, group) } }, uniquingKeysWith: { first, _ in first })
    }()

    /// The title of the check.
    var title: String {
        switch self {
        case .presented: "The peer sent readable certificates"
        case .rule: "The program's rule for this host"
        case .handshake: "The handshake proves possession of the private key"
        case .anchor: "The path ends in a trust anchor"
        case .signatures: "Each certificate is signed by the next"
        case .algorithms: "Keys and algorithms are strong and known"
        case .validity: "The verify date is within every certificate's validity period"
        case .authority: "Every issuer is a certificate authority"
        case .length: "The path isn't longer than its CAs allow"
        case .purpose: "The certificate may be used for this purpose"
        case .identity: "The certificate is valid for this name"
        case .constraints: "The CAs may certify the names"
        case .policies: "The path meets the policy requirements of its certificates"
        case .extensions: "Every critical extension is understood"
        case .strict: "The path meets the strict rules"
        case .revocation: "No certificate has been revoked"
        case .staple: "The server sent the OCSP response that the certificate requires"
        case .pins: "A pinned key or certificate is in the path"
        case .authorities: "A required CA is in the path"
        case .attributes: "The certificate has the required attributes"
        case .deniedCertificates: "No certificate or key is on a deny list"
        case .custom: "The program's own checks"
        case .budget: "The path search stayed within its budget"
        case .transparency: "The certificate was published in Certificate Transparency logs"
        }
    }

    /// The verdict's check for this group, if any.
    var check: TrustCheck? {
        switch self {
        case .signatures, .anchor, .algorithms, .validity, .authority, .length, .constraints, .policies, .extensions,
            .strict:
            .path
        case .purpose: .purpose
        case .identity: .identity
        case .revocation: .revocation
        case .staple: .staple
        case .pins: .pins
        case .authorities: .authorities
        case .attributes: .attributes
        case .deniedCertificates: .deniedCertificates
        case .custom: .custom
        case .transparency: .certificateTransparency
        case .presented, .rule, .handshake, .budget: nil
        }
    }
}
