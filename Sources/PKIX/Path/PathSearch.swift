// Path building: a depth-first search from the leaf towards an anchor, over the presented certificates (in any order,
// strangers among them), extra intermediates and anchors (RFC 4158).
//
// What keeps it fast where certificates are honest and bounded where they aren't:
//
// 1. Certificates from which no chain of names leads to an anchor are left out beforehand, in linear time. Whatever an
//    attacker adds that doesn't at least claim to descend from an anchor costs nothing.
// 2. Candidates are tried in the order key identifier, validity, directness (RFC 4158 § 3.5), so that the first path tried
//    is nearly always the right one.
// 3. Nothing is verified before a candidate path is complete; then each certificate is judged once per search, however many
//    paths it is on, and signatures are checked from the leaf up, each pair once. A pair or a certificate that is found to
//    be wrong cuts off every other path through it.
// 4. Whatever is left (constraints that depend on the whole path) is bounded by the budget. A search that is stopped has
//    found nothing: it never accepts.
//
// A path is accepted only when every check passed on all of it; a rejected one is kept with everything that was wrong.

struct PathSearch {
    /// A certificate that may stand in a path, and what the search has found out about it.
    private struct Node {
        let certificate: Certificate
        /// Index in the store, for an anchor.
        let anchor: Int?
        /// Not computed for the leaf and unused for anchors.
        let subjectHash: UInt64
        /// Not computed for anchors.
        let issuerHash: UInt64
        /// Whether an anchor has the issuer's name, by hash.
        let hasAnchorAsIssuer: Bool
        /// Whether a chain of names leads to an anchor.
        var leadsToAnchor = false
        /// Where its issuers begin and end in ``edges``; nil until they were looked for.
        var edges: Range<Int>?
        /// What is wrong with the certificate by itself; nil until it was judged.
        var failures: [TrustFailure]?
        /// Whether subject and issuer are the same name; nil until it was asked.
        var isSelfIssued: Bool?
        /// From the memory of signatures: its key, prepared.
        var rememberedKey: PreparedKey?
    }

    /// A possible issuer, and whether its key verifies the signature.
    private struct Edge {
        enum State: UInt8 {
            case unchecked
            case valid
            /// Valid, and known from the memory.
            case remembered
            case invalid
        }
        let issuer: Int
        /// Lower is better.
        let score: Int
        var state = State.unchecked
    }

    private let anchors: AnchorStore
    private let context: EvaluationContext
    private let memory: SignatureMemory?
    private let isAcceptable: ((ValidatedPath) -> [TrustFailure])?
    private let excuses: PathValidator.Excuse?

    private var nodes: [Node] = []
    private var edges: [Edge] = []
    /// The nodes after the leaf that aren't anchors, by subject; only filled where there are many.
    private var bySubject: [UInt64: [Int]] = [:]
    /// The nodes and edges of the path being built; `pathEdges[i]` leads from `path[i]` to `path[i + 1]`.
    private var path: [Int] = []
    private var pathEdges: [Int] = []
    /// How many certificates of the path, from the leaf on, can't be part of any valid path together.
    private var deadPrefix = Int.max

    /// Certificates in a path at most.
    private let depth: Int
    /// Where the anchors begin among ``nodes``.
    private var firstAnchorNode = 0
    private var signaturesLeft: Int
    private var stepsLeft: Int
    /// The work of checks; the budgets above are of the search itself.
    private(set) var meter: WorkMeter
    private var stopped: TrustFailure?
    /// The budget that ran out.
    private var exhausted: TrustFailure? {
        get { stopped ?? meter.exhausted }
        set { stopped = newValue }
    }
    private var reachedDepth = false
    private var rejected: [RejectedPath] = []

    /// More rejected paths than this tell nobody anything.
    static let maximumRejectedPaths = 64

    /// Below this many candidates comparing hashes one by one is faster than a table.
    private static let tableThreshold = 16

    init(
        anchors: AnchorStore, context: EvaluationContext, memory: SignatureMemory?,
        isAcceptable: ((ValidatedPath) -> [TrustFailure])?, excuses: PathValidator.Excuse? = nil
    ) {
        self.anchors = anchors
        self.context = context
        self.memory = memory
        self.isAcceptable = isAcceptable
        self.excuses = excuses
        let budget = context.policy.budget
        self.depth = min(budget.depth, CandidatePath.maximumCount)
        self.signaturesLeft = budget.signatures
        self.stepsLeft = budget.steps
        self.meter = WorkMeter(budget)
    }

