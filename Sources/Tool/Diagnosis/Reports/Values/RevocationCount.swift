// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Counts a path's revocation findings.
struct RevocationCount {
    /// The number of findings with the status good.
    let good: Int
    /// The number of certificates that were not checked, such as those above the leaf if the scope is `leaf`.
    let unchecked: Int
    private let total: Int
    private let startsAtLeaf: Bool

    init(_ findings: [RevocationFinding]) {
        good = findings.count { if case .good = $0.status { true } else { false } }
        unchecked = findings.count { if case .unchecked = $0.status { true } else { false } }
        total = findings.count
        startsAtLeaf =
            findings.first.map { if case .unchecked = $0.status { false } else { $0.certificate == 0 } } ?? false
    }

    var isEmpty: Bool { total == 0 }

    /// Whether only the leaf was checked.
    var isOfLeafAlone: Bool { startsAtLeaf && unchecked > 0 && unchecked == total - 1 }

    /// A short description of why the check passed.
    var words: String {
        // The system's evaluator reports that it checked revocation, but returns no findings.
        guard !isEmpty else { return "the system's evaluator checked revocation and gave no details" }
        let answers = "\(good) of \(total) \(good == 1 ? "has the status good" : "have the status good")"
        return unchecked > 0 ? answers + "; \(unchecked) not checked, because of the rule's scope" : answers
    }
}
