// SPDX-License-Identifier: Apache-2.0

import ServerTrustPins

// Checks which changes to the servers' certificates the pins survive.

extension PinLintContext {
    /// Adds one note with all changes that a server's rule survives, and a finding for each change that it doesn't
    /// survive.
    mutating func checkForecast(_ server: PinnedServer, _ rule: PinRule) {
        let forecast = PinForecast(
            of: rule, host: server.host, paths: server.paths, successors: successors, renewal: server.renewal,
            at: linter.time)
        let survived = forecast.events.filter { $0.outcome == .survives }
        if !survived.isEmpty {
            add(
                .forecastSurvives, at: rule.location, subject: "\(server.host)",
                "\(server.host): " + survived.map(PinForecast.sentence).joined(separator: "; "))
        }
        for event in forecast.events where event.outcome != .survives && isNear(event) {
            add(
                .changed(event.change), event.hasReserve ? .note : nil, at: rule.location, subject: "\(server.host)",
                "\(server.host): " + PinForecast.sentence(event), fix: PinForecast.remedy(event))
        }
    }

    /// Returns whether a change is worth a finding. A move to an unknown root more than two years ahead isn't worth
    /// one.
    private func isNear(_ event: PinForecast.Event) -> Bool {
        event.change != .nextRoot || !event.successors.isEmpty
            || event.due.until < linter.time.advanced(by: Self.nearRoot)
    }

    /// Two years in seconds, because CAs move to another root long before a root ends.
    private static let nearRoot: Int64 = 2 * 365 * 86_400
}

extension PinLintRule {
    /// Returns the rule for a change that the pins don't survive.
    fileprivate static func changed(_ change: PinForecast.Change) -> PinLintRule {
        switch change {
        case .renewal: forecastRenewal
        case .nextIssuer: forecastIssuer
        case .nextRoot: forecastRoot
        }
    }
}

extension PinForecast.Event {
    /// Whether a pinned reserve key covers the change, so that it needs no other preparation.
    fileprivate var hasReserve: Bool {
        switch outcome {
        case .survives, .reserve: true
        case .keptKey(let reserves): !reserves.isEmpty
        case .breaks: false
        }
    }
}