    /// - Parameters:
    ///   - leaf: the certificate to validate.
    ///   - presented: further candidates from the server.
    ///   - intermediates: further candidates from the caller.
    mutating func run(
        _ leaf: Certificate, _ presented: [Certificate], _ intermediates: [Certificate]
    ) -> PathValidation {
        var bytes = leaf.storage.count
        for certificate in presented { bytes += certificate.storage.count }
        for certificate in intermediates { bytes += certificate.storage.count }
        guard bytes <= context.policy.budget.bytes else {
            let failure = TrustFailure(
                .byteBudgetExceeded, expected: .number(context.policy.budget.bytes), found: .number(bytes))
            let path = RejectedPath(certificates: [leaf], reachesAnchor: false, failures: [failure])
            return .rejected(PathRejection(paths: [path]))
        }
        chargeParsing(leaf, presented, intermediates)
        nodes.reserveCapacity(presented.count + intermediates.count + 2)
        edges.reserveCapacity(8)
        path.reserveCapacity(8)
        pathEdges.reserveCapacity(8)
        appendNode(leaf, subjectHash: 0)
        path.append(0)
        // A leaf that is an anchor itself needs no issuer.
        if anchors.contains(leaf), let valid = checkLeafAnchor() { return .valid(valid) }
        guard exhausted == nil else { return .rejected(rejection()) }
        addCandidates(presented, intermediates)
        firstAnchorNode = nodes.count
        markThoseLeadingToAnchors()
        if nodes[0].leadsToAnchor, let valid = extend() { return .valid(valid) }
        return .rejected(rejection())
    }
}

// MARK: - Candidates

extension PathSearch {
    /// Parsing came first and belongs to the same evaluation.
    private mutating func chargeParsing(
        _ leaf: Certificate, _ presented: [Certificate], _ intermediates: [Certificate]
    ) {
        var work = leaf.storage.fields.parsingWork
        for certificate in presented { work += certificate.storage.fields.parsingWork }
        for certificate in intermediates { work += certificate.storage.fields.parsingWork }
        _ = meter.charge(work: work)
    }

    private mutating func appendNode(_ certificate: Certificate, subjectHash: UInt64) {
        let issuerHash = certificate.issuerHash
        nodes.append(
            Node(
                certificate: certificate, anchor: nil, subjectHash: subjectHash, issuerHash: issuerHash,
                hasAnchorAsIssuer: anchors.hasSubject(hash: issuerHash)))
    }

    private mutating func addCandidates(_ presented: [Certificate], _ intermediates: [Certificate]) {
        let usesTable = presented.count + intermediates.count > Self.tableThreshold
        var seen: Set<Certificate> = usesTable ? [nodes[0].certificate] : []
        for certificate in presented { addCandidate(certificate, usesTable, &seen) }
        for certificate in intermediates { addCandidate(certificate, usesTable, &seen) }
    }

    private mutating func addCandidate(_ certificate: Certificate, _ usesTable: Bool, _ seen: inout Set<Certificate>) {
        // The same certificate twice would double the search for nothing.
        if usesTable {
            guard seen.insert(certificate).inserted else { return }
        } else {
            for index in nodes.indices where nodes[index].certificate == certificate { return }
        }
        // As an anchor it is found among the anchors.
        guard !anchors.contains(certificate) else { return }
        let hash = certificate.subjectHash
        if usesTable { bySubject[hash, default: []].append(nodes.count) }
        appendNode(certificate, subjectHash: hash)
    }

