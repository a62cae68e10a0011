// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustTesting
import Testing
import TrustScenes

@Suite("Attributes")
struct AttributeTrustEvaluatorTests {
    static func row(
        _ sentence: String, _ expectation: EvaluatorCase.Expectation,
        _ requirements: AttributeTrustEvaluator.Requirement...,
        trust: @escaping @Sendable (TrustLab) throws -> Trust
    ) -> EvaluatorCase {
        EvaluatorCase(sentence, expectation) { (AttributeTrustEvaluator(requirements), try trust($0)) }
    }

    /// A requirement, with a server that meets it or doesn't.
    static func row(
        _ sentence: String, isMet: Bool, _ requirement: AttributeTrustEvaluator.Requirement,
        trust: @escaping @Sendable (TrustLab) throws -> Trust = { try $0.trust($0.named()) }
    ) -> EvaluatorCase {
        row(sentence, isMet ? .trusted(pin: nil) : .refused([.attributeNotMatched]), requirement, trust: trust)
    }

    static let isoPolicy = OID("2.23.140.1.2.2") ?? .anyPolicy
    static let mustStaple = OID("1.3.6.1.5.5.7.1.24") ?? .anyPolicy

    static let rows: [EvaluatorCase] = [
        row("The organization is the required one", isMet: true, .organization("Example, Inc.")),
        row("The organization is another", isMet: false, .organization("Impostor, Inc.")),
        row("The organization has another spelling", isMet: false, .organization("example, inc.")),
        row("The organization only has the same start", isMet: false, .organization("Example")),
        row("There is no organization", isMet: false, .organization("Example, Inc.")) { try $0.trust($0.leaf()) },
        row("The organization is in the common name", isMet: false, .organization("Example, Inc.")) {
            try $0.trust($0.leaf { $0.commonName = "Example, Inc." })
        },
        row("The organization is the second of two", isMet: true, .organization("Example, Inc.")) {
            try $0.trust($0.named([("2.5.4.10", "First"), ("2.5.4.10", "Example, Inc.")]))
        },
        row("The organizational unit is the required one", isMet: true, .organizationalUnit("Payments")),
        row("The organizational unit is another", isMet: false, .organizationalUnit("Marketing")),
        row("The unit's name is the organization's", isMet: false, .organizationalUnit("Example, Inc.")),
        row("There is no organizational unit", isMet: false, .organizationalUnit("Payments")) {
            try $0.trust($0.leaf())
        },
        row("The country is the required one", isMet: true, .country("CH")),
        row("The country is another", isMet: false, .country("DE")),
        row("There is no country", isMet: false, .country("CH")) { try $0.trust($0.leaf()) },
        row("The issuer's organization is the required one", isMet: true, .issuerOrganization("Test")),
        row("The issuer's organization is another", isMet: false, .issuerOrganization("Example, Inc.")),
        row("The issuer has no organization", isMet: false, .issuerOrganization("Test")) { _ in
            let lab = try TrustLab(intermediate: .authority("Nameless").with { $0.organization = nil })
            return try lab.trust(lab.leaf())
        },
        row("The leaf names the purpose", isMet: true, .extendedKeyUsage(.serverAuth)),
        row("The leaf doesn't name the purpose", isMet: false, .extendedKeyUsage(.clientAuth)),
        row("Any purpose isn't the named purpose", isMet: false, .extendedKeyUsage(.clientAuth)) {
            try $0.trust($0.leaf { $0.extendedKeyUsage = [.serverAuth, .anyExtendedKeyUsage] })
        },
        row("There are no purposes", isMet: false, .extendedKeyUsage(.serverAuth)) {
            try $0.trust($0.leaf { $0.extendedKeyUsage = nil })
        },
        row("The extension is present", isMet: true, .extension(mustStaple)) {
            try $0.trust(
                $0.leaf {
                    $0.extensions = [
                        Extension(identifier: mustStaple, isCritical: false, value: [0x30, 0x03, 0x02, 0x01, 0x05])
                    ]
                })
        },
        row("The extension is missing", isMet: false, .extension(mustStaple)),
        row("The validity is exactly as long as permitted", isMet: true, .maximumValidity(.days(181))),
        row("The validity is a second longer than permitted", isMet: false, .maximumValidity(.days(180))),
        row("The validity is as long as permitted, including both ends", isMet: true, .maximumValidity(.days(180))) {
            try $0.trust($0.leaf { $0.notAfter = TestAuthority.notAfter.advanced(by: -1) })
        },
        row("The remaining validity is exactly as long as required", isMet: true, .minimumRemainingValidity(.days(90))),
        row("The remaining validity is a second too short", isMet: false, .minimumRemainingValidity(.days(90))) {
            try $0.trust($0.leaf(), at: TestAuthority.now.advanced(by: 1))
        },
        row("A custom requirement is met", isMet: true, .custom("three certificates") { $0.certificates.count == 3 }),
        row(
            "A custom requirement is not met", isMet: false, .custom("two certificates") { $0.certificates.count == 2 }),
    ]

