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

/// The text lines and the JSON of a forecast.
struct ForecastRecord: Encodable {
    struct Successor: Encodable {
        let name: String
        let pin: String
        /// `survives`, `ifKeyIsKept`, `withReserve` or `breaks`.
        let outcome: String
    }

    /// `renewal`, `nextIssuer` or `nextRoot`.
    let change: String
    /// `survives`, `ifKeyIsKept`, `withReserve` or `breaks`.
    let outcome: String
    /// The certificate that the change replaces.
    let replaced: String
    /// The earliest time, or nil for any time.
    let from: String?
    let until: String
    /// Whether the CA suggested the times.
    let isSuggested: Bool
    /// The known issuers or roots that may follow, at most 64.
    let successors: [Successor]
    /// The pins to add so that connections survive the change.
    let add: [String]
    let text: String
    let remedy: String?

    init(_ event: PinForecast.Event) {
        change = event.change.rawValue
        outcome = event.outcome.name
        replaced = clipped(event.replaced)
        from = event.due.from?.description
        until = event.due.until.description
        isSuggested = event.due.isSuggested
        successors = event.successors.map {
            Successor(name: clipped($0.name), pin: $0.key.description, outcome: $0.outcome.name)
        }
        add = event.additions.map(\.key.description)
        text = PinForecast.sentence(event)
        remedy = PinForecast.remedy(event)
    }

    /// Returns a line for each change. If consecutive changes have the same remedy, it follows the last one.
    static func lines(_ forecast: PinForecast, _ palette: Palette) -> [String] {
        guard !forecast.events.isEmpty else { return [] }
        var lines = ["", "forecast"]
        for (index, event) in forecast.events.enumerated() {
            lines.append("  " + printable(PinForecast.sentence(event)))
            let remedy = PinForecast.remedy(event)
            let next = forecast.events.dropFirst(index + 1).first.map(PinForecast.remedy)
            if let remedy, remedy != next { lines.append(palette.bold("  fix:") + " " + printable(remedy)) }
        }
        return lines
    }
}
