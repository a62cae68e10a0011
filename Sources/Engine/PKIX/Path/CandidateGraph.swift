// SPDX-License-Identifier: Apache-2.0

// The certificates that can be part of a path, and each certificate's possible issuers by name.
//
// The graph numbers names once (NameTable.swift), and numbers keys when two certificates have the same name. Later
// comparisons only compare numbers.
//
// The graph first drops, in linear time, certificates without a chain of names to an anchor. A certificate costs no
// more work unless it claims to descend from an anchor. Issuers are sorted by key identifier, validity, then directness
// (RFC 4158 § 3.5), so the first path tried is nearly always correct.

struct CandidateGraph {
    /// A certificate that can be part of a path, and the search's results about it.
    struct Node {
        let certificate: Certificate
        /// The index in the store. Nil unless the certificate is an anchor.
        let anchor: Int?
        /// The subject's number. Nil for the leaf, whose subject isn't an issuer in its path.
        let subject: Int?
        /// The issuer's number. Nil for an anchor, and if the meter refused to read the name.
        let issuer: Int?
        /// Whether a chain of names leads to an anchor.
        var leadsToAnchor = false
        /// The next node with the same subject, and the next node with the same issuer.
        var nextOfSubject: Int?
        var nextOfIssuer: Int?
        /// The range of its issuers in ``edges``. Nil until the search looks them up.
        var edges: Range<Int>?
        /// The key's number. Nil until the search needs it.
        var key: Int?
        /// For an anchor with further issuers above it: the node of the same certificate as an intermediate.
        var asIntermediate: Int?
        /// The failures of the certificate itself, regardless of the path. Nil until the engine checks it.
        var failures: [TrustFailure]?
        /// The prepared key. For an intermediate, it comes from the signature memory, if the memory has it.
        var preparedKey: PreparedKey?
        /// The prepared key from a batch's memory. The meter charges it like a key that isn't prepared.
        var rememberedKey: PreparedKey?
    }

    /// A possible issuer, and whether its key verifies the signature.
    struct Edge {
        enum State: UInt8 {
            case unchecked
            /// The batch's memory has the signature, but the meter hasn't charged it yet.
            case found
            case valid
            /// Valid, and stored in the memory.
            case remembered
            case invalid
        }
        let issuer: Int
        /// The order of issuers. Lower is better.
        let score: Int
        var state = State.unchecked
    }

    /// The anchors with a name, and the lists of nodes with it.
    private struct Name {
        let anchors: ArraySlice<Int>
        /// The node of the first of ``anchors``. The nodes of the other anchors follow it. Nil until the search needs
        /// an issuer with this name.
        var firstAnchorNode: Int?
        var firstSubject: Int?
        var lastSubject: Int?
        var firstIssuer: Int?
    }

    let store: AnchorStore
    private let time: Time
    var nodes: [Node] = []
    var edges: [Edge] = []
    private var table = NameTable()
    private var names: [Name] = []
    /// The numbers of the keys needed so far.
    private var keys: [EncodedKey: Int] = [:]

    /// Creates the graph of a leaf.
    /// - Parameters:
    ///   - leaf: the first node.
    ///   - store: the anchors.
    ///   - time: the verify date. Issuers that are valid at this date come first.
    init(_ leaf: Certificate, _ store: AnchorStore, time: Time, candidates: Int, _ meter: inout WorkMeter) {
        self.store = store
        self.time = time
        nodes.reserveCapacity(candidates + 2)
        edges.reserveCapacity(8)
        names.reserveCapacity(8)
        let issuer = number(of: leaf.storage.fields.issuer, in: leaf, &meter)
        append(leaf, subject: nil, issuer: issuer)
    }

    /// The leaf's node.
    static let leaf = 0

    /// The normalized names of this search.
    var normalizedNames: NormalizedNames {
        get { table.normalized }
        _modify { yield &table.normalized }
    }
}

// MARK: - Candidates

extension CandidateGraph {
    /// The largest number of candidates where comparing one by one is faster than a table.
    private static let tableThreshold = 16

    /// Adds certificates that may be intermediates, and marks those with a chain of names to an anchor.
    mutating func addCandidates(
        _ presented: [Certificate], _ intermediates: [Certificate], _ meter: inout WorkMeter
    ) {
        let usesTable = presented.count + intermediates.count > Self.tableThreshold
        var seen: Set<Certificate> = usesTable ? [nodes[Self.leaf].certificate] : []
        for certificate in presented { addCandidate(certificate, usesTable, &seen, &meter) }
        for certificate in intermediates { addCandidate(certificate, usesTable, &seen, &meter) }
        markNodesLeadingToAnchors()
    }

