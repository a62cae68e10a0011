// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

extension PinForecast {
    /// The maximum number of successors that a sentence names.
    private static let maximumNames = 4

    /// Returns a human-readable sentence about a change, without a subject and without a period. Its wording may
    /// change.
    package static func sentence(_ event: Event) -> String {
        let words =
            switch event.outcome {
            case .survives: "survives \(move(event))" + unknown(event)
            case .keptKey(let reserves):
                "survives \(move(event)) only if the server keeps its key"
                    + (reserves.isEmpty ? "" : " or uses that of \(list(reserves.map(\.description)))")
            case .reserve(let pins):
                "survives \(move(event)) only if \(event.change == .renewal ? "the next key is" : "its path has") "
                    + "\(list(pins.map(\.description)))"
            case .breaks: "breaks with \(move(event))"
            }
        return words + time(event)
    }

    /// Returns a human-readable remedy for a change, or nil if the rule survives the change.
    package static func remedy(_ event: Event) -> String? {
        guard event.outcome != .survives else { return nil }
        if !event.additions.isEmpty {
            let pins = event.additions.prefix(maximumNames).map { "\($0.key) (\(clipped($0.name, to: 120)))" }
            return "add " + pins.joined(separator: " and ")
        }
        if event.change == .nextRoot {
            return "add the pin of your own reserve key: servertrust pins make --with-backup"
        }
        return
            "renew with the same key, or ship the pin of the next key before \(event.due.from?.day ?? event.due.until.day): "
            + "servertrust pins make --with-backup"
    }

    private static func move(_ event: Event) -> String {
        let replaced = clipped(event.replaced, to: 120)
        switch event.change {
        case .renewal:
            guard event.due.isSuggested, let from = event.due.from else {
                return "the renewal by \(event.due.until.day)"
            }
            return "the renewal that the CA suggests between \(from.day) and \(event.due.until.day)"
        case .nextIssuer: return "a move of the CA from \(replaced) to \(target(event, "another intermediate"))"
        case .nextRoot: return "a move of the CA from \(replaced) to \(target(event, "another root"))"
        }
    }

    /// The time of a move. The name of a renewal already contains it.
    private static func time(_ event: Event) -> String {
        switch event.change {
        case .renewal: ""
        case .nextIssuer: " (any renewal can cause it)"
        case .nextRoot: " (by \(event.due.until.day) at the latest)"
        }
    }

    /// Names the successors with the worst effect.
    private static func target(_ event: Event, _ unknown: String) -> String {
        let worst = event.successors.filter { $0.outcome.name == event.outcome.name }
        guard !worst.isEmpty else { return unknown }
        return list(worst.map { clipped($0.name, to: 120) })
    }

    private static func unknown(_ event: Event) -> String {
        guard !event.successors.isEmpty, event.outcomeOfUnknown != .survives else { return "" }
        return ", but not to an unknown one"
    }

    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(maximumNames)
        let rest = names.count - shown.count
        return shown.joined(separator: " or ") + (rest > 0 ? " or \(rest) more" : "")
    }
}
