// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PKIX
import ServerTrust

/// The report of `servertrust verify`, for people and programs.
struct VerifyReport {
    let verdict: TrustVerdict
    /// The evaluated chain.
    let presented: PresentedChain
    /// Whether the connection ended early, after the chain. Then the headline says so instead of calling the server
    /// trusted.
    var isInterrupted = false
    /// The remedies, each written after its failure.
    var advice: [Advice] = []
    /// Whether the user supplied the anchors. Then the report doesn't suggest the option for them.
    var hasGivenAnchors = false
    /// The certificates that expire soon, or nil if that isn't checked.
    var findings: [ExpiryFinding]?
    /// The verdict's warnings that the reader already gets elsewhere, such as on standard error. The text omits them.
    var announced: [String] = []
    /// Whether the text describes every certificate in full.
    var isLong = false
    /// The lines of `check` about the connection and about what the server sent in addition to its chain. The first
    /// line follows the headline.
    var connection: String?
    var sent: [String] = []
    /// The lines of `check` about a connection that ended early. They are written with the failures.
    var problems: [String] = []

    /// The maximum number of presented certificates in a report. A typical server sends three.
    static let maximumPresented = 32
}

// MARK: - JSON

extension VerifyReport {
    /// Returns an array with one verdict, in the library's format.
    func json() throws -> [UInt8] { try ReportFields.json([fields]) }

    /// The members of the verdict, and those of the command.
    var fields: ReportFields {
        verdict.fields(presented) + [
            "findings": findings.map { .objects($0.map(\.fields)) },
            "remedies": advice.isEmpty ? nil : .objects(advice.map(\.fields)),
        ]
    }
}

/// The format of the report of `servertrust verify`.
enum VerifyFormat: String, CaseIterable, ExpressibleByArgument {
    /// Text for people. Its wording may change.
    case text
    /// JSON for programs: an array whose elements have a `schemaVersion`.
    case json
    /// A page for people.
    case html
}
