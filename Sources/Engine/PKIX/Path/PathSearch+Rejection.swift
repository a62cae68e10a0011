// SPDX-License-Identifier: Apache-2.0

/// The rejected paths of a search, up to a maximum number.
struct RejectedPaths {
    /// The order of rejected paths. A path with a lower rank better explains why the leaf isn't trusted.
    private struct Rank: Comparable {
        /// Whether an exception can't cover one of the failures.
        let isFatal: Bool
        let failures: Int

        init(_ path: RejectedPath) {
            isFatal = path.failures.contains { $0.code.severity != .recoverable }
            failures = path.failures.count
        }

        static func < (left: Rank, right: Rank) -> Bool {
            (left.isFatal ? 1 : 0, left.failures) < (right.isFatal ? 1 : 0, right.failures)
        }
    }

    private var paths: [(rank: Rank, path: RejectedPath)] = []

    /// The largest number of rejected paths to keep. More paths don't help a reader.
    static let maximumCount = 64

    var isEmpty: Bool { paths.isEmpty }

    /// Keeps a rejected path. Above the limit, drops the worst path, and the last found of equally bad ones.
    mutating func keep(_ path: RejectedPath) {
        paths.append((Rank(path), path))
        guard paths.count > Self.maximumCount,
            let worst = paths.indices.reversed().max(by: { paths[$0].rank < paths[$1].rank })
        else { return }
        paths.remove(at: worst)
    }

    /// Returns the paths, best candidate first. Equal paths stay in the order of their discovery.
    func sorted() -> [RejectedPath] { paths.sorted { $0.rank < $1.rank }.map(\.path) }
}

// MARK: - Without a path

extension PathSearch {
    mutating func rejection() -> PathRejection {
        var stopped = meter.exhausted
        // A path that reaches an anchor explains more than a path that is too long.
        if stopped == nil, reachedDepth, rejected.isEmpty {
            stopped = TrustFailure(.depthBudgetExceeded, expected: .number(depth))
        }
        if rejected.isEmpty { rejected.keep(incompletePath(isStopped: stopped != nil)) }
        var paths = rejected.sorted()
        // If the search was stopped, the report must say so, regardless of other failures.
        if let stopped, !paths[0].failures.contains(stopped) {
            paths[0] = RejectedPath(
                certificates: paths[0].certificates, reachesAnchor: paths[0].reachesAnchor,
                failures: paths[0].failures + [stopped])
        }
        return PathRejection(paths: paths)
    }

    /// Returns the path from the leaf up by name, until no issuer is known. Most servers with a wrong chain have such a
    /// path.
    private mutating func incompletePath(isStopped: Bool) -> RejectedPath {
        // This meter is only for the report, so that a stopped search gets an explanation, too.
        var report = WorkMeter(.report)
        var indices = [CandidateGraph.leaf]
        while indices.count < depth, let next = reportedIssuer(of: indices, &report) { indices.append(next) }
        var list = FailureList()
        for (position, index) in indices.enumerated() {
            let role = position == 0 ? TrustFailure.Role.leaf : .intermediate
            list.add(graph.failures(of: index, role: role, context, &report), at: position)
        }
        let last = indices.count - 1
        let certificate = graph.nodes[indices[last]].certificate
        list.certificate = last
        list.role = last == 0 ? .leaf : .intermediate
        if !isStopped {
            if graph.isSelfIssued(indices[last], &report), last > 0 || certificate.isSelfSigned {
                list.add(last == 0 ? .selfSignedLeaf : .untrustedRoot, found: .text(certificate.shortDescription))
            } else {
                list.add(.unknownIssuer, found: .text(certificate.shortIssuer))
            }
            // The report must show that the certificates may have further failures.
            if let exhausted = report.exhausted { list.append(exhausted) }
        }
        list.sort()
        return RejectedPath(
            certificates: indices.map { graph.nodes[$0].certificate }, reachesAnchor: false, failures: list.failures)
    }

    /// Returns the certificate that the last of `indices` names as its issuer, unless `indices` contains it. If there
    /// are several, the key identifier decides.
    private func reportedIssuer(of indices: [Int], _ report: inout WorkMeter) -> Int? {
        let child = graph.nodes[indices[indices.count - 1]]
        guard let name = child.issuer else { return nil }
        var best: (index: Int, match: Int)?
        graph.forEachSubject(named: name) { index in
            guard report.charge(steps: 1) else { return false }
            guard !indices.contains(index) else { return true }
            let match = child.certificate.keyIdentifierMatch(graph.nodes[index].certificate).rawValue
            if match < best?.match ?? .max { best = (index, match) }
            return true
        }
        return best?.index
    }
}

extension ValidationBudget {
    /// The budget for the report of a search without a result. An honest chain needs at most a few hundred steps.
    fileprivate static let report = ValidationBudget(steps: 512, work: 2_000_000)
}

extension Certificate {
    /// Whether the certificate's own key verifies its signature. Costs one signature check.
    var isSelfSigned: Bool {
        guard
            case .supported(let scheme) = SignatureScheme.read(
                span, storage.fields.signatureAlgorithm, ecdsaMayHaveNull: true),
            let key = makeVerificationKey()
        else { return false }
        return key.isValid(storage.fields.signature, over: storage.fields.tbs, of: span, scheme: scheme)
    }
}
