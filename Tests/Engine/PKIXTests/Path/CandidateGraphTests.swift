// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

@Suite("Candidates for a path")
struct CandidateGraphTests {
    private static func authority(
        _ name: String, by issuer: String, _ serial: Int = 1, key: SigningKey = .shared, _ extensions: [Extension] = [],
        _ change: (inout CraftedCertificate) -> Void = { _ in }
    ) throws -> Certificate {
        try CraftedCertificate.authority(ASN1.name(name), issuer: ASN1.name(issuer), key: key, extensions).with {
            $0.serialNumber = ASN1.integer(serial)
            change(&$0)
        }.unsigned()
    }

    /// A graph with its meter.
    private struct Graph {
        var graph: CandidateGraph
        var meter = WorkMeter(ValidationBudget())

        init(_ leaf: Certificate, _ presented: [Certificate], anchors: [Certificate]) {
            graph = CandidateGraph(
                leaf, AnchorStore(anchors), time: TestAuthority.now, candidates: presented.count, &meter)
            graph.addCandidates(presented, [], &meter)
        }

        mutating func issuers(_ index: Int) -> [Certificate] {
            graph.issuers(of: index, &meter).map { graph.nodes[graph.edges[$0].issuer].certificate }
        }
    }

    @Test("A graph contains each candidate once, without the leaf and the anchors, among few or many")
    func candidates() throws {
        let root = try Self.authority("Root", by: "Root")
        let ca = try Self.authority("CA", by: "Root")
        let lower = try Self.authority("Lower", by: "CA")
        let other = try Self.authority("CA", by: "Nowhere")
        let leaf = try CraftedCertificate.leaf(issuer: ASN1.name("CA")).unsigned()
        for count in [0, 4, 10, 11, 12, 30] {
            let fillers = try (0..<count).map { try Self.authority("Filler \($0)", by: "Nowhere \($0)") }
            let given = [ca, leaf, root, ca, lower, other] + fillers + [leaf, ca, other]
            let graph = Graph(leaf, given, anchors: [root]).graph
            #expect(graph.nodes.map(\.certificate) == [leaf, ca, lower, other] + fillers)
            #expect(graph.nodes.filter(\.leadsToAnchor).map(\.certificate) == [leaf, ca, lower])
        }
    }

