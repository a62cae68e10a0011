// SPDX-License-Identifier: Apache-2.0

/// The statements about one certificate from OCSP responses.
struct OCSPStatements {
    private struct Revocation {
        let answer: RevocationAnswer
        /// SHA-256 of the signer's SubjectPublicKeyInfo.
        let key: [UInt8]
        let canBeLifted: Bool
    }
    private var revocations: [Revocation] = []
    /// The date of the latest good statement for each signer key.
    private var dates: [[UInt8]: Time] = [:]
    /// The good statement to report. A staple comes first, then the statement that is valid longest. Its date is the
    /// latest of all good statements.
    private var good: RevocationAnswer?
    /// The latest good statement, which may have ended a hold.
    private var latest: RevocationAnswer?
    /// Whether no further statement can change the result.
    private(set) var isFinal = false

    /// Adds a statement.
    /// - Parameter canBeLifted: whether the revocation is a hold, which a later good statement with the same key ends
    ///   (RFC 5280 § 5.3.1).
    mutating func add(_ answer: RevocationAnswer, signedWith key: [UInt8], canBeLifted: Bool = false) {
        if answer.isRevoked {
            if !canBeLifted, !answer.isReserved { isFinal = true }
            return revocations.append(Revocation(answer: answer, key: key, canBeLifted: canBeLifted))
        }
        guard let date = answer.date else { return }
        dates[key] = max(dates[key] ?? date, date)
        if latest?.date ?? date <= date { latest = answer }
        if good.map({ $0.source != .staple && !isLonger($0, answer) }) ?? true { good = answer }
        good?.date = latest?.date
    }

    /// The good status if no statement revokes the certificate, or nil if there is no good statement. After a hold, the
    /// status lasts as long as the statement that ended the hold.
    var status: RevocationAnswer? { revocations.isEmpty ? good : latest }

    private func isLonger(_ left: RevocationAnswer, _ right: RevocationAnswer) -> Bool {
        guard let end = left.validUntil, let other = right.validUntil else { return true }
        return end >= other
    }

    /// The revocation to report, or nil if no statement revokes the certificate.
    var revocation: RevocationAnswer? {
        let standing = revocations.filter { one in
            guard one.canBeLifted, let good = dates[one.key], let date = one.answer.date else { return true }
            return good <= date
        }
        return ([good].compactMap(\.self) + standing.map(\.answer)).firstRevocation
    }
}
