// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// A report on one evaluation, for people: the values that a trust panel or a page shows.
///
/// ```swift
/// let report = TrustReport(verdict, presented: trust.presentedChain)
/// print(report.headline)                          // api.example.com is trusted
/// for check in report.checks { print(check.title, check.status.rawValue) }
/// let page = report.html()                        // one file, without anything from elsewhere
/// ```
///
/// Every certificate is in ``certificates`` once; chains and paths have indices into it. Texts are printable and bounded, however long the
/// texts of a certificate are. A report decides nothing: programs decide by the verdict. A decoded report is a record of an evaluation
/// elsewhere, no evidence, and its indices may lie outside of ``certificates``.
public struct TrustReport: Sendable, Hashable, Codable {
    /// The kinds of results; raw values are stable.
    public enum Outcome: String, Sendable, Hashable, CaseIterable, Codable {
        /// A trusted peer.
        case trusted
        /// A trusted peer with a certificate in its path that ends soon.
        case expiring
        /// A refused peer.
        case rejected
        /// A server that has no verdict, because it couldn't be reached for example.
        case undecided
    }

    /// The version of the JSON; a change that breaks readers increases it.
    package let schemaVersion: Int
    /// The name of the peer, such as `api.example.com:443`; `the chain` without one.
    public let name: String
    /// The result.
    public let outcome: Outcome
    /// The result and the most specific failure in one sentence.
    public let headline: String
    /// The message of the most specific failure, or the problem that led to no verdict; nil for a trusted peer.
    public let reason: String?
    /// The stable code of the failure or problem in ``reason``; nil for a trusted peer.
    public let code: String?
    /// The verify date; of a server without a verdict, the date of the attempt.
    public let date: Time
    /// The last second for which a trusted verdict holds; nil for a refused peer, and where it isn't limited.
    public let validUntil: Time?
    /// The facts of the connection and the settings of the evaluation, for display.
    public let facts: [Field]
    /// The certificates of all chains and paths, each once: those of ``path`` first, then those of ``presented``.
    public let certificates: [CertificateEntry]
    /// The presented chain in the order sent, as indices into ``certificates``; at most 32, of which a certificate that is sent twice has two.
    public let presented: [Int]
    /// The validated path, or the best candidate of a refused peer; nil if there was none.
    public let path: Path?
    /// The other paths: of a trusted peer those that are valid as well, of a refused one those that were refused, the best first.
    public let otherPaths: [Path]
    /// The checks, each once.
    public let checks: [Check]
    /// The revocation statuses of the certificates of ``path``.
    package let revocation: [RevocationEntry]
    /// The comparison of the leaf's timestamps with a policy; nil if it wasn't asked for.
    package let transparency: TransparencyFinding?
    /// The origin of the path's anchor and the conditions on it; nil if the path doesn't end in an anchor of this package's engine.
    package let anchor: AnchorFinding?
    /// The pins; nil if none were required.
    package let pins: Pins?
    /// The requests to the network or its caches.
    package let fetched: [TrustFetchRecord]
    /// Remarks that are no failures of the peer.
    public let warnings: [String]
    /// The meaning of the failures of ``path``, the most specific first; at most three. Empty for a trusted peer.
    package let explanations: [Explanation]
    /// The measures to take, the first to try first.
    public let nextSteps: [NextStep]
    /// The numbers of elements that were left out of lists, by the name of the list; empty for none.
    package let omitted: [String: Int]
}

extension TrustReport {
    /// A name and its value, or the fields that are its value.
    public struct Field: Sendable, Hashable, Codable {
        /// The name; empty for a member of a list.
        public let label: String
        /// The value; nil if ``fields`` are the value.
        public let value: String?
        /// The fields below this one.
        public let fields: [Field]

        /// Creates a field; both texts are cut after 2,048 characters, and characters that steer a display are escaped.
        public init(_ label: String, _ value: String?, fields: [Field] = []) {
            self.label = ReportText.shown(label)
            self.value = value.map { ReportText.shown($0) }
            self.fields = fields
        }
    }

    /// The first end of a certificate of the path, or of the presented chain without one; nil without certificates.
    package var firstEnd: Time? {
        let indices = path.map(\.certificates) ?? presented
        return indices.compactMap { certificate(at: $0)?.notAfter }.min()
    }

    /// Returns the number of elements that were left out of a list; also of a decoded report one that sums can have.
    package func omissions(of list: String) -> Int { max(0, min(omitted[list] ?? 0, 1_000_000)) }

    /// Returns the certificate of an index; nil for an index of a decoded report that lies outside.
    package func certificate(at index: Int) -> CertificateEntry? {
        certificates.indices.contains(index) ? certificates[index] : nil
    }
}
