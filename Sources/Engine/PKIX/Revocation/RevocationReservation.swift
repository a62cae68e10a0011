// SPDX-License-Identifier: Apache-2.0

// Evidence that can only revoke.
//
// An authentic statement that says "revoked" counts, even if it is too weak, too early or not fully understood to say
// "good". Such evidence
//
// 1. establishes no good status and lifts no hold
// 2. supersedes no list, so that a forged or premature list doesn't hide a revocation
// 3. doesn't discredit a signer: if it says that a signer's certificate is revoked, the signer's revocations still
//   count
//
// Evidence that is dated in the future revokes only if its revocation date isn't after the verify date.

/// The reason why evidence from an authorized signer can only revoke. The obstacle and the note have the same name.
enum RevocationReservation: String, Sendable, Hashable, CaseIterable {
    case signatureWeak
    case crlNotYetValid
    case crlCriticalExtension
    case ocspNotYetValid
    case ocspCriticalExtension
    case evidenceMalformed
    case signerNotCurrent
    case signerRevoked
    case holdExpired

    /// Creates the reservation for a note. Returns nil if the evidence behind the note may also establish the good
    /// status.
    init?(note: RevocationNote) { self.init(rawValue: note.name) }

    /// The note for a revocation.
    var note: RevocationNote { RevocationNote(name: rawValue) }

    /// The obstacle to any other status.
    var obstacle: RevocationObstacle { RevocationObstacle(name: rawValue) }

    /// Returns the obstacle to any other status, with the date of the evidence if it is in the future.
    func obstacle(from start: Time) -> RevocationObstacle { obstacle.dated(isPremature ? start : nil) }

    /// Whether the evidence is dated in the future.
    var isPremature: Bool { self == .crlNotYetValid || self == .ocspNotYetValid }

    /// Whether newer evidence with the same key may replace this evidence.
    var allowsSuperseding: Bool {
        switch self {
        case .signatureWeak, .signerNotCurrent, .signerRevoked, .holdExpired: true
        case .crlNotYetValid, .crlCriticalExtension, .ocspNotYetValid, .ocspCriticalExtension, .evidenceMalformed: false
        }
    }
}

extension [RevocationReservation] {
    /// Adds a reservation unless the array already contains it.
    mutating func note(_ reservation: RevocationReservation) {
        if !contains(reservation) { append(reservation) }
    }

    var notes: [RevocationNote] { map(\.note) }
}

extension RevocationChecker {
    /// Whether a revocation counts. If the evidence is dated in the future, the revocation date must not be after the
    /// verify date.
    func counts(_ date: Time, _ reservations: [RevocationReservation]) -> Bool {
        guard reservations.contains(where: \.isPremature), date > time else { return true }
        nextRevocation = min(nextRevocation ?? date, date)
        return false
    }
}
