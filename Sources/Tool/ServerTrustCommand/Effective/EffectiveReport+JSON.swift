// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import PinLint
import ServerTrust
import ServerTrustPins

extension EffectiveReport {
    /// Returns an array with one element for each host and format.
    func json() -> [UInt8] {
        JSONWriter.answer(of: entries) { $1.write(to: &$0) }
    }
}

extension EffectiveReport.Entry {
    fileprivate func write(to json: inout JSONWriter) {
        json.member("file", source.file)
        json.member("format", source.format?.name)
        json.member("host", effective.host.description)
        json.member("time", effective.time.description)
        json.member("outcome", effective.outcome.rawValue)
        json.member("reason", reason)
        json.objects("rules", of: effective.applied) { write($1, to: &$0) }
        json.objects("pins", of: effective.rule?.pins ?? []) { write($1, to: &$0) }
        json.key("expiry")
        write(effective.expiry, to: &json)
        json.array("anchors", of: effective.anchors.isEmpty ? [.system] : effective.anchors) {
            $0.string($1.description)
        }
        json.member("anchorsFrom", effective.anchorsOrigin.rawValue)
        json.member("debugAnchors", effective.debugAnchors.map(\.description))
        json.member("reportURIs", effective.rule?.reportURIs ?? [])
        json.objects("settings", of: effective.settings) { json, entry in
            json.member("key", entry.setting.key)
            json.member("value", entry.setting.value)
            json.member("from", entry.origin.rawValue)
        }
        json.objects("near", of: effective.near) { write($1, to: &$0) }
        json.objects("oddities", of: oddities) { write($1, to: &$0) }
    }

    private func write(_ applied: EffectivePins.Applied, to json: inout JSONWriter) {
        write(applied.rule.location, to: &json)
        json.member("hosts", applied.hosts?.description)
        let (match, labels) =
            switch applied.match {
            case .anyHost: ("anyHost", 0)
            case .exact: ("exact", 0)
            case .below(let count): ("below", count)
            }
        json.member("match", match)
        json.member("labelsBelow", labels)
        json.member("mode", applied.rule.mode.rawValue)
    }

    private func write(_ pin: Pin, to json: inout JSONWriter) {
        write(pin.location, to: &json)
        json.member("pin", pin.value.description)
        json.member("scope", pin.scope.rawValue)
        json.member("role", pin.role?.rawValue)
        json.member("comment", pin.comment)
        json.member("remark", EffectivePins.remark(on: pin))
    }

    private func write(_ expiry: PinExpiry?, to json: inout JSONWriter) {
        guard let expiry else { return json.null() }
        json.object { json in
            json.member("time", expiry.time.description)
            json.member("afterwards", expiry.onExpiry.rawValue)
            json.member("hasPassed", expiry.hasPassed(at: effective.time))
            json.member("daysLeft", Int(clamping: DaysLeft(until: expiry.time, at: effective.time).days))
        }
    }

    private func write(_ near: NearRule, to json: inout JSONWriter) {
        write(near.rule.location, to: &json)
        json.member("hosts", near.hosts.description)
        json.member("reason", near.reason.rawValue)
        json.member("message", near.explanation(for: effective.host))
    }

    private func write(_ problem: PinFileProblem, to json: inout JSONWriter) {
        write(problem.location, to: &json)
        json.member("code", problem.shortCode)
        json.member("message", problem.detail)
    }

    /// Writes a location's line and key path.
    private func write(_ location: PinFileLocation?, to json: inout JSONWriter) {
        json.member("line", location?.line)
        json.member("keyPath", location?.keyPath)
    }
}