    /// Marks the nodes whose issuer is an anchor by name, then those whose issuer is a marked node by name, and so on.
    ///
    /// Names are compared by hash: one too many may be marked, none too few.
    private mutating func markThoseLeadingToAnchors() {
        if bySubject.isEmpty {
            // Few: once around for every link of the longest chain.
            var hasChanged = true
            while hasChanged {
                hasChanged = false
                for index in nodes.indices where !nodes[index].leadsToAnchor {
                    guard nodes[index].hasAnchorAsIssuer || isIssuerMarked(of: index) else { continue }
                    nodes[index].leadsToAnchor = true
                    hasChanged = true
                }
            }
            return
        }
        var waiting: [UInt64: [Int]] = [:]
        var marked: [Int] = []
        for index in nodes.indices {
            if nodes[index].hasAnchorAsIssuer {
                nodes[index].leadsToAnchor = true
                marked.append(index)
            } else {
                waiting[nodes[index].issuerHash, default: []].append(index)
            }
        }
        while let index = marked.popLast(), !waiting.isEmpty {
            // The leaf issues nothing in its own path.
            guard index != 0, let children = waiting.removeValue(forKey: nodes[index].subjectHash) else { continue }
            for child in children { nodes[child].leadsToAnchor = true }
            marked += children
        }
    }

    private func isIssuerMarked(of child: Int) -> Bool {
        var index = 1
        while index < nodes.count {
            if nodes[index].leadsToAnchor, nodes[index].subjectHash == nodes[child].issuerHash { return true }
            index += 1
        }
        return false
    }

    /// The issuers of a node by name, best first, as edges.
    private mutating func issuers(of index: Int) -> Range<Int> {
        if let known = nodes[index].edges { return known }
        let child = nodes[index].certificate
        let hash = nodes[index].issuerHash
        let start = edges.count
        var position = anchors.firstSubject(hash: hash)
        while let anchor = anchors.subject(at: position, hash: hash) {
            position += 1
            chargeNameComparison(child, anchors.anchors[anchor].certificate)
            guard stepsLeft > 0 else { break }
            guard child.isNamedAsIssuer(anchors.anchors[anchor].certificate) else { continue }
            let node = anchorNode(anchor)
            edges.append(Edge(issuer: node, score: score(of: node, for: child, directness: 0)))
        }
        if bySubject.isEmpty {
            for candidate in 1..<max(1, firstAnchorNode) { appendIfIssuer(candidate, of: index, child) }
        } else {
            for candidate in bySubject[hash] ?? [] where stepsLeft > 0 { appendIfIssuer(candidate, of: index, child) }
        }
        if edges.count - start > 1 {
            // Stable, so that the order in which the server sent them decides between equals.
            let sorted = edges[start...].enumerated().sorted {
                ($0.element.score, $0.offset) < ($1.element.score, $1.offset)
            }
            edges.replaceSubrange(start..., with: sorted.map(\.element))
        }
        if stepsLeft <= 0, exhausted == nil {
            exhausted = TrustFailure(.stepBudgetExceeded, expected: .number(context.policy.budget.steps))
        }
        nodes[index].edges = start..<edges.count
        return start..<edges.count
    }

    private mutating func appendIfIssuer(_ candidate: Int, of index: Int, _ child: Certificate) {
        guard candidate != index, nodes[candidate].leadsToAnchor,
            nodes[candidate].subjectHash == nodes[index].issuerHash
        else { return }
        chargeNameComparison(child, nodes[candidate].certificate)
        guard child.isNamedAsIssuer(nodes[candidate].certificate) else { return }
        let directness = nodes[candidate].hasAnchorAsIssuer ? 1 : 2
        edges.append(
            Edge(issuer: candidate, score: score(of: candidate, for: child, directness: directness)))
    }

    /// Comparing names costs a step, and more where the bytes differ and the characters have to be folded: with thousands
    /// of certificates of one name it is most of the work.
    private mutating func chargeNameComparison(_ child: Certificate, _ issuer: Certificate) {
        stepsLeft -= 1
        let name = child.storage.fields.issuer
        let subject = issuer.storage.fields.subject
        if !bytesEqual(child.span, name, issuer.span, subject) { stepsLeft -= (name.count + subject.count) / 32 }
    }

    /// Lower is better: key identifier before validity before directness.
    private func score(of candidate: Int, for child: Certificate, directness: Int) -> Int {
        let certificate = nodes[candidate].certificate
        let storage = certificate.storage
        let isInTime = context.time >= storage.fields.notBefore && context.time <= storage.fields.notAfter
        return child.keyIdentifierMatch(certificate).rawValue * 100 + (isInTime ? 0 : 10) + directness
    }

