// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

/// The charges of whole searches: everything that depends on the server's bytes is charged, and only once.
@Suite("Charges of a search")
struct SearchWorkTests {
    private let samples = SearchSamples()
    private var keys: [SigningKey] { samples.keys }

    /// The charges for checking a certificate alone.
    private func checks(_ certificate: Certificate, _ role: TrustFailure.Role) -> Int {
        var meter = WorkMeter(work: .max)
        let context = EvaluationContext(policy: ValidationPolicy(), host: nil, time: TestAuthority.now)
        _ = CertificateChecks.failures(
            of: certificate, role: role, isAnchor: role == .anchor, isSelfIssued: false, context, &meter)
        return meter.work
    }

    /// The charges for checking the certificates of a path, for the first time or again.
    private func path(_ path: [Certificate], checking: [Int], failures: Int = 0) -> Int {
        let roles = path.indices.map {
            $0 == 0 ? TrustFailure.Role.leaf : $0 == path.count - 1 ? .anchor : .intermediate
        }
        return checking.reduce(64 * (path.count + failures)) { $0 + checks(path[$1], roles[$1]) }
    }

    /// The charges for preparing a key. The keys of anchors are prepared.
    private func key(_ certificate: Certificate) -> Int { 4_096 + 16 * certificate.storage.fields.spki.key.count }

    /// The charges for parsing and adding a candidate: its bytes, and each byte of a name six times or, if another
    /// certificate has the same name, twice. It is compared with each certificate before it, the leaf included.
    private func candidate(
        _ certificate: Certificate, newIssuer: Bool, newSubject: Bool = false, after count: Int = 1
    ) -> Int {
        let fields = certificate.storage.fields
        return count + fields.parsingWork + certificate.storage.count + fields.subject.count * (newSubject ? 6 : 2)
            + fields.issuer.count * (newIssuer ? 6 : 2)
    }

    private func leaf(_ leaf: Certificate) -> Int {
        leaf.storage.fields.parsingWork + 6 * leaf.storage.fields.issuer.count
    }

    /// The charges for finding anchors with one name.
    private func anchors(_ anchors: [Certificate]) -> Int {
        anchors.reduce(0) { $0 + $1.storage.fields.subject.count + 1 }
    }

    // MARK: Searches

    @Test("A chain is charged for its names, its checks and its keys, and for nothing else")
    func chain() throws {
        let root = try samples.root()
        let ca = try samples.authority("I", 1, by: "R", keys[0])
        let leaf = try samples.leaf(by: "I", keys[1])
        let expected =
            self.leaf(leaf) + candidate(ca, newIssuer: true) + anchors([root]) + 4
            + path([leaf, ca, root], checking: [0, 1, 2]) + key(ca)
        let meter = Searched(leaf, [ca], anchors: [TrustAnchor(root)]).meter
        #expect(meter.work == expected)
        #expect(meter.steps == 4 && meter.signatures == 2)
        // The caller's intermediates cost as much as presented certificates.
        let validator = PathValidator(anchors: AnchorStore([root]), memory: nil)
        let intermediates = validator.measured(leaf, intermediates: [ca], host: nil, at: TestAuthority.now)
        #expect(intermediates.meter.work == expected)
        // Unrelated certificates. The second has the names of the first.
        let unrelated = try (1...2).map { try samples.authority("X", 2, by: "Y", keys[3], serial: $0) }
        for (count, work) in [
            (1, candidate(unrelated[0], newIssuer: true, newSubject: true, after: 2)),
            (
                2,
                candidate(unrelated[0], newIssuer: true, newSubject: true, after: 2)
                    + candidate(unrelated[1], newIssuer: false, after: 3)
            ),
        ] {
            let found = Searched(leaf, [ca] + unrelated.prefix(count), anchors: [TrustAnchor(root)]).meter
            #expect(found.work == expected + work)
            #expect(found.steps == 4)
        }
        // The same certificate again costs its bytes and the comparisons, and a presented anchor too.
        for again in [ca, leaf, root] {
            let found = Searched(leaf, [ca, again], anchors: [TrustAnchor(root)]).meter
            #expect(found.work == expected + again.storage.fields.parsingWork + again.storage.count + 2)
            #expect(found.steps == 4)
        }
    }

    @Test("A leaf directly below its anchor is charged for both, and for nothing else")
    func direct() throws {
        let root = try samples.root()
        let leaf = try samples.leaf(by: "R", keys[0])
        let meter = Searched(leaf, anchors: [TrustAnchor(root)]).meter
        #expect(meter.work == self.leaf(leaf) + anchors([root]) + path([leaf, root], checking: [0, 1]))
        #expect(meter.steps == 2 && meter.signatures == 1)
    }

