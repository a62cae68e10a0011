// SPDX-License-Identifier: Apache-2.0

import PKIX
import PinLint
import ServerTrust
import ServerTrustPins

extension ReplayChanges {
    /// Returns the remedy for a record that isn't trusted with the changes, or nil for none.
    ///
    /// If the rehearsed pins refuse the connection, the remedy is for their author. An attacker isn't the cause.
    func remedy(for replayed: ReplayedRecord, _ verdict: TrustVerdict) -> ReplayRemedy? {
        if let forecast = replayed.forecast {
            guard let code = forecast.failures.first?.code, code == .pinNotMatched || code == .certificateNotPinned
            else { return nil }
            return pinRemedy(
                .pinNotMatched, host: replayed.host,
                adding: "\(SPKIPin(forecast.issuer)), the key of \(forecast.issuer),", before: "before the CA moves")
        }
        if pins != nil, let failure = verdict.failures.first,
            let remedy = pinRemedy(failure.code, host: replayed.host, adding: key(for: failure, verdict))
        {
            return remedy
        }
        return verdict.advice(presented: replayed.presented).first.map { ReplayRemedy(party: $0.party, text: $0.text) }
    }

    private func pinRemedy(
        _ code: TrustFailure.Code, host: String?, adding key: String?, before time: String = "before you ship the pins"
    ) -> ReplayRemedy? {
        let host = host ?? "the host"
        let place: String
        var backups: [SPKIPin] = []
        switch pins {
        case .rules(let rules):
            place = "the rule of \(host) in \(rules.name)"
            if let name = try? Hostname(host), let rule = rules.table.rule(for: name) {
                backups = rule.pins.filter { $0.role == .backup }.map(\.key)
            }
        case .keys: place = "--pins"
        case nil: place = "the pins of \(host)"
        }
        switch code {
        case .pinNotMatched, .certificateNotPinned:
            let reserve = backups.first.map { ", or issue its certificate for the backup key \($0)" } ?? ""
            return ReplayRemedy(
                party: .program, text: "Add \(key ?? "a key of its path") to \(place) \(time)\(reserve).")
        case .pinsExpired:
            return ReplayRemedy(party: .program, text: "Set a later expiry for \(place).")
        case .hostNotListed: return ReplayRemedy(party: .program, text: "Add a rule for \(host) to the pin file.")
        default: return nil
        }
    }

    /// Returns the key of a path that pins don't match, with its certificate: the leaf's for pins of leaves, otherwise the
    /// issuing CA's.
    private func key(for failure: TrustFailure, _ verdict: TrustVerdict) -> String? {
        let path = verdict.path.isEmpty ? verdict.rejectedPaths.first?.certificates ?? [] : verdict.path
        guard let certificate = failure.certificate == 0 || path.count < 3 ? path.first : path[1] else { return nil }
        return "\(SPKIPin(certificate)), the key of \(certificate),"
    }
}
