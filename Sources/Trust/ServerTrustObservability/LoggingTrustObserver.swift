// SPDX-License-Identifier: Apache-2.0

#if Observability || Everything

import Logging
import ServerTrust

/// An observer that logs trust events.
///
/// ```swift
/// manager.events.add(LoggingTrustObserver(logger: Logger(label: "com.example.app.trust")))
/// // warning com.example.app.trust: code=certificateExpired date=2026-11-21T09:30:00Z host=api.example.com … server refused
/// ```
///
/// | event | level | message |
/// |---|---|---|
/// | evaluated | debug | `server evaluated` |
/// | refused | warning | `server refused` |
/// | a backup pin matched | notice | `backup pin matched` |
/// | a report-only rule would have refused | warning | `report-only rule not met` |
/// | an exception was applied | notice | `exception applied` |
/// | a delegate accepted a server that default evaluation refuses | warning | `server accepted by delegate` |
/// | an entry of the system's anchors was skipped | info | `system anchor skipped` |
/// | a client repeats a request | info | `request repeated` |
///
/// Messages are constant, and all values are in the metadata. All messages except the last two have `host` (omitted if
/// the caller passed none), `result` (`TrustResultType`) and `date` (the verify date). Events with failures have `code`
/// (the code of the most specific failure), `codes` if there are several, and `reason` (the failure's message). A
/// backup pin is logged as `pin` and `certificate` (its index in the path). A skipped anchor has only `reason`. A
/// repeated request has `host` and `reason` (`RepeatedRequest.Reason`).
///
/// Names from certificates appear only in `reason`, escaped as in the failure's message.
public struct LoggingTrustObserver: TrustEventObserver {
    /// The logger. The caller determines its level and handler.
    let logger: Logger

    /// Creates an observer.
    /// - Parameter logger: the logger. You determine its level and handler.
    public init(logger: Logger) { self.logger = logger }

    public func observe(_ event: TrustEvent) {
        switch event {
        case .evaluated(let verdict):
            logger.debug("server evaluated", metadata: Self.metadata(verdict, verdict.failures))
        case .refused(let verdict):
            logger.warning("server refused", metadata: Self.metadata(verdict, verdict.failures))
        case .pinMatchedByBackup(let pin, let verdict):
            logger.notice(
                "backup pin matched",
                metadata: Self.metadata(verdict, []).merging([
                    "pin": "\(pin.pin)", "certificate": "\(pin.certificate)",
                ]) { $1 })
        // Uses the level of a refusal, because an enforced rule would refuse the server.
        case .reportOnlyMismatch(let verdict):
            logger.warning("report-only rule not met", metadata: Self.metadata(verdict, verdict.reported))
        case .exceptionApplied(let verdict):
            logger.notice("exception applied", metadata: Self.metadata(verdict, verdict.excused))
        case .acceptedByDelegate(let verdict):
            logger.warning("server accepted by delegate", metadata: Self.metadata(verdict, verdict.excused))
        case .revocationNotChecked(let verdict):
            logger.warning(
                "server trusted without a revocation check",
                metadata: Self.metadata(verdict, []).merging([
                    "gaps": .array(verdict.revocationGaps.map { "\($0.rawValue)" })
                ]) { $1 })
        case .configurationWarning(let warning):
            logger.warning(
                "server trust configuration warning", metadata: ["code": "\(warning.code)", "reason": "\(warning)"])
        case .anchorSkipped(let error):
            logger.info("system anchor skipped", metadata: ["reason": "\(error)"])
        case .requestRepeated(let request):
            logger.info(
                "request repeated", metadata: ["host": "\(request.host)", "reason": "\(request.reason.rawValue)"])
        }
    }

    /// Returns the metadata. The logger calls it only if the level is enabled.
    private static func metadata(_ verdict: TrustVerdict, _ failures: [TrustFailure]) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "result": "\(verdict.result.rawValue)", "date": "\(verdict.evaluationDate)",
        ]
        if let host = verdict.host { metadata["host"] = "\(host)" }
        guard let headline = failures.first else { return metadata }
        metadata["code"] = "\(headline.code)"
        metadata["reason"] = "\(headline.message)"
        if failures.count > 1 { metadata["codes"] = .array(failures.map { "\($0.code)" }) }
        return metadata
    }
}

#endif
