// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// Holds an evaluator of one's own to what ``TrustEvaluator`` asks of it.
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
/// Checked: the samples are accepted and refused as told; nothing is accepted that the default refuses, under the samples with
/// something broken and under chains made to be odd; answers don't vary, from call to call, from thread to thread, and for an
/// evaluator that is ``TrustEvaluator/isRepeatable`` with the date; a refusal says why in a form that can be shown and logged.
///
/// Not checked: whether what the evaluator asks for is worth asking. An evaluator of the package itself that was told to relax
/// something doesn't conform, for that is what it was told.
public struct EvaluatorConformance: Sendable {
    /// Something that an evaluator must not do.
    public struct Violation: Sendable, Hashable, CustomStringConvertible {
        public enum Rule: String, Sendable, Hashable, CaseIterable {
            /// A sample that should be accepted is refused, by default or by the evaluator.
            case refusesGood
            /// A sample that should be refused is accepted.
            case acceptsBad
            /// A sample that should be refused is refused by default already, and says nothing about the evaluator.
            case provesNothing
            /// What the default refuses is accepted.
            case loosens
            /// The same question has different answers.
            case varies
            /// ``TrustEvaluator/isRepeatable``, and the answer changes with the date.
            case variesWithDate
            /// A failure names a certificate that the path doesn't have.
            case wrongIndex
            /// A failure has a code of the package's name and not its severity, or no text.
            case unusableCode
        }
        public let rule: Rule
        /// On which chain, and what was found.
        public let detail: String

        public var description: String { "\(rule.rawValue): \(detail)" }
    }

    private let evaluator: any TrustEvaluator
    private let accepting: [Trust]
    private let refusing: [Trust]

    /// - Parameters:
    ///   - evaluator: the one to be held to it.
    ///   - accepting: trust objects that the default and the evaluator accept; at least one, or there is nothing to break.
    ///   - refusing: trust objects that the default accepts and the evaluator is to refuse.
    public init(_ evaluator: any TrustEvaluator, accepting: [Trust], refusing: [Trust] = []) {
        self.evaluator = evaluator
        self.accepting = accepting
        self.refusing = refusing
    }

    /// Runs all of it, in some tenths of a second.
    /// - Returns: what was found, in the order of the rules; empty if the evaluator conforms.
    /// - Throws: if a certificate of the suite's own can't be made.
    public func run() async throws -> [Violation] {
        var violations: [Violation] = []
        if accepting.isEmpty {
            violations.append(Violation(rule: .refusesGood, detail: "no sample to accept was given"))
        }
        for (index, trust) in accepting.enumerated() {
            let name = "sample \(index) to accept"
            let verdict = evaluator.verdict(on: trust)
            if !verdict.isTrusted {
                violations.append(Violation(rule: .refusesGood, detail: "\(name): \(verdict)"))
            }
            for (what, broken) in try Self.broken(trust) { violations += loosening(broken, "\(name), \(what)") }
            violations += await varying(trust, name)
        }
        for (index, trust) in refusing.enumerated() {
            let name = "sample \(index) to refuse"
            if !trust.evaluate().isTrusted {
                violations.append(Violation(rule: .provesNothing, detail: "\(name): \(trust.evaluate())"))
            } else if evaluator.verdict(on: trust).isTrusted {
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
    /// Whatever the default refuses is refused.
    private func loosening(_ trust: Trust, _ name: String) -> [Violation] {
        guard !trust.evaluate().isTrusted, evaluator.verdict(on: trust).isTrusted else { return [] }
        return [Violation(rule: .loosens, detail: name)]
    }

    /// Repeated, from many tasks at once, and at both ends of what the verdict holds for.
    private func varying(_ trust: Trust, _ name: String) async -> [Violation] {
        let evaluator = evaluator
        // A clock that runs on would make every answer another one.
        var trust = trust
        trust.verifyDate = .at(trust.verifyDate.time)
        let fixed = trust
        let first = evaluator.verdict(on: fixed)
        var violations: [Violation] = []
        let different = await withTaskGroup(of: TrustVerdict.self) { group in
            for _ in 0..<32 { group.addTask { evaluator.verdict(on: fixed) } }
            return await group.reduce(into: 0) { count, verdict in if verdict != first { count += 1 } }
        }
        if different > 0 {
            violations.append(
                Violation(rule: .varies, detail: "\(name): \(different) of 32 answers differ from the first"))
        }
        guard evaluator.isRepeatable, first.isTrusted else { return violations }
        for end in [first.validFrom, first.validUntil].compactMap({ $0 }) {
            var other = fixed
            other.verifyDate = .at(end)
            if !evaluator.verdict(on: other).isTrusted {
                violations.append(Violation(rule: .variesWithDate, detail: "\(name): refused at \(end)"))
            }
        }
        return violations
    }

    /// What the evaluator itself has against a path can be told.
    private func explaining(_ trust: Trust, _ name: String) -> [Violation] {
        let plain = trust.evaluate()
        guard plain.isTrusted else { return [] }
        let verdict = evaluator.verdict(on: trust)
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
                || failure.message.isEmpty || code.explanation.isEmpty || code.source.isEmpty
                || failure.message.contains(where: \.isNewline)
            {
                violations.append(
                    Violation(
                        rule: .unusableCode,
                        detail:
                            "\(name): [\(code)] needs a name of its own, one line of message, an explanation and a source"
                    ))
            }
        }
        return violations
    }
}

// MARK: - Chains

extension EvaluatorConformance {
    /// The same with one thing wrong that no evaluator may let pass.
    private static func broken(_ trust: Trust) throws -> [(String, Trust)] {
        var expired = trust
        var early = trust
        var elsewhere = trust
        var unanchored = trust
        expired.verifyDate = .at(Time(secondsSinceEpoch: 253_402_300_799))
        early.verifyDate = .at(Time(secondsSinceEpoch: 0))
        elsewhere.identity = .name(try Hostname("conformance.invalid"))
        unanchored.anchors = .only([try TestAuthority.root(.authority("Conformance Stranger")).certificate])
        var variants = [
            ("long expired", expired), ("long before its time", early), ("for another name", elsewhere),
            ("without its anchor", unanchored),
        ]
        if let leaf = trust.presentedChain.leaf {
            var der = leaf.der
            der[der.count - 1] ^= 1
            // The bytes of some signatures are still well-formed, of others not; either is no certificate to trust.
            var forged = trust
            forged.signatureMemory = nil
            forged.presentedChain = PresentedChain(
                der: [der] + trust.presentedChain.others.map(\.der), memory: nil)
            variants.append(("with a flipped bit in the leaf's signature", forged))
        }
        return variants
    }

    /// Chains for `odd.example.com` with what few certificates have, valid and not.
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
            ("a line break in the organisation", leaf { $0.organization = "Odd\nerror: forged" }),
            ("a leaf that is a CA", leaf { $0.isAuthority = true }),
        ]
    }
}
