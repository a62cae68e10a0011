// SPDX-License-Identifier: Apache-2.0

import PKIX
import PinLint
import ServerTrust
import ServerTrustNIO
import ServerTrustPins

/// Creates a forecast for each checked server that has pins.
struct CheckForecast: Sendable {
    /// The CA certificates that may follow the present ones.
    let successors: SuccessorIndex
    /// The query for suggested renewal times, or nil to skip it.
    let renewal: RenewalQuery?

    /// - Parameter anchors: the anchors from the command line, or nil for the system's. They are potential successors,
    ///   too.
    /// - Throws: ``CommandFailure`` if a file of the options can't be read.
    init(_ options: ForecastOptions, for plan: CheckPlan, anchors: AnchorStore?) throws {
        let roots = (anchors ?? (try? AnchorStore.system()))?.anchors.map(\.certificate) ?? []
        successors = SuccessorIndex(roots + (try options.successors()))
        renewal = try options.query(
            anchors: plan.evaluation.settings.anchors, timeout: plan.connection.timeout, proxy: plan.connection.proxy)
    }

    /// Returns the forecast for a trusted server, or nil for an untrusted one.
    func forecast(
        _ report: TrustProbeReport, _ configuration: ServerTrustConfiguration, rule: PinRule
    ) async -> PinForecast? {
        guard report.verdict.isTrusted, let leaf = report.presentedChain.leaf else { return nil }
        let paths = report.validPaths(with: configuration).map(\.certificates)
        return PinForecast(
            of: rule, host: report.host, paths: paths, successors: successors, renewal: await renewal?.window(of: leaf),
            at: report.verdict.evaluationDate)
    }
}

extension PinForecast.Event {
    /// The members of the JSON.
    var fields: ReportFields {
        [
            // `renewal`, `nextIssuer` or `nextRoot`.
            "change": .text(change.rawValue),
            // `survives`, `ifKeyIsKept`, `withReserve` or `breaks`.
            "outcome": .text(outcome.name),
            // The certificate that the change replaces.
            "replaced": .text(clipped(replaced)),
            // The earliest time. Absent for any time.
            "from": due.from.map { .text($0.description) },
            "until": .text(due.until.description),
            // Whether the CA suggested the times.
            "isSuggested": .flag(due.isSuggested),
            // The known issuers or roots that may follow, at most 64.
            "successors": .objects(
                successors.map { successor in
                    [
                        "name": .text(clipped(successor.name)), "pin": .text(successor.key.description),
                        "outcome": .text(successor.outcome.name),
                    ]
                }),
            // The pins to add so that connections survive the change.
            "add": .texts(additions.map(\.key.description)),
            "text": .text(PinForecast.sentence(self)),
            "remedy": PinForecast.remedy(self).map { .text($0) },
        ]
    }
}