    private mutating func anchorNode(_ anchor: Int) -> Int {
        // Few anchors are ever met in one search.
        for index in firstAnchorNode..<nodes.count where nodes[index].anchor == anchor { return index }
        nodes.append(
            Node(
                certificate: anchors.anchors[anchor].certificate, anchor: anchor, subjectHash: 0, issuerHash: 0,
                hasAnchorAsIssuer: false, leadsToAnchor: true))
        return nodes.count - 1
    }
}

/// How a certificate's authority key identifier stands to a possible issuer's subject key identifier.
enum KeyIdentifierMatch: Int {
    case equal
    case unknown
    /// A hint against, not a proof: CAs have got it wrong.
    case differs
}

extension Certificate {
    func keyIdentifierMatch(_ issuer: Certificate) -> KeyIdentifierMatch {
        let wanted = storage.fields.extensions.authorityKeyIdentifier
        let found = issuer.storage.fields.extensions.subjectKeyIdentifier
        guard wanted.isPresent, found.isPresent else { return .unknown }
        return bytesEqual(span, wanted, issuer.span, found) ? .equal : .differs
    }

    /// Whether its own key verifies its signature: one signature's work.
    var isSelfSigned: Bool {
        guard case .supported(let scheme) = SignatureScheme.read(span, storage.fields.signatureAlgorithm),
            let key = makeVerificationKey()
        else { return false }
        return key.isValid(storage.fields.signature, over: storage.fields.tbs, of: span, scheme: scheme)
    }

    func hasSameSubject(as other: Certificate) -> Bool {
        namesMatch(span, storage.fields.subject, other.span, other.storage.fields.subject)
    }

    func isNamedAsIssuer(_ issuer: Certificate) -> Bool {
        namesMatch(span, storage.fields.issuer, issuer.span, issuer.storage.fields.subject)
    }
}

// MARK: - Search

extension PathSearch {
    /// Extends the path by every issuer of its last certificate in turn, until one leads to a valid path.
    private mutating func extend() -> ValidatedPath? {
        let last = path[path.count - 1]
        for edge in issuers(of: last) {
            guard exhausted == nil else { return nil }
            guard edges[edge].state != .invalid else { continue }
            let issuer = edges[edge].issuer
            guard !isLoop(issuer) else { continue }
            guard path.count < depth else {
                reachedDepth = true
                return nil
            }
            guard stepsLeft > 0 else {
                exhausted = TrustFailure(.stepBudgetExceeded, expected: .number(context.policy.budget.steps))
                return nil
            }
            stepsLeft -= 1
            path.append(issuer)
            pathEdges.append(edge)
            let valid = nodes[issuer].anchor == nil ? extend() : check()
            path.removeLast()
            pathEdges.removeLast()
            if let valid { return valid }
            if exhausted != nil { return nil }
            // Whatever else is tried here stands on certificates that were found to be wrong together.
            if deadPrefix <= path.count { return nil }
            deadPrefix = .max
        }
        return nil
    }

    /// RFC 4158 § 5.2: no certificate twice, nor one of the same name and key: it could only repeat what is there.
    private func isLoop(_ candidate: Int) -> Bool {
        for index in path where index == candidate { return true }
        let certificate = nodes[candidate].certificate
        // As its own anchor it was looked at before: above itself it would be its own CA.
        if certificate == nodes[0].certificate { return true }
        // The leaf may have been issued by a CA of its own name and key: self-signed, beside its copy in the store.
        for index in path.dropFirst() {
            let other = nodes[index].certificate
            if other.hasSameKey(as: certificate), other.hasSameSubject(as: certificate) { return true }
        }
        return false
    }
}

// MARK: - Checks

extension PathSearch {
    private mutating func checkLeafAnchor() -> ValidatedPath? {
        let leaf = nodes[0].certificate
        var list = FailureList()
        list.add(CertificateChecks.failures(of: leaf, role: .leaf, isAnchor: true, context, &meter), at: 0)
        // There is nothing to be signed by anybody: the store says that this very certificate is trusted.
        return conclude(CandidatePath(certificates: [leaf], selfIssued: 0), &list, isSigned: true)
    }

