// SPDX-License-Identifier: Apache-2.0

// Path building: a depth-first search from the leaf to an anchor. It uses the presented certificates (in any order,
// even unrelated ones), extra intermediates, and the anchors (RFC 4158).
//
// The design is fast for honest certificates and bounded for hostile ones:
//
// 1. The graph of candidates (CandidateGraph.swift) contains only certificates with a chain of names to an anchor. It
//   compares names and keys by number.
// 2. The search checks no certificate before a candidate path is complete. It then checks each certificate once per
//   search, however many paths contain it. It verifies signatures from the leaf up, each pair once. A wrong pair or
//   certificate excludes every other path through it.
// 3. The meter bounds the remaining work (constraints that depend on the whole path). A stopped search has found
//   nothing and never accepts.
//
// The search accepts a path only if every check passes on all of it. It keeps a rejected path with all its failures.

struct PathSearch {
    let context: EvaluationContext
    let memory: SignatureMemory?
    private let additionalChecks: ((ValidatedPath) -> [TrustFailure])?
    private let exceptions: PathValidator.FailureException?

    var graph: CandidateGraph
    /// The nodes and edges of the current path. `pathEdges[i]` leads from `path[i]` to `path[i + 1]`.
    var path: [Int] = []
    var pathEdges: [Int] = []
    /// The valid path, once the search has found one.
    private var found: ValidatedPath?
    /// The number of certificates, counted from the leaf, that together can't be part of any valid path.
    private var invalidPrefix = Int.max
    /// Whether the last path checked was valid but the additional checks rejected it.
    private var failedAdditionalChecks = false
    /// Whether the last path checked violates a condition of its anchor.
    private var failedConditions = false

    /// The largest number of certificates in a path.
    let depth: Int
    var meter: WorkMeter
    var reachedDepth = false
    var rejected = RejectedPaths()

    init(
        _ leaf: Certificate, candidates: Int, anchors: AnchorStore, context: EvaluationContext,
        memory: SignatureMemory?, additionalChecks: ((ValidatedPath) -> [TrustFailure])?,
        exceptions: PathValidator.FailureException? = nil
    ) {
        self.context = context
        self.memory = memory
        self.additionalChecks = additionalChecks
        self.exceptions = exceptions
        self.depth = min(context.policy.budget.depth, CandidatePath.maximumCount)
        self.meter = WorkMeter(context.policy.budget)
        self.graph = CandidateGraph(leaf, anchors, time: context.time, candidates: candidates, &meter)
    }

    /// Searches for a valid path.
    ///
    /// - Parameters:
    ///   - presented: candidates from the server.
    ///   - intermediates: further candidates from the caller.
    mutating func run(_ presented: [Certificate], _ intermediates: [Certificate]) -> PathValidation {
        let leaf = graph.nodes[CandidateGraph.leaf].certificate
        if let tooLarge = byteBudgetFailure(leaf, presented, intermediates) { return .rejected(tooLarge) }
        chargeParsing(leaf, presented, intermediates)
        path.reserveCapacity(8)
        pathEdges.reserveCapacity(8)
        path.append(CandidateGraph.leaf)
        // A leaf that is an anchor needs no issuer.
        if graph.store.contains(leaf), checkLeafAnchor(), let valid = found.take() { return .valid(valid) }
        graph.addCandidates(presented, intermediates, &meter)
        if graph.nodes[CandidateGraph.leaf].leadsToAnchor, !meter.isExhausted, extend(), let valid = found.take() {
            return .valid(valid)
        }
        return .rejected(rejection())
    }

    /// Charges the meter for parsing, which happened earlier but belongs to the same evaluation.
    private mutating func chargeParsing(
        _ leaf: Certificate, _ presented: [Certificate], _ intermediates: [Certificate]
    ) {
        var work = leaf.storage.fields.parsingWork
        for certificate in presented { work += certificate.storage.fields.parsingWork }
        for certificate in intermediates { work += certificate.storage.fields.parsingWork }
        _ = meter.charge(work: work)
    }

    private func byteBudgetFailure(
        _ leaf: Certificate, _ presented: [Certificate], _ intermediates: [Certificate]
    ) -> PathRejection? {
        var bytes = leaf.storage.count
        for certificate in presented { bytes += certificate.storage.count }
        for certificate in intermediates { bytes += certificate.storage.count }
        let limit = context.policy.budget.bytes
        guard bytes > limit else { return nil }
        let failure = TrustFailure(.byteBudgetExceeded, expected: .number(limit), found: .number(bytes))
        return PathRejection(paths: [RejectedPath(certificates: [leaf], reachesAnchor: false, failures: [failure])])
    }
}

