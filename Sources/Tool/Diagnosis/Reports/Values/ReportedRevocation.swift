// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension TrustReport {
    /// The revocation status of one certificate, with the source of the status.
    struct RevocationEntry: Sendable, Hashable, Codable {
        /// The index of the certificate in ``TrustReport/path``.
        let place: Int
        /// `good`, `revoked`, `exempt`, `unobtainable` or `unchecked`.
        let status: String
        /// The date and reason of a revocation, the exemption, or the reasons why there is no status, in words.
        /// Otherwise empty.
        let detail: String
        /// `staple`, `ocsp`, `crl`, `filter` or `deniedList`, or nil without a status.
        let source: String?
        /// The first second of the source's validity, or nil without a status.
        let validFrom: Time?
        /// The last second of the source's validity, or nil without a limit.
        let validUntil: Time?
        /// The stable names of the status's reservations.
        let notes: [String]
    }

    /// The required pins.
    struct Pins: Sendable, Hashable, Codable {
        /// The pin that the path matches, or nil without a match.
        let matched: MatchedPin?
        /// The pins that would have matched. At most 20. Empty if they aren't known, for example after a match.
        let expected: [String]
        /// The pins of the path, which didn't match. At most 20. Empty after a match.
        let found: [String]
    }
}

extension TrustReport.RevocationEntry {
    init(_ finding: RevocationFinding) {
        place = finding.certificate
        switch finding.status {
        case .good: (status, detail) = ("good", "")
        case .revoked(let date, let reason):
            let words = "revoked\(date.map { " \($0)" } ?? ""), reason \(reason?.name ?? "not given")"
            (status, detail) = ("revoked", words)
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

    /// Returns nil if the verdict contains neither a matched pin nor a pin failure.
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

/// Counts a path's revocation findings.
struct RevocationCount {
    /// The number of findings with the status good.
    let good: Int
    /// The number of certificates that were not checked, such as those above the leaf if the scope is `leaf`.
    let unchecked: Int
    private let total: Int
    private let startsAtLeaf: Bool

    init(_ findings: [RevocationFinding]) {
        good = findings.count { if case .good = $0.status { true } else { false } }
        unchecked = findings.count { if case .unchecked = $0.status { true } else { false } }
        total = findings.count
        startsAtLeaf =
            findings.first.map { if case .unchecked = $0.status { false } else { $0.certificate == 0 } } ?? false
    }

    var isEmpty: Bool { total == 0 }

    /// Whether only the leaf was checked.
    var isOfLeafAlone: Bool { startsAtLeaf && unchecked > 0 && unchecked == total - 1 }

    /// A short description of why the check passed.
    var words: String {
        // The system's evaluator reports that it checked revocation, but returns no findings.
        guard !isEmpty else { return "the system's evaluator checked revocation and gave no details" }
        let answers = "\(good) of \(total) \(good == 1 ? "has the status good" : "have the status good")"
        return unchecked > 0 ? answers + "; \(unchecked) not checked, because of the rule's scope" : answers
    }
}
