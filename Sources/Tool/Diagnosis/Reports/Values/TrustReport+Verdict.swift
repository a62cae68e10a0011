// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension TrustReport {
    /// The version of the JSON format that this package writes.
    static let schemaVersion = 1

    /// Creates a report on a verdict.
    /// - Parameters:
    ///   - verdict: the verdict.
    ///   - presented: the chain that was evaluated.
    ///   - name: the name of the peer, such as `api.example.com:443`. The default is the verdict's host.
    ///   - facts: facts about the connection for display, such as the address and the TLS version. At most 64.
    ///   - seconds: the remaining time of a trusted path's first certificate to expire, in seconds. If less time
    ///     remains, the outcome is ``Outcome/expiring``. Pass nil to turn this off.
    ///   - otherPaths: further valid paths, such as those from `Trust.validPaths(limit:)`. They are used only for a
    ///     trusted verdict.
    public init(
        _ verdict: TrustVerdict, presented: PresentedChain, name: String? = nil, facts: [Field] = [],
        expiringWithin seconds: Int64? = nil, otherPaths: [ValidatedPath] = []
    ) {
        self.init(
            verdict, presented: presented, name: name, facts: facts, expiringWithin: seconds, otherPaths: otherPaths,
            interruption: nil)
    }

    /// The error of a connection that ended early, although its chain passed the evaluation.
    package struct Interruption: Sendable {
        /// The error in a sentence.
        let problem: String
        /// The error's stable code.
        let code: String
        /// The step to take, if any.
        let remedy: String?

        package init(problem: String, code: String, remedy: String?) {
            (self.problem, self.code, self.remedy) = (problem, code, remedy)
        }
    }

    /// Creates a report on a verdict, or on a connection that ended early after the verdict. The outcome of such a
    /// connection is undecided, whatever the verdict is.
    package init(
        _ verdict: TrustVerdict, presented: PresentedChain, name: String?, facts: [Field],
        expiringWithin seconds: Int64?, otherPaths: [ValidatedPath], interruption: Interruption?,
        places: CertificatePlaces = CertificatePlaces()
    ) {
        var omitted = OmissionCount()
        var table = CertificateTable()
        let path = Self.path(of: verdict, presented, &table)
        let sent = omitted.first(of: presented.certificates, 32, "presented")
        // The table has room for both paths and presented certificates, because a path contains at most about 20
        // certificates.
        self.presented = table.indices(of: sent) ?? []
        let others = Self.otherPaths(verdict, otherPaths, presented, &table, &omitted)
        let size = CertificateTable.size / max(1, table.certificates.count)
        let roles = Dictionary(
            verdict.path.enumerated().map { ($0.element, verdict.role(at: $0.offset)) },
            uniquingKeysWith: { first, _ in first })
        certificates = table.certificates.map {
            CertificateEntry(
                $0, role: roles[$0], number: presented.place(of: $0).map { $0 + 1 }, at: verdict.evaluationDate,
                size: min(size, 160 << 10))
        }
        schemaVersion = Self.schemaVersion
        let host = (verdict.referenceName ?? verdict.host)?.description
        self.name = ReportText.shown(name ?? host ?? "the chain", to: 512)
        let limit = seconds.map { verdict.evaluationDate.advanced(by: $0) }
        let isExpiring =
            limit.map { limit in verdict.path.contains { $0.notAfter >= verdict.evaluationDate && $0.notAfter <= limit }
            } ?? false
        let shownName = host ?? name ?? "the chain"
        if let interruption {
            outcome = .undecided
            headline = ReportText.shown("\(shownName) could not be checked: \(interruption.problem)")
            reason = ReportText.shown(interruption.problem)
            code = ReportText.shown(interruption.code, to: 64)
        } else {
            outcome = verdict.isTrusted ? isExpiring ? .expiring : .trusted : .rejected
            headline = ReportHeadline(verdict, presented, name: shownName).text
            reason = verdict.headline.map { ReportText.shown($0.message(on: verdict.path, sentIn: presented)) }
            code = verdict.headline.map { ReportText.shown($0.code.name, to: 64) }
        }
        date = verdict.evaluationDate
        let isValidated = interruption == nil && verdict.isTrusted && verdict.checked.contains(.path)
        validUntil = isValidated ? verdict.firstNotAfter : nil
        self.facts = omitted.first(of: facts, 64, "facts") + SettingsFacts(verdict).fields
        self.path = path
        self.otherPaths = others
        checks = CheckList(verdict, presented).checks
        revocation = omitted.first(of: verdict.revocation, 64, "revocation").map(RevocationEntry.init)
        transparency = verdict.transparency
        anchor = verdict.anchor
        pins = Pins(verdict)
        fetched = omitted.first(of: verdict.fetched, 64, "fetched")
        let unreadable =
            presented.unreadable.isEmpty
            ? [] : ["\(counted(presented.unreadable.count, "presented certificate")) can't be read"]
        let reported = verdict.reported.map {
            "a rule in report-only mode would have refused: \($0.message(on: verdict.path, sentIn: presented)) [\($0.code)]"
        }
        warnings = omitted.first(of: unreadable + reported + verdict.warnings, 64, "warnings").map {
            ReportText.shown($0)
        }
        explanations = Explanation.all(for: verdict)
        let remedy = interruption.flatMap { cause in cause.remedy.map { NextStep(.server, code: cause.code, $0) } }
        nextSteps = [remedy].compactMap { $0 } + NextSteps(verdict, presented: presented, places: places).steps
        self.omitted = omitted.counts
    }

    private static func path(
        of verdict: TrustVerdict, _ presented: PresentedChain, _ table: inout CertificateTable
    ) -> Path? {
        guard !verdict.path.isEmpty, let indices = table.indices(of: verdict.path) else { return nil }
        let all = verdict.isTrusted ? verdict.excused : verdict.failures
        let failures = all.prefix(Path.maximumFailures).map { Failure($0, on: verdict.path, sentIn: presented) }
        return Path(certificates: indices, reachesAnchor: verdict.reachesAnchor, failures: failures)
    }

    /// Returns the other valid paths of a trusted verdict, or the rejected paths apart from the best one.
    private static func otherPaths(
        _ verdict: TrustVerdict, _ valid: [ValidatedPath], _ presented: PresentedChain,
        _ table: inout CertificateTable, _ omitted: inout OmissionCount
    ) -> [Path] {
        var paths: [Path] = []
        func add(_ certificates: [Certificate], reachesAnchor: Bool, _ failures: [TrustFailure]) {
            guard paths.count < 64, let indices = table.indices(of: certificates) else {
                omitted.add(1, to: "otherPaths")
                return
            }
            paths.append(
                Path(
                    certificates: indices, reachesAnchor: reachesAnchor,
                    failures: failures.prefix(Path.maximumFailures).map {
                        Failure($0, on: certificates, sentIn: presented)
                    }))
        }
        guard verdict.isTrusted else {
            for path in verdict.rejectedPaths
            where path.certificates != verdict.path || path.failures != verdict.failures {
                add(path.certificates, reachesAnchor: path.reachesAnchor, path.failures)
            }
            return paths
        }
        for path in valid where path.certificates != verdict.path {
            add(path.certificates, reachesAnchor: true, [])
        }
        return paths
    }
}

/// Counts the elements that were omitted from lists.
struct OmissionCount {
    private(set) var counts: [String: Int] = [:]

    mutating func add(_ count: Int, to list: String) { counts[list, default: 0] += count }

    /// Returns the first elements and counts the omitted ones.
    mutating func first<Element>(of elements: [Element], _ maximum: Int, _ list: String) -> [Element] {
        if elements.count > maximum { add(elements.count - maximum, to: list) }
        return Array(elements.prefix(maximum))
    }
}
