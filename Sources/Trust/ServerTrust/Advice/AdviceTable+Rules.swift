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
                leaf: "Have the name certified by another CA: a CA of this chain is constrained to other names.",
                sent: "Move to another chain: a CA above this intermediate is constrained to other names.",
                replacement: "one whose name the CA above it may certify")
        ),
        (
            [.nameConstraintUndecidable],
            .fault(
                leaf:
                    "Have the certificate issued again without the name, or by a CA without the constraint: they can't be compared.",
                sent: "Move to another chain: the intermediate's name can't be compared with a constraint above it.",
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
                leaf: "Have the certificate issued again as the rule asks.",
                sent: "Move to a chain whose CA certificates are as the rule asks.",
                replacement: "one that is as the rule asks")
        ),
    ]

    // An attacker can present a root of any name.
    private static let addingAnchor =
        "take it from the CA, not from the {peer}, and add it to the anchors or to this machine's store of roots"
    private static let unknownRoot =
        "The chain is complete, and its root isn't trusted here: if it is your CA's, \(addingAnchor)."

    static let searchRows: [([TrustFailure.Code], Row)] = [
        (
            [.selfSignedLeaf],
            Row(
                leaf:
                    "Give the {peer} a certificate of a CA that is trusted here; or, if it has the SHA-256 of your own copy, add your copy to the anchors."
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
                    "{issuer} isn't trusted here: if it is a root of yours, \(addingAnchor). If it is an intermediate of its CA, have the {peer} send it as well.{otherCA}",
                intermediate:
                    "{issuer} isn't trusted here: if it is a root of yours, \(addingAnchor). If it is an intermediate of its CA, add it to {place}.",
                published:
                    "{issuer} isn't trusted here: if it is a root of yours, \(addingAnchor). If it is an intermediate of its CA, provide it."
            ).with(.user, at: .sentIntermediate, .fetchedIntermediate)
        ),
        (
            [.anchorDistrustedAfter, .anchorNameNotPermitted, .anchorPurposeNotPermitted],
            Row(root: "Use a certificate of another CA: the root program no longer trusts this one for it.")
                .withPresenter(at: .givenRoot, .storedRoot)
        ),
        (
            [.anchorNotInProgram],
            Row(
                root:
                    "Use a certificate of another CA; or, if the root is yours, install it as the administrator's own."
            ).withPresenter(at: .givenRoot, .storedRoot)
        ),
        (
            [.maximumIntermediatesExceeded],
            Row(whole: "Permit more intermediates, or have the certificate issued through fewer CAs.")
                .with(.program, at: .whole)
        ),
        (
            [.policyNotAcceptable],
            .fault(
                leaf: "Have the certificate issued under a policy that is required here, or require another policy.",
                sent: "Move to a chain whose CAs may issue under a policy that is required here.",
                replacement: "one that permits a policy that is required here")
        ),
        (
            [
                .depthBudgetExceeded, .signatureBudgetExceeded, .comparisonBudgetExceeded, .stepBudgetExceeded,
                .workBudgetExceeded, .byteBudgetExceeded,
            ],
            Row(whole: "Present the leaf and the intermediates that lead to its root, and no other certificates.")
        ),
    ]

    static let ruleRows: [([TrustFailure.Code], Row)] = [
        ([.presentedChainEmpty], Row(whole: "Configure a certificate and its key on the {peer}.")),
        (
            [.issuerUnreadable],
            Row(
                leaf: Self.unreadable, sent: Self.unreadable, intermediate: Self.unreadable,
                published: Self.unreadable)
        ),
        (
            [.certificateMalformed],
            Row(
                leaf: "Install the certificate again as the CA delivered it; the one that is sent can't be read.",
                sent: "Send the intermediate as the CA delivered it; the one that is sent can't be read.",
                whole: "Install the certificate again as the CA delivered it; the one that is sent can't be read.")
        ),
        (
            [.systemAnchorsUnavailable],
            Row(whole: "Install this machine's package of CA certificates, or name the anchors.")
                .with(.machine, at: .whole, option: .anchors)
        ),
        (
            [.hostNotListed],
            Row(whole: "Add a rule for the host, if the program is meant to connect to it.")
                .with(.program, at: .whole)
        ),
        (
            [.hostDenied],
            Row(whole: "Remove the rule that denies the host, if the program is meant to connect to it.")
                .with(.program, at: .whole)
        ),
        (
            [.pinsExpired],
            Row(whole: "Give the program newer pins, and an update before the next ones expire.")
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
        ([.validityTooLong], Row(leaf: "Have the certificate issued for a shorter time.")),
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
                    "Turn OCSP stapling on in the {peer}'s configuration, or have a certificate issued that doesn't demand a staple."
            )
        ),
        (
            [.transparencyNotMet],
            Row(leaf: "Have the CA issue another certificate, with timestamps of as many logs as the policy asks for.")
        ),
        (
            [.transparencyLogListMissing],
            Row(leaf: "Provide a list of logs, or report without refusing.").with(.program, at: .leaf)
        ),
        (
            [.handshakeSignatureInvalid],
            Row(leaf: "Install the private key that belongs to the certificate.")
        ),
        (
            [.handshakeUnproven],
            Row(leaf: "Turn TLS 1.3 on, or TLS 1.2 with ECDHE and SHA-256.")
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
        "Have the CA issue the certificate again that can't be read, and put the new one in its place. Trusting it as a root doesn't help."

    private static let pinned =
        "If the {peer}'s key or CA was changed on purpose, put the pinned key back into service until the program has the new pin. If not, an attacker may be intercepting the connection."
    private static let ownCheck = "Read the reason in the message: the program's own check refuses."
    private static let newerTLS = "Turn TLS 1.2 and 1.3 on in the {peer}'s configuration."
    private static let systemRule =
        "Read the system's reason in the message: meet its rule, or correct a trust setting on this machine."
}
