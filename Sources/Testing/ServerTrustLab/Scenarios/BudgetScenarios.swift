// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import ServerTrust
import ServerTrustTesting

// Chains that are too costly for a client to evaluate. See also `hugeChain` and `hostilePathSet`.

extension LabScenario {
    /// Eleven CAs with P-521 keys, each below the previous one. Their signatures cost 220 units. The engine's budget is
    /// 200.
    static let costlySignatures = LabScenario(
        "costly-signatures", "eleven CAs whose signatures take long to verify", .refused(.signatureBudgetExceeded)
    ) { lab in
        var authorities: [TestAuthority] = []
        for number in 1...11 {
            let above = authorities.last ?? lab.root
            authorities.append(try above.intermediate(lab.authority("P-521 CA \(number)"), key: .p521()))
        }
        let leaf = try (authorities.last ?? lab.root).issue(lab.leaf())
        return try lab.certificates(leaf, authorities.reversed().map(\.certificate))
    }

    /// 501 names, each permitted only by the last of 501 constraints. This takes more comparisons than the engine's
    /// budget of 250,000.
    static let costlyConstraints = LabScenario(
        "costly-constraints", "501 names under 501 name constraints", .refused(.comparisonBudgetExceeded)
    ) { lab in
        try lab.belowOwnAuthority(
            "Constraining CA", leaf: { $0.dnsNames += (1...500).map { "n\($0).lab.test" } },
            { $0.permittedDNSNames = (1...500).map { "c\($0).test" } + ["lab.test"] })
    }

    /// Forty layers with two CAs of the same name. Either of them may have issued both CAs of the layer below. There
    /// are 2⁴⁰ possible paths, and none is short enough. The engine's budget of steps runs out before a path is
    /// complete.
    static let endlessMaze = LabScenario(
        "endless-maze", "a maze of CAs that takes too long to search", .refused(.stepBudgetExceeded)
    ) { lab in
        func template(_ layer: Int) -> CertificateTemplate {
            lab.authority("Layer \(layer)") {
                $0.hasSubjectKeyIdentifier = false
                $0.hasAuthorityKeyIdentifier = false
            }
        }
        var above = [lab.root]
        var maze: [Certificate] = []
        for layer in 1...40 {
            let issuer = above[0]
            above = try (0..<2).map { _ in try issuer.intermediate(template(layer)) }
            maze += above.map(\.certificate)
        }
        let leaf = try above[0].issue(lab.leaf { $0.hasAuthorityKeyIdentifier = false })
        return try lab.certificates(leaf, maze)
    }

    /// A valid chain, for a client that reads at most a thousand bytes.
    static let workBudget = LabScenario(
        "work-budget", "a chain that needs more work than the client allows", .refused(.workBudgetExceeded)
    ) { lab in
        try lab.below(client: .limited(by: ValidationBudget(work: 1_000))) { _ in }
    }

    /// A valid chain, for a client that accepts at most five hundred bytes of certificates.
    static let byteBudget = LabScenario(
        "byte-budget", "larger certificates than the client accepts", .refused(.byteBudgetExceeded)
    ) { lab in
        try lab.below(client: .limited(by: ValidationBudget(bytes: 500))) { _ in }
    }
}

extension ScenarioClient {
    fileprivate static func limited(by budget: ValidationBudget) -> ScenarioClient {
        ScenarioClient(policy: ValidationPolicy(budget: budget))
    }
}

#endif
