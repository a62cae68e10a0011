// SPDX-License-Identifier: Apache-2.0

// Evidence that revokes and does nothing else.
//
// A statement that is authentic and says "revoked" counts, even if it is too weak, too early or not fully understood to say "good".
// Such evidence
//
// 1. establishes no good status, and lifts no hold;
// 2. supersedes no list, so that a forged or premature one doesn't hide a revocation;
// 3. doesn't discredit a signer: if it says that a signer's certificate is revoked, the signer's revocations still count.
//
// Evidence that is dated into the future revokes only if its revocation date is not after the verify date.

/// The reason why evidence by an authorized signer revokes and does nothing else. Obstacle and note have the same name.
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

    /// Creates the reservation of a note; nil for a note about evidence that may also vouch.
    init?(note: RevocationNote) { self.init(rawValue: note.name) }

    /// The reservation about a revocation.
    var note: RevocationNote { RevocationNote(name: rawValue) }

    /// The obstacle to any other status.
    var obstacle: RevocationObstacle { RevocationObstacle(name: rawValue) }

    /// Returns the obstacle to any other status, for evidence of a date.
    func obstacle(from start: Time) -> RevocationObstacle { obstacle.dated(isPremature ? start : nil) }

    /// Whether the evidence is dated into the future.
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
    /// Adds a reservation unless it is known.
    mutating func note(_ reservation: RevocationReservation) {
        if !contains(reservation) { append(reservation) }
    }

    var notes: [RevocationNote] { map(\.note) }
}

extension RevocationChecker {
    /// Whether a revocation counts by its date: at any, unless the evidence is dated into the future.
    func counts(_ date: Time, _ reservations: [RevocationReservation]) -> Bool {
        guard reservations.contains(where: \.isPremature), date > time else { return true }
        nextRevocation = min(nextRevocation ?? date, date)
        return false
    }
}
