// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustTesting

/// Trying out pins on real connections before they can lock users out.
@main
struct ReportOnly {
    /// Collects refusals by report-only rules, for a log, a counter or a report to the app's server.
    struct Collector: TrustEventObserver {
        func observe(_ event: TrustEvent) {
            guard case .reportOnlyMismatch(let verdict) = event else { return }
            let codes = verdict.reported.map(\.code.name).joined(separator: ", ")
            print("report: \(verdict.host?.description ?? "?") would have been refused [\(codes)]")
        }
    }

    static func main() throws {
        let root = try TestAuthority.root()
        let pinned = try root.intermediate(.authority("Pinned CA"))
        let reserve = try root.intermediate(.authority("Reserve CA"))
        // The team of www has changed its CA without notice.
        let forgotten = try root.intermediate(.authority("Forgotten CA"))

        let pins = try SPKIPinSet(pins: [SPKIPin(pinned.certificate)], backup: [SPKIPin(reserve.certificate)])
        let evaluator = SPKIPinsTrustEvaluator(pins, scope: .authority)

        for (step, rule) in [("tried out", HostRule.reportOnly(evaluator)), ("enforced", .enforced(evaluator))] {
            print("\(step):")
            let manager = try ServerTrustManager(rules: [(try HostPattern("**.example.com"), rule)])
            manager.events.add(Collector())

            for (name, issuer) in [("api.example.com", pinned), ("www.example.com", forgotten)] {
                let leaf = try issuer.issue(.leaf(name)).certificate
                var trust = Trust(presentedChain: [leaf, issuer.certificate], host: try Hostname(name))
                trust.anchors = .only([root.certificate])
                trust.verifyDate = .at(TestAuthority.now)
                let verdict = manager.evaluate(trust)
                print("\(name): \(verdict.result.rawValue)")
            }
        }
    }
}
