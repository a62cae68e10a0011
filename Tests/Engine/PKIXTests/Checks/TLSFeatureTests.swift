// SPDX-License-Identifier: Apache-2.0

import PKIX
import Testing

@testable import ServerTrustTesting

@Suite("TLS features of CAs (RFC 7633 § 4.2.2)")
struct TLSFeatureTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var root: [UInt16] = []
        var intermediate: [UInt16] = []
        var leaf: [UInt16] = []
        /// The index of the certificate that lacks a feature, with the missing features and its own features. Nil if no
        /// certificate lacks one.
        var failure: (index: Int, expected: TrustFailure.Value, found: TrustFailure.Value)?
    }

    static let rows: [Row] = [
        Row(testDescription: "no features"), Row(testDescription: "only in the leaf", leaf: [5]),
        Row(testDescription: "the same features", intermediate: [5], leaf: [5]),
        Row(testDescription: "the same features in another order", intermediate: [17, 5], leaf: [5, 17]),
        Row(testDescription: "more in the leaf", intermediate: [5], leaf: [17, 5, 600]),
        Row(testDescription: "the same features along the path", root: [5], intermediate: [5, 17], leaf: [17, 5]),
        Row(
            testDescription: "none in the leaf", intermediate: [5],
            failure: (0, .text("status_request"), .text("none"))),
        Row(
            testDescription: "another feature in the leaf", intermediate: [5], leaf: [17],
            failure: (0, .text("status_request"), .text("status_request_v2"))),
        Row(
            testDescription: "one of three in the leaf", intermediate: [5, 17, 600], leaf: [5],
            failure: (0, .list(["status_request_v2", "600"]), .text("status_request"))),
        Row(
            testDescription: "in the anchor but not in the intermediate", root: [5], leaf: [5],
            failure: (1, .text("status_request"), .text("none"))),
        Row(
            testDescription: "in the anchor and the intermediate but not in the leaf", root: [5], intermediate: [5],
            failure: (0, .text("status_request"), .text("none"))),
    ]

    @Test("A certificate must require at least the features that its CA's certificate requires", arguments: rows)
    func features(row: Row) throws {
        let chain = try TestChain(
            root: .authority("Root").with { $0.tlsFeatures = row.root },
            intermediate: .authority("CA").with { $0.tlsFeatures = row.intermediate })
        let leaf = try chain.leaf(.leaf("www.example.com").with { $0.tlsFeatures = row.leaf })
        for policy in [ValidationPolicy(), .plain] {
            let found = try chain.failures(of: leaf, policy: policy)
            #expect(found.map(\.code) == (row.failure == nil ? [] : [.tlsFeatureMissing]))
            #expect(found.first?.certificate == row.failure?.index)
            #expect(found.first?.role == row.failure.map { $0.index == 0 ? .leaf : .intermediate })
            #expect(found.first?.expected == row.failure?.expected && found.first?.found == row.failure?.found)
        }
    }
}
