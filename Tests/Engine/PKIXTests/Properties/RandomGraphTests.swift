// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

/// Compares path building with an oracle that tries every path. Although the search omits, prunes and sorts candidates,
/// it finds a path exactly if one exists.
@Suite("Random graphs of CAs")
struct RandomGraphTests {
    private struct Authority {
        var name: Int
        var key: Int
    }

    /// A certificate for CA `subject` from CA `issuer`.
    private struct Edge {
        var subject: Int
        var issuer: Int
        var isExpired: Bool
        var isAuthority: Bool
        var pathLength: Int?
        var isForClients: Bool
        /// Whether a key other than the issuer's signed it.
        var isForged: Bool
        var isConstrained: Bool
        var certificate: Certificate

        var isGood: Bool { !isExpired && isAuthority && !isForClients && !isForged && !isConstrained }
    }

    private static let keys = (0..<7).map { _ in SigningKey.p256() }

    @Test("The engine finds a path exactly if one exists, in any order of the certificates", arguments: 0..<8)
    func agreesWithTheOracle(seed: Int) throws {
        var random = Repeatable(UInt64(100 + seed))
        var outcomes = [0, 0]
        var differences: [String] = []
        let ofBatch = SignatureMemory.forBatch(leafCapacity: 64)
        var exhausted = 0
        for round in 0..<40 {
            func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
            // Some CAs share a name, which creates self-issued certificates and wrong issuers with the right name.
            let authorities = (0..<Int.random(in: 3...6, using: &random)).map { index in
                Authority(name: chance(25) ? max(0, index - 1) : index, key: index)
            }
            let withIdentifiers = chance(50)
            func certificate(
                _ subject: Authority, _ issuer: Authority, _ change: (inout CraftedCertificate) -> Void,
                _ extensions: [Extension], signer: Int
            ) throws -> Certificate {
                try CraftedCertificate.authority(
                    ASN1.name("CA \(subject.name)"), issuer: ASN1.name("CA \(issuer.name)"),
                    key: Self.keys[subject.key],
                    (withIdentifiers
                        ? [.subjectKeyIdentifier([UInt8(subject.key)]), .authorityKeyIdentifier([UInt8(issuer.key)])]
                        : []) + extensions
                ).with(change).certificate(signedBy: Self.keys[signer])
            }
            var edges: [Edge] = []
            for serial in 0..<Int.random(in: 2...12, using: &random) {
                let subject = Int.random(in: 0..<authorities.count, using: &random)
                let issuer = Int.random(in: 0..<authorities.count, using: &random)
                guard subject != issuer else { continue }
                var edge = Edge(
                    subject: subject, issuer: issuer, isExpired: chance(12), isAuthority: !chance(8),
                    pathLength: chance(25) ? Int.random(in: 0...1, using: &random) : nil, isForClients: chance(8),
                    isForged: chance(10), isConstrained: chance(8), certificate: try CraftedCertificate().certificate())
                var extensions: [Extension] = []
                if edge.isForClients { extensions.append(.extendedKeyUsage("1.3.6.1.5.5.7.3.2")) }
                if edge.isConstrained { extensions.append(.nameConstraints(permitted: [ASN1.dns("other.example")])) }
                edge.certificate = try certificate(
                    authorities[subject], authorities[issuer],
                    {
                        $0.serialNumber = ASN1.integer(serial + 1)
                        if edge.isExpired { $0.notAfter = ASN1.time(TestAuthority.now.advanced(by: -1)) }
                        $0.extensions?[0] =
                            Extension.basicConstraints(
                                isAuthority: edge.isAuthority, pathLength: edge.isAuthority ? edge.pathLength : nil
                            ).encoded
                    }, extensions, signer: edge.isForged ? 6 : authorities[issuer].key)
                edges.append(edge)
            }
            // Anchors are self-signed certificates of one or two CAs.
            let trusted = Set(
                (0..<Int.random(in: 1...2, using: &random)).map { _ in
                    Int.random(in: 1..<authorities.count, using: &random)
                })
            var anchors: [(authority: Int, pathLength: Int?, certificate: Certificate)] = []
            for index in trusted.sorted() {
                let pathLength = chance(25) ? Int.random(in: 0...2, using: &random) : nil
                let made = try certificate(
                    authorities[index], authorities[index],
                    { $0.extensions?[0] = Extension.basicConstraints(pathLength: pathLength).encoded }, [],
                    signer: authorities[index].key)
                anchors.append((index, pathLength, made))
            }
            let leaf = try CraftedCertificate.leaf(
                issuer: ASN1.name("CA \(authorities[0].name)"), dns: "www.example.com",
                withIdentifiers ? [.authorityKeyIdentifier([UInt8(authorities[0].key)])] : []
            ).certificate(signedBy: Self.keys[authorities[0].key])

            let expected = Self.exists(authorities, edges, anchors.map { ($0.authority, $0.pathLength) })
            outcomes[expected ? 1 : 0] += 1
            let memory = SignatureMemory()
            for memory in [nil, memory, memory] {
                let outcome = try validate(
                    leaf, edges.map(\.certificate).shuffled(using: &random), anchors: anchors.map(\.certificate),
                    memory: memory)
                if outcome.isValid != expected || outcome.codes.contains(where: { $0.severity == .undecided }) {
                    differences.append("round \(round): expected \(expected), \(outcome.codes)")
                }
            }

            // In a batch, the search does the same work with the same result, whatever its cache contains from this
            // chain and others.
            let order = edges.map(\.certificate).shuffled(using: &random)
            let budget =
                chance(50) ? ValidationBudget() : ValidationBudget(signatures: Int.random(in: 1...5, using: &random))
            let searches = [SignatureMemory.forBatch(leafCapacity: 64), ofBatch, ofBatch].map { memory in
                PathValidator(
                    anchors: AnchorStore(anchors.map(\.certificate)), policy: ValidationPolicy(budget: budget),
                    memory: memory
                ).measured(leaf, presented: order, host: nil, at: TestAuthority.now)
            }
            if searches[0].meter.isExhausted { exhausted += 1 }
            for warm in searches.dropFirst() where !Self.areEqual(searches[0], warm) {
                differences.append("round \(round): a search with a filled cache differs")
            }
        }
        #expect(differences.isEmpty)
        // Both outcomes occur often enough to be meaningful.
        #expect(outcomes.allSatisfy { $0 >= 4 }, "\(outcomes)")
        #expect(exhausted > 0)
        #expect(ofBatch.count > 0)
    }