// MARK: - Search

extension PathSearch {
    /// Extends the path by every possible issuer of its last certificate in turn, until one results in a valid path.
    private mutating func extend() -> Bool {
        let last = path[path.count - 1]
        for edge in graph.issuers(of: last, &meter) {
            guard meter.charge(steps: 1) else { return false }
            guard graph.edges[edge].state != .invalid else { continue }
            let issuer = graph.edges[edge].issuer
            guard !isLoop(issuer) else { continue }
            guard path.count < depth else {
                reachedDepth = true
                return false
            }
            path.append(issuer)
            pathEdges.append(edge)
            let isValid = graph.nodes[issuer].anchor == nil ? extend() : checkUpTo(anchor: issuer)
            path.removeLast()
            pathEdges.removeLast()
            if isValid { return true }
            // Every further attempt here would contain certificates that together are invalid.
            if invalidPrefix <= path.count { return false }
            invalidPrefix = .max
        }
        return false
    }

    /// Checks the path, which ends at an anchor. If the additional checks or the anchor's conditions reject it and the
    /// anchor is an intermediate, continues above the anchor.
    ///
    /// A store may contain a CA and its root. The search takes the shortest path unless it violates a requirement on
    /// the whole path, such as a pin on the root. The search doesn't continue above a distrusted anchor, because every
    /// such path contains it.
    private mutating func checkUpTo(anchor: Int) -> Bool {
        if check() { return true }
        guard failedAdditionalChecks || failedConditions,
            !graph.isDistrusted(anchor: anchor, context),
            let intermediate = graph.intermediateNode(ofAnchor: anchor, &meter)
        else { return false }
        path[path.count - 1] = intermediate
        return extend()
    }

    /// Whether the path already contains the certificate, or a certificate with the same name and key (RFC 4158 § 5.2).
    /// Such a certificate could only repeat a part of the path.
    private mutating func isLoop(_ candidate: Int) -> Bool {
        // The leaf's issuer may be a CA with the leaf's own name and key: the leaf is self-signed, and the store has
        // another certificate of that CA.
        for index in path.dropFirst() {
            if index == candidate || graph.haveSameNameAndKey(index, candidate, &meter) { return true }
        }
        return candidate == CandidateGraph.leaf
    }
}

// MARK: - Checks

extension PathSearch {
    private mutating func checkLeafAnchor() -> Bool {
        let leaf = graph.nodes[CandidateGraph.leaf].certificate
        var list = FailureList()
        let isSelfIssued = context.policy.isStrict && graph.isSelfIssued(CandidateGraph.leaf, &meter)
        let found = CertificateChecks.failures(
            of: leaf, role: .leaf, isAnchor: true, isSelfIssued: isSelfIssued, context, &meter)
        list.add(found, at: 0)
        let candidate = CandidatePath(certificates: [leaf], selfIssued: 0)
        let anchor = checkConditions(candidate, anchor: graph.store.index(of: leaf), &list)
        // There is no signature to verify: the store trusts this exact certificate.
        return conclude(candidate, &list, anchor, isSigned: true)
    }

    /// Checks the root programs' conditions on the anchor with this index in the store.
    private mutating func checkConditions(
        _ candidate: CandidatePath, anchor: Int?, _ list: inout FailureList
    ) -> AnchorFacts {
        guard let anchor else { return AnchorFacts() }
        let anchors = graph.store.anchors
        var facts = AnchorFacts(isPublic: anchors[anchor].isPublic, conditions: anchors[anchor].conditions)
        guard anchors[anchor].isConditional else { return facts }
        let given = anchors[anchor]
        let count = list.failures.count
        for (conditions, domains) in zip(given.conditions, given.preparedConditions.domains(of: given.conditions)) {
            facts.decisions += AnchorConditionsCheck.run(candidate, conditions, domains, context, &meter, &list)
        }
        failedConditions = list.failures.count > count
        return facts
    }

