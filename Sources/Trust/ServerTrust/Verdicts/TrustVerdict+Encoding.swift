// SPDX-License-Identifier: Apache-2.0

import PKIX

// A verdict has one record format, for logs, tests and `servertrust verify --format json`. A record contains each
// certificate once, with its SHA-256 as the key. Otherwise, a record of 64 rejected paths would be 64 times as long.

extension TrustVerdict: Encodable {
    /// A certificate of the path, for readers of the record.
    private struct Member: Encodable {
        let index: Int
        let role: TrustFailure.Role
        let subject: String
        let issuer: String
        let serialNumber: String
        let notBefore: Time
        let notAfter: Time
        let sha256: String
        let pin: String
    }

    private struct Rejected: Encodable {
        /// SHA-256 of each certificate, leaf first.
        let path: [String]
        let reachesAnchor: Bool
        let failures: [TrustFailure]
        var failuresOmitted: Int?

        init(_ path: RejectedPath, _ allowance: inout ReportAllowance, digest: (Certificate) -> String) {
            self.path = path.certificates.map(digest)
            self.reachesAnchor = path.reachesAnchor
            let failures = allowance.first(of: path.failures, part: 2, size: \.writtenSize)
            self.failures = Array(failures.kept)
            self.failuresOmitted = failures.omitted > 0 ? failures.omitted : nil
        }
    }

    /// Encodes a record of less than 64 KB, not counting the certificates. If a list is too long, its last elements are
    /// omitted and counted in `failuresOmitted` and similar members.
    public func encode(to encoder: any Encoder) throws {
        var digests: [Certificate: String] = [:]
        var certificates: [String: String] = [:]
        func digest(_ certificate: Certificate) -> String {
            if let known = digests[certificate] { return known }
            let digest = Hex.encode(certificate.sha256)
            digests[certificate] = digest
            certificates[digest] = Base64.encode(certificate.der)
            return digest
        }
        var allowance = ReportAllowance()
        let nameSize = ReportAllowance.nameSize(path.count)
        let members = path.enumerated().map { index, certificate in
            Member(
                index: index, role: role(at: index), subject: certificate.abridgedSubject(toBytes: nameSize),
                issuer: certificate.abridgedIssuer(toBytes: nameSize), serialNumber: certificate.abridgedSerialNumber,
                notBefore: certificate.notBefore, notAfter: certificate.notAfter, sha256: digest(certificate),
                pin: SPKIPin(certificate).description)
        }
        for member in members { allowance.take(member.subject.writtenSize + member.issuer.writtenSize + 560) }
        allowance.take(revocation.count * 320 + (staple == nil ? 0 : 1024) + (anchor?.writtenSize ?? 0))
        let transparency = transparency?.abridged(&allowance)
        let failures = allowance.first(of: failures, part: 3, size: \.writtenSize)
        let excused = allowance.first(of: excused, part: 3, size: \.writtenSize)
        let reported = allowance.first(of: reported, part: 3, size: \.writtenSize)
        let warnings = allowance.first(of: warnings.map { $0.abridged(toBytes: 1024) }, part: 4) { $0.writtenSize + 12 }
        let fetched = allowance.first(of: fetched, part: 4, size: \.writtenSize)
        var rejected: [Rejected] = []
        for path in rejectedPaths {
            let size = path.certificates.reduce(80) { $0 + (digests[$1] == nil ? 170 : 80) }
            guard rejected.isEmpty || size + (path.failures.first?.writtenSize ?? 0) <= allowance.bytes else { break }
            allowance.take(size)
            rejected.append(Rejected(path, &allowance, digest: digest))
        }
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Self.schemaVersion, forKey: .schemaVersion)
        try container.encode(isTrusted ? "trusted" : "rejected", forKey: .verdict)
        try container.encode(result, forKey: .result)
        try container.encode(host?.description, forKey: .host)
        try container.encode(referenceName?.description, forKey: .referenceName)
        try container.encode(profile, forKey: .profile)
        try container.encode(purpose, forKey: .purpose)
        try container.encode(isStrict, forKey: .strict)
        try container.encode(evaluationDate, forKey: .time)
        try container.encode(unchangedFrom, forKey: .unchangedFrom)
        try container.encode(unchangedUntil, forKey: .unchangedUntil)
        try container.encode(firstNotAfter, forKey: .firstNotAfter)
        try container.encode(members, forKey: .path)
        try container.encode(reachesAnchor, forKey: .reachesAnchor)
        try container.encode(Array(failures.kept), forKey: .failures)
        try container.encode(rejected, forKey: .rejectedPaths)
        try container.encode(Array(excused.kept), forKey: .excused)
        if isAcceptedByDelegate { try container.encode(true, forKey: .acceptedByDelegate) }
        try container.encode(Array(reported.kept), forKey: .reported)
        try container.encode(checked.map(\.name), forKey: .checked)
        try container.encode(notChecked.map(\.name), forKey: .notChecked)
        try container.encode(revocation, forKey: .revocation)
        if !revocationGaps.isEmpty { try container.encode(revocationGaps, forKey: .revocationGaps) }
        try container.encodeIfPresent(staple, forKey: .staple)
        try container.encodeIfPresent(transparency?.kept, forKey: .transparency)
        try container.encodeIfPresent(anchor, forKey: .anchor)
        try container.encode(matchedPin, forKey: .matchedPin)
        try container.encode(organization?.abridged(toBytes: 1024), forKey: .organization)
        try container.encode(assertsExtendedValidation, forKey: .extendedValidation)
        try container.encode(Array(fetched.kept), forKey: .fetched)
        try container.encode(Array(warnings.kept), forKey: .warnings)
        try container.encode(certificates, forKey: .certificates)
        let counts: [(Key, Int)] = [
            (.failuresOmitted, failures.omitted), (.rejectedPathsOmitted, rejectedPaths.count - rejected.count),
            (.excusedOmitted, excused.omitted), (.reportedOmitted, reported.omitted),
            (.fetchedOmitted, fetched.omitted), (.warningsOmitted, warnings.omitted),
            (.timestampsOmitted, transparency?.omitted ?? 0),
        ]
        for (key, count) in counts where count > 0 { try container.encode(count, forKey: key) }
    }
}