    /// Checks the path, whose last certificate is an anchor.
    private mutating func check() -> ValidatedPath? {
        let candidate = CandidatePath(
            certificates: path.map { nodes[$0].certificate },
            selfIssued: selfIssuedIntermediates())
        var list = FailureList()
        var wrongFrom = Int.max
        for (position, index) in path.enumerated() {
            let found = failures(of: index, role: candidate.role(position))
            guard !found.isEmpty else { continue }
            list.add(found, at: position)
            // The leaf is on every path: what is wrong with it alone doesn't make another path better or worse.
            if position > 0 { wrongFrom = min(wrongFrom, position + 1) }
        }
        PathLengthCheck.run(candidate, context, &list)
        NameConstraintsCheck.run(candidate, &meter, &list)
        if context.policy.isStrict { StrictKeyIdentifierChainCheck.run(candidate, &list) }
        var isSigned = false
        var unsignedFrom = Int.max
        if exhausted == nil {
            if let wrong = checkSignatures(candidate, &list) {
                unsignedFrom = wrong + 2
                wrongFrom = min(wrongFrom, unsignedFrom)
            } else {
                isSigned = exhausted == nil
            }
        }
        // Policies cost most, so they come last (RFC 9618 § 4.1), and are told of other failures on the first path alone. Where
        // failures may be excused, all of them have to be known.
        if isSigned, list.isEmpty || rejected.isEmpty || excuses != nil {
            CertificatePoliciesCheck.run(candidate, context, &meter, &list)
        }
        let isLeafAloneWrong = !list.isEmpty && list.failures.count == nodes[0].failures?.count
        // Nothing can be better than a path on which the leaf alone is wrong; unless what is wrong can be excused on one path and
        // not on another, as all but a signature can.
        deadPrefix = excuses != nil ? unsignedFrom : isLeafAloneWrong ? 0 : wrongFrom
        guard let valid = conclude(candidate, &list, isSigned: isSigned) else { return nil }
        rememberSignatures()
        return valid
    }

    private mutating func failures(of index: Int, role: TrustFailure.Role) -> [TrustFailure] {
        if let known = nodes[index].failures { return known }
        let found = CertificateChecks.failures(
            of: nodes[index].certificate, role: role, isAnchor: nodes[index].anchor != nil, context, &meter)
        nodes[index].failures = found
        return found
    }

    private mutating func isSelfIssued(_ index: Int) -> Bool {
        if let known = nodes[index].isSelfIssued { return known }
        // Equal names have equal hashes; the leaf's subject has none.
        let found =
            (index == 0 || nodes[index].subjectHash == nodes[index].issuerHash) && nodes[index].certificate.isSelfIssued
        nodes[index].isSelfIssued = found
        return found
    }

    /// A bit for each intermediate of the path that is self-issued.
    private mutating func selfIssuedIntermediates() -> UInt64 {
        var bits: UInt64 = 0
        for position in 1..<max(1, path.count - 1) where isSelfIssued(path[position]) {
            bits |= 1 << UInt64(position)
        }
        return bits
    }

    /// The path if nothing is wrong with it; otherwise it is kept as rejected.
    private mutating func conclude(
        _ candidate: CandidatePath, _ list: inout FailureList, isSigned: Bool
    ) -> ValidatedPath? {
        if exhausted == nil, isSigned, list.isEmpty || isExcused(list, candidate) {
            list.sort()
            let valid = ValidatedPath(certificates: candidate.certificates, excused: list.failures)
            guard let isAcceptable else { return valid }
            let failures = isAcceptable(valid)
            if failures.isEmpty { return valid }
            for failure in failures { list.append(failure) }
        }
        if let exhausted { list.append(exhausted) }
        list.sort()
        // No check refuses without saying why; if one did, the path would still be refused.
        if list.isEmpty { list.append(TrustFailure(.signatureInvalid, expected: .text("?"))) }
        keep(RejectedPath(certificates: candidate.certificates, reachesAnchor: true, failures: list.failures))
        return nil
    }

    /// Whether everything that is wrong with the path is excused. What is fatal or undecided never is, whatever the caller says.
    private func isExcused(_ list: FailureList, _ candidate: CandidatePath) -> Bool {
        guard let excuses else { return false }
        return list.failures.allSatisfy { failure in
            failure.code.severity == .recoverable
                && excuses(failure, failure.certificate.map { candidate.certificates[$0] })
        }
    }

