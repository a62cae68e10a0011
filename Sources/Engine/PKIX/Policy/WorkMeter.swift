// SPDX-License-Identifier: Apache-2.0

/// The work done by one search, compared with its budget.
///
/// A loop charges the meter before each round if the author of a certificate controls the number of rounds or the cost
/// of a round. Once a budget has run out, the meter stays exhausted. It then refuses every charge, and the search ends
/// without a path.
///
/// File readers use the same meter, but only for ``work`` (``init(work:)``). A reader charges the meter for each item
/// that it records or reads again, and a refused charge is an error of the file.
package struct WorkMeter: Sendable {
    private let budget: ValidationBudget

    /// The number of signature checks, in the units of ``ValidationBudget/signatures``.
    private(set) var signatures = 0
    /// The number of issuers listed and tried.
    private(set) var steps = 0
    /// The number of comparisons of names with name constraints.
    private(set) var comparisons = 0
    /// The number of bytes read, in the units of ``ValidationBudget/work``.
    package private(set) var work = 0
    /// The budget that ran out first.
    private(set) var exhausted: TrustFailure?
    /// Whether ``exhausted`` is set. Every charge reads this property, because it is faster than reading the failure.
    package private(set) var isExhausted = false

    init(_ budget: ValidationBudget) { self.budget = budget }

    /// Creates the meter of a reader, which permits only that much work.
    package init(work: Int) { self.init(ValidationBudget(signatures: 0, steps: 0, comparisons: 0, work: work)) }

    /// Charges signature checks.
    /// - Returns: false if the caller must not make the checks.
    mutating func charge(signatures cost: Int) -> Bool {
        guard !isExhausted, cost <= budget.signatures - signatures else {
            return refuse(.signatureBudgetExceeded, budget.signatures)
        }
        signatures += cost
        return true
    }

    /// Charges listing or trying issuers.
    /// - Returns: false if the search must stop.
    mutating func charge(steps cost: Int) -> Bool {
        guard !isExhausted, cost <= budget.steps - steps else { return refuse(.stepBudgetExceeded, budget.steps) }
        steps += cost
        return true
    }

    /// Charges comparisons of names with constraints.
    /// - Returns: false if the search must stop.
    mutating func charge(comparisons cost: Int) -> Bool {
        guard !isExhausted, cost <= budget.comparisons - comparisons else {
            return refuse(.comparisonBudgetExceeded, budget.comparisons)
        }
        comparisons += cost
        return true
    }

    /// Charges reading bytes, each time that they are read.
    /// - Returns: false if the search must stop.
    package mutating func charge(work cost: Int) -> Bool {
        guard !isExhausted, cost <= budget.work - work else { return refuse(.workBudgetExceeded, budget.work) }
        work += cost
        return true
    }

    @inline(never)
    private mutating func refuse(_ code: TrustFailure.Code, _ limit: Int) -> Bool {
        if !isExhausted {
            exhausted = TrustFailure(code, expected: .number(limit))
            isExhausted = true
        }
        return false
    }
}