    @Test("The evaluator accepts or refuses each attribute", arguments: rows)
    func attributes(row: EvaluatorCase) throws { try row.run() }

    // MARK: Policies

    /// A leaf that states `leaf` below an intermediate that states `authority`, or no policies for nil.
    static func trust(leaf: OID?, authority: OID?) throws -> Trust {
        let lab = try TrustLab(
            intermediate: .authority("Policies").with {
                if let authority { $0.extensions = [.certificatePolicies(authority)] }
            })
        return try lab.trust(lab.leaf { if let leaf { $0.extensions = [.certificatePolicies(leaf)] } })
    }

    static let policyRows: [EvaluatorCase] = [
        extended("The leaf states it and the intermediate allows it", true, .extendedValidation, .extendedValidation),
        extended("The leaf states it and the intermediate allows any policy", true, .extendedValidation, .anyPolicy),
        extended("The leaf states it and the intermediate allows none", false, .extendedValidation, nil),
        extended("The leaf states it and the intermediate allows another", false, .extendedValidation, isoPolicy),
        extended("The leaf states another policy", false, isoPolicy, .extendedValidation),
        extended("The leaf states any policy", false, .anyPolicy, .extendedValidation),
        extended("The leaf states no policy", false, nil, .extendedValidation),
        row(
            "A self-signed leaf claims extended validation", .refused([.extendedValidationMissing]), .extendedValidation
        ) { _ in
            let leaf = try TrustLab.selfSigned { $0.extensions = [.certificatePolicies(.extendedValidation)] }
            return try .lab([leaf], anchors: [leaf])
        },
        row(
            "A CA that sends its own certificate as a leaf claims extended validation",
            .refused([.extendedValidationMissing]), .extendedValidation
        ) { _ in
            let leaf = try TrustLab.selfSignedAuthority { $0.extensions = [.certificatePolicies(.extendedValidation)] }
            return try .lab([leaf], anchors: [leaf])
        },
        row("An untrusted CA asserts extended validation", .refused([.unknownIssuer]), .extendedValidation) { _ in
            var trust = try trust(leaf: .extendedValidation, authority: .anyPolicy)
            trust.anchors = .only([try TrustLab.unrelatedRoot().certificate])
            return trust
        },
        row("The policy is valid along the path", isMet: true, .policy(isoPolicy)) { _ in
            try trust(leaf: isoPolicy, authority: .anyPolicy)
        },
        row("The policy is not the leaf's", isMet: false, .policy(isoPolicy)) { _ in
            try trust(leaf: .extendedValidation, authority: .anyPolicy)
        },
        row("The policy is not the intermediate's", isMet: false, .policy(isoPolicy)) { _ in
            try trust(leaf: isoPolicy, authority: .extendedValidation)
        },
        row("A self-signed leaf states the policy", isMet: false, .policy(isoPolicy)) { _ in
            let leaf = try TrustLab.selfSigned { $0.extensions = [.certificatePolicies(isoPolicy)] }
            return try .lab([leaf], anchors: [leaf])
        },
    ]