    @Test("Two paths with one intermediate check it once, prepare its key once, and verify the leaf once")
    func twoPaths() throws {
        let roots = [try samples.authority("R", 2, by: "R", keys[2]), try samples.root()]
        let ca = try samples.authority("I", 1, by: "R", keys[0])
        let leaf = try samples.leaf(by: "I", keys[1])
        let expected =
            self.leaf(leaf) + candidate(ca, newIssuer: true) + anchors(roots) + 4
            + path([leaf, ca, roots[0]], checking: [0, 1, 2]) + key(ca)
            // The text of the wrong issuer's name.
            + 32 * roots[0].storage.fields.subject.count
            + path([leaf, ca, roots[1]], checking: [2])
        let found = Searched(leaf, [ca], anchors: roots.map { TrustAnchor($0) })
        #expect(found.path == [leaf, ca, roots[1]])
        #expect(found.meter.work == expected)
        #expect(found.meter.steps == 6 && found.meter.signatures == 3)
        // The memory of a batch charges the same, and hashes the leaf and its issuer's key once.
        let memory = SignatureMemory.forBatch(leafCapacity: 64)
        for _ in 0..<3 {
            let batch = Searched(leaf, [ca], anchors: roots.map { TrustAnchor($0) }, memory: memory)
            #expect(batch.path == [leaf, ca, roots[1]])
            #expect(batch.meter.work == expected + leaf.storage.count + ca.storage.fields.spki.whole.count)
            #expect(batch.meter.steps == 6 && batch.meter.signatures == 3)
        }
    }

    @Test("A key that verifies two certificates is prepared once")
    func sharedIssuer() throws {
        let root = try samples.root()
        let above = try samples.authority("A", 2, by: "R", keys[0])
        let bad = try samples.authority("I", 1, by: "A", keys[2], serial: 1, SearchSamples.confuse)
        let good = try samples.authority("I", 1, by: "A", keys[2], serial: 2)
        let leaf = try samples.leaf(by: "I", keys[1])
        let expected =
            self.leaf(leaf) + candidate(bad, newIssuer: true) + candidate(good, newIssuer: false, after: 2)
            + candidate(above, newIssuer: true, after: 3) + anchors([root]) + 4 * (2 + 1 + 1)
            + path([leaf, bad, above, root], checking: [0, 1, 2, 3], failures: 1) + key(bad) + key(above)
            + path([leaf, good, above, root], checking: [1]) + key(good)
        let found = Searched(leaf, [bad, good, above], anchors: [TrustAnchor(root)])
        #expect(found.path == [leaf, good, above, root])
        #expect(found.meter.work == expected)
        #expect(found.meter.signatures == 5)
    }

    @Test("CAs in a circle cost a step for each issuer, and each key is compared once")
    func circle() throws {
        let root = try samples.root()
        let all = try (1...3).map {
            try samples.authority(
                "X", 1, by: "Y", keys[2], serial: $0, extensions: [.authorityKeyIdentifier([7])])
        }
        let back = try samples.authority("Y", 2, by: "X", keys[1], extensions: [.subjectKeyIdentifier([7])])
        let out = try samples.authority("Y", 2, by: "R", keys[0])
        let leaf = try samples.leaf(by: "X", keys[1])
        let names =
            self.leaf(leaf) + candidate(all[0], newIssuer: true) + candidate(all[1], newIssuer: false, after: 2)
            + candidate(all[2], newIssuer: false, after: 3) + candidate(back, newIssuer: false, after: 4)
            + candidate(out, newIssuer: true, after: 5) + anchors([root])
        let expected =
            names + 4 * (3 + 2 + 3) + all.reduce(0) { $0 + $1.storage.fields.spki.whole.count }
            + path([leaf, all[0], out, root], checking: [0, 1, 2, 3]) + key(all[0]) + key(out)
        let found = Searched(leaf, all + [back, out], anchors: [TrustAnchor(root)])
        #expect(found.path == [leaf, all[0], out, root])
        #expect(found.meter.work == expected)
        #expect(found.meter.steps == 3 + 1 + 2 + 1 + 3 + 3 + 1 + 1 + 1)
        #expect(found.meter.signatures == 3)
    }

    @Test("With a memory, a known intermediate costs no signature and no key, with or without the memory's leaves")
    func remembered() throws {
        let root = try samples.root()
        let ca = try samples.authority("I", 1, by: "R", keys[0])
        let leaves = try (0..<2).map { serial in
            try samples.leaf(by: "I", keys[1]) { $0.serialNumber = ASN1.integer(0x1234_5600 + serial) }
        }
        let plain = Searched(leaves[1], [ca], anchors: [TrustAnchor(root)]).meter
        for includesLeaves in [true, false] {
            let memory = SignatureMemory(includesLeaves: includesLeaves)
            let meters = [leaves[0], leaves[1], leaves[1]].map {
                Searched($0, [ca], anchors: [TrustAnchor(root)], memory: memory).meter
            }
            #expect(meters.map(\.signatures) == [2, 1, includesLeaves ? 0 : 1])
            #expect(meters[1].work == plain.work - key(ca))
            // The leaf directly below the root.
            let direct = try samples.leaf(by: "R", keys[0])
            #expect(Searched(direct, anchors: [TrustAnchor(root)], memory: memory).meter.signatures == 1)
        }
    }
}
