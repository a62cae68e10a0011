// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import PinLint
import ServerTrust
import ServerTrustPins

extension EffectiveReport {
    /// Returns an array with one element for each host and format.
    func json() -> [UInt8] {
        var json = JSONWriter(isIndented: true)
        json.array(of: entries) { json, entry in json.object { entry.write(to: &$0) } }
        json.lineFeed()
        return json.bytes
    }
}

extension EffectiveReport.Entry {
    fileprivate func write(to json: inout JSONWriter) {
        json.key("schemaVersion")
        json.number(1)
        json.key("file")
        json.string(source.file)
        json.key("format")
        json.string(source.format?.name)
        json.key("host")
        json.string(effective.host.description)
        json.key("time")
        json.string(effective.time.description)
        json.key("outcome")
        json.string(effective.outcome.rawValue)
        json.key("reason")
        json.string(reason)
        json.key("rules")
        json.array(of: effective.applied) { json, applied in json.object { write(applied, to: &$0) } }
        json.key("pins")
        json.array(of: effective.rule?.pins ?? []) { json, pin in json.object { write(pin, to: &$0) } }
        json.key("expiry")
        write(effective.expiry, to: &json)
        json.key("anchors")
        json.array(of: effective.anchors.isEmpty ? [.system] : effective.anchors) { $0.string($1.description) }
        json.key("anchorsFrom")
        json.string(effective.anchorsOrigin.rawValue)
        json.key("debugAnchors")
        json.array(of: effective.debugAnchors) { $0.string($1.description) }
        json.key("reportURIs")
        json.array(of: effective.rule?.reportURIs ?? []) { $0.string($1) }
        json.key("settings")
        json.array(of: effective.settings) { json, entry in
            json.object { json in
                json.key("key")
                json.string(entry.setting.key)
                json.key("value")
                json.string(entry.setting.value)
                json.key("from")
                json.string(entry.origin.rawValue)
            }
        }
        json.key("near")
        json.array(of: effective.near) { json, near in json.object { write(near, to: &$0) } }
        json.key("oddities")
        json.array(of: oddities) { json, problem in json.object { write(problem, to: &$0) } }
    }

    private func write(_ applied: EffectivePins.Applied, to json: inout JSONWriter) {
        write(applied.rule.location, to: &json)
        json.key("hosts")
        json.string(applied.hosts?.description)
        json.key("match")
        switch applied.match {
        case .anyHost: json.string("anyHost")
        case .exact: json.string("exact")
        case .below: json.string("below")
        }
        json.key("labelsBelow")
        if case .below(let count) = applied.match { json.number(count) } else { json.number(0) }
        json.key("mode")
        json.string(applied.rule.mode.rawValue)
    }

    private func write(_ pin: Pin, to json: inout JSONWriter) {
        write(pin.location, to: &json)
        json.key("pin")
        json.string(pin.value.description)
        json.key("scope")
        json.string(pin.scope.rawValue)
        json.key("role")
        json.string(pin.role?.rawValue)
        json.key("comment")
        json.string(pin.comment)
        json.key("remark")
        json.string(EffectivePins.remark(on: pin))
    }

    private func write(_ expiry: PinExpiry?, to json: inout JSONWriter) {
        guard let expiry else { return json.null() }
        json.object { json in
            json.key("time")
            json.string(expiry.time.description)
            json.key("afterwards")
            json.string(expiry.onExpiry.rawValue)
            json.key("hasPassed")
            json.boolean(expiry.hasPassed(at: effective.time))
            json.key("daysLeft")
            json.number(Int(clamping: DaysLeft(until: expiry.time, at: effective.time).days))
        }
    }

    private func write(_ near: NearRule, to json: inout JSONWriter) {
        write(near.rule.location, to: &json)
        json.key("hosts")
        json.string(near.hosts.description)
        json.key("reason")
        json.string(near.reason.rawValue)
        json.key("message")
        json.string(near.explanation(for: effective.host))
    }

    private func write(_ problem: PinFileProblem, to json: inout JSONWriter) {
        write(problem.location, to: &json)
        json.key("code")
        json.string(problem.shortCode)
        json.key("message")
        json.string(problem.detail)
    }

    /// Writes a location's line and key path.
    private func write(_ location: PinFileLocation?, to json: inout JSONWriter) {
        json.key("line")
        json.number(location?.line)
        json.key("keyPath")
        json.string(location?.keyPath)
    }
}
