// SPDX-License-Identifier: Apache-2.0

import PKIX
import Testing

@testable import ServerTrust

/// The advice table, for every code, role, purpose and source.
@Suite("Advice table")
struct AdviceTableTests {
    /// The certificates that can have failures with these codes, and the reason why other certificates can't.
    private struct Occurrence {
        let positions: Set<AdviceTable.Position>
        let codes: [TrustFailure.Code]
        var purposes = Set(ValidationPolicy.Purpose.allCases)
    }

    private static let intermediates: Set<AdviceTable.Position> = [
        .sentIntermediate, .givenIntermediate, .fetchedIntermediate,
    ]
    private static let roots: Set<AdviceTable.Position> = [.givenRoot, .storedRoot]
    private static let certificates = roots.union(intermediates).union([.leaf])

    /// Each code once. A combination that isn't here can't occur.
    private static let occurrences: [Occurrence] = [
        // The checks of one certificate.
        Occurrence(
            positions: certificates,
            codes: [
                .certificateExpired, .certificateNotYetValid, .rsaKeyTooSmall, .rsaKeyTooLarge, .keyUsesDSA,
                .keyUsesExplicitCurve, .keyUsesUnsupportedCurve, .keyMalformed, .keyAlgorithmUnsupported,
                .criticalExtensionUnhandled, .certificateVersionNotAllowed, .certificateDenied, .policyNotAcceptable,
            ]),
        // With the "any" purpose, the engine doesn't check extended key usage.
        Occurrence(
            positions: certificates, codes: [.extendedKeyUsageNotAllowed], purposes: [.serverAuth, .clientAuth]),
        Occurrence(
            positions: certificates,
            codes: [
                .strictSerialNumber, .strictAuthorityKeyIdentifier, .strictSubjectKeyIdentifier,
                .strictExtensionCriticality, .strictExtensionNotAllowed, .strictKeyUsage, .strictExtendedKeyUsage,
                .strictSubjectName, .strictAlternativeName, .strictNameConstraints, .strictLeafIsAuthority,
                .strictKeySize, .strictEncoding, .strictValidityPeriod, .strictTimeEncoding,
            ]),
        // The engine doesn't read an anchor's issuer, signature or policies.
        Occurrence(
            positions: intermediates.union([.leaf]),
            codes: [
                .signatureAlgorithmMismatch, .signatureUsesMD5, .signatureUsesSHA1, .signatureUsesDSA,
                .signatureAlgorithmUnsupported, .signatureParametersUnsupported, .issuerNameEmpty, .nameExcluded,
                .nameNotPermitted, .nameConstraintUndecidable, .policyMappingOfAnyPolicy, .tlsFeatureMissing,
            ]),
        // No CA above an anchor states whether it is revoked.
        Occurrence(
            positions: intermediates.union([.leaf]), codes: [.certificateRevoked, .revocationUnavailable]),
        // About the issuer, whose key didn't create the signature.
        Occurrence(positions: certificates, codes: [.signatureInvalid]),
        // The rights of issuers.
        Occurrence(
            positions: intermediates.union(roots),
            codes: [.notCertificateAuthority, .basicConstraintsMissing, .keyUsageLacksCertSign, .pathLengthExceeded]),
        // The end of a search that found no anchor.
        Occurrence(positions: intermediates, codes: [.untrustedRoot]),
        Occurrence(positions: intermediates.union([.leaf]), codes: [.unknownIssuer, .issuerUnreadable]),
        Occurrence(positions: [.leaf], codes: [.keyUsageNotForTLS], purposes: [.serverAuth, .clientAuth]),
        Occurrence(
            positions: [.leaf],
            codes: [
                .hostMismatch, .subjectAlternativeNameMissing, .selfSignedLeaf, .certificateMalformed,
                .transparencyNotMet, .transparencyLogListMissing, .stapleMissing, .extendedValidationMissing,
                .attributeNotMatched, .validityTooLong, .handshakeSignatureInvalid, .handshakeUnproven,
            ]),
        // The conditions of a root program.
        Occurrence(
            positions: roots,
            codes: [
                .anchorDistrustedAfter, .anchorNameNotPermitted, .anchorPurposeNotPermitted, .anchorNotInProgram,
            ]),
        // The whole path, and requests without one.
        Occurrence(
            positions: [.whole],
            codes: [
                .maximumIntermediatesExceeded, .depthBudgetExceeded, .signatureBudgetExceeded,
                .comparisonBudgetExceeded, .stepBudgetExceeded, .workBudgetExceeded, .byteBudgetExceeded,
                .presentedChainEmpty, .systemAnchorsUnavailable, .hostNotListed, .hostDenied, .pinsExpired,
                .tlsVersionOutdated, .systemRefused, .systemEvaluationUnavailable,
            ]),
        Occurrence(
            positions: [.leaf, .whole], codes: [.pinNotMatched, .certificateNotPinned, .authorityNotMatched]),
        Occurrence(positions: certificates.union([.whole]), codes: [.evaluatorRefused]),
    ]

