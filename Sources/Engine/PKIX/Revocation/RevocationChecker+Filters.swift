// SPDX-License-Identifier: Apache-2.0

// Evaluates revocation filters (CRLite) with these rules:
//
// 1. The issuer is the one in the path. The engine finds its entry in a filter by key, not by name.
// 2. Only embedded timestamps prove that a filter covers a certificate, because the issuer has signed them. An attacker
//   could invent timestamps in a handshake or an OCSP response, as their signatures aren't verified here.
// 3. The available filters form one set: a complete filter and the changes that follow it. A revocation counts in each
//   filter, at any age. The good status requires three things: a filter covers the certificate, a complete filter
//   contains the issuer, and the newest filter isn't too old.
// 4. If no filter covers a certificate, or its issuer isn't enrolled, the filters give no status. OCSP and CRLs decide.

extension RevocationChecker {
    /// Returns the status of a certificate from the available filters, or nil if they don't determine it.
    func filterAnswer(
        _ target: RevocationTarget, _ obstacles: inout [RevocationObstacle]
    ) -> RevocationAnswer? {
        guard !evidence.filters.isEmpty else { return nil }
        let (certificate, key) = (target.certificate, target.issuer.subjectPublicKeyInfoSHA256)
        let timestamps = certificate.allEmbeddedTimestamps.map { ($0.logID, $0.milliseconds) }
        let serial = certificate.serialNumber.bytes
        let statuses = evidence.filters.map { $0.status(issuerKey: key, serial: serial, timestamps: timestamps) }
        guard !statuses.contains(.revoked) else {
            return RevocationAnswer(status: .revoked(at: nil, reason: nil), source: .filter)
        }
        let hasComplete = evidence.filters.contains { !$0.isDelta && $0.isEnrolled(key) }
        guard statuses.contains(.good), hasComplete, let newest = evidence.newestFilterDate else {
            obstacles.append(statuses.contains(.notEnrolled) ? .filterNotEnrolled : .filterNotCovered)
            return nil
        }
        let end = newest.advanced(by: policy.maximumFilterAge)
        guard end >= time else {
            obstacles.append(.filterTooOld)
            return nil
        }
        return RevocationAnswer(status: .good, source: .filter, validUntil: end)
    }
}

extension RevocationEvidence {
    /// The date of the newest filter, or nil if there are no filters.
    var newestFilterDate: Time? { filters.map(\.date).max() }
}
