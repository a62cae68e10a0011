/// The work that one search has done, held against its budget.
///
/// A loop charges the meter before each round if the author of a certificate controls the number of rounds or what a
/// round costs. Once a budget has run out the meter stays exhausted: every charge is refused, and the search ends
/// without a path.
struct WorkMeter: Sendable {
    private let budget: ValidationBudget

    /// Signature checks, in the units of ``ValidationBudget/signatures``.
    private(set) var signatures = 0
    /// Issuers listed and issuers tried.
    private(set) var steps = 0
    /// Names held against name constraints.
    private(set) var comparisons = 0
    /// Bytes read, in the units of ``ValidationBudget/work``.
    private(set) var work = 0
    /// The budget that ran out first.
    private(set) var exhausted: TrustFailure?

    init(_ budget: ValidationBudget) { self.budget = budget }

    var isExhausted: Bool { exhausted != nil }

    /// Charges signature checks.
    /// - Returns: false if they aren't to be made.
    mutating func charge(signatures cost: Int) -> Bool {
        spend(cost, of: \.signatures, limit: budget.signatures, .signatureBudgetExceeded)
    }

    /// Charges the listing or the trial of issuers.
    /// - Returns: false if the search has to stop.
    mutating func charge(steps cost: Int) -> Bool {
        spend(cost, of: \.steps, limit: budget.steps, .stepBudgetExceeded)
    }

    /// Charges comparisons of names with constraints.
    /// - Returns: false if the search has to stop.
    mutating func charge(comparisons cost: Int) -> Bool {
        spend(cost, of: \.comparisons, limit: budget.comparisons, .comparisonBudgetExceeded)
    }

    /// Charges the reading of bytes, once for each time that they are read.
    /// - Returns: false if the search has to stop.
    mutating func charge(work cost: Int) -> Bool {
        spend(cost, of: \.work, limit: budget.work, .workBudgetExceeded)
    }

    private mutating func spend(
        _ cost: Int, of counter: WritableKeyPath<WorkMeter, Int>, limit: Int, _ code: TrustFailure.Code
    ) -> Bool {
        guard exhausted == nil else { return false }
        guard cost <= limit - self[keyPath: counter] else {
            exhausted = TrustFailure(code, expected: .number(limit))
            return false
        }
        self[keyPath: counter] += cost
        return true
    }
}