    static func extended(_ sentence: String, _ isMet: Bool, _ leaf: OID?, _ authority: OID?) -> EvaluatorCase {
        row(
            sentence, isMet ? .trusted(pin: nil) : .refused([.extendedValidationMissing]), .extendedValidation
        ) { _ in
            try trust(leaf: leaf, authority: authority)
        }
    }

    @Test("The leaf must state a policy and every CA must allow it", arguments: policyRows)
    func policies(row: EvaluatorCase) throws { try row.run() }

    @Test("The verdict asserts extended validation exactly if the requirement is met")
    func verdictAsserts() throws {
        let policies: [OID?] = [.extendedValidation, .anyPolicy, Self.isoPolicy, nil]
        for leaf in policies {
            for authority in policies {
                let trust = try Self.trust(leaf: leaf, authority: authority)
                let isMet = AttributeTrustEvaluator([.extendedValidation]).evaluate(trust).isTrusted
                #expect(trust.evaluate().assertsExtendedValidation == isMet)
                #expect(isMet == (leaf == .extendedValidation && authority != nil && authority != Self.isoPolicy))
            }
        }
    }

    // MARK: Several, none, more than a path

    static let together: [EvaluatorCase] = [
        row("All requirements are met", .trusted(pin: nil), .organization("Example, Inc."), .country("CH")) {
            try $0.trust($0.named())
        },
        row(
            "One of two requirements is met", .refused([.attributeNotMatched]), .organization("Example, Inc."),
            .country("DE")
        ) {
            try $0.trust($0.named())
        },
        row(
            "None of three requirements is met, and the verdict reports all of them",
            .refused([.extendedValidationMissing, .attributeNotMatched, .attributeNotMatched]),
            .organization("Impostor"), .extendedValidation, .country("DE")
        ) { try $0.trust($0.named()) },
        row(
            "A met requirement doesn't excuse an expired leaf", .refused([.certificateExpired]),
            .issuerOrganization("Test")
        ) {
            try $0.trust($0.expiredLeaf())
        },
        row("A met requirement doesn't excuse another host", .refused([.hostMismatch]), .issuerOrganization("Test")) {
            try $0.trust($0.leaf(), host: "api.example.com")
        },
        row(
            "A met requirement doesn't excuse an untrusted root", .refused([.unknownIssuer]),
            .issuerOrganization("Test")
        ) {
            try .lab([$0.leaf(), $0.intermediate.certificate], anchors: [TrustLab.unrelatedRoot().certificate])
        },
        row("There are no requirements", .trusted(pin: nil)) { try $0.trust($0.leaf()) },
    ]

    @Test(
        "The server must meet all of several attribute requirements, in addition to having a valid path",
        arguments: together
    )
    func several(row: EvaluatorCase) throws { try row.run() }

    @Test("Of two cross-signed paths, the one that meets the requirement counts")
    func crossSigned() throws {
        let lab = try CrossSignedLab()
        for trust in try lab.trusts() {
            for (root, path) in [(lab.rootA, lab.pathA), (lab.rootB, lab.pathB)] {
                let anchor = root.certificate
                let evaluator = AttributeTrustEvaluator([.custom("that anchor") { $0.anchor == anchor }])
                let verdict = evaluator.evaluate(trust)
                #expect(verdict.isTrusted)
                #expect(verdict.path == path)
            }
        }
    }

    @Test("The longest durations in a requirement don't cause a crash")
    func extremeLimits() async {
        await #expect(processExitsWith: .success) {
            let lab = try TrustLab()
            let trust = try lab.trust(lab.leaf())
            #expect(AttributeTrustEvaluator([.maximumValidity(.days(.max))]).evaluate(trust).isTrusted)
            #expect(!AttributeTrustEvaluator([.minimumRemainingValidity(.days(.max))]).evaluate(trust).isTrusted)
        }
    }
}

extension TrustLab {
    /// A leaf whose subject contains more than a common name.
    fileprivate func named(
        _ subject: [(attribute: String, value: String)] = [
            ("2.5.4.6", "CH"), ("2.5.4.10", "Example, Inc."), ("2.5.4.11", "Payments"), ("2.5.4.3", host),
        ]
    ) throws -> Certificate {
        try intermediate.reissue(leaf(), subject: subject)
    }
}