    private mutating func addCandidate(
        _ certificate: Certificate, _ usesTable: Bool, _ seen: inout Set<Certificate>, _ meter: inout WorkMeter
    ) {
        guard meter.charge(work: certificate.storage.count) else { return }
        // A repeated certificate would double the search without benefit.
        if usesTable {
            guard seen.insert(certificate).inserted else { return }
        } else {
            guard meter.charge(work: nodes.count) else { return }
            for index in nodes.indices where nodes[index].certificate == certificate { return }
        }
        // The search finds this certificate among the anchors.
        guard !store.contains(certificate) else { return }
        guard let subject = number(of: certificate.storage.fields.subject, in: certificate, &meter),
            let issuer = number(of: certificate.storage.fields.issuer, in: certificate, &meter)
        else { return }
        append(certificate, subject: subject, issuer: issuer)
    }

    private mutating func number(
        of range: ByteRange, in certificate: Certificate, _ meter: inout WorkMeter
    ) -> Int? {
        guard let (number, hash) = table.number(of: range, in: certificate, &meter) else { return nil }
        if number == names.count {
            let encoded = EncodedName(certificate: certificate, range: range)
            guard let anchors = store.anchors(named: encoded, hash: hash, &table.normalized, &meter) else {
                return nil
            }
            names.append(Name(anchors: anchors))
        }
        return number
    }

    private mutating func append(_ certificate: Certificate, subject: Int?, issuer: Int?) {
        let index = nodes.count
        nodes.append(
            Node(
                certificate: certificate, anchor: nil, subject: subject, issuer: issuer,
                nextOfIssuer: issuer.flatMap { names[$0].firstIssuer }))
        if let subject {
            if let last = names[subject].lastSubject {
                nodes[last].nextOfSubject = index
            } else {
                names[subject].firstSubject = index
            }
            names[subject].lastSubject = index
        }
        if let issuer { names[issuer].firstIssuer = index }
    }

    /// Marks the nodes whose issuer's name is an anchor's, then the nodes whose issuer is marked, and so on.
    private mutating func markNodesLeadingToAnchors() {
        var waiting = names.indices.filter { !names[$0].anchors.isEmpty }
        while let name = waiting.popLast() {
            // Taken, so that the children of a name are read once. CAs can issue certificates for one another.
            var child = names[name].firstIssuer.take()
            while let next = child {
                nodes[next].leadsToAnchor = true
                if let subject = nodes[next].subject { waiting.append(subject) }
                child = nodes[next].nextOfIssuer
            }
        }
    }

    /// Calls `body` with the nodes that have this name and aren't anchors, in the order of their arrival.
    func forEachSubject(named name: Int, _ body: (Int) -> Bool) {
        var next = names[name].firstSubject
        while let index = next {
            guard body(index) else { return }
            next = nodes[index].nextOfSubject
        }
    }
}

// MARK: - Issuers

extension CandidateGraph {
    /// Returns the possible issuers of a node by name, best first, as edges. The result is incomplete if the meter is
    /// exhausted.
    mutating func issuers(of index: Int, _ meter: inout WorkMeter) -> Range<Int> {
        if let known = nodes[index].edges { return known }
        let start = edges.count
        if let name = nodes[index].issuer {
            for node in anchorNodes(named: name) {
                guard meter.charge(steps: 1) else { break }
                // If the leaf is an anchor, the search has already checked that path. Above itself, the leaf would be
                // its own CA.
                guard nodes[node].certificate != nodes[Self.leaf].certificate else { continue }
                edges.append(Edge(issuer: node, score: score(of: node, for: index, directness: 0)))
            }
            var next = names[name].firstSubject
            while let candidate = next {
                next = nodes[candidate].nextOfSubject
                guard meter.charge(work: 4) else { break }
                guard candidate != index, nodes[candidate].leadsToAnchor else { continue }
                guard meter.charge(steps: 1) else { break }
                let isDirect = nodes[candidate].issuer.map { !names[$0].anchors.isEmpty } ?? false
                edges.append(
                    Edge(
                        issuer: candidate,
                        score: score(of: candidate, for: index, directness: isDirect ? 1 : 2)))
            }
        }
        if edges.count - start > 1 {
            // A stable sort: among equals, the server's order decides.
            edges[start...].sort { $0.score < $1.score }
        }
        nodes[index].edges = start..<edges.count
        return start..<edges.count
    }

    /// Returns the order of an issuer. Lower is better. Compares key identifier, then validity, then directness.
    private func score(of candidate: Int, for child: Int, directness: Int) -> Int {
        let storage = nodes[candidate].certificate.storage
        let isInTime = time >= storage.fields.notBefore && time <= storage.fields.notAfter
        return nodes[child].certificate.keyIdentifierMatch(nodes[candidate].certificate).rawValue * 100
            + (isInTime ? 0 : 10) + directness
    }

