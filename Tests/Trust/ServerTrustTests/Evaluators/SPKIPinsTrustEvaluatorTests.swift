// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

@Suite("SPKI pins")
struct SPKIPinsTrustEvaluatorTests {
    typealias Scope = SPKIPinsTrustEvaluator.Scope

    static func row(
        _ sentence: String, _ expectation: EvaluatorCase.Expectation, scope: Scope = .anywhere,
        _ setup: @escaping @Sendable (TrustLab) throws -> (pinned: Certificate, trust: Trust)
    ) -> EvaluatorCase {
        EvaluatorCase(sentence, expectation) { lab in
            let (pinned, trust) = try setup(lab)
            return (try evaluator(pinned, scope: scope), trust)
        }
    }

    /// Returns an evaluator with the pin of one certificate, and a backup of a key that doesn't exist.
    static func evaluator(_ pinned: Certificate, scope: Scope = .anywhere) throws -> SPKIPinsTrustEvaluator {
        SPKIPinsTrustEvaluator(try SPKIPinSet(pins: [SPKIPin(pinned)], backup: [.unused()]), scope: scope)
    }

    // MARK: Position of the pin

    static let places: [EvaluatorCase] = Scope.allCases.flatMap { scope in
        (0...2).map { index in
            let accepts = scope == .anywhere || (scope == .leaf) == (index == 0)
            let holder = ["leaf", "intermediate", "root"][index]
            return row(
                "A pin of the \(holder) is \(accepts ? "met" : "missed") in scope \(scope.rawValue)",
                accepts ? .trusted(pin: index) : .refused([.pinNotMatched]), scope: scope
            ) { lab in
                let leaf = try lab.leaf()
                let path = [leaf, lab.intermediate.certificate, lab.root.certificate]
                return (path[index], try lab.trust(leaf))
            }
        }
    }

    @Test("The scope determines which certificates in the path can match the pin", arguments: places)
    func scopes(row: EvaluatorCase) throws { try row.run() }

    static let rows: [EvaluatorCase] = [
        row("Another key is refused", .refused([.pinNotMatched])) { (try $0.leaf(), try $0.trust($0.leaf())) },
        row("A renewed leaf with the same key is accepted", .trusted(pin: 0)) {
            let key = TestKey.p256()
            return (try $0.leaf(key: key), try $0.trust($0.leaf(key: key)))
        },
        row(
            "A pinned unrelated certificate that is presented but not in the path is refused",
            .refused([.pinNotMatched])
        ) {
            let stranger = try TrustLab.unrelatedRoot().certificate
            let chain = [try $0.leaf(), $0.intermediate.certificate, stranger]
            return (stranger, try .lab(chain, anchors: [$0.root.certificate]))
        },
        row(
            "A pinned unrelated certificate that is presented and an anchor but not in the path is refused",
            .refused([.pinNotMatched])
        ) {
            let stranger = try TrustLab.unrelatedRoot().certificate
            let chain = [try $0.leaf(), $0.intermediate.certificate, stranger]
            return (stranger, try .lab(chain, anchors: [stranger, $0.root.certificate]))
        },
        row("The server's true leaf after an impostor's is refused", .refused([.pinNotMatched])) {
            let pinned = try $0.leaf()
            let chain = [try $0.leaf(), $0.intermediate.certificate, pinned]
            return (pinned, try .lab(chain, anchors: [$0.root.certificate]))
        },
        row(
            "The server's true leaf after an impostor's is refused in scope leaf", .refused([.pinNotMatched]),
            scope: .leaf
        ) {
            let pinned = try $0.leaf()
            let chain = [try $0.leaf(), $0.intermediate.certificate, pinned]
            return (pinned, try .lab(chain, anchors: [$0.root.certificate]))
        },
        row("A pinned leaf that has expired is refused", .refused([.certificateExpired])) {
            let leaf = try $0.expiredLeaf()
            return (leaf, try $0.trust(leaf))
        },
        row("A pinned leaf for another host is refused", .refused([.hostMismatch])) {
            let leaf = try $0.leaf()
            return (leaf, try $0.trust(leaf, host: "api.example.com"))
        },
        row("A pinned root that isn't an anchor is refused", .refused([.untrustedRoot])) {
            let chain = [try $0.leaf(), $0.intermediate.certificate, $0.root.certificate]
            return ($0.root.certificate, try .lab(chain, anchors: [TrustLab.unrelatedRoot().certificate]))
        },
        row("A pinned leaf that is self-signed is refused", .refused([.selfSignedLeaf])) {
            let leaf = try TrustLab.selfSigned()
            return (leaf, try .lab([leaf], anchors: [$0.root.certificate]))
        },
        row("A pinned leaf with a wrong signature is refused", .refused([.signatureInvalid])) {
            let leaf = try $0.leaf().withFlippedSignatureBit()
            return (leaf, try $0.trust(leaf))
        },
        row("A pinned leaf with a key of 1024 bits is refused", .refused([.rsaKeyTooSmall])) {
            let leaf = try $0.leaf(key: RSAKeys.bits1024.get())
            return (leaf, try $0.trust(leaf))
        },
        row(
            "A CA that sends its own certificate as a leaf isn't an authority above itself", .refused([.pinNotMatched]),
            scope: .authority
        ) { _ in
            let leaf = try TrustLab.selfSignedAuthority()
            return (leaf, try .lab([leaf], anchors: [leaf]))
        },
        row("A leaf that is its own anchor matches a pin in scope leaf", .trusted(pin: 0), scope: .leaf) { _ in
            let leaf = try TrustLab.selfSigned()
            return (leaf, try .lab([leaf], anchors: [leaf]))
        },
        row("A leaf that is its own anchor isn't an authority", .refused([.pinNotMatched]), scope: .authority) { _ in
            let leaf = try TrustLab.selfSigned()
            return (leaf, try .lab([leaf], anchors: [leaf]))
        },
    ]