    /// The codes whose remedy isn't at the certificate's party, with the party that acts.
    private static let elsewhere: [String: String] = [
        "anchorDistrustedAfter": "the root program has decided about the CA; the presenter can choose another CA",
        "anchorNameNotPermitted": "as above", "anchorPurposeNotPermitted": "as above", "anchorNotInProgram": "as above",
        "pathLengthExceeded": "the CA decides about the length of its paths",
        "untrustedRoot": "the user decides about anchors",
        "unknownIssuer": "the user decides about anchors",
        "revocationUnavailable": "the user provides evidence",
        "certificateDenied": "the user has the list",
        "evaluatorRefused": "the program has the rule",
        "transparencyLogListMissing": "the program has the list of logs",
        "maximumIntermediatesExceeded": "the program has the limit",
        "systemAnchorsUnavailable": "this machine has no store",
        "hostNotListed": "the program has the rule", "hostDenied": "as above", "pinsExpired": "as above",
        "systemRefused": "this machine has the evaluator",
        "systemEvaluationUnavailable": "the program chooses the evaluator",
    ]

    @Test("The list of occurrences contains every code in the package once") func partition() {
        let codes = Self.occurrences.flatMap(\.codes).map(\.name)
        #expect(codes.sorted() == TrustFailure.Code.all.map(\.name).sorted())
    }

    private static let rows = Book(packed: PackedBook.advice).entries

    @Test("Every code in the book's remedies exists and has one entry without a condition") func book() {
        let codes = Self.rows.flatMap { $0["codes"].split(separator: " ") }
        #expect(codes.filter { TrustFailure.Code.named(String($0)) == nil } == [])
        let plain = Self.rows.filter { !$0.isConditional }.flatMap { $0["codes"].split(separator: " ") }
        #expect(Set(plain).count == plain.count)
        // Of two rows of a code, the first one whose condition is met applies.
        let last = Self.rows.lastIndex(where: \.isConditional)
        let first = Self.rows.firstIndex { !$0.isConditional }
        #expect(last != nil && first != nil && last! < first!)
    }

    @Test("Every condition in the book exists, and every condition has a row") func conditions() {
        let conditions = Self.rows.flatMap { $0.all("when") }
        #expect(Set(conditions) == Set(AdviceCondition.allCases.map(\.rawValue)))
        for row in Self.rows where row.isConditional {
            let fields = AdviceTable.Position.allCases.map(\.rawValue) + ["any"]
            #expect(fields.contains { !row.all($0).isEmpty }, "\(row.name)")
            #expect(row.all("when").count <= 1)
        }
    }

    @Test("Every possible combination of code, role, purpose and source has advice that fits it")
    func combinations() throws {
        var count = 0
        for occurrence in Self.occurrences {
            for code in occurrence.codes {
                for role in [nil, .leaf, .intermediate, .anchor] as [TrustFailure.Role?] {
                    for purpose in ValidationPolicy.Purpose.allCases {
                        for source in CertificateSource.allCases {
                            let entry = AdviceTable.entry(code, role: role, purpose: purpose, source: source)
                            let name = Comment(
                                rawValue:
                                    "\(code), \(role?.rawValue ?? "path"), \(purpose.rawValue), \(source.rawValue)")
                            guard let position = AdviceTable.Position(role, source) else {
                                #expect(entry == nil, name)
                                continue
                            }
                            if occurrence.positions.contains(position), occurrence.purposes.contains(purpose) {
                                count += 1
                                let entry = try #require(entry, name)
                                check(entry, code, position, purpose, name)
                            } else if let entry {
                                // A combination that doesn't occur may have advice, which must also fit.
                                check(entry, code, position, purpose, name)
                            }
                        }
                    }
                }
            }
        }
        #expect(count > 900)
    }

