// SPDX-License-Identifier: Apache-2.0

import PKIX

extension [RevocationFinding] {
    /// Whether every certificate that was checked has an answer. An exemption isn't an answer.
    var isComplete: Bool {
        !isEmpty
            && allSatisfy { finding in
                switch finding.status {
                case .unobtainable, .exempt: false
                case .good, .revoked, .unchecked: true
                }
            }
    }
}

extension RevocationFinding {
    /// Returns the combined findings of two evaluations of the same path.
    static func combined(_ left: [RevocationFinding], _ right: [RevocationFinding]) -> [RevocationFinding] {
        guard left.count == right.count else { return left.count > right.count ? left : right }
        return zip(left, right).map { $0.weight >= $1.weight ? $0 : $1 }
    }

    /// Whether the available evidence is older than a policy allows. Newer evidence may have a different status.
    var isOutOfDate: Bool {
        guard case .unobtainable(let obstacles) = status else { return false }
        return obstacles.contains { [.ocspTooOld, .crlTooOld, .filterTooOld].contains($0) }
    }

    private var weight: Int {
        switch status {
        case .revoked: 5
        // The other policy accepts the same evidence, and its finding would keep this policy from getting newer
        // evidence.
        case .unobtainable where isOutOfDate: 4
        case .good: 3
        case .exempt: 2
        case .unobtainable: 1
        case .unchecked: 0
        }
    }
}