    /// Keeps a rejected path; once there are enough, in the place of the worst, if it is better.
    private mutating func keep(_ path: RejectedPath) {
        guard rejected.count >= Self.maximumRejectedPaths else { return rejected.append(path) }
        var worst = 0
        for index in rejected.indices where rejected[worst].isBetter(than: rejected[index]) { worst = index }
        guard path.isBetter(than: rejected[worst]) else { return }
        rejected[worst] = path
    }
}

// MARK: - Signatures

extension PathSearch {
    /// Checks the signatures of the path from the leaf up, and stops at the first that is wrong.
    /// - Returns: the position of the certificate whose signature is wrong, nil if none is or the budget ran out.
    private mutating func checkSignatures(_ candidate: CandidatePath, _ list: inout FailureList) -> Int? {
        recallSignatures()
        for position in 0..<(path.count - 1) {
            let edge = pathEdges[position]
            if edges[edge].state == .invalid {
                list.certificate = position
                list.role = candidate.role(position)
                list.add(.signatureInvalid, expected: .text(candidate.certificates[position + 1].shortDescription))
                return position
            }
            guard edges[edge].state == .unchecked else { continue }
            let child = nodes[path[position]].certificate
            list.certificate = position
            list.role = candidate.role(position)
            // An algorithm that isn't verified has been told of by ``AlgorithmCheck``.
            guard
                case .supported(let scheme) = SignatureScheme.read(child.span, child.storage.fields.signatureAlgorithm)
            else { return position }
            guard let key = key(of: path[position + 1]) else {
                edges[edge].state = .invalid
                return refuseKey(of: candidate, at: position + 1, &list)
            }
            if key.fits(scheme) {
                // Hashing a megabyte takes as long as some dozen signatures.
                let cost = key.cost + child.storage.fields.tbs.count / 16_384
                guard cost <= signaturesLeft else {
                    exhausted = TrustFailure(
                        .signatureBudgetExceeded, expected: .number(context.policy.budget.signatures))
                    return nil
                }
                signaturesLeft -= cost
                if key.isValid(
                    child.storage.fields.signature, over: child.storage.fields.tbs, of: child.span, scheme: scheme)
                {
                    edges[edge].state = .valid
                    continue
                }
            }
            edges[edge].state = .invalid
            list.add(.signatureInvalid, expected: .text(candidate.certificates[position + 1].shortDescription))
            return position
        }
        return nil
    }

    /// Looks all signatures of the path up first: an intermediate that is remembered brings its key along.
    private mutating func recallSignatures() {
        guard let memory else { return }
        for position in (memory.includesLeaves ? 0 : 1)..<(path.count - 1) {
            let edge = pathEdges[position]
            guard edges[edge].state == .unchecked,
                let entry = memory.entry(
                    for: nodes[path[position]].certificate, signedBy: nodes[path[position + 1]].certificate)
            else { continue }
            edges[edge].state = .remembered
            nodes[path[position]].rememberedKey = entry.key
        }
    }

    /// A key that looked right and isn't: a point that is not on its curve, an even modulus.
    private func refuseKey(of candidate: CandidatePath, at position: Int, _ list: inout FailureList) -> Int {
        let issuer = candidate.certificates[position]
        // Kinds and sizes of keys that aren't verified have been told of by ``AlgorithmCheck``.
        switch KeyForm.read(issuer.span, issuer.storage.fields.spki) {
        case .rsa(let numbers) where !AlgorithmCheck.allowedRSABits.contains(numbers.bits): break
        case .rsaPSSOnly(let numbers, _) where !AlgorithmCheck.allowedRSABits.contains(numbers.bits): break
        case .p256, .p384, .p521, .rsa, .rsaPSSOnly, .ed25519, .mldsa65, .mldsa87:
            list.certificate = position
            list.role = candidate.role(position)
            list.add(.keyMalformed, expected: .text(issuer.subjectPublicKeyInfo.algorithm.description))
        case .explicitCurve, .otherCurve, .dsa, .other, .malformed: break
        }
        return position - 1
    }

    private mutating func key(of index: Int) -> VerificationKey? {
        if let anchor = nodes[index].anchor { return anchors.anchors[anchor].key.key(of: nodes[index].certificate) }
        let prepared = nodes[index].rememberedKey ?? PreparedKey()
        nodes[index].rememberedKey = prepared
        return prepared.key(of: nodes[index].certificate)
    }

