// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The outcome of an evaluator's check of a validated path.
package struct EvaluatorOutcome: Sendable {
    /// The reasons to refuse the path. Empty if the evaluator accepts it.
    var failures: [TrustFailure]
    /// The pin that a certificate of the path matches, or nil if none does.
    var matchedPin: MatchedPin?

    package init(failures: [TrustFailure] = [], matchedPin: MatchedPin? = nil) {
        self.failures = failures
        self.matchedPin = matchedPin
    }

    /// Adds the failures of another evaluator for the same path, and its pin unless one is known.
    mutating func add(_ other: EvaluatorOutcome) {
        failures += other.failures.filter { !failures.contains($0) }
        matchedPin = matchedPin ?? other.matchedPin
    }
}

extension TrustFailure {
    /// Creates the failure of certificates that match none of the expected pins.
    /// - Parameters:
    ///   - code: ``TrustFailure/Code/pinNotMatched``, or ``TrustFailure/Code/certificateNotPinned`` for pins of
    ///     certificates.
    ///   - isOfLeaf: whether the evaluator compared only the leaf.
    ///   - expected: the pins, as text.
    ///   - found: the pins of the certificates, as text.
    package static func pinNotMatched(
        _ code: Code = .pinNotMatched, isOfLeaf: Bool = false, expected: [String], found: [String]
    ) -> TrustFailure {
        TrustFailure(
            code, certificate: isOfLeaf ? 0 : nil, role: isOfLeaf ? .leaf : nil, expected: .list(expected),
            found: .list(found))
    }
}

extension ValidatedPath {
    /// Compares the keys of the path's certificates with pins, leaf first.
    /// - Parameters:
    ///   - indices: the certificates to compare. All by default.
    ///   - isOfLeaf: whether only the leaf is compared, for the failure.
    ///   - expected: the pins that the failure lists if the path matches none of them. Without pins, every path fails.
    ///   - isBackup: returns whether a pin is a backup, or nil for a key that isn't pinned.
    func comparison(
        at indices: Range<Int>? = nil, isOfLeaf: Bool = false, expected: () -> [SPKIPin], isBackup: (SPKIPin) -> Bool?
    ) -> EvaluatorOutcome {
        let indices = indices ?? certificates.indices
        for index in indices {
            let pin = SPKIPin(certificates[index])
            guard let isBackup = isBackup(pin) else { continue }
            return EvaluatorOutcome(
                matchedPin: MatchedPin(.key, sha256: pin.sha256, certificate: index, isBackup: isBackup))
        }
        let found = certificates[indices].map { SPKIPin($0).description }
        return EvaluatorOutcome(
            failures: [
                .pinNotMatched(
                    isOfLeaf: isOfLeaf, expected: expected().map(\.description), found: found)
            ])
    }
}
