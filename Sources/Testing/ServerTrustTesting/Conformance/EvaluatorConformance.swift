// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import ServerTrust

/// A conformance suite that checks an evaluator against the rules of `TrustEvaluator`.
///
/// ```swift
/// @Test func conforms() async throws {
///     let root = try TestAuthority.root()
///     func trust(_ template: CertificateTemplate) throws -> Trust {
///         var trust = Trust(presentedChain: [try root.issue(template).certificate], host: try Hostname("api.example.com"))
///         trust.anchors = .only([root.certificate])
///         trust.verifyDate = .at(TestAuthority.now)
///         return trust
///     }
///     let violations = try await EvaluatorConformance(
///         MyEvaluator(), accepting: [trust(.leaf("api.example.com").with { $0.organization = "Example" })],
///         refusing: [trust(.leaf("api.example.com"))]
///     ).run()
///     #expect(violations.isEmpty)
/// }
/// ```
///
/// Checked:
/// - The evaluator accepts and refuses your samples as you state.
/// - It accepts no chain that the default evaluator refuses. The suite tries broken variants of your samples and
///   unusual chains.
/// - Its verdicts (the results of evaluations) don't vary between calls and threads. If the evaluator is
///   `TrustEvaluator/isRepeatable`, they don't vary between dates.
/// - Each refusal has a reason that you can show and log.
///
/// Not checked: whether the evaluator's requirements make sense. The package's own evaluators that relax a rule don't
/// conform.
public struct EvaluatorConformance: Sendable {
    /// A rule that the evaluator broke.
    public struct Violation: Sendable, Hashable, CustomStringConvertible {
        /// The rule.
        package enum Rule: String, Sendable, Hashable, CaseIterable {
            /// The default evaluator or your evaluator refuses a sample that should be accepted.
            case refusesGood
            /// The evaluator accepts a sample that should be refused.
            case acceptsBad
            /// The default evaluator already refuses a sample that should be refused, so the sample proves nothing
            /// about your evaluator.
            case provesNothing
            /// The evaluator accepts a chain that the default evaluator refuses.
            case loosens
            /// The evaluator returns different verdicts for equal trust objects.
            case varies
            /// The evaluator is `TrustEvaluator/isRepeatable`, but its verdict changes with the date.
            case variesWithDate
            /// A failure has the index of a certificate that isn't in the path.
            case wrongIndex
            /// A failure uses the name of one of the package's codes with a different severity, or has no text.
            case unusableCode
        }
        /// The broken rule.
        let rule: Rule
        /// The chain and the observation.
        let detail: String

        /// The rule and the detail in one line.
        public var description: String { "\(rule.rawValue): \(detail)" }
    }

    private let evaluator: any TrustEvaluator
    private let accepting: [Trust]
    private let refusing: [Trust]

    /// Creates a suite for an evaluator.
    /// - Parameters:
    ///   - evaluator: the evaluator to check.
    ///   - accepting: trust objects that both the default evaluator and your evaluator accept. Pass at least one.
    ///   - refusing: trust objects that the default evaluator accepts but your evaluator has to refuse.
    public init(_ evaluator: any TrustEvaluator, accepting: [Trust], refusing: [Trust] = []) {
        self.evaluator = evaluator
        self.accepting = accepting
        self.refusing = refusing
    }

    /// Runs all checks.
    /// - Returns: the violations, in the order of the rules. Empty if the evaluator conforms.
    /// - Throws: errors from creating the suite's certificates.
    public func run() async throws -> [Violation] {
        var violations: [Violation] = []
        if accepting.isEmpty {
            violations.append(Violation(rule: .refusesGood, detail: "no sample to accept, expected at least one"))
        }
        for (index, trust) in accepting.enumerated() {
            let name = "sample \(index) to accept"
            let verdict = evaluator.evaluate(trust)
            if !verdict.isTrusted {
                violations.append(Violation(rule: .refusesGood, detail: "\(name): \(verdict)"))
            }
            for (fault, broken) in try Self.broken(trust) { violations += loosening(broken, "\(name), \(fault)") }
            violations += await varying(trust, name)
        }
        for (index, trust) in refusing.enumerated() {
            let name = "sample \(index) to refuse"
            if !trust.evaluate().isTrusted {
                violations.append(Violation(rule: .provesNothing, detail: "\(name): \(trust.evaluate())"))
            } else if evaluator.evaluate(trust).isTrusted {
                violations.append(Violation(rule: .acceptsBad, detail: name))
            }
            violations += explaining(trust, name)
            violations += await varying(trust, name)
        }
        for (name, trust) in try Self.oddities() {
            violations += loosening(trust, name)
            violations += explaining(trust, name)
        }
        let order = Violation.Rule.allCases
        return violations.sorted { (order.firstIndex(of: $0.rule) ?? 0) < (order.firstIndex(of: $1.rule) ?? 0) }
    }
}

// MARK: - Rules

extension EvaluatorConformance {
    /// Checks that the evaluator refuses a chain that the default evaluator refuses.
    private func loosening(_ trust: Trust, _ name: String) -> [Violation] {
        guard !trust.evaluate().isTrusted, evaluator.evaluate(trust).isTrusted else { return [] }
        return [Violation(rule: .loosens, detail: name)]
    }

