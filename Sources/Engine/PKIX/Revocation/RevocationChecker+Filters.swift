// SPDX-License-Identifier: Apache-2.0

// Filters as evidence (CRLite):
//
// 1. The issuer is the path's: the entry of a filter is found by its key, not by its name.
// 2. Only embedded timestamps prove that a filter covers a certificate: its issuer has signed them. Those of a handshake or an OCSP response could be
//    invented, as their signatures aren't verified here.
// 3. Filters at hand are one set, a complete filter and the changes that follow it. A revocation counts in each, at any age. For the status good a
//    filter has to cover the certificate, a complete one has to be at hand that has the issuer, and the newest has to be young enough.
// 4. A certificate that no filter covers, or whose issuer is not enrolled, is neither good nor revoked by them: OCSP and CRLs decide.

extension RevocationChecker {
    /// Returns the status of a certificate by the filters at hand; nil if they don't determine it.
    func filterAnswer(
        _ target: RevocationTarget, _ obstacles: inout [RevocationObstacle]
    ) -> RevocationAnswer? {
        guard !evidence.filters.isEmpty else { return nil }
        let (certificate, key) = (target.certificate, target.issuer.subjectPublicKeyInfoSHA256)
        let timestamps = (certificate.embeddedTimestamps?.timestamps ?? []).map { ($0.logID, $0.milliseconds) }
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
    /// The date of the newest filter; nil without one.
    var newestFilterDate: Time? { filters.map(\.date).max() }
}
