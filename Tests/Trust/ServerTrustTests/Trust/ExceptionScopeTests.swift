// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing
import TrustScenes

@testable import PKIX
@testable import ServerTrust

/// Exceptions cover recoverable failures only, wherever the failure belongs: to the leaf, to a CA, to the anchor, or to
/// the whole path.
@Suite("Scope of exceptions")
struct ExceptionScopeTests {
    /// Refuses every path with one failure.
    private struct Refusing: TrustEvaluator {
        let failure: TrustFailure
        func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) { throw TrustFailures(failure) }
    }

    private static let places: [(index: Int?, role: TrustFailure.Role?)] = [
        (nil, nil), (0, .leaf), (1, .intermediate), (2, .anchor),
    ]

    /// Exceptions for exactly this failure, which a saved file may contain even if no user can agree to it.
    private static func forged(_ failure: TrustFailure, of certificate: Certificate?, on leaf: Certificate)
        -> TrustExceptions
    {
        TrustExceptions(
            host: TrustScene.name, leafSHA256: Hex.encode(leaf.sha256),
            failures: [TrustExceptions.FailureException(failure, of: certificate)], created: TestAuthority.now,
            expires: nil)
    }

    @Test("Exceptions cover a failure if and only if its code is recoverable, at every place and with every code")
    func severity() throws {
        let scene = try TrustScene()
        var counts: [TrustFailure.Code.Severity: Int] = [:]
        for code in TrustFailure.Code.all {
            for place in Self.places {
                let certificate = place.index.map { scene.path[$0] }
                let failure = TrustFailure(
                    code, certificate: place.index, role: place.role, expected: .number(1), found: .text("x"))
                let exceptions = Self.forged(failure, of: certificate, on: scene.leaf)
                let isCovered = exceptions.covers(failure, of: certificate)
                #expect(isCovered == (code.severity == .recoverable), "\(code) at \(String(describing: place.index))")
                // A failure of one certificate isn't a failure of another, or of the path.
                for other in [nil] + scene.path where other != certificate {
                    #expect(!exceptions.covers(failure, of: other), "\(code)")
                }
                counts[code.severity, default: 0] += 1
            }
        }
        #expect(counts.count == 3)
    }

    @Test("Forged exceptions excuse no evaluator's refusal with a fatal or undecided code, at every place")
    func evaluators() throws {
        let scene = try TrustScene()
        for code in TrustFailure.Code.all {
            for place in Self.places {
                let failure = TrustFailure(code, certificate: place.index, role: place.role, found: .text("x"))
                let evaluator = Refusing(failure: failure)
                var trust = scene.trust()
                let certificate = place.index.map { scene.path[$0] }
                #expect(trust.setExceptions(Self.forged(failure, of: certificate, on: scene.leaf)) == .fits)
                let verdict = evaluator.evaluate(trust)
                #expect(verdict.isTrusted == (code.severity == .recoverable), "\(code), \(String(describing: place))")
                #expect(verdict.codes == (verdict.isTrusted ? [] : [code]))
            }
        }
    }

    @Test("A user can agree to a verdict's failures only if all are recoverable, at every place")
    func agreeing() throws {
        let scene = try TrustScene()
        for code in TrustFailure.Code.all {
            for place in Self.places {
                let failure = TrustFailure(code, certificate: place.index, role: place.role, found: .text("x"))
                let verdict = Refusing(failure: failure).evaluate(scene.trust())
                let agreed = try? verdict.exceptions()
                #expect((agreed != nil) == (code.severity == .recoverable), "\(code), \(String(describing: place))")
                // A recoverable failure beside it doesn't matter.
                let expired = try TrustScene(leaf: .expired)
                var both = expired.trust().evaluate()
                both.failures.append(failure)
                both.result = TrustResultType(failures: both.failures)
                #expect(((try? both.exceptions()) != nil) == (code.severity == .recoverable), "\(code)")
            }
        }
    }

    @Test("A leaf without a path to an anchor isn't excepted if its chain has a failure that no exception covers")
    func unanchored() throws {
        let lab = try TrustLab()
        let stranger = try TrustLab.unrelatedRoot().certificate
        let expired = CertificateTemplate.authority("Expired").until(TrustLab.past)
        let old = try lab.root.intermediate(expired)
        for (authority, code) in [(lab.intermediate, nil), (old, TrustFailure.Code.certificateExpired)] {
            let leaf = try authority.issue(.leaf(TrustLab.host)).certificate
            let trust = try Trust.lab([leaf, authority.certificate], anchors: [stranger])
            let verdict = trust.evaluate()
            let agreed = try verdict.exceptions()
            #expect(code.map { verdict.codes.contains($0) } ?? true)
            for omitted in verdict.failures.indices {
                var kept = agreed.failures
                kept.remove(at: omitted)
                var other = trust
                other.setExceptions(
                    TrustExceptions(
                        host: agreed.host, leafSHA256: agreed.leafSHA256, failures: kept, created: agreed.created,
                        expires: nil))
                #expect(!other.evaluate().isTrusted, "\(verdict.codes[omitted])")
            }
            var complete = trust
            complete.setExceptions(agreed)
            #expect(complete.evaluate().result == .proceed)
        }
    }

    @Test("Exceptions for an address don't apply to another address or to a name that begins like it")
    func addresses() throws {
        let lab = try TrustLab()
        let leaf = try lab.expiredLeaf()
        let names = ["192.0.2.1", "192.0.2.2", "2001:db8::1", "192.example"]
        for name in names {
            let agreed = try lab.trust(leaf, host: name).evaluate().exceptions()
            for other in names {
                var trust = try lab.trust(leaf, host: other)
                #expect(trust.setExceptions(agreed) == (name == other ? .fits : .otherHost), "\(name), \(other)")
            }
        }
    }
}
