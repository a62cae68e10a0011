// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import ServerTrust
import ServerTrustPins
import ServerTrustTesting

// Valid chains for clients with custom rules: denied hosts and keys, expired pins, or requirements for the contents.

extension LabScenario {
    /// A client with a rule that denies the host.
    static let hostDenied = LabScenario(
        "host-denied", "a host that the client denies", .refused(.hostDenied)
    ) { lab in
        try lab.below(client: ScenarioClient(rule: .denied)) { _ in }
    }

    /// A client without a rule for the host, which connects only to hosts with a rule.
    static let hostNotListed = LabScenario(
        "host-not-listed", "a host that the client has no rule for", .refused(.hostNotListed)
    ) { lab in
        try lab.below(client: ScenarioClient(rule: nil)) { _ in }
    }

    /// A leaf whose key the client knows to be compromised.
    static let keyDenied = LabScenario(
        "key-denied", "a key on the client's deny list", .refused(.certificateDenied)
    ) { lab in
        let leaf = try lab.intermediate.issue(lab.leaf())
        return try lab.certificates(
            leaf, [lab.intermediate.certificate],
            client: .enforcing(DeniedListTrustEvaluator(DeniedList(keys: [SPKIPin(leaf.certificate)]))))
    }

    /// An intermediate that the client has on a list of denied certificates.
    static let certificateDenied = LabScenario(
        "certificate-denied", "a CA on the client's deny list", .refused(.certificateDenied)
    ) { lab in
        let leaf = try lab.intermediate.issue(lab.leaf())
        return try lab.certificates(
            leaf, [lab.intermediate.certificate],
            client: ScenarioClient(denied: DeniedList(keys: [SPKIPin(lab.intermediate.certificate)])))
    }

    /// A client whose pins match the server but expired a day before the scenario's date.
    static let pinsExpired = LabScenario(
        "pins-expired", "the client's pins expired yesterday", .refused(.pinsExpired)
    ) { lab in
        let leaf = try lab.intermediate.issue(lab.leaf())
        let host = try Hostname(ScenarioFixture.host)
        let configuration = try PinConfiguration(rules: [
            PinRule(
                hosts: [.only(host)], pins: [Pin(.key(SPKIPin(leaf.certificate)))],
                expiry: PinExpiry(lab.now.advanced(by: -86_400), onExpiry: .failClosed))
        ])
        return try lab.certificates(
            leaf, [lab.intermediate.certificate],
            client: ScenarioClient(rule: configuration.serverTrustManager().rule(for: host)))
    }

    /// A renewed leaf, for a client that pins the previous certificate.
    static let certificateReplaced = LabScenario(
        "certificate-replaced", "renewed, but the client pins the old certificate", .refused(.certificateNotPinned)
    ) { lab in
        let key = TestKey.p256()
        let old = try lab.intermediate.issue(lab.leaf(), key: key)
        return try lab.certificates(
            lab.intermediate.issue(lab.leaf(), key: key), [lab.intermediate.certificate],
            client: .enforcing(PinnedCertificatesTrustEvaluator(certificates: [old.certificate])))
    }

    /// A leaf without extended validation, which the client requires.
    static let noExtendedValidation = LabScenario(
        "no-extended-validation", "no extended validation, but the client requires it",
        .refused(.extendedValidationMissing)
    ) { lab in
        try lab.below(client: .enforcing(AttributeTrustEvaluator([.extendedValidation]))) { _ in }
    }

    /// A leaf for an organization other than the one that the client requires.
    static let wrongOrganization = LabScenario(
        "wrong-organization", "a different organization than the client requires", .refused(.attributeNotMatched)
    ) { lab in
        try lab.below(client: .enforcing(AttributeTrustEvaluator([.organization("Example, Inc.")]))) {
            $0.organization = "Another Example, Inc."
        }
    }

    /// A leaf with a wildcard, which the client's custom evaluator refuses.
    static let refusedByEvaluator = LabScenario(
        "refused-by-evaluator", "a wildcard that the client's own evaluator refuses",
        .refused(.evaluatorRefused)
    ) { lab in
        try lab.below(client: .enforcing(WildcardRefusingEvaluator())) {
            $0.commonName = "Lab Server"
            $0.dnsNames = ["*.lab.test"]
        }
    }

    /// A valid chain that the operating system refuses, for a client that leaves the evaluation to the system. A
    /// stand-in simulates the system.
    static let refusedBySystem = LabScenario(
        "refused-by-system", "refused by a rule of the operating system", .refused(.systemRefused)
    ) { lab in
        // errSecCertificateValidityPeriodTooLong. None of the engine's checks corresponds to this error.
        try lab.below(client: ScenarioClient(system: SystemStandIn.refusing(status: -67_901))) { _ in }
    }

    /// A client that leaves the evaluation to an operating system that can't evaluate servers. A stand-in simulates the
    /// system.
    static let systemUnavailable = LabScenario(
        "system-unavailable", "the operating system can't evaluate", .refused(.systemEvaluationUnavailable)
    ) { lab in
        try lab.below(client: ScenarioClient(system: SystemStandIn.unavailable("its service does not answer"))) { _ in }
    }
}

/// An example of an app's custom evaluator. It refuses leaves with a wildcard.
private struct WildcardRefusingEvaluator: TrustEvaluator {
    func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {
        for case .dnsName(let name) in path.leaf.subjectAlternativeNames ?? [] where name.hasPrefix("*.") {
            throw TrustFailures(
                TrustFailure(.evaluatorRefused, certificate: 0, role: .leaf, found: .text("the wildcard \(name)")))
        }
    }
}

/// A stand-in for an operating system's evaluator, with the same response to every chain.
private enum SystemStandIn: SystemEvaluator {
    /// The system refuses the chain with an OSStatus, and the user can't override that
    /// (`kSecTrustResultFatalTrustFailure`).
    case refusing(status: Int32)
    /// The system doesn't evaluate the chain, for this reason.
    case unavailable(String)

    func evaluate(_ request: SystemEvaluationRequest) -> SystemEvaluationResponse {
        switch self {
        case .refusing(let status): .refused(SystemFinding(resultType: 6, path: []), status: status)
        case .unavailable(let reason): .unavailable(reason)
        }
    }
}

#endif
