// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

/// A verdict that an exemption made trusted must not be used for an evaluation with another exemption, and paths that
/// one exemption lets pass must not count as validated for another.
@Suite("Exemptions in the verdict cache")
struct RememberedExemptionTests {
    private static let exemptions: [Trust.Exemption] = [.none, .allButIdentity, .all]

    @Test("A remembered verdict applies only to the evaluator's exemption that it was reached with")
    func evaluatorExemption() throws {
        let scene = try TrustScene()
        for first in Self.exemptions {
            for second in Self.exemptions {
                let memory = VerdictMemory()
                var count = 0
                for exemption in [first, second] {
                    let trust = scene.trust { $0.exemption = exemption }
                    let verdict = memory.verdict(on: trust, scope: .none) {
                        count += 1
                        return trust.evaluate()
                    }
                    #expect(verdict.isTrusted && verdict.excused.isEmpty)
                }
                #expect(count == (first == second ? 1 : 2), "\(first), \(second)")
            }
        }
    }

    @Test("Evaluations with different exemptions validate different paths, and those with the same exemption the same")
    func validation() throws {
        let scene = try TrustScene()
        for first in Self.exemptions {
            for second in Self.exemptions {
                let (one, other) = (scene.trust { $0.exemption = first }, scene.trust { $0.exemption = second })
                #expect(one.isValidated(as: other) == (first == second), "\(first), \(second)")
            }
        }
    }

    @Test("A verdict on a short-lived leaf without evidence applies only to the policy that exempts it")
    func revocationExemption() throws {
        let leaf = CertificateTemplate.leaf(TrustScene.name).from(TestAuthority.now.advanced(by: -3600))
            .until(TestAuthority.now.advanced(by: 3600))
        let scene = try TrustScene(leaf: leaf)
        let policies: [RevocationPolicy.Anchors] = [.all, .none, .publicAnchors]
        for mode in [RevocationPolicy.Mode.bestEffort, .required] {
            for order in [policies, policies.reversed()] {
                let memory = VerdictMemory()
                for exempted in order {
                    let trust = scene.trust {
                        $0.revocation = mode == .required ? .required : .bestEffort
                        $0.revocation.scope = .leaf
                        $0.revocation.shortLivedExemption = exempted
                    }
                    let fresh = trust.evaluate()
                    #expect(fresh.isTrusted == (mode == .bestEffort || exempted == .all))
                    #expect(trust.evaluate(rememberingIn: memory) == fresh, "\(mode), \(exempted)")
                    #expect(trust.evaluate(rememberingIn: memory) == fresh)
                }
                #expect(memory.count == (mode == .required ? 1 : 3))
            }
        }
    }

    @Test("A leaf that only an exemption accepts is refused without the exemption, in any order and with one cache")
    func pinnedLeaf() throws {
        let scene = try TrustScene(leaf: .leaf("other.example"))
        let keys = try [true, false].map { validatesHost in
            (
                validatesHost,
                try PublicKeysTrustEvaluator(
                    keys: [scene.leaf.subjectPublicKeyInfo], performDefaultValidation: false,
                    validateHost: validatesHost)
            )
        }
        for evaluators in [keys, keys.reversed()] {
            let memory = VerdictMemory()
            for _ in 0..<2 {
                for (validatesHost, evaluator) in evaluators {
                    let manager = try ServerTrustManager(
                        rules: [(try HostPattern("**.example.com"), .enforced(evaluator))], memory: memory)
                    #expect(manager.evaluate(scene.trust()).isTrusted == !validatesHost)
                }
                #expect(scene.trust().evaluate(rememberingIn: memory).codes == [.hostMismatch])
            }
        }
    }

    @Test("A verdict for an address in one zone isn't used for the address in another zone")
    func zones() throws {
        let scene = try TrustScene(leaf: .leaf("fe80::1"))
        let memory = VerdictMemory()
        for zone in ["eth0", "eth1", "eth0"] {
            let verdict = scene.trust(host: try Hostname("fe80::1%\(zone)")).evaluate(rememberingIn: memory)
            #expect(verdict.isTrusted && verdict.host?.zone == zone)
            #expect(verdict.warnings.contains { $0.contains(zone) })
        }
    }
}
