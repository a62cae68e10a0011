// SPDX-License-Identifier: Apache-2.0

#if Observability || Everything

import Metrics
import ServerTrust

/// An observer that counts trust events.
///
/// ```swift
/// manager.events.add(MetricsTrustObserver())
/// ```
///
/// | counter | counts | dimensions |
/// |---|---|---|
/// | `servertrust_evaluations_total` | each evaluation | `result`: `TrustResultType` |
/// | `servertrust_refusals_total` | each refused server | `code`: of the most specific failure |
/// | `servertrust_backup_pins_total` | each server that matched a backup pin | |
/// | `servertrust_report_only_mismatches_total` | each server that a report-only rule would have refused | `code`: of the most specific failure |
/// | `servertrust_exceptions_applied_total` | each server that is trusted because of an exception | |
/// | `servertrust_delegate_acceptances_total` | each server that a delegate accepted although default evaluation refuses it | `code`: of the most specific failure |
/// | `servertrust_revocation_not_checked_total` | each server that is trusted without a requested revocation answer | `gap`: `RevocationGap`, one count for each |
/// | `servertrust_configuration_warnings_total` | each warning about a client's configuration | `code`: of the warning |
/// | `servertrust_anchors_skipped_total` | each skipped entry of the system's anchors | |
/// | `servertrust_requests_repeated_total` | each repeat of a request | `reason`: `RepeatedRequest.Reason` |
///
/// The host isn't a dimension, because the number of hosts isn't limited. ``LoggingTrustObserver`` logs the host. The
/// codes come from this package and from the app's custom evaluators.
public struct MetricsTrustObserver: TrustEventObserver {
    private let prefix: String
    private let factory: (any MetricsFactory)?

    /// Creates an observer.
    /// - Parameters:
    ///   - prefix: the beginning of the counters' names, before `_`. The default is `servertrust`.
    ///   - factory: the factory of the counters. By default, the factory that `MetricsSystem` has when an event is
    ///     counted.
    public init(prefix: String = "servertrust", factory: (any MetricsFactory)? = nil) {
        self.prefix = prefix
        self.factory = factory
    }

    public func observe(_ event: TrustEvent) {
        switch event {
        case .evaluated(let verdict): count("evaluations", [("result", verdict.result.rawValue)])
        case .refused(let verdict): count("refusals", Self.code(verdict.failures))
        case .pinMatchedByBackup: count("backup_pins")
        case .reportOnlyMismatch(let verdict): count("report_only_mismatches", Self.code(verdict.reported))
        case .exceptionApplied: count("exceptions_applied")
        case .acceptedByDelegate(let verdict): count("delegate_acceptances", Self.code(verdict.excused))
        case .revocationNotChecked(let verdict):
            for gap in verdict.revocationGaps { count("revocation_not_checked", [("gap", gap.rawValue)]) }
        case .configurationWarning(let warning): count("configuration_warnings", [("code", warning.code)])
        case .anchorSkipped: count("anchors_skipped")
        case .requestRepeated(let request): count("requests_repeated", [("reason", request.reason.rawValue)])
        }
    }

    /// Increments a counter. Factories return the same counter for the same name and dimensions.
    private func count(_ name: String, _ dimensions: [(String, String)] = []) {
        Counter(
            label: "\(prefix)_\(name)_total", dimensions: dimensions, factory: factory ?? MetricsSystem.factory
        ).increment()
    }

    /// Returns the dimension of a failure's code. It is always present, because all counters with one name have the
    /// same dimensions.
    private static func code(_ failures: [TrustFailure]) -> [(String, String)] {
        [("code", failures.first?.code.name ?? "none")]
    }
}

#endif
