// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustNIO

/// The effect of a root list on a server: two verdicts on the chain that it presents.
struct HostAudit: Sendable {
    /// The effect of the list. Raw values are stable.
    enum Effect: String, Sendable {
        /// Trusted with and without the list.
        case trusted
        /// Trusted without the list, but refused with it.
        case breaks
        /// Already refused without the list.
        case refused
        /// The server sent no certificates, or no proof of the leaf's key.
        case undecided
    }

    let endpoint: ServerEndpoint
    let effect: Effect
    /// The failures of the verdict with the list.
    let failures: [TrustFailure]
    /// The first failure in words, or nil for none.
    private let reason: String?
    /// The anchor without the list, or nil if there isn't one.
    let anchor: Certificate?
    /// The anchor with the list, if it is a different one.
    let otherAnchor: Certificate?
    /// The error of a connection without certificates, or without proof of the leaf's key.
    let error: String?

    /// Evaluates the chain of a probe again.
    /// - Parameters:
    ///   - step: the probe, evaluated with the store without the list.
    ///   - plan: the plan of the probe.
    ///   - anchors: the store with the list.
    init(_ step: CheckStep, _ plan: CheckPlan, under anchors: TrustAnchors) throws {
        endpoint = step.endpoint
        let report: TrustProbeReport
        switch step.outcome {
        case .success(let found) where found.verdict.isTrusted || found.failure == nil: report = found
        case .success, .failure:
            (effect, failures, reason, anchor, otherAnchor) = (.undecided, [], nil, nil, nil)
            error = step.error.map { "\($0)" }
            return
        }
        var configuration = try plan.evaluation.configuration(for: report.host)
        configuration.anchors = anchors
        var trust = configuration.trust(presentedChain: report.presentedChain, host: report.host)
        trust.verifyDate = .at(report.verdict.evaluationDate)
        let verdict = trust.evaluate()
        let before = report.verdict
        effect = !before.isTrusted ? .refused : verdict.isTrusted ? .trusted : .breaks
        failures = verdict.failures
        reason = verdict.headline.map {
            "\($0.message(on: verdict.path, sentIn: report.presentedChain)) [\($0.code)]"
        }
        anchor = before.isTrusted ? before.path.last : nil
        otherAnchor = verdict.isTrusted && verdict.path.last != before.path.last ? verdict.path.last : nil
        error = nil
    }

    /// Returns the effect in one line.
    func line(_ palette: Palette, nameWidth: Int) -> String {
        let name = endpoint.description.padded(to: nameWidth)
        let failure = printable(reason ?? "refused")
        switch effect {
        case .trusted:
            let anchor = (otherAnchor ?? anchor).map { printable($0.subject.description) } ?? ""
            return palette.good("OK") + "      \(name)\(anchor)" + (otherAnchor == nil ? "" : ", by another path")
        case .breaks: return palette.bad("BREAKS") + "  \(name)\(failure)"
        case .refused: return palette.bad("FAIL") + "    \(name)with and without the list: \(failure)"
        case .undecided: return "?       \(name)\(printable(error ?? ""))"
        }
    }

    /// Writes the effect as an object.
    func write(to json: inout JSONWriter) {
        json.member("server", endpoint.description)
        json.member("effect", effect.rawValue)
        json.array("codes", of: failures) { $0.string($1.code.name) }
        json.member("anchor", anchor.map { Hex.encode($0.sha256) })
        json.member("otherAnchor", otherAnchor.map { Hex.encode($0.sha256) })
        json.member("error", error)
    }
}
