// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// A human-readable report on one evaluation, with the values that a trust panel or a page shows.
///
/// ```swift
/// let report = TrustReport(verdict, presented: trust.presentedChain)
/// print(report.headline)                          // api.example.com is trusted
/// for check in report.checks { print(check.title, check.status.rawValue) }
/// let page = report.html()                        // one file, without anything from elsewhere
/// ```
///
/// Each certificate appears once in ``certificates``. Chains and paths contain indices into that list. Texts are
/// printable and limited in length, even if the texts in a certificate are long. A report doesn't decide anything: use
/// the verdict in your program. A decoded report records an evaluation from elsewhere. It proves nothing, and its
/// indices may be outside ``certificates``.
public struct TrustReport: Sendable, Hashable, Codable {
    /// The kinds of results. Raw values are stable.
    public enum Outcome: String, Sendable, Hashable, CaseIterable, Codable {
        /// The peer is trusted.
        case trusted
        /// The peer is trusted, but a certificate in its path expires soon.
        case expiring
        /// The peer was refused.
        case rejected
        /// The server has no verdict, for example because it couldn't be reached.
        case undecided
    }

    /// The version of the JSON format. A breaking change increases it.
    let schemaVersion: Int
    /// The name of the peer, such as `api.example.com:443`, or `the chain` without a name.
    public let name: String
    /// The result.
    public let outcome: Outcome
    /// The result and the most specific failure in one sentence.
    public let headline: String
    /// The message of the most specific failure, or the problem that prevented a verdict. Nil for a trusted peer.
    public let reason: String?
    /// The stable code of the failure or problem in ``reason``, or nil for a trusted peer.
    public let code: String?
    /// The verify date, or the date of the attempt for a server without a verdict.
    public let date: Time
    /// The first date on which a certificate of the validated path expires. Nil for a refused peer, and for a peer that is
    /// trusted without a validated path.
    public internal(set) var validUntil: Time?
    /// Facts about the connection and the settings of the evaluation, for display.
    public internal(set) var facts: [Field] = []
    /// The certificates of all chains and paths, each once. Those of ``path`` come first, then those of ``presented``.
    public internal(set) var certificates: [CertificateEntry] = []
    /// The presented chain in the order sent, as indices into ``certificates``. It contains at most 32 indices. A
    /// certificate that was sent twice has two of them.
    public internal(set) var presented: [Int] = []
    /// The validated path, or the best candidate for a refused peer. Nil if there was no path.
    public internal(set) var path: Path?
    /// The other paths, the best first. For a trusted peer they are valid, too. For a refused peer they were refused.
    public internal(set) var otherPaths: [Path] = []
    /// The checks, each once.
    public internal(set) var checks: [Check] = []
    /// The revocation statuses of the certificates in ``path``.
    var revocation: [RevocationEntry] = []
    /// The comparison of the leaf's timestamps with a policy, or nil if it wasn't requested.
    var transparency: TransparencyFinding?
    /// The origin of the path's anchor and the conditions on the anchor. Nil if the path doesn't end in an anchor that
    /// this package's engine found.
    var anchor: AnchorFinding?
    /// The pins, or nil if no pins were required.
    var pins: Pins?
    /// The requests to the network or to caches.
    var fetched: [TrustFetchRecord] = []
    /// Remarks that aren't failures of the peer.
    public internal(set) var warnings: [String] = []
    /// The meanings of the failures in ``path``, at most three, the most specific first. Empty for a trusted peer.
    var explanations: [Explanation] = []
    /// The next steps, in the order to try them.
    public internal(set) var nextSteps: [NextStep] = []
    /// The number of elements that were omitted from each list, by the list's name. Empty if none were omitted.
    var omitted: [String: Int] = [:]

    /// Creates a report without certificates.
    /// - Parameter reason: the failure or problem, with its code.
    init(_ name: String, _ outcome: Outcome, headline: String, reason: String?, code: String?, date: Time) {
        schemaVersion = 1
        self.name = ReportText.shown(name, to: 512)
        self.outcome = outcome
        self.headline = ReportText.shown(headline)
        self.reason = reason.map { ReportText.shown($0) }
        self.code = code.map { ReportText.shown($0, to: 64) }
        self.date = date
    }
}

extension TrustReport {
    /// A name with its value, or with nested fields as its value.
    public struct Field: Sendable, Hashable, Codable {
        /// The name, empty for a member of a list.
        public let label: String
        /// The value, or nil if ``fields`` contains the value.
        public let value: String?
        /// The nested fields.
        public let fields: [Field]

        /// Creates a field. Both texts are cut after 2,048 characters, and characters that affect the display are
        /// escaped.
        public init(_ label: String, _ value: String?, fields: [Field] = []) {
            self.label = ReportText.shown(label)
            self.value = value.map { ReportText.shown($0) }
            self.fields = fields
        }
    }

    /// Creates a report on a server without a verdict.
    /// - Parameters:
    ///   - name: the name of the server, such as `api.example.com:443`.
    ///   - problem: the reason in a sentence.
    ///   - code: the stable code of the reason, if any.
    ///   - date: the date of the attempt.
    ///   - remedy: the step to take, if any.
    package init(undecided name: String, problem: String, code: String?, at date: Time, remedy: String? = nil) {
        self.init(
            name, .undecided, headline: "\(name) could not be checked: \(problem)", reason: problem, code: code,
            date: date)
        nextSteps = remedy.map { [NextStep(.server, code: code, $0)] } ?? []
    }

    /// The certificates of the path, or of the presented chain if there is no path.
    private var chain: [CertificateEntry] { (path.map(\.certificates) ?? presented).compactMap { certificate(at: $0) } }

    /// The first expiry date in the chain. Nil without certificates.
    var firstEnd: Time? { chain.map(\.notAfter).min() }

    /// Whether a certificate of the chain should have been renewed at the report's date.
    var isDueForRenewal: Bool { chain.contains { Renewal.date(from: $0.notBefore, to: $0.notAfter) < date } }

    /// Returns the number of elements that were omitted from a list. For a decoded report the number is limited, so
    /// that sums can't overflow.
    func omissions(of list: String) -> Int { max(0, min(omitted[list] ?? 0, 1_000_000)) }

    /// Returns the certificate at an index, or nil if the index is out of range, which a decoded report may contain.
    func certificate(at index: Int) -> CertificateEntry? {
        certificates.indices.contains(index) ? certificates[index] : nil
    }
}

/// The format of untrusted text in reports.
package enum ReportText {
    /// The maximum number of scalars in a value.
    static let maximumSize = 2048

    /// Returns a text on one line, without characters that affect the display, with at most `maximum` scalars.
    static func shown(_ text: String, to maximum: Int = maximumSize) -> String { clipped(text, to: maximum) }

    /// Returns a text with a capital first letter. A first word that is a name or a pattern, such as `ap*.lab.test`,
    /// isn't changed.
    package static func capitalized(_ text: String) -> String {
        let first = text.prefix { $0 != " " && $0 != "," }
        guard first.allSatisfy({ $0.isLetter || "-':".contains($0) }) else { return text }
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}