    /// Checks that many tasks receive equal verdicts, and that a trusted server stays trusted at both ends of the
    /// verdict's validity.
    private func varying(_ trust: Trust, _ name: String) async -> [Violation] {
        let evaluator = evaluator
        // If the clock were running, every verdict would differ.
        var trust = trust
        trust.verifyDate = .at(trust.verifyDate.time)
        let fixed = trust
        let first = evaluator.evaluate(fixed)
        var violations: [Violation] = []
        let different = await withTaskGroup(of: TrustVerdict.self) { group in
            for _ in 0..<32 { group.addTask { evaluator.evaluate(fixed) } }
            return await group.reduce(into: 0) { count, verdict in if verdict != first { count += 1 } }
        }
        if different > 0 {
            violations.append(
                Violation(rule: .varies, detail: "\(name): \(different) of 32 verdicts differ from the first"))
        }
        guard evaluator.isRepeatable, first.isTrusted else { return violations }
        for end in [first.unchangedFrom, first.unchangedUntil].compactMap({ $0 }) {
            var other = fixed
            other.verifyDate = .at(end)
            if !evaluator.evaluate(other).isTrusted {
                violations.append(Violation(rule: .variesWithDate, detail: "\(name): refused at \(end)"))
            }
        }
        return violations
    }

    /// Checks that you can show and log the evaluator's own failures.
    private func explaining(_ trust: Trust, _ name: String) -> [Violation] {
        let plain = trust.evaluate()
        guard plain.isTrusted else { return [] }
        let verdict = evaluator.evaluate(trust)
        var violations: [Violation] = []
        for failure in verdict.failures {
            if let index = failure.certificate, !plain.path.indices.contains(index) {
                violations.append(
                    Violation(
                        rule: .wrongIndex,
                        detail: "\(name): [\(failure.code)] names certificate \(index) of \(plain.path.count)"))
            }
            let code = failure.code
            let known = TrustFailure.Code.named(code.name)
            if known.map({ $0.severity != code.severity }) ?? false || code.name.isEmpty
                || failure.message.isEmpty || failure.message.contains(where: \.isNewline)
            {
                violations.append(
                    Violation(
                        rule: .unusableCode,
                        detail:
                            "\(name): [\(code)] needs its own name and a one-line message"
                    ))
            }
        }
        return violations
    }
}

// MARK: - Chains

extension EvaluatorConformance {
    /// Returns variants of a trust object that no evaluator may accept. Each has one fault.
    private static func broken(_ trust: Trust) throws -> [(String, Trust)] {
        var expired = trust
        var early = trust
        var elsewhere = trust
        var unanchored = trust
        expired.verifyDate = .at(Time(secondsSinceEpoch: 253_402_300_799))
        early.verifyDate = .at(Time(secondsSinceEpoch: 0))
        elsewhere.identity = .name(try Hostname("conformance.invalid"))
        unanchored.anchors = .only([try TestAuthority.root(.authority("Conformance Unrelated Root")).certificate])
        var variants = [
            ("long expired", expired), ("long before its validity", early), ("for another name", elsewhere),
            ("without its anchor", unanchored),
        ]
        if let leaf = trust.presentedChain.leaf {
            var der = leaf.der
            der[der.count - 1] ^= 1
            // Some of these signatures are well-formed and others aren't. The evaluator may accept none of them.
            var forged = trust
            forged.signatureMemory = nil
            forged.presentedChain = PresentedChain(
                der: [der] + trust.presentedChain.others.map(\.der), memory: nil)
            variants.append(("with a flipped bit in the leaf's signature", forged))
        }
        return variants
    }

    /// Returns unusual chains for `odd.example.com`, valid and invalid.
    private static func oddities() throws -> [(String, Trust)] {
        let host = "odd.example.com"
        let root = try TestAuthority.root(.authority("Odd Root"))
        func trust(_ chain: [Certificate], _ anchors: [Certificate]) throws -> Trust {
            var trust = Trust(presentedChain: chain, host: try Hostname(host))
            trust.anchors = .only(anchors)
            trust.verifyDate = .at(TestAuthority.now)
            trust.signatureMemory = nil
            return trust
        }
        func leaf(_ change: (inout CertificateTemplate) -> Void) throws -> Trust {
            try trust([root.issue(.leaf(host).with(change)).certificate], [root.certificate])
        }
        var authorities = [root]
        for index in 1...6 {
            authorities.append(try authorities[index - 1].intermediate(.authority("Odd CA \(index)")))
        }
        let deep = try authorities[6].issue(.leaf(host)).certificate
        let own = try TestAuthority.selfSigned(.leaf(host)).certificate
        return try [
            ("no certificate", trust([], [root.certificate])),
            ("a leaf that is its own anchor", trust([own], [own])),
            ("a self-signed leaf", trust([own], [root.certificate])),
            (
                "six intermediates",
                trust([deep] + authorities.dropFirst().reversed().map(\.certificate), [root.certificate])
            ),
            ("an empty subject", leaf { $0.commonName = "" }),
            ("no subject alternative name", leaf { $0.dnsNames = [] }),
            ("a thousand names", leaf { $0.dnsNames += (0..<1000).map { "n\($0).example.com" } }),
            ("no extended key usage", leaf { $0.extendedKeyUsage = nil }),
            ("no key usage", leaf { $0.keyUsage = nil }),
            ("a line break in the organization", leaf { $0.organization = "Odd\nerror: forged" }),
            ("a leaf that is a CA", leaf { $0.isAuthority = true }),
        ]
    }
}

#endif
