// SPDX-License-Identifier: Apache-2.0

import PKIX

// Failures of names, of the search, of budgets, and of rules beyond the path.

extension AdviceTable {
    static let nameRows: [([TrustFailure.Code], Row)] = [
        (
            [.hostMismatch],
            Row(
                leaf:
                    "Add the name to the certificate's subject alternative names, or {serve} the right certificate for the requested name."
            )
        ),
        (
            [.subjectAlternativeNameMissing],
            Row(leaf: "Have the certificate reissued with the name in the subject alternative name.")
        ),
        (
            [.nameExcluded, .nameNotPermitted],
            .fault(
                leaf: "Have another CA certify the name. A CA in this chain may certify only other names.",
                sent: "Move to another chain. A CA above this intermediate may certify only other names.",
                replacement: "one whose name the CA above it may certify")
        ),
        (
            [.nameConstraintUndecidable],
            .fault(
                leaf:
                    "Have the certificate reissued without the name, or by a CA without the constraint. The two can't be compared.",
                sent: "Move to another chain. The intermediate's name can't be compared with a constraint above it.",
                replacement: "one whose name can be compared with the constraint")
        ),
        (
            [
                .strictSerialNumber, .strictAuthorityKeyIdentifier, .strictSubjectKeyIdentifier,
                .strictExtensionCriticality, .strictExtensionNotAllowed, .strictKeyUsage, .strictExtendedKeyUsage,
                .strictSubjectName, .strictAlternativeName, .strictNameConstraints, .strictLeafIsAuthority,
                .strictKeySize, .strictEncoding, .strictValidityPeriod, .strictTimeEncoding,
            ],
            .fault(
                leaf: "Have the certificate reissued to meet the rule.",
                sent: "Move to a chain whose CA certificates meet the rule.",
                replacement: "one that meets the rule")
        ),
    ]

    // An attacker can present a root of any name.
    private static let addingAnchor =
        "get it from the CA, never from this connection, and add it to the anchors or to this machine's root store"
    private static let unknownRoot =
        "The chain is complete, but its root isn't trusted here. If it is your CA's root, \(addingAnchor)."

    static let searchRows: [([TrustFailure.Code], Row)] = [
        (
            [.selfSignedLeaf],
            Row(
                leaf:
                    "Give the {peer} a certificate from a CA that is trusted here. If this certificate has the same SHA-256 digest as your own copy, you can add your copy to the anchors instead."
            ).with(option: .anchors)
        ),
        (
            [.untrustedRoot],
            Row(sent: unknownRoot, intermediate: unknownRoot, published: unknownRoot)
                .with(.user, at: .sentIntermediate, .fetchedIntermediate, option: .anchors)
        ),
        (
            [.unknownIssuer],
            Row(
                leaf:
                    "Send the whole chain: the {peer}'s certificate followed by every intermediate that its CA delivered.{otherCA}",
                sent:
                    "{issuer} isn't trusted here. If it is your root, \(addingAnchor). If it is an intermediate, have the {peer} send it too.{otherCA}",
                intermediate:
                    "{issuer} isn't trusted here. If it is your root, \(addingAnchor). If it is an intermediate, add it to {place}.",
                published:
                    "{issuer} isn't trusted here. If it is your root, \(addingAnchor). If it is an intermediate, provide it."
            ).with(.user, at: .sentIntermediate, .fetchedIntermediate)
        ),
        (
            [.anchorDistrustedAfter, .anchorNameNotPermitted, .anchorPurposeNotPermitted],
            Row(
                root: "Use a certificate from another CA. The root program doesn't trust this root for the certificate."
            )
            .withPresenter(at: .givenRoot, .storedRoot)
        ),
        (
            [.anchorNotInProgram],
            Row(
                root:
                    "Use a certificate from another CA. If the root is yours, install it as an administrator's root."
            ).withPresenter(at: .givenRoot, .storedRoot)
        ),
        (
            [.maximumIntermediatesExceeded],
            Row(whole: "Allow more intermediates, or have the certificate issued through fewer CAs.")
                .with(.program, at: .whole)
        ),
        (
            [.policyNotAcceptable],
            .fault(
                leaf: "Have the certificate reissued under a policy that is required here, or require another policy.",
                sent: "Move to a chain whose CAs may issue under a policy that is required here.",
                replacement: "one that permits a policy that is required here")
        ),
        (
            [
                .depthBudgetExceeded, .signatureBudgetExceeded, .comparisonBudgetExceeded, .stepBudgetExceeded,
                .workBudgetExceeded, .byteBudgetExceeded,
            ],
            Row(whole: "Present only the leaf and the intermediates that lead to its root.")
        ),
    ]