    private func check(
        _ entry: AdviceTable.Entry, _ code: TrustFailure.Code, _ position: AdviceTable.Position,
        _ purpose: ValidationPolicy.Purpose, _ name: Comment
    ) {
        let presenter: Advice.Party =
            switch purpose {
            case .serverAuth: .server
            case .clientAuth: .client
            case .any: .peer
            }
        // If the party is a presenter, it is the presenter of this purpose.
        #expect(!entry.party.isPresenter || entry.party == presenter, name)
        if Self.elsewhere[code.name] == nil {
            let actor: Advice.Party =
                switch position {
                case .leaf, .sentIntermediate, .whole: presenter
                case .givenIntermediate, .givenRoot: .user
                case .fetchedIntermediate: .authority
                case .storedRoot: .machine
                }
            #expect(entry.party == actor, name)
        }
        // The text names only this party.
        let words = Set(entry.text.lowercased().split { !$0.isLetter }.map(String.init))
        for other in [Advice.Party.server, .client, .peer] where other != presenter {
            #expect(words.isDisjoint(with: [other.rawValue, other.rawValue + "s"]), name)
        }
        switch position {
        case .leaf, .whole, .sentIntermediate: #expect(!entry.text.contains("{place}"), name)
        case .givenIntermediate, .fetchedIntermediate, .givenRoot, .storedRoot:
            #expect(words.isDisjoint(with: [presenter.rawValue, "send", "present"]), name)
        }
        if position == .givenRoot || position == .storedRoot {
            #expect(words.isDisjoint(with: ["chain", "intermediate"]), name)
        }
        #expect(entry.text.count(where: { $0 == "{" }) == entry.text.count(where: { $0 == "}" }), name)
        #expect(
            !["{peer}", "{usage}", "{serve}", "{publicCAs}", "{otherCA}"].contains(where: entry.text.contains), name)
        // A missing extended key usage is the one that the purpose names.
        for usage in ValidationPolicy.Purpose.allCases where usage != purpose {
            #expect(!words.contains(usage.rawValue.lowercased()) || usage == .any, name)
        }
        #expect(entry.options.isEmpty || code.severity != .fatal, name)
    }

    @Test("No option changes the verdict for an invalid signature or a revoked certificate")
    func options() {
        for code in [TrustFailure.Code.signatureInvalid, .certificateRevoked, .certificateDenied, .pinNotMatched] {
            for role in [nil, .leaf, .intermediate, .anchor] as [TrustFailure.Role?] {
                for source in CertificateSource.allCases {
                    let entry = AdviceTable.entry(code, role: role, purpose: .serverAuth, source: source)
                    #expect(entry?.options.isEmpty != false)
                }
            }
        }
    }

    /// The codes whose explanation is about servers, with the reason.
    private static let aboutServers: [String: String] = [
        "hostMismatch": "names are those of servers",
        "handshakeSignatureInvalid": "a probe of a server finds it", "handshakeUnproven": "as above",
        "tlsVersionOutdated": "as above", "validityTooLong": "the rule is about servers",
        "strictExtendedKeyUsage": "the rule is about servers", "strictLeafIsAuthority": "as above",
    ]

    @Test(
        "An explanation without role and purpose has no remedy for a server",
        arguments: TrustFailure.Code.all)
    func explanation(_ code: TrustFailure.Code) throws {
        guard Self.aboutServers[code.name] == nil else { return }
        let explanation = try #require(code.explanation)
        let words = Set(explanation.lowercased().split { !$0.isLetter })
        #expect(words.isDisjoint(with: ["server", "servers"]), "\(code): \(explanation)")
    }
}
