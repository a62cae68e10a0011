// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

@Suite("Subtrees compared with several names")
struct ConstraintSubtreesTests {
    private struct Outcome {
        var codes: Set<TrustFailure.Code>
        var names: Int
        var comparisons: Int

        init(_ measured: (validation: PathValidation, meter: WorkMeter)) {
            codes = Set(measured.validation.codes)
            names = measured.validation.failures.reduce(0) { count, failure in
                switch failure.found {
                case .list(let names): count + names.count
                default: count + 1
                }
            }
            comparisons = measured.meter.comparisons
        }
    }

    private static let forms: [[UInt8]] = [
        ASN1.dns("a.test"), ASN1.dns("b.test"), ASN1.dns(".b.test"), ASN1.dns("c.b.test"), ASN1.dns("x.c.b.test"),
        ASN1.dns("."), ASN1.dns("-.test"), ASN1.uri("d.test"), ASN1.ip([192, 0, 2, 0, 255, 255, 255, 0]),
        ASN1.ip([10, 0, 0, 0, 255, 0, 0, 0]), ASN1.email("e.test"), ASN1.email("me@e.test"),
    ]
    private static let names: [[UInt8]] = [
        ASN1.dns("a.test"), ASN1.dns("www.a.test"), ASN1.dns("b.test"), ASN1.dns("c.b.test"), ASN1.dns("*.b.test"),
        ASN1.dns("*.c.b.test"), ASN1.dns("other.example"), ASN1.uri("https://d.test/x"), ASN1.ip([192, 0, 2, 7]),
        ASN1.ip([198, 51, 100, 1]), ASN1.email("me@e.test"), ASN1.email("you@other.example"),
    ]

    @Test(
        "Comparing names together gives the same results as comparing each one, with the same number of comparisons",
        arguments: 0..<60)
    func together(_ seed: Int) throws {
        var random = Repeatable(UInt64(900 + seed))
        func some(_ all: [[UInt8]], _ count: ClosedRange<Int>) -> [[UInt8]] {
            Array(all.shuffled(using: &random).prefix(Int.random(in: count, using: &random)))
        }
        let permitted = some(Self.forms, 0...6)
        let excluded = some(Self.forms, (permitted.isEmpty ? 1 : 0)...4)
        let chain = try CraftedChain([.init("CA", [.nameConstraints(permitted: permitted, excluded: excluded)])])
        func outcome(_ names: [[UInt8]]) throws -> Outcome {
            let leaf = try chain.leaf {
                $0.subject = ASN1.emptyName
                $0.extensions = [Extension.alternativeNames(names).encoded]
            }
            return Outcome(
                PathValidator(anchors: AnchorStore([chain.root]), policy: .plain, memory: nil)
                    .measured(leaf, presented: chain.intermediates, host: nil, at: TestAuthority.now))
        }
        let names = some(Self.names, 2...8)
        let alone = try names.map { try outcome([$0]) }
        for order in [names, names.reversed()] {
            let together = try outcome(order)
            #expect(together.codes == alone.reduce(into: []) { $0.formUnion($1.codes) })
            #expect(together.names == alone.reduce(0) { $0 + $1.names })
            #expect(together.comparisons == alone.reduce(0) { $0 + $1.comparisons })
        }
        #expect(alone.contains { $0.comparisons > 0 })
    }
}
