// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension TrustReport {
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

    /// Creates a report on a verdict, or on a connection that ended early after the verdict. The outcome of such a
    /// connection is undecided, whatever the verdict is.
    /// - Parameter interruption: the error that ended the connection, with its stable code and the step to take.
    package init(
        _ verdict: TrustVerdict, presented: PresentedChain, name: String?, facts: [Field],
        expiringWithin seconds: Int64?, otherPaths: [ValidatedPath],
        interruption: (problem: String, code: String, remedy: String?)?,
        places: CertificatePlaces = CertificatePlaces()
    ) {
        let host = (verdict.referenceName ?? verdict.host)?.description
        let shownName = host ?? name ?? "the chain"
        let limit = seconds.map { verdict.evaluationDate.advanced(by: $0) }
        let isExpiring =
            limit.map { limit in verdict.path.contains { $0.notAfter >= verdict.evaluationDate && $0.notAfter <= limit }
            } ?? false
        if let interruption {
            let problem = interruption.problem
            self.init(
                name ?? host ?? "the chain", .undecided, headline: "\(shownName) could not be checked: \(problem)",
                reason: problem, code: interruption.code, date: verdict.evaluationDate)
        } else {
            self.init(
                name ?? host ?? "the chain", verdict.isTrusted ? isExpiring ? .expiring : .trusted : .rejected,
                headline: Self.headline(verdict, presented, name: shownName),
                reason: verdict.headline?.message(on: verdict.path, sentIn: presented),
                code: verdict.headline?.code.name, date: verdict.evaluationDate)
        }
        var omitted = OmissionCount()
        addPaths(verdict, presented, others: otherPaths, &omitted, isOutline: false)
        let isValidated = interruption == nil && verdict.isTrusted && verdict.checked.contains(.path)
        validUntil = isValidated ? verdict.firstNotAfter : nil
        self.facts = omitted.first(of: facts, 64, "facts") + Self.settings(verdict)
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

    /// Creates a report with only the paths, for a drawing. It doesn't describe certificates.
    init(outlining verdict: TrustVerdict, presented: PresentedChain) {
        self.init(
            "", verdict.isTrusted ? .trusted : .rejected, headline: "", reason: nil, code: nil,
            date: verdict.evaluationDate)
        var omitted = OmissionCount()
        addPaths(verdict, presented, others: [], &omitted, isOutline: true)
        self.omitted = omitted.counts
    }

    private mutating func addPaths(
        _ verdict: TrustVerdict, _ presented: PresentedChain, others: [ValidatedPath], _ omitted: inout OmissionCount,
        isOutline: Bool
    ) {
        var table = CertificateTable()
        path = Self.path(of: verdict, presented, &table)
        let sent = omitted.first(of: presented.certificates, 32, "presented")
        // The table has room for both paths and presented certificates, because a path contains at most about 20
        // certificates.
        self.presented = table.indices(of: sent) ?? []
        otherPaths = Self.otherPaths(verdict, others, presented, &table, &omitted)
        let size = CertificateTable.size / max(1, table.certificates.count)
        let roles = Dictionary(
            verdict.path.enumerated().map { ($0.element, verdict.role(at: $0.offset)) },
            uniquingKeysWith: { first, _ in first })
        certificates = table.certificates.map { certificate in
            var entry = CertificateEntry(
                certificate, role: roles[certificate], number: presented.place(of: certificate).map { $0 + 1 })
            if !isOutline { entry.describe(certificate, size: min(size, 160 << 10)) }
            return entry
        }
        checks = CheckList(verdict, presented).checks
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

extension TrustReport {
    /// Returns the result and the most specific failure in one sentence.
    private static func headline(_ verdict: TrustVerdict, _ presented: PresentedChain, name: String) -> String {
        let name = ReportText.shown(name, to: 300)
        guard verdict.isTrusted else {
            let message = verdict.headline?.message(on: verdict.path, sentIn: presented)
            return "\(name) is not trusted" + (message.map { ": \(ReportText.shown($0, to: 700))" } ?? "")
        }
        guard verdict.checked.contains(.path) else { return "\(name) is accepted without a validated path" }
        guard verdict.excused.isEmpty else {
            return "\(name) is trusted: an exception excuses \(counted(verdict.excused.count, "failure"))"
        }
        guard verdict.reachesAnchor, let anchor = verdict.path.last else { return "\(name) is trusted" }
        let root = anchor.subject.values(of: .commonName).first ?? anchor.abridgedDescription(toBytes: 200)
        return "\(name) is trusted under \(ReportText.shown(root, to: 200))"
    }

    /// Returns the settings of the evaluation, for display.
    private static func settings(_ verdict: TrustVerdict) -> [Field] {
        let facts: [(label: String, value: String?)] = [
            ("name compared", verdict.referenceName?.description),
            ("verify date", verdict.evaluationDate.description),
            ("rules", verdict.profile.rawValue + (verdict.isStrict ? ", strict" : "")),
            ("purpose", verdict.purpose.rawValue),
            // The usual result for a trusted peer adds no information for readers.
            ("result", verdict.result == .unspecified ? nil : verdict.result.rawValue),
            (
                "extended validation",
                verdict.assertsExtendedValidation ? verdict.organization ?? "no organization" : nil
            ),
            ("accepted by", verdict.isAcceptedByDelegate ? "the client's delegate" : nil),
        ]
        return facts.compactMap { fact in fact.value.map { Field(fact.label, $0) } }
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

/// The certificates of a report with their indices. Each certificate appears once.
struct CertificateTable {
    /// The certificates in the order of their indices.
    private(set) var certificates: [Certificate] = []
    private var indices: [Certificate: Int] = [:]

    /// The maximum number of certificates in a report. A typical report contains three.
    static let maximumCount = 96
    /// The maximum size of the fields of all certificates together, in bytes.
    static let size = 640 << 10

    /// Adds the certificates and returns their indices. If they don't fit, it adds no certificate and returns nil.
    mutating func indices(of chain: [Certificate]) -> [Int]? {
        let new = Set(chain).filter { indices[$0] == nil }.count
        guard certificates.count + new <= Self.maximumCount else { return nil }
        return chain.map { certificate in
            if let index = indices[certificate] { return index }
            indices[certificate] = certificates.count
            certificates.append(certificate)
            return certificates.count - 1
        }
    }
}
