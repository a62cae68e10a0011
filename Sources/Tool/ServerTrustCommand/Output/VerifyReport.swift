// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import TrustSupport

/// The report of `servertrust verify`, for people and for programs.
struct VerifyReport {
    let verdict: TrustVerdict
    /// The chain that was evaluated.
    let presented: PresentedChain
    /// Whether the connection ended early behind the chain. The headline then says so, and nothing of trust.
    var isInterrupted = false
    /// The remedies, each written behind its failure.
    var advice: [Advice] = []
    /// Whether the user gave the anchors: the option for that is no news then.
    var hasGivenAnchors = false
    /// The certificates that end soon; nil if that isn't checked.
    var findings: [ExpiryFinding]?
    /// The verdict's warnings that its reader gets in another way, such as on standard error; the text leaves them out.
    var announced: [String] = []
    /// Whether the text describes every certificate in full.
    var isLong = false
    /// The lines of `check` about the connection, the first below the headline, and about what the server sent beside its chain.
    var connection: String?
    var sent: [String] = []
    /// The lines of `check` about a connection that ended early, written with the failures.
    var problems: [String] = []

    /// The maximum number of presented certificates in a report; a usual server sends three.
    static let maximumPresented = 32
}

// MARK: - JSON

extension VerifyReport {
    /// Returns an array of one verdict, in the shape in which the library writes it.
    func json() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return JSONWriter.escaping(try encoder.encode([VerifyRecord(report: self)])) + [0x0a]
    }
}

/// The JSON of a report: the verdict's keys, and those of the command beside them.
private struct VerifyRecord: Encodable {
    private enum CodingKeys: String, CodingKey { case findings, remedies }

    let report: VerifyReport

    func encode(to encoder: any Encoder) throws {
        try VerdictRecord(verdict: report.verdict).encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(report.findings, forKey: .findings)
        try container.encodeIfPresent(AdviceRecord.all(report.advice), forKey: .remedies)
    }
}