    private mutating func anchorNodes(named name: Int) -> Range<Int> {
        let count = names[name].anchors.count
        if let first = names[name].firstAnchorNode { return first..<(first + count) }
        let first = nodes.count
        names[name].firstAnchorNode = first
        for anchor in names[name].anchors {
            nodes.append(
                Node(
                    certificate: store.anchors[anchor].certificate, anchor: anchor, subject: name, issuer: nil,
                    leadsToAnchor: true, preparedKey: store.anchors[anchor].key))
        }
        return first..<nodes.count
    }

    /// Returns the node of an anchor's certificate as an intermediate below another anchor. Returns nil if it is
    /// self-signed, or if the meter refuses the work.
    mutating func intermediateNode(ofAnchor index: Int, _ meter: inout WorkMeter) -> Int? {
        if let known = nodes[index].asIntermediate { return known }
        let certificate = nodes[index].certificate
        guard let issuer = number(of: certificate.storage.fields.issuer, in: certificate, &meter),
            issuer != nodes[index].subject || mayHaveIssuerOfItsName(index, issuer, &meter)
        else { return nil }
        nodes.append(
            Node(
                certificate: certificate, anchor: nil, subject: nodes[index].subject, issuer: issuer,
                leadsToAnchor: true, preparedKey: nodes[index].preparedKey))
        nodes[index].asIntermediate = nodes.count - 1
        return nodes.count - 1
    }
}

extension CandidateGraph {
    /// Whether a self-issued anchor may have another issuer with the same name: a different key signed it, as after a
    /// key rollover (RFC 4210 § 4.4). Verifies the anchor's signature only if the search has another certificate with
    /// the name.
    private func mayHaveIssuerOfItsName(_ index: Int, _ name: Int, _ meter: inout WorkMeter) -> Bool {
        let certificate = nodes[index].certificate
        guard names[name].anchors.count > 1 || names[name].firstSubject != nil,
            let key = nodes[index].preparedKey?.key(of: certificate)
        else { return false }
        let cost = key.cost + certificate.storage.fields.tbs.count / 16_384
        return meter.charge(signatures: cost) && !certificate.isSelfSigned
    }
}

// MARK: - Checks

extension CandidateGraph {
    /// Returns the failures of the certificate itself, regardless of the path. Each search finds them once.
    mutating func failures(
        of index: Int, role: TrustFailure.Role, _ context: EvaluationContext, _ meter: inout WorkMeter
    ) -> [TrustFailure] {
        if let known = nodes[index].failures { return known }
        let isSelfIssued = context.policy.isStrict && isSelfIssued(index, &meter)
        let found = CertificateChecks.failures(
            of: nodes[index].certificate, role: role, isAnchor: nodes[index].anchor != nil,
            isSelfIssued: isSelfIssued, context, &meter)
        nodes[index].failures = found
        return found
    }

    /// Whether a checked anchor is distrusted, by the search's lists or by the anchor's conditions.
    func isDistrusted(anchor index: Int, _ context: EvaluationContext) -> Bool {
        if nodes[index].failures?.contains(where: { $0.code == .certificateDenied }) == true { return true }
        guard let anchor = nodes[index].anchor else { return false }
        return store.anchors[anchor].conditions.contains { $0.distrust(for: context.policy.purpose) }
    }
}

// MARK: - Identity of names and keys

extension CandidateGraph {
    /// Whether subject and issuer of a node are the same name. False if the meter refuses to compare the leaf's names.
    mutating func isSelfIssued(_ index: Int, _ meter: inout WorkMeter) -> Bool {
        if let subject = nodes[index].subject, let issuer = nodes[index].issuer { return subject == issuer }
        let certificate = nodes[index].certificate
        guard let subject = number(of: certificate.storage.fields.subject, in: certificate, &meter),
            let issuer = number(of: certificate.storage.fields.issuer, in: certificate, &meter)
        else { return false }
        return subject == issuer
    }

    /// Whether two certificates have the same subject and the same key.
    mutating func haveSameNameAndKey(_ one: Int, _ other: Int, _ meter: inout WorkMeter) -> Bool {
        guard nodes[one].subject == nodes[other].subject else { return false }
        return key(of: one, &meter) == key(of: other, &meter)
    }

    /// Returns the number of a node's key. Equal keys have equal numbers.
    private mutating func key(of index: Int, _ meter: inout WorkMeter) -> Int {
        if let known = nodes[index].key { return known }
        let encoded = EncodedKey(certificate: nodes[index].certificate)
        _ = meter.charge(work: encoded.range.count)
        let number = keys[encoded] ?? keys.count
        keys[encoded] = number
        nodes[index].key = number
        return number
    }
}

/// A public key and its place in a certificate: the whole SubjectPublicKeyInfo.
struct EncodedKey: Hashable {
    let certificate: Certificate
    var range: ByteRange { certificate.storage.fields.spki.whole }

    static func == (left: EncodedKey, right: EncodedKey) -> Bool {
        left.certificate.hasSameKey(as: right.certificate)
    }

    func hash(into hasher: inout Hasher) {
        unsafe certificate.span.extracting(range.indices).withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
}