    /// Only what stands on a valid path is remembered, so that a sender of junk can't push out what is useful.
    private func rememberSignatures() {
        guard let memory else { return }
        for position in 0..<(path.count - 1) where edges[pathEdges[position]].state == .valid {
            guard position > 0 || memory.includesLeaves else { continue }
            memory.remember(
                nodes[path[position]].certificate, signedBy: nodes[path[position + 1]].certificate,
                key: nodes[path[position]].rememberedKey ?? PreparedKey())
        }
    }
}

// MARK: - Nothing found

extension PathSearch {
    private mutating func rejection() -> PathRejection {
        // A path that reaches an anchor says more than one that was given up for its length.
        if exhausted == nil, reachedDepth, rejected.isEmpty {
            exhausted = TrustFailure(.depthBudgetExceeded, expected: .number(depth))
        }
        if rejected.isEmpty { rejected.append(deadEnd()) }
        let order = rejected.enumerated().sorted { left, right in
            if left.element.isBetter(than: right.element) { return true }
            if right.element.isBetter(than: left.element) { return false }
            return left.offset < right.offset
        }
        var paths = order.map(\.element)
        // Nothing that was found on another path makes up for a search that was stopped.
        if let exhausted, !paths[0].failures.contains(exhausted) {
            paths[0] = RejectedPath(
                certificates: paths[0].certificates, reachesAnchor: paths[0].reachesAnchor,
                failures: paths[0].failures + [exhausted])
        }
        return PathRejection(paths: paths)
    }

    /// The way up from the leaf by name that ends where no issuer is known: what most servers with a wrong chain look like.
    private mutating func deadEnd() -> RejectedPath {
        var indices = [0]
        // Only for the report: a few hundred comparisons find it where the chain is an honest one.
        stepsLeft = Self.deadEndSteps
        while indices.count < depth, let next = reportedIssuer(of: indices) { indices.append(next) }
        var list = FailureList()
        for (position, index) in indices.enumerated() {
            list.add(failures(of: index, role: position == 0 ? .leaf : .intermediate), at: position)
        }
        let last = indices.count - 1
        let certificate = nodes[indices[last]].certificate
        list.certificate = last
        list.role = last == 0 ? .leaf : .intermediate
        if exhausted == nil {
            if isSelfIssued(indices[last]), last > 0 || certificate.isSelfSigned {
                list.add(last == 0 ? .selfSignedLeaf : .untrustedRoot, found: .text(certificate.shortDescription))
            } else {
                list.add(.unknownIssuer, found: .text(certificate.shortIssuer))
            }
        }
        list.sort()
        return RejectedPath(
            certificates: indices.map { nodes[$0].certificate }, reachesAnchor: false, failures: list.failures)
    }
}

extension PathSearch {
    private static let deadEndSteps = 512

    /// The certificate that the last of `indices` names as its issuer and is not among them, by key identifier if there are several.
    private mutating func reportedIssuer(of indices: [Int]) -> Int? {
        let child = nodes[indices[indices.count - 1]]
        var best: (index: Int, match: Int)?
        for index in 1..<max(1, firstAnchorNode)
        where nodes[index].subjectHash == child.issuerHash && !indices.contains(index) {
            chargeNameComparison(child.certificate, nodes[index].certificate)
            guard stepsLeft > 0 else { break }
            guard child.certificate.isNamedAsIssuer(nodes[index].certificate) else { continue }
            let match = child.certificate.keyIdentifierMatch(nodes[index].certificate).rawValue
            if match < best?.match ?? .max { best = (index, match) }
        }
        return best?.index
    }
}

extension RejectedPath {
    /// 0 if everything that is wrong could be excepted, 1 otherwise.
    private var severity: Int { failures.contains { $0.code.severity != .recoverable } ? 1 : 0 }

    /// Whether it says more about why there is no trust than `other`: it reaches an anchor, its failures are less severe, or fewer.
    fileprivate func isBetter(than other: RejectedPath) -> Bool {
        (reachesAnchor ? 0 : 1, severity, failures.count)
            < (other.reachesAnchor ? 0 : 1, other.severity, other.failures.count)
    }
}
