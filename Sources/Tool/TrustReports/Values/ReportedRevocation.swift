// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension TrustReport {
    /// The revocation status of one certificate, with its evidence.
    package struct RevocationEntry: Sendable, Hashable, Codable {
        /// The place of the certificate in ``TrustReport/path``.
        package let place: Int
        /// `good`, `revoked`, `exempt`, `unobtainable` or `unchecked`.
        package let status: String
        /// The date and reason of a revocation, the exemption, or the obstacles to a status, in words; empty for none.
        package let detail: String
        /// `staple`, `ocsp`, `crl`, `filter` or `deniedList`; nil without a status.
        package let source: String?
        /// The first second at which the evidence counts; nil without a status.
        package let validFrom: Time?
        /// The last second for which the evidence counts; nil without a limit.
        package let validUntil: Time?
        /// The reservations about the status, by their stable names.
        package let notes: [String]
    }

    /// The pins that were required.
    package struct Pins: Sendable, Hashable, Codable {
        /// The pin that the path has; nil if it has none.
        package let matched: MatchedPin?
        /// The pins that would have been accepted; empty where they aren't known, as for a match. At most 20.
        package let expected: [String]
        /// The pins of the path that were compared in vain; empty for a match. At most 20.
        package let found: [String]
    }
}

extension TrustReport {
    fileprivate static func revocationWords(_ date: Time?, _ reason: RevocationReason?) -> String {
        "revoked\(date.map { " \($0)" } ?? ""), reason \(reason?.name ?? "not given")"
    }
}

extension TrustReport.RevocationEntry {
    init(_ finding: RevocationFinding) {
        place = finding.certificate
        switch finding.status {
        case .good: (status, detail) = ("good", "")
        case .revoked(let date, let reason):
            (status, detail) = ("revoked", TrustReport.revocationWords(date, reason))
        case .unobtainable(let obstacles):
            (status, detail) = ("unobtainable", RevocationTerm.words(obstacles.prefix(16)))
        case .exempt(let exemption): (status, detail) = ("exempt", exemption.words)
        case .unchecked: (status, detail) = ("unchecked", "")
        }
        source = finding.source?.rawValue
        validFrom = finding.validFrom
        validUntil = finding.validUntil
        notes = finding.notes.prefix(16).map(\.name)
    }
}

extension TrustReport.Pins {
    private static let maximumCount = 20

    /// nil if the verdict has neither a match nor a failure of pins.
    init?(_ verdict: TrustVerdict) {
        let codes: Set<TrustFailure.Code> = [.pinNotMatched, .certificateNotPinned, .pinsExpired]
        let failure = (verdict.failures + verdict.excused).first { codes.contains($0.code) }
        guard verdict.matchedPin != nil || failure != nil || verdict.checked.contains(.pins) else { return nil }
        let isComparison = failure.map { $0.code != .pinsExpired } ?? false
        matched = verdict.matchedPin
        expected = isComparison ? Self.members(failure?.expected) : []
        found = isComparison ? Self.members(failure?.found) : []
    }

    private static func members(_ value: TrustFailure.Value?) -> [String] {
        switch value?.abridged {
        case .list(let members): members.prefix(maximumCount).map { ReportText.shown($0, to: 256) }
        case .text(let text): [ReportText.shown(text, to: 256)]
        case .time, .number, nil: []
        }
    }
}