    @Test("The evaluator requires a pin in addition to a valid path", arguments: rows)
    func table(row: EvaluatorCase) throws { try row.run() }

    // MARK: Cross-signed CAs

    @Test(
        "Of two cross-signed paths, the one with the pin counts, in any order",
        arguments: [Scope.authority, .anywhere])
    func crossSigned(scope: Scope) throws {
        let lab = try CrossSignedLab()
        for trust in try lab.trusts() {
            for (root, path) in [(lab.rootA, lab.pathA), (lab.rootB, lab.pathB)] {
                let verdict = try Self.evaluator(root.certificate, scope: scope).evaluate(trust)
                #expect(verdict.result == .unspecified)
                #expect(verdict.path == path)
                #expect(verdict.matchedPin?.kind == .key)
                #expect(verdict.matchedPin?.certificate == 2)
                #expect(verdict.matchedPin?.pin == SPKIPin(root.certificate).description)
            }
        }
    }

    @Test("A pin on neither of two cross-signed paths is missed on both")
    func crossSignedMissed() throws {
        let lab = try CrossSignedLab()
        let evaluator = try Self.evaluator(TrustLab.unrelatedRoot().certificate)
        for trust in try lab.trusts() {
            let verdict = evaluator.evaluate(trust)
            #expect(verdict.failureCodes == [.pinNotMatched])
            #expect(Set(verdict.rejectedPaths.map(\.certificates)) == [lab.pathA, lab.pathB])
            #expect(verdict.rejectedPaths.allSatisfy { $0.failures.map(\.code) == [.pinNotMatched] })
        }
    }