    /// Checks the path. Its last certificate is an anchor.
    private mutating func check() -> Bool {
        let candidate = CandidatePath(
            certificates: path.map { graph.nodes[$0].certificate }, selfIssued: selfIssuedIntermediates())
        var list = FailureList()
        var invalidFrom = Int.max
        for (position, index) in path.enumerated() {
            let found = graph.failures(of: index, role: candidate.role(position), context, &meter)
            guard !found.isEmpty else { continue }
            list.add(found, at: position)
            // Every path contains the leaf, so the leaf's own failures don't make one path better than another.
            if position > 0 { invalidFrom = min(invalidFrom, position + 1) }
        }
        // The search copies, sorts and keeps a rejected path.
        _ = meter.charge(work: 64 * (path.count + list.failures.count))
        PathLengthCheck.run(candidate, context, &list)
        NameConstraintsCheck.run(candidate, &graph.normalizedNames, &meter, &list)
        TLSFeatureCheck.run(candidate, &meter, &list)
        if context.policy.isStrict { StrictKeyIdentifierChainCheck.run(candidate, &meter, &list) }
        var isSigned = false
        var unsignedFrom = Int.max
        if !meter.isExhausted {
            if let wrong = checkSignatures(candidate, &list) {
                unsignedFrom = wrong + 2
                invalidFrom = min(invalidFrom, unsignedFrom)
            } else {
                isSigned = !meter.isExhausted
            }
        }
        // Conditions may need the leaf's timestamps, which depend on its issuer. A sender of junk can't make the engine
        // verify their signatures.
        failedConditions = false
        var anchor = AnchorFacts()
        if isSigned {
            anchor = checkConditions(candidate, anchor: graph.nodes[path[path.count - 1]].anchor, &list)
            if anchor.isPublic, context.policy.isStrict, context.policy.profile == .webPKI,
                context.policy.purpose == .serverAuth
            {
                ValidityPeriodCheck.run(candidate, &list)
            }
        }
        // Policies cost most, so the check comes last (RFC 9618 § 4.1). If there are other failures, only the first
        // path reports policy failures. With exceptions, the engine needs all failures.
        if isSigned, list.isEmpty || rejected.isEmpty || exceptions != nil {
            CertificatePoliciesCheck.run(candidate, context, &meter, &list)
        }
        let hasLeafFailuresOnly =
            !list.isEmpty && list.failures.count == graph.nodes[CandidateGraph.leaf].failures?.count
        // If only the leaf has failures, no other path is better. With exceptions this isn't true: they may cover the
        // failures of one path but not of another. They never cover wrong signatures.
        invalidPrefix = exceptions != nil ? unsignedFrom : hasLeafFailuresOnly ? 0 : invalidFrom
        let isValid = conclude(candidate, &list, anchor, isSigned: isSigned)
        rememberSignatures(isValidPath: isValid)
        return isValid
    }

    /// Returns a bit mask with a bit for each self-issued intermediate of the path.
    private mutating func selfIssuedIntermediates() -> UInt64 {
        var bits: UInt64 = 0
        for position in 1..<max(1, path.count - 1) where graph.isSelfIssued(path[position], &meter) {
            bits |= 1 << UInt64(position)
        }
        return bits
    }

    /// Sets ``found`` and returns true if the path has no failures or exceptions cover them all, and the additional
    /// checks pass. Otherwise keeps the path as rejected.
    private mutating func conclude(
        _ candidate: CandidatePath, _ list: inout FailureList, _ anchor: AnchorFacts, isSigned: Bool
    ) -> Bool {
        failedAdditionalChecks = false
        if !meter.isExhausted, isSigned, list.isEmpty || isExcepted(list, candidate) {
            list.sort()
            let valid = ValidatedPath(
                certificates: candidate.certificates, excused: list.failures, anchorFacts: anchor)
            guard let additionalChecks else {
                found = valid
                return true
            }
            if meter.charge(work: Self.additionalWork(candidate)) {
                let failures = additionalChecks(valid)
                guard !failures.isEmpty else {
                    found = valid
                    return true
                }
                failedAdditionalChecks = true
                for failure in failures { list.append(failure) }
            }
        }
        if let exhausted = meter.exhausted { list.append(exhausted) }
        list.sort()
        // Every rejection has a failure. If a defect omitted it, this line would still reject the path.
        if list.isEmpty { list.append(TrustFailure(.signatureInvalid, expected: .text("?"))) }
        rejected.keep(
            RejectedPath(certificates: candidate.certificates, reachesAnchor: true, failures: list.failures))
        return false
    }

    /// The work of the additional checks. Revocation, denied certificates and pins each read and hash the path's
    /// certificates again. If they reject a path, the search continues with other paths.
    private static func additionalWork(_ candidate: CandidatePath) -> Int {
        candidate.certificates.reduce(0) { $0 + 4_096 + 8 * $1.storage.count }
    }

    /// Whether exceptions cover all failures of the path. They never cover a fatal or undecided failure.
    private func isExcepted(_ list: FailureList, _ candidate: CandidatePath) -> Bool {
        guard let exceptions else { return false }
        return list.failures.allSatisfy { failure in
            failure.code.severity == .recoverable
                && exceptions(failure, failure.certificate.map { candidate.certificates[$0] })
        }
    }
}