    private static func areEqual(
        _ left: (validation: PathValidation, meter: WorkMeter), _ right: (validation: PathValidation, meter: WorkMeter)
    ) -> Bool {
        left.validation.path?.certificates == right.validation.path?.certificates
            && left.validation.rejection?.paths == right.validation.rejection?.paths
            && left.meter.signatures == right.meter.signatures && left.meter.work == right.meter.work
            && left.meter.steps == right.meter.steps && left.meter.comparisons == right.meter.comparisons
            && left.meter.exhausted == right.meter.exhausted
    }

    /// Tries every simple path from CA 0 to an anchor and returns whether one is valid.
    private static func exists(
        _ authorities: [Authority], _ edges: [Edge], _ anchors: [(authority: Int, pathLength: Int?)]
    ) -> Bool {
        /// - Parameter below: the intermediates so far, the leaf's issuer first.
        func search(_ authority: Int, _ below: [Edge]) -> Bool {
            let counted = below.count { authorities[$0.subject].name != authorities[$0.issuer].name }
            if anchors.contains(where: { $0.authority == authority && ($0.pathLength.map { counted <= $0 } ?? true) }) {
                return true
            }
            return edges.contains { edge in
                guard edge.subject == authority, edge.isGood, edge.pathLength.map({ counted <= $0 }) ?? true,
                    edge.issuer != 0, !below.contains(where: { $0.subject == edge.issuer || $0.subject == authority })
                else { return false }
                return search(edge.issuer, below + [edge])
            }
        }
        return search(0, [])
    }
}
