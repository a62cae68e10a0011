// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustTesting

/// An app's own rule with its own code: certificates may be valid for 47 days, the limit that all public certificates
/// will have to meet.
struct ShortLivedTrustEvaluator: TrustEvaluator {
    static let maximumDays: Int64 = 47

    static let validityTooLong = TrustFailure.Code(
        "exampleValidityTooLong", rank: 50, severity: .fatal,
        message: "{subject} is valid for {found} days, expected at most {expected}")

    /// Checks every path that has no other failure. It can only refuse the path.
    func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {
        let seconds = path.leaf.notAfter.secondsSinceEpoch - path.leaf.notBefore.secondsSinceEpoch + 1
        guard seconds > Self.maximumDays * 86_400 else { return }
        throw TrustFailures(
            TrustFailure(
                Self.validityTooLong, certificate: 0, role: .leaf, expected: .number(Int(Self.maximumDays)),
                found: .number(Int((seconds + 86_399) / 86_400))))
    }

    /// Depends only on the path, so a manager may remember verdicts.
    var isRepeatable: Bool { true }
}

/// Receives each event on the thread that evaluates.
struct Printer: TrustEventObserver {
    func observe(_ event: TrustEvent) {
        switch event {
        case .evaluated(let verdict): print("evaluated \(verdict.host?.description ?? "?")")
        case .refused(let verdict): print("refused [\(verdict.headline?.code.name ?? "?")]")
        default: break
        }
    }
}

@main
struct CustomEvaluator {
    static func main() throws {
        let root = try TestAuthority.root()
        let manager = try ServerTrustManager(evaluators: ["**.example.com": ShortLivedTrustEvaluator()])
        manager.events.add(Printer())

        for days in [30, 90] {
            let template = CertificateTemplate.leaf("api.example.com").with {
                $0.notBefore = TestAuthority.now.advanced(by: .days(-1))
                $0.notAfter = $0.notBefore.advanced(by: .days(days) - .seconds(1))
            }
            let leaf = try root.issue(template).certificate
            var trust = Trust(presentedChain: [leaf], host: try Hostname("api.example.com"))
            trust.anchors = .only([root.certificate])
            trust.verifyDate = .at(TestAuthority.now)
            do {
                let verdict = try manager.requireTrust(trust)
                print("go on until \(verdict.unchangedUntil?.description ?? "?")")
            } catch {
                print("stop: \(error)")
            }
        }
    }
}