    @Test("The path with the pin must itself be valid")
    func crossSignedInvalid() throws {
        let key = TestKey.p256()
        let good = try TestAuthority.root(.authority("Root A"))
        let pinned = try TestAuthority.root(.authority("Root B"))
        let underGood = try good.intermediate(.authority("Cross-signed"), key: key)
        let expired = try pinned.intermediate(
            .authority("Cross-signed").with { $0.notAfter = TrustLab.past }, key: key)
        let leaf = try underGood.issue(.leaf(TrustLab.host)).certificate
        for others in [[underGood, expired], [expired, underGood]] {
            let trust = try Trust.lab(
                [leaf] + others.map(\.certificate), anchors: [good.certificate, pinned.certificate])
            #expect(trust.evaluate().isTrusted)
            let verdict = try Self.evaluator(pinned.certificate).evaluate(trust)
            #expect(!verdict.isTrusted)
            #expect(
                Set(verdict.rejectedPaths.flatMap(\.failures).map(\.code)) == [.pinNotMatched, .certificateExpired])
        }
    }

    // MARK: Reported pins, backups

    @Test("The failure for a missed pin lists the expected pins and the keys in scope")
    func bothSides() throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        let keys = [leaf, lab.intermediate.certificate, lab.root.certificate].map { SPKIPin($0).description }
        let set = try SPKIPinSet(pins: [.unused(1)], backup: [.unused(2)])
        let found: [(Scope, [String])] = [(.leaf, [keys[0]]), (.authority, [keys[1], keys[2]]), (.anywhere, keys)]
        for (scope, found) in found {
            let failure = SPKIPinsTrustEvaluator(set, scope: scope).evaluate(try lab.trust(leaf)).headline
            #expect(failure?.code == .pinNotMatched)
            #expect(failure?.found == .list(found))
            #expect(
                failure?.expected == .list([try SPKIPin.unused(1).description, try SPKIPin.unused(2).description]))
        }
    }

    @Test("A backup pin is accepted and reported as a backup")
    func backup() throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        let inUse = SPKIPinsTrustEvaluator(try SPKIPinSet(pins: [SPKIPin(leaf)], backup: [.unused()]))
        #expect(inUse.evaluate(try lab.trust(leaf)).matchedPin?.isBackup == false)
        let reserve = SPKIPinsTrustEvaluator(try SPKIPinSet(pins: [.unused()], backup: [SPKIPin(leaf)]))
        let verdict = reserve.evaluate(try lab.trust(leaf))
        #expect(verdict.result == .unspecified)
        #expect(verdict.matchedPin?.isBackup == true)
        #expect(verdict.matchedPin?.certificate == 0)
    }

    @Test("The evaluator accepts a set without a backup on request, with a warning")
    func withoutBackup() throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        let evaluator = SPKIPinsTrustEvaluator(try SPKIPinSet(pinsRiskingLockout: [SPKIPin(leaf)]))
        let verdict = evaluator.evaluate(try lab.trust(leaf))
        #expect(verdict.isTrusted)
        #expect(!verdict.warnings.isEmpty)
        #expect(try Self.evaluator(leaf).evaluate(lab.trust(leaf)).warnings.isEmpty)
    }

    // MARK: Configuration

    static let pin = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    static let other = "sha256/AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="

    static let errors: [(sentence: String, pins: [String], backup: [String], problems: Int)] = [
        ("no pins at all", [], [], 2), ("no pin in use", [], [pin], 1), ("no backup", [pin], [], 1),
        ("a pin twice", [pin, pin], [other], 1), ("a backup twice", [pin], [other, other], 1),
        ("a pin that is its own backup", [pin], [pin], 1), ("no prefix", [String(pin.dropFirst(7))], [other], 1),
        ("another digest", ["sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA="], [other], 1),
        ("31 bytes", ["sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=="], [other], 1),
        ("no base64", ["sha256/!AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="], [other], 1),
        ("an empty text", [""], [other], 1), ("a bad pin and no backup", ["x"], [], 2),
    ]

    @Test("Pins that would lock out users or pin nothing cause an error", arguments: errors)
    func configuration(sentence: String, pins: [String], backup: [String], problems: Int) {
        let error = #expect(throws: SPKIPinSetError.self) { try SPKIPinsTrustEvaluator(pins: pins, backup: backup) }
        #expect(error?.problems.count == problems)
    }

    @Test("Strings give the same pins as values, in scope anywhere by default")
    func texts() throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        let evaluator = try SPKIPinsTrustEvaluator(pins: [SPKIPin(leaf).description], backup: [Self.pin])
        #expect(evaluator.scope == .anywhere)
        #expect(evaluator.pins == (try SPKIPinSet(pins: [SPKIPin(leaf)], backup: [.unused()])))
        #expect(evaluator.evaluate(try lab.trust(leaf)).isTrusted)
        #expect(!evaluator.evaluate(try lab.trust(lab.leaf())).isTrusted)
    }
}
