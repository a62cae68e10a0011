// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A requirement that a path contains one of several keys.
package struct KeyRequirement: Sendable, Hashable {
    /// The certificates of the path that may have a key.
    package var scope: SPKIPinsTrustEvaluator.Scope
    /// The keys. An empty list refuses every path.
    package var pins: [SPKIPin]
    /// The end of the requirement, or nil for none.
    package var expiry: Expiry?

    /// The end of a requirement.
    package struct Expiry: Sendable, Hashable {
        /// The last second at which the requirement applies.
        package var time: Time
        /// Whether every path is refused later. Otherwise no key is required then.
        package var refusesAfterwards: Bool

        package init(_ time: Time, refusesAfterwards: Bool) {
            self.time = time
            self.refusesAfterwards = refusesAfterwards
        }
    }

    package init(_ pins: [SPKIPin], scope: SPKIPinsTrustEvaluator.Scope = .anywhere, expiry: Expiry? = nil) {
        self.pins = pins
        self.scope = scope
        self.expiry = expiry
    }

    /// Returns whether the requirement no longer applies at a time.
    package func hasEnded(at time: Time) -> Bool { expiry.map { time > $0.time } ?? false }

    /// Returns whether one of the keys is in the scope of a path, which is ordered leaf first. Ignores ``expiry``.
    package func isMatched(by path: [Certificate]) -> Bool {
        path[scope.indices(count: path.count)].contains { pins.contains(SPKIPin($0)) }
    }

    fileprivate func outcome(of path: ValidatedPath, at time: Time) -> EvaluatorOutcome {
        if let expiry, hasEnded(at: time) {
            guard expiry.refusesAfterwards else { return EvaluatorOutcome() }
            return EvaluatorOutcome(failures: [
                TrustFailure(.pinsExpired, expected: .time(expiry.time), found: .time(time))
            ])
        }
        return path.comparison(
            at: scope.indices(count: path.certificates.count), isOfLeaf: scope == .leaf, expected: { pins },
            isBackup: { pins.contains($0) ? false : nil })
    }
}

/// An evaluator that requires keys, as requests and records express it. The path must meet every requirement.
package struct KeyRequirementsEvaluator: BuiltInTrustEvaluator {
    let requirements: [KeyRequirement]

    package init(_ requirements: [KeyRequirement]) { self.requirements = requirements }

    package func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) { try require(path, for: trust) }

    package var isRepeatable: Bool { requirements.allSatisfy { $0.expiry == nil } }
    var performedChecks: [TrustCheck] { [.pins] }

    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome {
        var all = EvaluatorOutcome()
        for requirement in requirements {
            all.add(requirement.outcome(of: path, at: trust.settings.verifyDate.time))
        }
        if !all.failures.isEmpty { all.matchedPin = nil }
        return all
    }
}
