// SPDX-License-Identifier: Apache-2.0

import InMemoryLogging
import Logging
import MetricsTestKit
import PKIX
import ServerTrust
import ServerTrustObservability
import ServerTrustTesting

/// A manager's events in a log and as counters.
///
/// The log and the counters are in memory, and the certificates are created for a fixed date.
@main
struct EventsToLogs {
    static func main() throws {
        let root = try TestAuthority.root()
        let reserve = try TestAuthority.root(.authority("Reserve Root"))
        let manager = try ServerTrustManager(evaluators: [
            "api.example.com": SPKIPinsTrustEvaluator(
                try SPKIPinSet(pins: [SPKIPin(root.certificate)], backup: [SPKIPin(reserve.certificate)])),
            "www.example.com": DefaultTrustEvaluator(),
        ])
        let log = InMemoryLogHandler()
        let counters = TestMetrics()
        observe(manager, Logger(label: "com.example.app.trust", factory: { _ in log }), counters)

        for (authority, host) in [
            (root, "api.example.com"), (reserve, "api.example.com"), (reserve, "www.example.com"),
            (root, "evil.example.net"),
        ] {
            let leaf = try authority.issue(.leaf(host).with { $0.notAfter = TestAuthority.now.advanced(by: .hours(1)) })
            var trust = Trust(presentedChain: [leaf.certificate], host: try Hostname(host))
            trust.anchors = .only([root.certificate, reserve.certificate])
            trust.verifyDate = .at(TestAuthority.now.advanced(by: host == "www.example.com" ? .hours(2) : .zero))
            _ = manager.evaluate(trust)
        }

        for entry in log.entries {
            let shown = entry.metadata.filter { ["host", "code", "result", "certificate"].contains($0.key) }
            let text = shown.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: " ")
            print("\(entry.level) \(entry.message): \(text)")
        }
        let totals = counters.counters.map { counter in
            "\(counter.label){\(counter.dimensions.map { "\($0.0)=\($0.1)" }.joined(separator: ","))} \(counter.totalValue)"
        }
        for total in totals.sorted() { print(total) }
    }

    /// Call this once for each manager, where your program starts.
    static func observe(_ manager: ServerTrustManager, _ logger: Logger, _ metrics: TestMetrics) {
        manager.events.add(LoggingTrustObserver(logger: logger))
        // Without a factory, the observer uses the one of `MetricsSystem`.
        manager.events.add(MetricsTrustObserver(factory: metrics))
    }
}
