// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An evaluator that requires one of a list of pins in the validated path, and no backup pins. An empty list refuses
/// every path.
package struct AnyPinEvaluator: BuiltInTrustEvaluator {
    let pins: [SPKIPin]

    package init(_ pins: [SPKIPin]) { self.pins = pins }

    package func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) { try require(path, for: trust) }

    package var isRepeatable: Bool { true }
    var performedChecks: [TrustCheck] { [.pins] }

    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome {
        path.comparison(expected: { pins }, isBackup: { pins.contains($0) ? false : nil })
    }
}