    @Test("Up to 16 candidates are compared with one another, and each of more candidates costs the same")
    func comparisons() throws {
        let root = try Self.authority("Root", by: "Root")
        let leaf = try CraftedCertificate.leaf(issuer: ASN1.name("CA")).unsigned()
        let all = try (1_000..<1_200).map { try Self.authority("CA", by: "Root", $0) }
        func work(_ count: Int) -> Int { Graph(leaf, Array(all.prefix(count)), anchors: [root]).meter.work }
        // The second candidate has the names of the first.
        let each = work(19) - work(18)
        for count in [2, 3, 9, 16] { #expect(work(count) - work(count - 1) == each + count) }
        for count in [18, 100, 200] { #expect(work(count) - work(17) == (count - 17) * each) }
    }

    @Test("Hundreds of CAs that issue certificates for one another are each marked once")
    func circles() throws {
        let root = try Self.authority("Root", by: "Root")
        let leaf = try CraftedCertificate.leaf(issuer: ASN1.name("CA 0")).unsigned()
        // Each of two names has certificates by the other one, and one certificate is issued by the root.
        let all = try (0..<200).flatMap { index in
            [
                try Self.authority("CA 0", by: "CA 1", 1_000 + index),
                try Self.authority("CA 1", by: "CA 0", 1_000 + index),
            ]
        }
        let alone = Graph(leaf, all, anchors: [root]).graph
        #expect(alone.nodes.allSatisfy { !$0.leadsToAnchor })
        let below = Graph(leaf, all + [try Self.authority("CA 1", by: "Root")], anchors: [root]).graph
        #expect(below.nodes.allSatisfy(\.leadsToAnchor) && below.nodes.count == 402)
    }

    // MARK: Order

    /// A possible issuer of the leaf. Equal ranks keep their order of arrival.
    private struct Ranked {
        let rank: Int
        let certificate: Certificate
        var isAnchor = false
    }

    private static func ranked() throws -> [Ranked] {
        let (now, later, earlier) = (
            TestAuthority.now, TestAuthority.now.advanced(by: 1), TestAuthority.now.advanced(by: -1)
        )
        var all: [Ranked] = []
        let identifiers: [[Extension]] = [[.subjectKeyIdentifier([7])], [], [.subjectKeyIdentifier([8])]]
        for (group, extensions) in identifiers.enumerated() {
            func add(
                _ rank: Int, isAnchor: Bool = false, by issuer: String = "Root", from: Time? = nil, until: Time? = nil
            ) throws {
                let certificate = try authority("CA", by: issuer, all.count, extensions) { made in
                    if let from { made.notBefore = ASN1.time(from) }
                    if let until { made.notAfter = ASN1.time(until) }
                }
                all.append(Ranked(rank: 10 * group + rank, certificate: certificate, isAnchor: isAnchor))
            }
            try add(0, isAnchor: true)
            try add(1, from: now)
            try add(1, until: now)
            try add(2, by: "Middle")
            try add(3, isAnchor: true, until: earlier)
            try add(4, from: later)
            try add(4, until: earlier)
            try add(5, by: "Middle", until: earlier)
        }
        return all
    }

    @Test(
        "Issuers are in the order of key identifier, validity and directness (RFC 4158 § 3.5), then in the server's order"
    )
    func order() throws {
        let ranked = try Self.ranked()
        let leaf = try CraftedCertificate.leaf(issuer: ASN1.name("CA"), [.authorityKeyIdentifier([7])]).unsigned()
        let root = try Self.authority("Root", by: "Root")
        let middle = try Self.authority("Middle", by: "Root")
        let anchors = ranked.filter(\.isAnchor).map(\.certificate)
        let candidates = ranked.filter { !$0.isAnchor }
        let arrivals: [[Ranked]] = [
            candidates, candidates.reversed(), Array(candidates[5...]) + candidates[..<5],
            [candidates[1], candidates[0]], [candidates[2], candidates[0]], [candidates[0]],
        ]
        for arrival in arrivals {
            for anchors in [anchors, anchors.reversed(), []] {
                var graph = Graph(leaf, arrival.map(\.certificate) + [middle], anchors: anchors + [root])
                let ordered = (0..<30).flatMap { rank in
                    ranked.filter { $0.rank == rank && $0.isAnchor && anchors.contains($0.certificate) }
                        .map(\.certificate) + arrival.filter { $0.rank == rank }.map(\.certificate)
                }
                let found = graph.issuers(CandidateGraph.leaf)
                #expect(found == ordered)
            }
        }
    }

    // MARK: Charges

    @Test("Listing issuers costs a step for each that leads to an anchor, and four units for each with the name")
    func listing() throws {
        let root = try Self.authority("Root", by: "Root")
        let other = try Self.authority("Root", by: "Root", 2)
        let selfIssued = try Self.authority("CA", by: "CA")
        let direct = try Self.authority("CA", by: "Root")
        let deadEnd = try Self.authority("CA", by: "Nowhere")
        let leaf = try CraftedCertificate.leaf(issuer: ASN1.name("CA")).unsigned()
        var graph = Graph(leaf, [selfIssued, direct, deadEnd], anchors: [root, other])
        let rows: [(Int, [Certificate], work: Int)] = [
            (CandidateGraph.leaf, [direct, selfIssued], 3 * 4), (1, [direct], 3 * 4), (2, [root, other], 0),
            // The graph knows these already.
            (CandidateGraph.leaf, [direct, selfIssued], 0), (2, [root, other], 0),
        ]
        var listed: Set<Int> = []
        for (index, expected, work) in rows {
            let before = graph.meter
            let found = graph.issuers(index)
            #expect(found == expected)
            #expect(graph.meter.work - before.work == work)
            #expect(graph.meter.steps - before.steps == (listed.insert(index).inserted ? expected.count : 0))
        }
    }

    @Test("Two certificates with one issuer have the same anchors above them")
    func anchorNodes() throws {
        let root = try Self.authority("Root", by: "Root")
        let leaf = try CraftedCertificate.leaf(issuer: ASN1.name("Root")).unsigned()
        let ca = try Self.authority("CA", by: "Root")
        var graph = Graph(leaf, [ca], anchors: [root])
        let found = [graph.issuers(0), graph.issuers(1)]
        #expect(found == [[root], [root]])
        #expect(graph.graph.nodes.count == 3)
    }

    @Test("Only certificates with the same name and the same key count as the same CA, and each key is read once")
    func sameAuthority() throws {
        let (key, otherKey) = (SigningKey.p256(), SigningKey.p256())
        let leaf = try CraftedCertificate.leaf(issuer: ASN1.name("A")).unsigned()
        let others = [
            try Self.authority("A", by: "Root", 1, key: key), try Self.authority("A", by: "Root", 2, key: key),
            try Self.authority("A", by: "Root", 3, key: otherKey), try Self.authority("B", by: "Root", 4, key: key),
        ]
        var graph = Graph(leaf, others, anchors: [])
        let size = others[0].storage.fields.spki.whole.count
        let rows: [(Int, Int, Bool, keys: Int)] = [
            (1, 4, false, 0), (1, 2, true, 2), (1, 2, true, 0), (1, 3, false, 1), (2, 3, false, 0), (3, 4, false, 0),
        ]
        for (one, other, isSame, keys) in rows {
            let before = graph.meter.work
            let found = graph.graph.haveSameNameAndKey(one, other, &graph.meter)
            #expect(found == isSame, "\(one), \(other)")
            #expect(graph.meter.work - before == keys * size, "\(one), \(other)")
        }
    }
}
