// SPDX-License-Identifier: Apache-2.0

/// The statements of OCSP responses about one certificate.
struct OCSPStatements {
    private struct Revocation {
        let answer: RevocationAnswer
        /// SHA-256 over the signer's SubjectPublicKeyInfo.
        let key: [UInt8]
        let canBeLifted: Bool
    }
    private var revocations: [Revocation] = []
    /// The date of the latest good statement by the key of its signer.
    private var dates: [[UInt8]: Time] = [:]
    /// Of several good ones the one that holds longest; a good staple before all others. Its date is the latest of them all.
    private(set) var good: RevocationAnswer?
    /// Whether no further statement changes the result.
    private(set) var isFinal = false

    /// - Parameter canBeLifted: whether a later good statement with the same key ends the revocation: a hold (RFC 5280 § 5.3.1).
    mutating func add(_ answer: RevocationAnswer, signedWith key: [UInt8], canBeLifted: Bool = false) {
        if answer.isRevoked {
            if !canBeLifted, !answer.isReserved { isFinal = true }
            return revocations.append(Revocation(answer: answer, key: key, canBeLifted: canBeLifted))
        }
        guard let date = answer.date else { return }
        dates[key] = max(dates[key] ?? date, date)
        let latest = max(good?.date ?? date, date)
        if let known = good, known.source == .staple || isLonger(known, answer) {
            good?.date = latest
        } else {
            good = answer
            good?.date = latest
        }
    }

    private func isLonger(_ left: RevocationAnswer, _ right: RevocationAnswer) -> Bool {
        guard let end = left.validUntil, let other = right.validUntil else { return true }
        return end >= other
    }

    /// The revocation to report; nil for none.
    var revocation: RevocationAnswer? {
        let standing = revocations.filter { one in
            guard one.canBeLifted, let good = dates[one.key], let date = one.answer.date else { return true }
            return good <= date
        }
        return ([good].compactMap(\.self) + standing.map(\.answer)).firstRevocation
    }
}
