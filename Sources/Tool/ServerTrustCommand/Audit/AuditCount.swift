// SPDX-License-Identifier: Apache-2.0

/// The numbers of trusted, rejected and unreadable answers.
struct AuditCount: TableCount {
    private(set) var trusted = 0
    private(set) var rejected = 0
    private(set) var unreadable = 0

    /// The largest number that the decoder accepts. Sums over all rows of a table can't overflow `Int`.
    static let maximum = 1 << 40

    var numbers: [Int] {
        get { [trusted, rejected, unreadable] }
        set { (trusted, rejected, unreadable) = (newValue[0], newValue[1], newValue[2]) }
    }

    /// The number of all answers.
    var answers: Int { trusted + rejected + unreadable }

    mutating func add(_ verdict: AuditVerdict) {
        switch verdict {
        case .trusted: trusted += 1
        case .rejected: rejected += 1
        case .unreadable: unreadable += 1
        }
    }
}