    static let ruleRows: [([TrustFailure.Code], Row)] = [
        ([.presentedChainEmpty], Row(whole: "Configure the {peer} with a certificate and its key.")),
        (
            [.issuerUnreadable],
            Row(
                leaf: Self.unreadable, sent: Self.unreadable, intermediate: Self.unreadable,
                published: Self.unreadable)
        ),
        (
            [.certificateMalformed],
            Row(
                leaf: "Reinstall the certificate exactly as the CA delivered it. The one in use can't be read.",
                sent: "Send the intermediate exactly as the CA delivered it. The one in use can't be read.",
                whole: "Reinstall the certificate exactly as the CA delivered it. The one in use can't be read.")
        ),
        (
            [.systemAnchorsUnavailable],
            Row(whole: "Install the package of CA certificates on this machine, or name the anchors.")
                .with(.machine, at: .whole, option: .anchors)
        ),
        (
            [.hostNotListed],
            Row(whole: "If the program should connect to the host, add a rule for it.")
                .with(.program, at: .whole)
        ),
        (
            [.hostDenied],
            Row(whole: "If the program should connect to the host, remove the rule that denies it.")
                .with(.program, at: .whole)
        ),
        (
            [.pinsExpired],
            Row(whole: "Update the program with newer pins, and update it again before those expire.")
                .with(.program, at: .whole)
        ),
        (
            [.pinNotMatched, .certificateNotPinned, .authorityNotMatched],
            Row(leaf: Self.pinned, whole: Self.pinned)
        ),
        (
            [.extendedValidationMissing],
            Row(
                leaf: "Have a certificate issued with extended validation.",
                whole: "Have a certificate issued with extended validation.")
        ),
        (
            [.attributeNotMatched],
            Row(
                leaf: "Have a certificate issued with the attribute that the program requires.",
                whole: "Have a certificate issued with the attribute that the program requires.")
        ),
        ([.validityTooLong], Row(leaf: "Have the certificate reissued with a shorter validity.")),
        (
            [.evaluatorRefused],
            Row(
                leaf: Self.ownCheck, sent: Self.ownCheck, intermediate: Self.ownCheck, root: Self.ownCheck,
                published: Self.ownCheck, whole: Self.ownCheck
            ).with(
                .program, at: .leaf, .sentIntermediate, .givenIntermediate, .fetchedIntermediate, .givenRoot,
                .storedRoot, .whole)
        ),
        (
            [.stapleMissing],
            Row(
                leaf:
                    "Turn on OCSP stapling in the {peer}'s configuration, or get a certificate that doesn't require a staple."
            )
        ),
        (
            [.transparencyNotMet],
            Row(leaf: "Have the CA issue another certificate with timestamps from as many logs as the policy requires.")
        ),
        (
            [.transparencyLogListMissing],
            Row(leaf: "Provide a list of logs, or set the check to report only.").with(.program, at: .leaf)
        ),
        (
            [.handshakeSignatureInvalid],
            Row(leaf: "Install the private key that belongs to the certificate.")
        ),
        (
            [.handshakeUnproven],
            Row(leaf: "Turn on TLS 1.3, or TLS 1.2 with ECDHE and SHA-256.")
        ),
        ([.tlsVersionOutdated], Row(leaf: Self.newerTLS, whole: Self.newerTLS)),
        (
            [.systemRefused],
            Row(leaf: Self.systemRule, whole: Self.systemRule).with(.machine, at: .whole)
        ),
        (
            [.systemEvaluationUnavailable],
            Row(
                leaf: "Request the package's own engine, which supports every setting.",
                whole: "Request the package's own engine, which supports every setting."
            ).with(.program, at: .leaf, .whole)
        ),
    ]

    private static let unreadable =
        "Have the CA reissue the unreadable certificate, and replace it with the new one. Trusting it as a root doesn't help."

    private static let pinned =
        "If the {peer}'s key or CA changed on purpose, use the pinned key again until the program has the new pin. Otherwise an attacker may be intercepting the connection."
    private static let ownCheck = "Read the reason in the message. The program's own check refused the certificate."
    private static let newerTLS = "Turn on TLS 1.2 and 1.3 in the {peer}'s configuration."
    private static let systemRule =
        "Read the system's reason in the message. Follow its rule, or correct the trust settings on this machine."
}
